/* The part of the MSTX tool interface that the tool and the client here use. */
#ifndef MSTX_BENCH_H
#define MSTX_BENCH_H

#include <stddef.h>
#include <stdint.h>

typedef void (*function)(void);
typedef int (*getter)(int module, function ***table, unsigned *size);

struct range { uint32_t device_id; const void *ptr; uint64_t size; };
struct heap_desc { int usage; int type; const void *type_specific_desc; };
struct register_batch {
    void *heap;
    int region_type;
    size_t count;
    const struct range *ranges;
    void **handles;
};
enum { BY_POINTER, BY_HANDLE };
struct reference {
    int ref_type;
    union { const void *pointer; void *handle; };
};
struct unregister_batch { size_t count; const struct reference *refs; };

enum { CORE = 1, DOMAIN, MEMORY };
enum { DOMAIN_CREATE = 1 };
enum { HEAP_REGISTER = 1, HEAP_UNREGISTER, REGIONS_REGISTER, REGIONS_UNREGISTER };

typedef void *domain_create_function(const char *name);
typedef void *heap_register_function(void *domain, const struct heap_desc *desc);
typedef void heap_unregister_function(void *domain, void *heap);
typedef void regions_register_function(void *domain, const struct register_batch *batch);
typedef void regions_unregister_function(void *domain, const struct unregister_batch *batch);

#endif
