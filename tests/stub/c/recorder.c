/*
 * A small MSTX injection library in C: it writes a line for every call to the file that MSTX_STUB_LOG names.
 *
 *     cc -shared -fPIC -o librecorder.so recorder.c
 *
 * It declares the interface itself and shares nothing with the Rust stub, so that the two can vouch for each other.
 * One line per call, one more per region, no state but the handles:
 *
 *     init
 *     mark text
 *     range_start text -> 1
 *     range_end 1
 *     domain_create kv -> d1
 *     heap_register d1 0x1000 4096 -> h1
 *     regions_register d1 h1 2
 *     region 0x1000 16 -> r1
 *     regions_unregister d1 1
 *     handle r1 0x1000 16        or: pointer 0x1000
 *     heap_unregister d1 h1
 *     exit
 */
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef void (*function)(void);
typedef int (*getter)(int module, function ***table, unsigned *size);

struct range { uint32_t device_id; const void *ptr; uint64_t size; };
struct heap_desc { int usage; int type; const struct range *range; };
struct register_batch {
    void *heap;
    int region_type;
    size_t count;
    const struct range *ranges;
    void **handles;
};
struct reference { int ref_type; void *target; };
struct unregister_batch { size_t count; const struct reference *refs; };

/* What a handle points to: a letter, a number, and for regions where they are. */
struct record { char letter; unsigned number; struct range range; };

static int log_file = -1;
static unsigned domains, heaps, regions;
static uint64_t ranges;

static void line(const char *format, ...)
{
    char text[1280];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text - 1, format, arguments);
    va_end(arguments);
    if (length > (int)sizeof text - 2)
        length = sizeof text - 2;
    text[length] = '\n';
    if (log_file >= 0 && write(log_file, text, length + 1) < 0)
        log_file = -1;
}

static void *record(char letter, unsigned number, const struct range *range)
{
    struct record *made = calloc(1, sizeof *made);
    if (made == NULL)
        return NULL;
    made->letter = letter;
    made->number = number;
    if (range != NULL)
        made->range = *range;
    return made;
}

/* A handle's name; up to three in one line. */
static const char *name(const void *handle)
{
    static char names[3][32];
    static unsigned next;
    const struct record *of = handle;
    if (of == NULL)
        return "null";
    char *text = names[next++ % 3];
    snprintf(text, sizeof names[0], "%c%u", of->letter, of->number);
    return text;
}

static void mark(const char *message, void *stream)
{
    (void)stream;
    line("mark %s", message);
}

static uint64_t range_start(const char *message, void *stream)
{
    (void)stream;
    line("range_start %s -> %llu", message, (unsigned long long)++ranges);
    return ranges;
}

static void range_end(uint64_t id)
{
    line("range_end %llu", (unsigned long long)id);
}

static void *domain_create(const char *domain)
{
    void *made = record('d', ++domains, NULL);
    line("domain_create %s -> %s", domain, name(made));
    return made;
}

static void *heap_register(void *domain, const struct heap_desc *desc)
{
    void *made = record('h', ++heaps, desc->range);
    line("heap_register %s %p %llu -> %s", name(domain), desc->range->ptr,
         (unsigned long long)desc->range->size, name(made));
    return made;
}

static void heap_unregister(void *domain, void *heap)
{
    line("heap_unregister %s %s", name(domain), name(heap));
    free(heap);
}

static void regions_register(void *domain, const struct register_batch *batch)
{
    line("regions_register %s %s %zu", name(domain), name(batch->heap), batch->count);
    for (size_t i = 0; i < batch->count; i++) {
        const struct range *range = &batch->ranges[i];
        void *made = batch->handles == NULL ? NULL : record('r', ++regions, range);
        if (batch->handles != NULL)
            batch->handles[i] = made;
        line("region %p %llu -> %s", range->ptr, (unsigned long long)range->size, name(made));
    }
}

static void regions_unregister(void *domain, const struct unregister_batch *batch)
{
    line("regions_unregister %s %zu", name(domain), batch->count);
    for (size_t i = 0; i < batch->count; i++) {
        const struct reference *reference = &batch->refs[i];
        if (reference->ref_type == 0) {
            line("pointer %p", reference->target);
            continue;
        }
        struct record *region = reference->target;
        if (region == NULL) {
            line("handle null");
            continue;
        }
        line("handle %s %p %llu", name(region), region->range.ptr,
             (unsigned long long)region->range.size);
        free(region);
    }
}

static void at_exit(void)
{
    line("exit");
}

static void fill(function **table, unsigned size, unsigned id, function implementation)
{
    if (size > id)
        *table[id] = implementation;
}

int InitInjectionMstx(getter get)
{
    function **table;
    unsigned size;
    const char *path = getenv("MSTX_STUB_LOG");
    if (path != NULL && log_file < 0)
        log_file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    line("init");
    if (get(1, &table, &size) == 0) {
        fill(table, size, 1, (function)mark);
        fill(table, size, 2, (function)range_start);
        fill(table, size, 3, (function)range_end);
    }
    if (get(2, &table, &size) == 0)
        fill(table, size, 1, (function)domain_create);
    if (get(3, &table, &size) == 0) {
        fill(table, size, 1, (function)heap_register);
        fill(table, size, 2, (function)heap_unregister);
        fill(table, size, 3, (function)regions_register);
        fill(table, size, 4, (function)regions_unregister);
    }
    return atexit(at_exit) == 0 ? 0 : 1;
}
