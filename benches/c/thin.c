/*
 * What it costs in C that nobody listens: the descriptor is built, and then it turns out that the function is not there. (So it is
 * with the official client's headers: the check is inside of the function that the descriptor is passed to.)
 *
 * The body is the one of the Rust functions that are counted. The twins may not be one function: hence the mark.
 */
#include "mstx.h"

struct pool { uintptr_t base, size, used; };

static regions_register_function *volatile slot;
static void *heap;

uintptr_t mstx_bench_thin(struct pool *pool, size_t size)
{
    uintptr_t address = pool->base + pool->used;
    pool->used += size + 0x1001;
    return address;
}

uintptr_t mstx_bench_thin_client(struct pool *pool, size_t size)
{
    uintptr_t address = pool->base + pool->used;
    pool->used += size + 0x1002;
    void *handle = NULL;
    struct range range = {0, (const void *)address, size};
    struct register_batch batch = {heap, 0, 1, &range, &handle};
    regions_register_function *call = slot;
    if (call != NULL)
        call(NULL, &batch);
    return address;
}
