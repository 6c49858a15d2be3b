"""NumPy arrays as the library takes and gives them (spec/types.md)."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

# By the names of element types: those of NumPy, and those of ml_dtypes.
NUMPY = {
    "pred": "bool", "s8": "int8", "s16": "int16", "s32": "int32",
    "s64": "int64", "u8": "uint8", "u16": "uint16", "u32": "uint32",
    "u64": "uint64", "f16": "float16", "f32": "float32", "f64": "float64",
    "c64": "complex64", "c128": "complex128",
}
ML_DTYPES = {
    "bf16": "bfloat16", "f8e5m2": "float8_e5m2", "f8e4m3": "float8_e4m3",
    "f8e3m4": "float8_e3m4", "f8e4m3fn": "float8_e4m3fn",
    "f8e4m3b11fnuz": "float8_e4m3b11fnuz", "f8e4m3fnuz": "float8_e4m3fnuz",
    "f8e5m2fnuz": "float8_e5m2fnuz", "f8e8m0fnu": "float8_e8m0fnu",
    "f4e2m1fn": "float4_e2m1fn", "f6e2m3fn": "float6_e2m3fn",
    "f6e3m2fn": "float6_e3m2fn", "s1": "int1", "s2": "int2", "s4": "int4",
    "u1": "uint1", "u2": "uint2", "u4": "uint4",
}
TYPES = {name: type_ for type_, name in (NUMPY | ML_DTYPES).items()}


def dtype_of(type_: str) -> np.dtype[Any]:
    """The dtype of an element type. ImportError where ml_dtypes has it, and is
    missing or too old."""
    if type_ in NUMPY:
        return np.dtype(NUMPY[type_])
    try:
        import ml_dtypes
    except ImportError as error:
        raise ImportError(f"NumPy has no {type_}: arrays of it need the package "
                          "ml_dtypes") from error
    if not hasattr(ml_dtypes, ML_DTYPES[type_]):
        raise ImportError(f"ml_dtypes {ml_dtypes.__version__} has no {type_}: "
                          "arrays of it need a newer one")
    dtype: np.dtype[Any] = np.dtype(getattr(ml_dtypes, ML_DTYPES[type_]))
    return dtype


def to_array(value: Any) -> np.ndarray:
    """The value as an array that lies in memory as the library reads it."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise TypeError("an array is masked, but it must have all its elements")
    array = np.asarray(value, order="C")
    if array.dtype.name not in TYPES:
        raise TypeError(f"an array has the dtype {array.dtype}, but it must be "
                        "that of an element type")
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def describe(array: np.ndarray) -> dict[str, Any]:
    return {"type": TYPES[array.dtype.name], "dims": list(array.shape)}


def from_memory(part: dict[str, Any], data: int | None, size: int) -> np.ndarray:
    """A copy of what lies there."""
    array = np.empty(part["dims"], dtype_of(part["type"]))
    if array.nbytes != size or (size and data is None):
        raise ImportError("the library gives an array of another size than it says")
    if data is not None and size:
        ctypes.memmove(array.ctypes.data, data, size)
    return array
