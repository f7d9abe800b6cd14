/* Beginnings, ends, threads, forks and modules. The argument says which. */
#define _GNU_SOURCE
#include "mstx.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, BYTES = 4096 };
static char slabs[THREADS][BYTES] __attribute__((aligned(4096)));
static const char *program = "";

/* One thread's pool: the same calls again and again. */
static void turns(int thread, int count)
{
    domain_t domain = mstxDomainCreateA("shared");
    for (int turn = 0; turn < count; turn++) {
        heap_t heap = HEAP(domain, slabs[thread], BYTES);
        region_t handles[8] = {NULL};
        for (int place = 0; place < 8; place++)
            REGION(domain, heap, slabs[thread] + 64 * place, 64, &handles[place]);
        for (int place = 0; place < 8; place++) {
            if (place % 2)
                RELEASE(domain, slabs[thread] + 64 * place);
            else
                RELEASE_HANDLE(domain, handles[place]);
        }
        mstxMemHeapUnregister(domain, heap);
    }
}

static void *work(void *number)
{
    turns((int)(intptr_t)number, 500);
    return NULL;
}

/* The first calls of all come from several threads at once. */
static void threads(void)
{
    pthread_t started[THREADS];
    for (intptr_t thread = 0; thread < THREADS; thread++)
        pthread_create(&started[thread], NULL, work, (void *)thread);
    for (int thread = 0; thread < THREADS; thread++)
        pthread_join(started[thread], NULL);
}

static void *work_for_ever(void *number)
{
    for (;;)
        turns((int)(intptr_t)number, 1);
    return NULL;
}

/* The process ends while they call. */
static void running(void)
{
    pthread_t started;
    for (intptr_t thread = 0; thread < THREADS; thread++)
        pthread_create(&started, NULL, work_for_ever, (void *)thread);
    usleep(50000);
}

/* A child has nothing to say of its parent's memory, not even while other threads of the parent call. */
static void forked(void)
{
    domain_t domain = mstxDomainCreateA("parent");
    heap_t heap = HEAP(domain, slabs[0], BYTES);
    REGION(domain, heap, slabs[0], 64, NULL);
    pthread_t started;
    for (intptr_t thread = 1; thread < THREADS; thread++)
        pthread_create(&started, NULL, work, (void *)thread);
    for (int child = 0; child < 20; child++) {
        pid_t process = fork();
        if (process == 0) {
            memset(slabs[0], 1, BYTES);
            RELEASE(domain, slabs[0]);
            RELEASE(domain, slabs[0]);
            mstxMemHeapUnregister(domain, heap);
            mstxMarkA("in the child", NULL);
            if (child % 2)
                exit(0);
            _exit(0);
        }
        int status;
        waitpid(process, &status, 0);
        if (status != 0)
            printf("child %d ended with %#x\n", child, status);
    }
    RELEASE(domain, slabs[0]);
    mstxMemHeapUnregister(domain, heap);
}

/* A child whose first call it is: it is a process like any other. */
static void fork_first(void)
{
    pid_t process = fork();
    if (process == 0) {
        turns(0, 1);
        exit(0);
    }
    waitpid(process, NULL, 0);
}

static domain_t late_domain;

static void after_the_end(void)
{
    RELEASE(late_domain, slabs[0] + 64);
    RELEASE(late_domain, slabs[0] + 64);
    HEAP(late_domain, slabs[1], BYTES);
    mstxMarkA("late", NULL);
    late_domain = mstxDomainCreateA("late_too");
    memset(slabs[0], 1, BYTES);
    puts("after the end");
}

/* Exit handlers that were there first run last: the tool has said all by then. */
static void late(void)
{
    atexit(after_the_end);
    late_domain = mstxDomainCreateA("late");
    heap_t heap = HEAP(late_domain, slabs[0], BYTES);
    REGION(late_domain, heap, slabs[0], 64, NULL);
    RELEASE(late_domain, slabs[0]);
    mstxMemHeapUnregister(late_domain, heap);
}

/* Before `main`. */
__attribute__((constructor)) static void early(int count, char **arguments)
{
    if (count != 2 || strcmp(arguments[1], "early") != 0)
        return;
    domain_t domain = mstxDomainCreateA("early");
    heap_t heap = HEAP(domain, slabs[0], BYTES);
    REGION(domain, heap, slabs[0], 64, NULL);
    RELEASE(domain, slabs[0]);
    RELEASE(domain, slabs[0]); /* fault */
    mstxMemHeapUnregister(domain, heap);
}

static void early_is_over(void)
{
    turns(1, 1);
}

/* What one module has taken, the other gives back; and once more. */
static void modules(void)
{
    void *module = dlopen(getenv("MODULE"), RTLD_NOW | RTLD_LOCAL);
    void *(*domain_of)(const char *);
    void (*take)(void *, void *, const void *, uint64_t), (*give)(void *, const void *);
    *(void **)&domain_of = dlsym(module, "module_domain");
    *(void **)&take = dlsym(module, "module_take");
    *(void **)&give = dlsym(module, "module_give");
    domain_t domain = mstxDomainCreateA("both"), same = domain_of("both");
    heap_t heap = HEAP(domain, slabs[0], BYTES);
    take(same, heap, slabs[0], 64);
    RELEASE(domain, slabs[0]); /* other */
    give(same, slabs[0]);
    mstxMemHeapUnregister(domain, heap);
    printf("same %d\n", domain == same);
    /* The tool stays, even if the module that has let it in goes. */
    dlclose(module);
    turns(1, 1);
}

int main(int count, char **arguments)
{
    static const struct { const char *name; void (*run)(void); } programs[] = {
        {"threads", threads}, {"running", running}, {"forked", forked}, {"fork_first", fork_first},
        {"late", late}, {"early", early_is_over}, {"modules", modules},
    };
    if (count == 2)
        program = arguments[1];
    for (size_t at = 0; at < sizeof programs / sizeof *programs; at++)
        if (strcmp(program, programs[at].name) == 0) {
            programs[at].run();
            return 0;
        }
    return 2;
}
