/*
 * What a pool's author would write in C without this library: it lets the tool in as the official client does, has one lock around
 * every call, and keeps each region's handle in a hash map from address to handle (open addressing, linear probing, at most half
 * full, no tombstones).
 */
#include "mstx.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 7, FIRST_CAPACITY = 16 };
static const unsigned sizes[] = {0, 5, 6, 5};
static function slots[4][SLOTS];
static function *tables[4][SLOTS];

struct entry { uintptr_t address; void *handle; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *entries;
static size_t capacity, used;
static unsigned shift;
static void *domain, *heap;

static int get(int module, function ***table, unsigned *size)
{
    if (module < CORE || module > MEMORY)
        return 1;
    *table = tables[module];
    *size = sizes[module];
    return 0;
}

int mstx_bench_client_attach(const char *path)
{
    for (int module = CORE; module <= MEMORY; module++)
        for (unsigned id = 0; id <= sizes[module]; id++)
            tables[module][id] = &slots[module][id];
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    int (*init)(getter) = NULL;
    if (library != NULL)
        *(void **)&init = dlsym(library, "InitInjectionMstx");
    if (init != NULL && init(get) == 0)
        return 0;
    memset(slots, 0, sizeof slots);
    return 1;
}

/* Multiplication by the golden ratio spreads addresses, whose low bits are all the same. */
static size_t home(uintptr_t address)
{
    return (size_t)(address * 0x9E3779B97F4A7C15u >> shift);
}

static struct entry *slot_of(uintptr_t address)
{
    size_t at = home(address);
    while (entries[at].address != 0 && entries[at].address != address)
        at = (at + 1) & (capacity - 1);
    return &entries[at];
}

static int grow(void)
{
    struct entry *old = entries;
    size_t length = capacity;
    size_t doubled = length == 0 ? FIRST_CAPACITY : length * 2;
    struct entry *larger = calloc(doubled, sizeof *larger);
    if (larger == NULL)
        return 1;
    entries = larger;
    capacity = doubled;
    shift = 64 - (unsigned)__builtin_ctzll(doubled);
    for (size_t i = 0; i < length; i++)
        if (old[i].address != 0)
            *slot_of(old[i].address) = old[i];
    free(old);
    return 0;
}

static void put(uintptr_t address, void *handle)
{
    if (used * 2 >= capacity && grow() != 0)
        return;
    struct entry *entry = slot_of(address);
    used += entry->address == 0;
    entry->address = address;
    entry->handle = handle;
}

/* Takes the entry out, and moves those behind it up that would not be found any more. */
static void *take(uintptr_t address)
{
    if (capacity == 0)
        return NULL;
    struct entry *entry = slot_of(address);
    if (entry->address == 0)
        return NULL;
    void *handle = entry->handle;
    size_t hole = (size_t)(entry - entries), mask = capacity - 1;
    for (size_t at = (hole + 1) & mask; entries[at].address != 0; at = (at + 1) & mask) {
        if (((at - home(entries[at].address)) & mask) >= ((at - hole) & mask)) {
            entries[hole] = entries[at];
            hole = at;
        }
    }
    entries[hole].address = 0;
    used--;
    return handle;
}

void mstx_bench_client_heap(uintptr_t start, size_t size)
{
    domain_create_function *create = (domain_create_function *)slots[DOMAIN][DOMAIN_CREATE];
    heap_register_function *call = (heap_register_function *)slots[MEMORY][HEAP_REGISTER];
    struct range range = {0, (const void *)start, size};
    struct heap_desc desc = {0, 0, &range};
    pthread_mutex_lock(&lock);
    if (create != NULL)
        domain = create("blocks");
    if (call != NULL)
        heap = call(domain, &desc);
    pthread_mutex_unlock(&lock);
}

void mstx_bench_client_register(uintptr_t address, size_t size)
{
    regions_register_function *call = (regions_register_function *)slots[MEMORY][REGIONS_REGISTER];
    if (call == NULL)
        return;
    void *handle = NULL;
    struct range range = {0, (const void *)address, size};
    pthread_mutex_lock(&lock);
    struct register_batch batch = {heap, 0, 1, &range, &handle};
    call(domain, &batch);
    put(address, handle);
    pthread_mutex_unlock(&lock);
}

void mstx_bench_client_unregister(uintptr_t address)
{
    regions_unregister_function *call = (regions_unregister_function *)slots[MEMORY][REGIONS_UNREGISTER];
    if (call == NULL)
        return;
    pthread_mutex_lock(&lock);
    void *handle = take(address);
    struct reference reference = {BY_POINTER, {(const void *)address}};
    if (handle != NULL)
        reference = (struct reference){BY_HANDLE, {.handle = handle}};
    struct unregister_batch batch = {1, &reference};
    call(domain, &batch);
    pthread_mutex_unlock(&lock);
}
