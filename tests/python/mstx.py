"""A client of the MSTX tool interface in Python."""

import ctypes
import os
from ctypes import CFUNCTYPE, POINTER, Structure, Union, byref, c_char_p, c_int, c_size_t, c_uint, c_uint32, c_uint64, c_void_p


class Range(Structure):
    _fields_ = [("device_id", c_uint32), ("ptr", c_void_p), ("size", c_uint64)]


class HeapDesc(Structure):
    _fields_ = [("usage", c_int), ("type", c_int), ("type_specific_desc", c_void_p)]


class RegisterBatch(Structure):
    _fields_ = [("heap", c_void_p), ("region_type", c_int), ("region_count", c_size_t), ("regions", c_void_p), ("handles", c_void_p)]


class Name(Union):
    _fields_ = [("pointer", c_void_p), ("handle", c_void_p)]


class RegionRef(Structure):
    _fields_ = [("ref_type", c_int), ("name", Name)]


class UnregisterBatch(Structure):
    _fields_ = [("ref_count", c_size_t), ("refs", c_void_p)]


# The functions of each module, from number 1 on.
TYPES = {
    1: [
        CFUNCTYPE(None, c_char_p, c_void_p),
        CFUNCTYPE(c_uint64, c_char_p, c_void_p),
        CFUNCTYPE(None, c_uint64),
        CFUNCTYPE(None, POINTER(c_uint64)),
    ],
    2: [
        CFUNCTYPE(c_void_p, c_char_p),
        CFUNCTYPE(None, c_void_p),
        CFUNCTYPE(None, c_void_p, c_char_p, c_void_p),
        CFUNCTYPE(c_uint64, c_void_p, c_char_p, c_void_p),
        CFUNCTYPE(None, c_void_p, c_uint64),
    ],
    3: [
        CFUNCTYPE(c_void_p, c_void_p, POINTER(HeapDesc)),
        CFUNCTYPE(None, c_void_p, c_void_p),
        CFUNCTYPE(None, c_void_p, POINTER(RegisterBatch)),
        CFUNCTYPE(None, c_void_p, POINTER(UnregisterBatch)),
    ],
}
SLOTS = {module: (c_void_p * (len(types) + 1))() for module, types in TYPES.items()}
TABLES = {module: (c_void_p * (len(types) + 2))() for module, types in TYPES.items()}
for _module, _slots in SLOTS.items():
    for _id in range(1, len(_slots)):
        TABLES[_module][_id] = ctypes.addressof(_slots) + _id * ctypes.sizeof(c_void_p)


@CFUNCTYPE(c_int, c_int, POINTER(c_void_p), POINTER(c_uint))
def getter(module, table, size):
    if module not in TABLES:
        return 1
    table[0] = ctypes.addressof(TABLES[module])
    size[0] = len(SLOTS[module])
    return 0


def attach():
    path = os.environ.get("MSTX_INJECTION_PATH")
    library = ctypes.CDLL(path or None)
    try:
        init = library.InitInjectionMstx
    except AttributeError:
        return
    init(getter)


attach()


def call(module, number, *arguments):
    function = SLOTS[module][number]
    return TYPES[module][number - 1](function)(*arguments) if function else None


def mark(message):
    call(1, 1, message, None)


def domain_create(name):
    return call(2, 1, name)


def heap_register(domain, start, size, device=0):
    extent = Range(device, start, size)
    return call(3, 1, domain, HeapDesc(0, 0, ctypes.addressof(extent)))


def heap_unregister(domain, heap):
    call(3, 2, domain, heap)


def regions_register(domain, heap, extents, device=0):
    """Returns the regions' handles."""
    regions = (Range * len(extents))(*(Range(device, start, size) for start, size in extents))
    handles = (c_void_p * len(extents))()
    batch = RegisterBatch(heap, 0, len(extents), ctypes.addressof(regions), ctypes.addressof(handles))
    call(3, 3, domain, byref(batch))
    return list(handles)


def regions_unregister(domain, pointers=(), handles=()):
    refs = [RegionRef(0, Name(pointer=pointer)) for pointer in pointers]
    refs += [RegionRef(1, Name(handle=handle)) for handle in handles]
    array = (RegionRef * len(refs))(*refs)
    call(3, 4, domain, byref(UnregisterBatch(len(refs), ctypes.addressof(array))))
