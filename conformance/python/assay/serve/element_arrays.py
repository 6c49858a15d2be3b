"""Arrays of NumPy with the bytes and types of a frame."""

import re

import ml_dtypes
import numpy

from assay.serve.engine_host import Unsupported

SHAPE = re.compile(r"([a-z]\w*)\[([\d,]*)\]")
NARROW = {"s2": 3, "u2": 3, "s4": 15, "u4": 15, "f4e2m1fn": 15}
NUMPY = {"pred": "bool", "bf16": "bfloat16", "c64": "complex64", "c128": "complex128",
         "f16": "float16", "f32": "float32", "f64": "float64"}


def kind_of(shape):
    return shape.split("[")[0]


def dtype(kind):
    """The type of NumPy or ml_dtypes of that name."""
    name = NUMPY.get(kind, kind)
    if name[:1] in "su" and name[1:].isdigit():
        name = ("int" if name[0] == "s" else "uint") + name[1:]
    elif name[:2] in ("f4", "f6", "f8"):
        name = "float" + name[1:].replace("e", "_e", 1)
    found = getattr(ml_dtypes, name, None) or getattr(numpy, name, None)
    if found is None:
        raise Unsupported(f"NumPy has no type {kind}")
    return numpy.dtype(found)


def sizes_of(shape):
    match = SHAPE.match(shape)
    if match is None:
        raise Unsupported(f"a parameter {shape}")
    return [int(size) for size in match[2].split(",") if size]


def array_of(shape, data):
    """The array of that shape and bytes; of zeros without any."""
    sizes, kind = sizes_of(shape), dtype(kind_of(shape))
    if data is None:
        return numpy.zeros(sizes, kind)
    return numpy.frombuffer(data, kind).reshape(sizes)


def within_bounds(shape, array):
    """The array in the leading corner of one as large as the bounds of the shape, s32[<=4]:
    so much room has a frame. One that is no part of that as it is."""
    if "<=" not in shape:
        return array
    bounds = sizes_of(shape.replace("<=", ""))
    if array.ndim != len(bounds) or any(n > most for n, most in zip(array.shape, bounds)):
        return array
    whole = numpy.zeros(bounds, array.dtype)
    whole[tuple(slice(n) for n in array.shape)] = array
    return whole


def bytes_of(shape, array):
    data = array.tobytes()
    mask = NARROW.get(kind_of(shape))
    if mask is None:
        return data
    return (numpy.frombuffer(data, "uint8") & mask).tobytes()
