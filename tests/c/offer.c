/* Clients that offer less than they should. The argument says which; what the initialiser returns is printed, and which slots it filled. */
#include "mstx.h"

#include <stdio.h>
#include <string.h>

static const char *what = "";

static int get(int module, mstx_function ***table, unsigned *size)
{
    if (mstx_get(module, table, size) != 0)
        return 1;
    if (strcmp(what, "no_module_2") == 0 && module == 2)
        return 1;
    if (strcmp(what, "no_table") == 0)
        *table = NULL;
    if (strcmp(what, "nothing") == 0)
        *size = 0;
    if (strcmp(what, "three") == 0 && *size > 3)
        *size = 3;
    if (strcmp(what, "holes") == 0)
        (*table)[2] = NULL;
    return 0;
}

int main(int count, char **arguments)
{
    static char slab[4096];
    what = count == 2 ? arguments[1] : "";
    const char *path = getenv("MSTX_INJECTION_PATH");
    int (*init)(mstx_getter);
    *(void **)&init = dlsym(path == NULL ? RTLD_DEFAULT : dlopen(path, RTLD_LAZY | RTLD_LOCAL), "InitInjectionMstx");
    int status = init(strcmp(what, "no_getter") == 0 ? NULL : get);
    printf("%d:", status);
    static mstx_function *const core[] = {SLOT(core.mark), SLOT(core.range_start), SLOT(core.range_end), SLOT(core.get_tool_id)};
    static mstx_function *const domain[] = {SLOT(domain.create), SLOT(domain.destroy), SLOT(domain.mark), SLOT(domain.range_start),
                                            SLOT(domain.range_end)};
    static mstx_function *const mem[] = {SLOT(mem.heap_register), SLOT(mem.heap_unregister), SLOT(mem.regions_register),
                                         SLOT(mem.regions_unregister)};
    for (int slot = 0; slot < 4; slot++)
        putchar(*core[slot] == NULL ? '-' : '+');
    putchar(' ');
    for (int slot = 0; slot < 5; slot++)
        putchar(*domain[slot] == NULL ? '-' : '+');
    putchar(' ');
    for (int slot = 0; slot < 4; slot++)
        putchar(*mem[slot] == NULL ? '-' : '+');
    putchar('\n');
    /* What is there works, what is not does nothing. `mstx.h` would attach once more. */
    heap_t heap = mstx.mem.heap_register == NULL
        ? NULL
        : mstx.mem.heap_register(NULL, &(struct heap_desc){0, 0, &(struct range){0, slab, sizeof slab}});
    if (mstx.mem.heap_unregister != NULL)
        mstx.mem.heap_unregister(NULL, heap);
    return 0;
}
