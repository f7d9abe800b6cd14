/* A shared library with a client of its own, and a pool that its user has, too. */
#include "mstx.h"

void *module_domain(const char *name);
void module_take(void *domain, void *heap, const void *start, uint64_t size);
void module_give(void *domain, const void *start);

void *module_domain(const char *name)
{
    return mstxDomainCreateA(name);
}

void module_take(void *domain, void *heap, const void *start, uint64_t size)
{
    REGION(domain, heap, start, size, NULL);
}

void module_give(void *domain, const void *start)
{
    RELEASE(domain, start);
}
