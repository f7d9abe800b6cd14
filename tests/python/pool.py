"""Programs with a pool in Python. The argument says which."""

import atexit
import ctypes
import sys
import threading

import mstx


class Pool:
    def __init__(self, size):
        self.memory = ctypes.create_string_buffer(size)
        self.start = ctypes.addressof(self.memory)
        self.used = 0
        self.domain = mstx.domain_create(b"python")
        self.heap = mstx.heap_register(self.domain, self.start, size)

    def alloc(self, size):
        start = self.start + self.used
        self.used += size
        (handle,) = mstx.regions_register(self.domain, self.heap, [(start, size)])
        return start, handle

    def free(self, block):
        mstx.regions_unregister(self.domain, pointers=[block[0]])

    def free_by_handle(self, block):
        mstx.regions_unregister(self.domain, handles=[block[1]])

    def close(self):
        mstx.heap_unregister(self.domain, self.heap)




def right():
    pool = Pool(4096)
    first, second, third = (pool.alloc(64) for _ in range(3))
    mstx.mark(b"three are there")
    pool.free(first)
    pool.free_by_handle(second)
    pool.free(third)
    pool.close()


def wrong():
    pool = Pool(4096)
    first, second = (pool.alloc(64) for _ in range(2))
    pool.free(first)  # other
    pool.free(first)  # fault


def threads():
    """Several threads share a pool, and a lock that they hold while they call."""
    pool, lock = Pool(1 << 20), threading.Lock()

    def work():
        for _ in range(500):
            with lock:
                block = pool.alloc(16)
            pool.free(block)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    pool.close()


class Late:
    def __init__(self):
        self.pool = Pool(4096)
        self.block = self.pool.alloc(64)

    def __del__(self):
        self.pool.free(self.block)
        self.pool.close()


def shutdown():
    """The interpreter ends, and with it what is global."""
    global late
    late = Late()
    atexit.register(lambda: late.pool.free(late.pool.alloc(8)))


globals()[sys.argv[1]]()
