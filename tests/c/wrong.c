/* Programs that make one mistake each. The argument says which. The line of the mistake is marked, and that of the call it contradicts. */
#include "mstx.h"

#include <stdio.h>
#include <string.h>

static char slab[1 << 16] __attribute__((aligned(4096)));
static char other[4096] __attribute__((aligned(4096)));
static domain_t domain;

/* What starts before the heap's end, and goes beyond it. */
static void outside(void)
{
    heap_t heap = HEAP(domain, slab, 4096); /* other */
    REGION(domain, heap, slab + 4064, 64, NULL); /* fault */
    RELEASE(domain, slab + 4064);
    mstxMemHeapUnregister(domain, heap);
}

static void overlap(void)
{
    heap_t heap = HEAP(domain, slab, 4096);
    REGION(domain, heap, slab, 128, NULL); /* other */
    REGION(domain, heap, slab + 64, 128, NULL); /* fault */
    RELEASE(domain, slab + 64);
    RELEASE(domain, slab);
    mstxMemHeapUnregister(domain, heap);
}

static void registered_twice(void)
{
    heap_t heap = HEAP(domain, slab, 4096);
    REGION(domain, heap, slab, 64, NULL); /* other */
    REGION(domain, heap, slab, 64, NULL); /* fault */
    RELEASE(domain, slab);
    mstxMemHeapUnregister(domain, heap);
}

static void in_one_batch(void)
{
    heap_t heap = HEAP(domain, slab, 4096);
    struct range ranges[] = {{0, slab, 64}, {0, slab, 64}};
    mstxMemRegionsRegister(domain, &(struct register_batch){heap, 0, 2, ranges, NULL}); /* fault, other */
    RELEASE(domain, slab);
    mstxMemHeapUnregister(domain, heap);
}

static void unknown_release(void)
{
    heap_t heap = HEAP(domain, slab, 4096);
    RELEASE(domain, slab + 64); /* fault */
    mstxMemHeapUnregister(domain, heap);
}

static void released_twice(void)
{
    heap_t heap = HEAP(domain, slab, 4096);
    REGION(domain, heap, slab, 64, NULL);
    RELEASE(domain, slab); /* other */
    RELEASE(domain, slab); /* fault */
    mstxMemHeapUnregister(domain, heap);
}

/* By its handle, after somebody else has got the place. */
static void stale_handle(void)
{
    heap_t heap = HEAP(domain, slab, 4096);
    region_t region = NULL;
    REGION(domain, heap, slab, 64, &region);
    RELEASE_HANDLE(domain, region); /* other */
    REGION(domain, heap, slab, 64, NULL);
    RELEASE_HANDLE(domain, region); /* fault */
    RELEASE(domain, slab);
    mstxMemHeapUnregister(domain, heap);
}

static void interior(void)
{
    heap_t heap = HEAP(domain, slab, 4096);
    REGION(domain, heap, slab, 64, NULL); /* other */
    RELEASE(domain, slab + 16); /* fault */
    RELEASE(domain, slab);
    mstxMemHeapUnregister(domain, heap);
}

static void after_the_heap(void)
{
    heap_t heap = HEAP(domain, slab, 4096);
    REGION(domain, heap, slab, 64, NULL);
    mstxMemHeapUnregister(domain, heap); /* other */
    RELEASE(domain, slab); /* fault */
}

static void under_a_heap(void)
{
    heap_t outer = HEAP(domain, slab, 8192);
    REGION(domain, outer, slab + 4096, 4096, NULL);
    heap_t inner = HEAP(domain, slab + 4096, 4096); /* other */
    RELEASE(domain, slab + 4096); /* fault */
    mstxMemHeapUnregister(domain, inner);
    RELEASE(domain, slab + 4096);
    mstxMemHeapUnregister(domain, outer);
}

static void inner_heap_left(void)
{
    heap_t outer = HEAP(domain, slab, 8192);
    REGION(domain, outer, slab + 4096, 4096, NULL);
    HEAP(domain, slab + 4096, 4096); /* other */
    mstxMemHeapUnregister(domain, outer); /* fault */
}

/* Where the other heap has live regions, it is no running total. */
static void heap_overlap(void)
{
    heap_t heap = HEAP(domain, slab, 8192); /* other */
    REGION(domain, heap, slab + 4096, 64, NULL);
    heap_t late = HEAP(domain, slab + 2048, 4096); /* fault */
    mstxMemHeapUnregister(domain, late);
    mstxMemHeapUnregister(domain, heap);
}

static void heap_twice(void)
{
    HEAP(domain, slab, 4096); /* other */
    heap_t heap = HEAP(domain, slab, 4096); /* fault */
    mstxMemHeapUnregister(domain, heap);
}

static void unknown_heap(void)
{
    REGION(domain, (heap_t)other, other, 64, NULL); /* fault */
    RELEASE(domain, other);
}

static void heap_ends_twice(void)
{
    heap_t heap = HEAP(domain, slab, 4096);
    mstxMemHeapUnregister(domain, heap);
    mstxMemHeapUnregister(domain, heap); /* fault */
}

/* A heap is meant by its start alone. */
static void inside_a_heap(void)
{
    heap_t heap = HEAP(domain, slab, 4096);
    mstxMemHeapUnregister(domain, slab + 64); /* fault */
    mstxMemHeapUnregister(domain, heap);
}

static void wrong_domain(void)
{
    domain_t two = mstxDomainCreateA("two");
    heap_t heap = HEAP(domain, slab, 4096);
    REGION(domain, heap, slab, 64, NULL); /* other */
    RELEASE(two, slab); /* fault */
    RELEASE(domain, slab);
    mstxMemHeapUnregister(domain, heap);
}

static void too_long(void)
{
    heap_t heap = HEAP(domain, slab, 4096);
    REGION(domain, heap, slab + 64, UINT64_MAX, NULL); /* fault */
    RELEASE(domain, slab + 64);
    mstxMemHeapUnregister(domain, heap);
}

static void null_address(void)
{
    REGION(domain, NULL, NULL, 64, NULL); /* fault */
}

static void no_size(void)
{
    heap_t heap = HEAP(domain, slab, 4096);
    REGION(domain, heap, slab, 0, NULL); /* fault */
    RELEASE(domain, slab);
    mstxMemHeapUnregister(domain, heap);
}

static void null_heap_address(void)
{
    HEAP(domain, NULL, 4096); /* fault */
}

static void heap_without_size(void)
{
    HEAP(domain, slab, 0); /* fault */
}

static void heap_too_long(void)
{
    HEAP(domain, slab, UINT64_MAX); /* fault */
}

/* No mistake, but left behind. */
static void left(void)
{
    heap_t heap = HEAP(domain, slab, 4096);
    REGION(domain, heap, slab, 64, NULL);
    for (int place = 1; place < 4; place++)
        REGION(domain, heap, slab + 128 * place, 32, NULL);
}

int main(int count, char **arguments)
{
#define PROGRAM(name) {#name, name}
    static const struct { const char *name; void (*run)(void); } programs[] = {
        PROGRAM(outside), PROGRAM(overlap), PROGRAM(registered_twice), PROGRAM(in_one_batch), PROGRAM(unknown_release),
        PROGRAM(released_twice), PROGRAM(stale_handle), PROGRAM(interior), PROGRAM(after_the_heap), PROGRAM(under_a_heap),
        PROGRAM(inner_heap_left), PROGRAM(heap_overlap), PROGRAM(heap_twice), PROGRAM(unknown_heap), PROGRAM(heap_ends_twice),
        PROGRAM(inside_a_heap), PROGRAM(wrong_domain), PROGRAM(too_long), PROGRAM(null_address), PROGRAM(no_size),
        PROGRAM(null_heap_address), PROGRAM(heap_without_size), PROGRAM(heap_too_long), PROGRAM(left),
    };
    domain = mstxDomainCreateA("buffers");
    for (size_t at = 0; at < sizeof programs / sizeof *programs; at++)
        if (count == 2 && strcmp(arguments[1], programs[at].name) == 0) {
            programs[at].run();
            return 0;
        }
    return 2;
}
