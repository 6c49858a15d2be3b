"""assay.evaluate and assay.bounds: arrays of every kind, and what they give."""

import fractions

import numpy as np
import pytest

import assay
from programs import SOFTMAX, SUM, TWO, binary, unary

STABLEHLO = """func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = stablehlo.negate %x : tensor<?xf32>
  return %r : tensor<?xf32>
}
"""
CHECKED = """func.func @main() -> tensor<i32> {
  %x = stablehlo.constant dense<2> : tensor<i32>
  check.expect_eq_const %x, dense<3> : tensor<i32>
  return %x : tensor<i32>
}
"""
DYNAMIC = """HloModule dynamic

ENTRY main {
  x = s32[3] parameter(0)
  n = s32[] parameter(1)
  ROOT r = s32[<=3] set-dimension-size(x, n), dimensions={0}
}
"""


@pytest.mark.parametrize("dtype, type_", [
    ("int8", "s8"), ("int16", "s16"), ("int32", "s32"), ("int64", "s64"),
    ("uint8", "u8"), ("uint16", "u16"), ("uint32", "u32"), ("uint64", "u64"),
    ("float16", "f16"), ("float32", "f32"), ("float64", "f64"),
    ("complex64", "c64"), ("complex128", "c128")])
@pytest.mark.parametrize("dims", [(), (0,), (3,), (2, 3), (0, 2)])
def test_adds_arrays_of_every_numpy_type(dtype, type_, dims):
    x = np.arange(np.prod(dims, dtype=int)).reshape(dims).astype(dtype)
    shape = f"{type_}[{','.join(map(str, dims))}]"
    result = assay.evaluate(binary("add", shape), x, x)
    assert result.dtype == x.dtype and result.shape == dims
    np.testing.assert_array_equal(result, x + x)


def test_takes_arrays_however_they_lie():
    x = np.arange(6, dtype=np.int32).reshape(2, 3)
    program = unary("negate", "s32[3,2]")
    for other in (x.T, np.asfortranarray(x.T), x.T.astype(">i4"), x.T[::-1][::-1]):
        np.testing.assert_array_equal(assay.evaluate(program, other), -x.T)


def test_takes_bools_of_any_byte():
    x = np.array([0, 1, 2, 255], np.uint8).view(bool)
    result = assay.evaluate(unary("copy", "pred[4]"), x)
    assert result.tobytes() == b"\0\1\1\1"


def test_returns_tuples_from_left_to_right():
    x, y = np.array([1, 5], np.int32), np.array([2, 3], np.int32)
    total, less = assay.evaluate(TWO, x, y)
    assert total.tolist() == [3, 8] and less.tolist() == [True, False]


def test_sums_are_exact_and_rounded_once():
    x = np.array([2.0**24, 1, 1], np.float32)
    exact = sum(fractions.Fraction(float(value)) for value in x)
    assert fractions.Fraction(float(assay.evaluate(SUM, x))) == exact


def test_reads_paths_bytes_and_what_has_a_text(tmp_path):
    class Lowered:
        def as_text(self):
            return SUM
    x = np.ones(3, np.float32)
    path = tmp_path / "sum.hlo"
    path.write_text(SUM)
    for program in (path, SUM.encode(), Lowered()):
        assert assay.evaluate(program, x) == 3
    with pytest.raises(TypeError, match="the program is int"):
        assay.evaluate(7, x)


def test_open_sizes_are_those_of_the_arrays():
    x = np.array([1, 2], np.float32)
    assert assay.evaluate(STABLEHLO, x).tolist() == [-1, -2]


def test_results_have_the_elements_that_exist():
    x = np.array([4, 5, 6], np.int32)
    result = assay.evaluate(DYNAMIC, x, np.int32(2))
    assert result.tolist() == [4, 5]
    assert assay.compare(DYNAMIC, result, x, np.int32(2)).conforms
    assert not assay.compare(DYNAMIC, result + 1, x, np.int32(2)).conforms


def test_results_do_not_depend_on_threads():
    x = np.random.RandomState(1).standard_normal(4).astype(np.float32)
    one = assay.evaluate(SOFTMAX, x)
    assert assay.evaluate(SOFTMAX, x, threads=4).tobytes() == one.tobytes()


def test_declared_checks_raise():
    with pytest.raises(assay.Mismatch, match="computed 2 .*expected 3"):
        assay.evaluate(CHECKED)


def test_bounds_hold_the_value_and_what_orders_give():
    x = np.array([2.0**24, 1, 1], np.float32)
    (leaf,) = assay.bounds(SUM, x)
    assert leaf.low <= np.float32(2**24) <= leaf.value <= leaf.high
    assert not leaf.nan and not leaf.unknown and "1 element" in str(leaf)


def test_bounds_of_nan_are_nan():
    x = np.array([np.nan, 4], np.float32)
    (leaf,) = assay.bounds(unary("sqrt", "f32[2]"), x)
    assert leaf.nan.tolist() == [True, False]
    assert np.isnan(leaf.low[0]) and leaf.low[1] == leaf.high[1] == 2


def test_bounds_of_integers_are_single():
    x = np.array([1, 5], np.int32)
    total, less = assay.bounds(TWO, x, x)
    assert total.low.tolist() == total.high.tolist() == [2, 10]
    assert less.high.tolist() == [False, False]


NARROW = {
    "bf16": "bfloat16", "f8e5m2": "float8_e5m2", "f8e4m3fn": "float8_e4m3fn",
    "f8e4m3": "float8_e4m3", "f8e3m4": "float8_e3m4",
    "f8e4m3b11fnuz": "float8_e4m3b11fnuz", "f8e4m3fnuz": "float8_e4m3fnuz",
    "f8e5m2fnuz": "float8_e5m2fnuz", "f4e2m1fn": "float4_e2m1fn",
    "f6e2m3fn": "float6_e2m3fn", "f6e3m2fn": "float6_e3m2fn",
    "s2": "int2", "s4": "int4", "u2": "uint2", "u4": "uint4", "s1": "int1",
    "u1": "uint1", "f8e8m0fnu": "float8_e8m0fnu",
}


@pytest.mark.parametrize("type_, dtype", NARROW.items())
def test_converts_every_code_of_narrow_types(type_, dtype):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    if not hasattr(ml_dtypes, dtype):
        pytest.skip(f"ml_dtypes {ml_dtypes.__version__} has no {dtype}")
    narrow = np.dtype(getattr(ml_dtypes, dtype))
    # Of integers the unused bits of a byte may be anything.
    bits = {"bf": 16, "f4": 4, "f6": 6}.get(type_[:2], 8)
    codes = np.arange(1 << bits, dtype=np.uint16 if bits == 16 else np.uint8)
    x = codes.view(narrow)
    program = (f"HloModule c\n\nENTRY main {{\n  x = {type_}[{len(x)}] parameter(0)\n"
               f"  ROOT r = f32[{len(x)}] convert(x)\n}}\n")
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(assay.evaluate(program, x),
                                      x.astype(np.float32))
    copied = unary("copy", f"{type_}[{len(x)}]")
    np.testing.assert_array_equal(assay.evaluate(copied, x).astype(np.float32),
                                  x.astype(np.float32))


def test_says_that_ml_dtypes_is_missing(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ml_dtypes", None)
    program = ("HloModule c\n\nENTRY main {\n  x = f32[] parameter(0)\n"
               "  ROOT r = bf16[] convert(x)\n}\n")
    with pytest.raises(ImportError, match="NumPy has no bf16.*ml_dtypes"):
        assay.evaluate(program, np.float32(1))
