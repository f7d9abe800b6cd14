/*
 * A small MSTX client in C, for testing the stub: it loads MSTX_INJECTION_PATH as the official client does, and makes
 * calls that are right, or wrong.
 *
 *     cc -o client client.c -ldl && MSTX_INJECTION_PATH=libmstx_stub.so ./client right
 *
 * Modes: right, wrong, official (as right, but with the official client's closing null entries), bare (as right, with a
 * pointer for each reference), fork, late (calls from an exit handler that runs after the tool's).
 * Exit status 2: no tool is attached.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef void (*function)(void);
typedef int (*getter)(int module, function ***table, unsigned *size);

struct range { uint32_t device_id; const void *ptr; uint64_t size; };
struct heap_desc { int usage; int type; const void *type_specific_desc; };
struct register_batch {
    void *heap;
    int region_type;
    size_t region_count;
    const void *region_desc_array;
    void **region_handle_array_out;
};
struct reference {
    int ref_type;
    union { const void *pointer; void *handle; };
};
struct unregister_batch { size_t ref_count; const struct reference *ref_array; };

enum { CORE = 1, DOMAIN, MEMORY, SLOTS = 7 };
static const unsigned sizes[] = {0, 5, 6, 5};
static function slots[4][SLOTS];
static function *tables[4][SLOTS];
static void *heap_base = (void *)0x12c000000000;

static int get(int module, function ***table, unsigned *size)
{
    if (module < CORE || module > MEMORY)
        return 1;
    *table = tables[module];
    *size = sizes[module];
    return 0;
}

/* Slot 0 and the entry behind the last are scratch slots, or null as in the official client. */
static int attach(int spare)
{
    for (int module = CORE; module <= MEMORY; module++)
        for (unsigned id = 0; id <= sizes[module]; id++)
            tables[module][id] = spare || (id > 0 && id < sizes[module]) ? &slots[module][id] : NULL;
    const char *path = getenv("MSTX_INJECTION_PATH");
    void *library = path == NULL || *path == 0 ? NULL : dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    int (*init)(getter) = NULL;
    *(void **)&init = dlsym(library == NULL ? RTLD_DEFAULT : library, "InitInjectionMstx");
    if (init != NULL && init(get) == 0)
        return 0;
    memset(slots, 0, sizeof slots);
    return 1;
}

static void mark(const char *message)
{
    void (*call)(const char *, void *) = (void (*)(const char *, void *))slots[CORE][1];
    if (call != NULL)
        call(message, NULL);
}

static void *domain_create(const char *name)
{
    void *(*call)(const char *) = (void *(*)(const char *))slots[DOMAIN][1];
    return call == NULL ? NULL : call(name);
}

static void *heap_register(void *domain, void *ptr, uint64_t size)
{
    void *(*call)(void *, const struct heap_desc *);
    call = (void *(*)(void *, const struct heap_desc *))slots[MEMORY][1];
    struct range range = {0, ptr, size};
    struct heap_desc desc = {0, 0, &range};
    return call == NULL ? NULL : call(domain, &desc);
}

static void heap_unregister(void *domain, void *heap)
{
    void (*call)(void *, void *) = (void (*)(void *, void *))slots[MEMORY][2];
    if (call != NULL)
        call(domain, heap);
}

static void regions_register(void *domain, void *heap, const struct range *ranges, size_t count, void **handles)
{
    void (*call)(void *, const struct register_batch *);
    call = (void (*)(void *, const struct register_batch *))slots[MEMORY][3];
    struct register_batch batch = {heap, 0, count, ranges, handles};
    if (call != NULL)
        call(domain, &batch);
}

static void regions_unregister(void *domain, const struct reference *refs, size_t count)
{
    void (*call)(void *, const struct unregister_batch *);
    call = (void (*)(void *, const struct unregister_batch *))slots[MEMORY][4];
    struct unregister_batch batch = {count, refs};
    if (call != NULL)
        call(domain, &batch);
}

/* By handle where one was written, by pointer where none was. */
static struct reference refer(const struct range *range, void *handle)
{
    struct reference reference = {handle != NULL, {range->ptr}};
    if (handle != NULL)
        reference.handle = handle;
    return reference;
}

static void right(int by_pointer)
{
    char *base = heap_base;
    void *domain = domain_create("ptaCaching");
    void *heap = heap_register(domain, base, 4096);
    struct range ranges[3] = {{0, base, 16}, {0, base + 16, 100}, {0, base + 1024, 1}};
    void *handles[3] = {NULL, NULL, NULL};
    struct reference refs[3];
    regions_register(domain, heap, ranges, 3, handles);
    for (int i = 0; i < 3; i++)
        refs[i] = refer(&ranges[i], by_pointer ? NULL : handles[i]);
    regions_unregister(domain, refs, 1);
    regions_unregister(domain, refs + 1, 2);
    heap_unregister(domain, heap == NULL ? base : heap);
    mark("done");
}

/* One mistake after the other, none of which crashes a tool. */
static void wrong(void)
{
    char *base = heap_base;
    void *handle = NULL;
    struct range good = {0, base, 16}, empty = {0, base + 64, 0}, outside = {0, base + 4090, 16};
    void *domain = domain_create("kv");
    domain_create("kv");
    domain_create("k v");
    void *heap = heap_register(domain, base, 4096);
    regions_register(domain, heap, &good, 1, &handle);
    struct reference twice[2] = {refer(&good, handle), refer(&good, handle)};
    regions_unregister(domain, twice, 2);
    regions_register(domain, heap, &empty, 1, &handle);
    handle = NULL;
    regions_register(domain, heap, &outside, 1, &handle);
    heap_unregister(domain, heap);
    heap_unregister(domain, heap);
}

static void forked(void)
{
    struct range range = {0, heap_base, 16};
    void *handle = NULL;
    regions_register(NULL, NULL, &range, 1, &handle);
    struct reference reference = refer(&range, handle);
    pid_t child = fork();
    regions_unregister(NULL, &reference, 1);
    if (child == 0)
        exit(0);
    waitpid(child, NULL, 0);
}

static void late(void)
{
    mark("late");
    right(0);
}

int main(int count, char **arguments)
{
    const char *mode = count > 1 ? arguments[1] : "right";
    if (strcmp(mode, "late") == 0)
        atexit(late);
    if (attach(strcmp(mode, "official") != 0) != 0)
        return 2;
    if (strcmp(mode, "wrong") == 0)
        wrong();
    else if (strcmp(mode, "fork") == 0)
        forked();
    else if (strcmp(mode, "late") != 0)
        right(strcmp(mode, "bare") == 0);
    return 0;
}
