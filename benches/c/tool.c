/*
 * A tool that counts, and nothing else: a handle is the next number. So what is measured with it is the client.
 *
 * With MSTX_BENCH_TOOL_COSTS=1 it takes the time that msSanitizer takes (measured with 10,000 live regions: 130 us for each that
 * is unregistered, since it looks at all that are live; 10 to 90 us for each that is registered, batched or not).
 */
#include "mstx.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REGISTER_NS = 24000, LOOK_NS = 13 };

enum { REGISTER_CALLS, UNREGISTER_CALLS, REGISTERED, UNREGISTERED, COUNTS };
static uint64_t counts[COUNTS];
static uintptr_t last_handle;
static int costs;

static void spend(uint64_t ns)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    uint64_t end = (uint64_t)at.tv_sec * 1000000000 + (uint64_t)at.tv_nsec + ns;
    do
        clock_gettime(CLOCK_MONOTONIC, &at);
    while ((uint64_t)at.tv_sec * 1000000000 + (uint64_t)at.tv_nsec < end);
}

static void *next_handle(void)
{
    return (void *)++last_handle;
}

static void *domain_create(const char *name)
{
    (void)name;
    return next_handle();
}

static void *heap_register(void *domain, const struct heap_desc *desc)
{
    (void)domain;
    (void)desc;
    return next_handle();
}

static void heap_unregister(void *domain, void *heap)
{
    (void)domain;
    (void)heap;
}

static void regions_register(void *domain, const struct register_batch *batch)
{
    (void)domain;
    counts[REGISTER_CALLS]++;
    counts[REGISTERED] += batch->count;
    for (size_t i = 0; i < batch->count; i++)
        batch->handles[i] = next_handle();
    if (costs)
        spend(REGISTER_NS * batch->count);
}

static void regions_unregister(void *domain, const struct unregister_batch *batch)
{
    (void)domain;
    uint64_t live = counts[REGISTERED] - counts[UNREGISTERED];
    counts[UNREGISTER_CALLS]++;
    counts[UNREGISTERED] += batch->count;
    if (costs)
        spend(LOOK_NS * live * batch->count);
}

/* Calls and regions so far: register calls, unregister calls, regions registered, regions unregistered. */
void mstx_bench_counts(uint64_t out[COUNTS])
{
    memcpy(out, counts, sizeof counts);
}

int InitInjectionMstx(getter get)
{
    function **table;
    unsigned size;
    const char *asked = getenv("MSTX_BENCH_TOOL_COSTS");
    costs = asked != NULL && strcmp(asked, "1") == 0;
    if (get(DOMAIN, &table, &size) == 0 && size > DOMAIN_CREATE)
        *table[DOMAIN_CREATE] = (function)domain_create;
    if (get(MEMORY, &table, &size) != 0 || size <= REGIONS_UNREGISTER)
        return 1;
    *table[HEAP_REGISTER] = (function)heap_register;
    *table[HEAP_UNREGISTER] = (function)heap_unregister;
    *table[REGIONS_REGISTER] = (function)regions_register;
    *table[REGIONS_UNREGISTER] = (function)regions_unregister;
    return 0;
}
