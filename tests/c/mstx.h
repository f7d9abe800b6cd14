/*
 * A client of the MSTX tool interface, as a header: each executable and each shared library that includes it is a client of its own.
 *
 * It does what the official client does: on the first call it opens the library in MSTX_INJECTION_PATH; where there is none, it looks
 * for a tool that is in the process already (`LD_PRELOAD`). Without a tool, every call does nothing.
 */
#ifndef MSTX_H
#define MSTX_H

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef void *domain_t;
typedef void *heap_t;
typedef void *region_t;

struct range { uint32_t device_id; const void *ptr; uint64_t size; };
struct heap_desc { int usage; int type; const void *type_specific_desc; };
struct register_batch {
    heap_t heap;
    int region_type;
    size_t region_count;
    const struct range *region_desc_array;
    region_t *region_handle_array_out;
};
enum { BY_POINTER, BY_HANDLE };
struct region_ref {
    int ref_type;
    union { const void *pointer; region_t handle; };
};
struct unregister_batch { size_t ref_count; const struct region_ref *ref_array; };

typedef void (*mstx_function)(void);
typedef int (*mstx_getter)(int module, mstx_function ***table, unsigned *size);

/* The functions of each module, from number 1 on. */
static struct {
    struct {
        void (*mark)(const char *, void *);
        uint64_t (*range_start)(const char *, void *);
        void (*range_end)(uint64_t);
        void (*get_tool_id)(uint64_t *);
    } core;
    struct {
        domain_t (*create)(const char *);
        void (*destroy)(domain_t);
        void (*mark)(domain_t, const char *, void *);
        uint64_t (*range_start)(domain_t, const char *, void *);
        void (*range_end)(domain_t, uint64_t);
    } domain;
    struct {
        heap_t (*heap_register)(domain_t, const struct heap_desc *);
        void (*heap_unregister)(domain_t, heap_t);
        void (*regions_register)(domain_t, const struct register_batch *);
        void (*regions_unregister)(domain_t, const struct unregister_batch *);
    } mem;
} mstx;

#define SLOT(function) (mstx_function *)&mstx.function
static mstx_function *mstx_core[] = {NULL, SLOT(core.mark), SLOT(core.range_start), SLOT(core.range_end), SLOT(core.get_tool_id), NULL};
static mstx_function *mstx_domain[] = {NULL, SLOT(domain.create), SLOT(domain.destroy), SLOT(domain.mark), SLOT(domain.range_start),
                                       SLOT(domain.range_end), NULL};
static mstx_function *mstx_mem[] = {NULL, SLOT(mem.heap_register), SLOT(mem.heap_unregister), SLOT(mem.regions_register),
                                    SLOT(mem.regions_unregister), NULL};

static int mstx_get(int module, mstx_function ***table, unsigned *size)
{
    static mstx_function **const tables[] = {NULL, mstx_core, mstx_domain, mstx_mem};
    static const unsigned sizes[] = {0, 5, 6, 5};
    if (module < 1 || module > 3)
        return 1;
    *table = tables[module];
    *size = sizes[module];
    return 0;
}

static void mstx_attach(void)
{
    const char *path = getenv("MSTX_INJECTION_PATH");
    void *library = path == NULL || *path == 0 ? NULL : dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    int (*init)(mstx_getter);
    *(void **)&init = dlsym(library == NULL ? RTLD_DEFAULT : library, "InitInjectionMstx");
    if (init != NULL)
        init(mstx_get);
}

static void mstx_begin(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, mstx_attach);
}

#define CALL(function, ...) (mstx_begin(), mstx.function == NULL ? (void)0 : mstx.function(__VA_ARGS__))
#define ASK(function, ...) (mstx_begin(), mstx.function == NULL ? 0 : mstx.function(__VA_ARGS__))
#define API static inline __attribute__((unused))

API void mstxMarkA(const char *message, void *stream) { CALL(core.mark, message, stream); }
API uint64_t mstxRangeStartA(const char *message, void *stream) { return ASK(core.range_start, message, stream); }
API void mstxRangeEnd(uint64_t id) { CALL(core.range_end, id); }
API void mstxGetToolId(uint64_t *id) { *id = 0; CALL(core.get_tool_id, id); }
API domain_t mstxDomainCreateA(const char *name) { return ASK(domain.create, name); }
API void mstxDomainDestroy(domain_t domain) { CALL(domain.destroy, domain); }
API void mstxDomainMarkA(domain_t domain, const char *message, void *stream) { CALL(domain.mark, domain, message, stream); }
API uint64_t mstxDomainRangeStartA(domain_t domain, const char *message, void *stream)
{
    return ASK(domain.range_start, domain, message, stream);
}
API void mstxDomainRangeEnd(domain_t domain, uint64_t id) { CALL(domain.range_end, domain, id); }
API heap_t mstxMemHeapRegister(domain_t domain, const struct heap_desc *desc) { return ASK(mem.heap_register, domain, desc); }
API void mstxMemHeapUnregister(domain_t domain, heap_t heap) { CALL(mem.heap_unregister, domain, heap); }
API void mstxMemRegionsRegister(domain_t domain, const struct register_batch *batch) { CALL(mem.regions_register, domain, batch); }
API void mstxMemRegionsUnregister(domain_t domain, const struct unregister_batch *batch)
{
    CALL(mem.regions_unregister, domain, batch);
}

/* Shorter ways to say it, for one thing at a time. They are macros, so that each call is one of the function that says it. */
#define HEAP(domain, start, bytes) \
    mstxMemHeapRegister(domain, &(struct heap_desc){0, 0, &(struct range){0, (const void *)(start), bytes}})
#define REGION(domain, heap, start, bytes, handle) \
    mstxMemRegionsRegister(domain, &(struct register_batch){heap, 0, 1, &(struct range){0, (const void *)(start), bytes}, handle})
#define RELEASE(domain, start) \
    mstxMemRegionsUnregister(domain, &(struct unregister_batch){1, &(struct region_ref){BY_POINTER, {.pointer = (const void *)(start)}}})
#define RELEASE_HANDLE(domain, region) \
    mstxMemRegionsUnregister(domain, &(struct unregister_batch){1, &(struct region_ref){BY_HANDLE, {.handle = region}}})

#endif
