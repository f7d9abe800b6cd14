/* Programs that make no mistake. The argument says which. */
#define _GNU_SOURCE
#include "mstx.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static char slab[1 << 16] __attribute__((aligned(4096)));

/* A pool, as a user of the interface would write it. */
static void pool(void)
{
    domain_t domain = mstxDomainCreateA("buffers");
    heap_t heap = HEAP(domain, slab, sizeof slab);
    region_t regions[2] = {NULL, NULL};
    struct range ranges[] = {{0, slab, 100}, {0, slab + 128, 200}};
    mstxMemRegionsRegister(domain, &(struct register_batch){heap, 0, 2, ranges, regions});
    memset(slab, 1, 100);
    mstxMarkA("both are there", NULL);
    struct region_ref refs[] = {{BY_HANDLE, {.handle = regions[0]}}, {BY_POINTER, {.pointer = slab + 128}}};
    mstxMemRegionsUnregister(domain, &(struct unregister_batch){2, refs});
    mstxMemHeapUnregister(domain, heap);
    mstxDomainDestroy(domain);
    uint64_t tool;
    mstxGetToolId(&tool);
    printf("heap %d handles %d tool %d\n", heap != NULL, regions[0] != NULL && regions[1] != NULL, tool != 0);
}

/* The same places again and again; no handles are asked for. */
static void again(void)
{
    for (int turn = 0; turn < 100; turn++) {
        heap_t heap = HEAP(NULL, slab, 4096);
        for (int place = 0; place < 16; place++)
            REGION(NULL, heap, slab + 64 * place, 64, NULL);
        for (int place = 0; place < 16; place += 2)
            RELEASE(NULL, slab + 64 * place);
        for (int place = 0; place < 16; place += 2)
            REGION(NULL, heap, slab + 64 * place, 32, NULL);
        for (int place = 0; place < 16; place++)
            RELEASE(NULL, slab + 64 * place);
        mstxMemHeapUnregister(NULL, heap);
    }
}

/* Regions of no heap: where there is one, and where there is none. */
static void loose(void)
{
    domain_t domain = mstxDomainCreateA("loose");
    region_t region = NULL;
    REGION(domain, NULL, slab, 64, &region);
    heap_t heap = HEAP(domain, slab, 4096);
    REGION(domain, NULL, slab + 64, 64, NULL);
    REGION(domain, NULL, slab + 8192, 64, NULL);
    REGION(domain, NULL, slab + 4064, 64, NULL); /* beyond the heap's end */
    RELEASE_HANDLE(domain, region);
    mstxMemHeapUnregister(domain, heap);
    RELEASE(domain, slab + 64);
    RELEASE(domain, slab + 8192);
    RELEASE(domain, slab + 4064);
}

/* The size of each heap is the total of what was obtained so far. */
static void totals(void)
{
    domain_t domain = mstxDomainCreateA("totals");
    uint64_t total = 0;
    char *blocks[] = {slab + 32768, slab, slab + 8192, slab + 16384};
    heap_t heaps[4];
    for (int block = 0; block < 4; block++) {
        total += 8192;
        heaps[block] = HEAP(domain, blocks[block], total);
        REGION(domain, heaps[block], blocks[block], 8192, NULL);
    }
    for (int block = 0; block < 4; block++) {
        RELEASE(domain, blocks[block]);
        mstxMemHeapUnregister(domain, heaps[block]);
    }
}

/* The end of a heap is the end of its regions. */
static void end(void)
{
    domain_t domain = mstxDomainCreateA("ends");
    for (int turn = 0; turn < 3; turn++) {
        heap_t heap = HEAP(domain, slab, 4096);
        REGION(domain, heap, slab, 64, NULL);
        REGION(domain, heap, slab + 64, 64, NULL);
        mstxMemHeapUnregister(domain, heap);
    }
}

/* One name is one domain; the same memory in two domains is two things. */
static void domains(void)
{
    domain_t one = mstxDomainCreateA("one"), same = mstxDomainCreateA("one"), two = mstxDomainCreateA("two");
    heap_t outer = HEAP(one, slab, 8192);
    REGION(same, outer, slab, 8192, NULL);
    heap_t inner = HEAP(two, slab, 8192);
    REGION(two, inner, slab, 64, NULL);
    RELEASE(two, slab);
    mstxMemHeapUnregister(two, inner);
    RELEASE(one, slab);
    mstxMemHeapUnregister(same, outer);
    printf("same %d other %d\n", one == same, one != two);
}

/* Marks and ranges, in a domain and in none. */
static void marks(void)
{
    domain_t domain = mstxDomainCreateA("times");
    uint64_t range = mstxRangeStartA("all", NULL), inner = mstxDomainRangeStartA(domain, "inner", (void *)0x20);
    mstxDomainMarkA(domain, "in between", NULL);
    mstxMarkA("\xff is no text", (void *)0x10);
    mstxDomainRangeEnd(domain, inner);
    mstxRangeEnd(range);
    mstxRangeEnd(0);
    printf("ranges %d\n", range != 0 && inner != 0);
}

/* Memory of a device: nobody here can read it. */
static void device(void)
{
    char *base = mmap(NULL, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct range all = {3, base, 1 << 20}, part = {3, base, 4096};
    heap_t heap = mstxMemHeapRegister(NULL, &(struct heap_desc){0, 0, &all});
    mstxMemRegionsRegister(NULL, &(struct register_batch){heap, 0, 1, &part, NULL});
    RELEASE(NULL, base);
    mstxMemHeapUnregister(NULL, heap);
    munmap(base, 1 << 20);
}

int main(int count, char **arguments)
{
    static const struct { const char *name; void (*run)(void); } programs[] = {
        {"pool", pool}, {"again", again}, {"loose", loose}, {"totals", totals}, {"end", end},
        {"domains", domains}, {"marks", marks}, {"device", device},
    };
    for (size_t at = 0; at < sizeof programs / sizeof *programs; at++)
        if (count == 2 && strcmp(arguments[1], programs[at].name) == 0) {
            programs[at].run();
            return 0;
        }
    return 2;
}
