/* Calls that are wrong in themselves. The program goes on, and what is right in it is seen. */
#include "mstx.h"

#include <stdio.h>

static char slab[4096] __attribute__((aligned(4096)));

int main(void)
{
    void *const nowhere = (void *)0x1234567;
    domain_t domain = mstxDomainCreateA("garbage");
    heap_t heap = HEAP(domain, slab, sizeof slab);
    struct range range = {0, slab, 64};
    struct region_ref ref = {7, {.pointer = slab}};

    domain_t none[] = {mstxDomainCreateA(NULL), mstxDomainCreateA(""), mstxDomainCreateA("has a space"), mstxDomainCreateA("\xff")};
    mstxMarkA(NULL, NULL);
    uint64_t range_id = mstxRangeStartA(NULL, NULL);
    mstxRangeEnd(4711);
    mstxDomainMarkA(nowhere, "lost", NULL);
    mstxDomainMarkA(domain, NULL, NULL);
    range_id |= mstxDomainRangeStartA(nowhere, "lost", NULL);
    mstxDomainRangeEnd(nowhere, 1);
    mstxDomainDestroy(nowhere);
    CALL(core.get_tool_id, NULL);

    heap_t heaps[] = {
        mstxMemHeapRegister(domain, NULL),
        mstxMemHeapRegister(domain, &(struct heap_desc){1, 0, &range}),
        mstxMemHeapRegister(domain, &(struct heap_desc){0, 1, &range}),
        mstxMemHeapRegister(domain, &(struct heap_desc){0, 0, NULL}),
        mstxMemHeapRegister(nowhere, &(struct heap_desc){0, 0, &range}),
    };
    mstxMemHeapUnregister(domain, NULL);
    mstxMemHeapUnregister(nowhere, heap);

    mstxMemRegionsRegister(domain, NULL);
    mstxMemRegionsRegister(domain, &(struct register_batch){heap, 9, 1, &range, NULL});
    mstxMemRegionsRegister(domain, &(struct register_batch){heap, 0, 3, NULL, NULL});
    mstxMemRegionsRegister(domain, &(struct register_batch){heap, 0, SIZE_MAX, &range, NULL});
    mstxMemRegionsRegister(domain, &(struct register_batch){heap, 0, 0, NULL, NULL}); /* nothing, which is fine */
    mstxMemRegionsRegister(nowhere, &(struct register_batch){heap, 0, 1, &range, NULL});
    mstxMemRegionsUnregister(domain, NULL);
    mstxMemRegionsUnregister(domain, &(struct unregister_batch){2, NULL});
    mstxMemRegionsUnregister(domain, &(struct unregister_batch){1, &ref});
    mstxMemRegionsUnregister(nowhere, &(struct unregister_batch){1, &ref});
    RELEASE(domain, NULL);
    RELEASE_HANDLE(domain, NULL);

    REGION(domain, heap, slab, 64, NULL);
    RELEASE(domain, slab);
    mstxMemHeapUnregister(domain, heap);
    printf("%d %d\n", none[0] || none[1] || none[2] || none[3] || range_id != 0,
           heaps[0] || heaps[1] || heaps[2] || heaps[3] || heaps[4]);
    return 0;
}
