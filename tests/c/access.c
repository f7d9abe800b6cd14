/* A pool that hands out two blocks with a gap between them, and a user that writes where it may not; `right` writes where it may. */
#include "mstx.h"

#include <stdio.h>
#include <string.h>

enum { SIZE = 3 * 4096, BLOCK = 100, STEP = 128 };

struct pool {
    char *slab;
    domain_t domain;
    heap_t heap;
    size_t used;
};

static struct pool pool_new(size_t size)
{
    struct pool pool = {.slab = aligned_alloc(4096, size), .domain = mstxDomainCreateA("blocks")};
    pool.heap = HEAP(pool.domain, pool.slab, size);
    return pool;
}

static char *pool_alloc(struct pool *pool)
{
    char *block = pool->slab + pool->used;
    pool->used += STEP;
    REGION(pool->domain, pool->heap, block, BLOCK, NULL);
    return block;
}

static void pool_free(struct pool *pool, char *block)
{
    RELEASE(pool->domain, block);
}

static void pool_end(struct pool *pool)
{
    mstxMemHeapUnregister(pool->domain, pool->heap);
    memset(pool->slab, 0, SIZE);
    free(pool->slab);
}

int main(int count, char **arguments)
{
    const char *what = count == 2 ? arguments[1] : "";
    struct pool pool = pool_new(SIZE);
    char *volatile first = pool_alloc(&pool), *volatile second = pool_alloc(&pool);
    memset(first, 1, BLOCK);
    memset(second, 2, BLOCK);
    if (strcmp(what, "behind") == 0)
        first[BLOCK] = 1; /* behind */
    if (strcmp(what, "page") == 0)
        first[4096] = 1; /* page: where nothing was handed out */
    pool_free(&pool, second);
    if (strcmp(what, "freed") == 0)
        second[8] = 1; /* freed */
    pool_free(&pool, first);
    pool_end(&pool);
    puts("done");
    return 0;
}
