"""assay.compare, assay.golden: results that are right, and wrong ones."""

import collections
import math

import numpy as np
import pytest

import assay
from programs import SOFTMAX, SUM, TWO, binary, unary

X = np.array([1, 2, 3, 4], np.float32)


def softmax(x):
    e = np.exp(x.astype(np.float64))
    return (e / e.sum()).astype(np.float32)


def test_a_rounded_result_conforms():
    report = assay.compare(SOFTMAX, softmax(X), X)
    assert report.conforms and report.verdict == "conforms"
    assert report.leaves[0].outside == 0 and report.leaves[0].difference is None


def test_one_wrong_element_differs_with_its_place():
    wrong = softmax(X)
    wrong[2] = 1
    report = assay.compare(SOFTMAX, wrong, X)
    (leaf,) = report.leaves
    assert report.verdict == "differs" and leaf.outside == 1
    assert leaf.difference.index == (2,)
    assert "3f800000" in leaf.difference.actual
    assert "element {2}" in report.text


def test_ulps_are_counted():
    third = np.float32(1) / np.float32(3)
    other = np.nextafter(np.nextafter(third, np.float32(1)), np.float32(1))
    report = assay.compare(binary("divide", "f32[]"), other, np.float32(1),
                           np.float32(3), profile="exact")
    assert report.leaves[0].worst_ulps == 2 == report.leaves[0].difference.ulps


def test_nan_against_a_number_is_infinitely_far():
    report = assay.compare(unary("negate", "f32[]"), np.float32(np.nan), np.float32(1))
    assert report.leaves[0].worst_ulps == math.inf
    assert report.leaves[0].difference.ulps is None


def test_any_order_of_a_sum_conforms_and_no_more():
    x = np.array([2.0**24, 1, 1], np.float32)
    for value, conforms in ((2.0**24, True), (2.0**24 + 2, True), (2.0**25, False)):
        assert (np.float32(value) in assay.golden(SUM, x)) == conforms


def test_profiles_decide():
    x = np.array([2.0**24, 1, 1], np.float32)
    assert np.float32(2**24) not in assay.golden(SUM, x, profile="exact")


@pytest.mark.parametrize("results, message", [
    ((), "0 leaves instead of 2"),
    ((np.zeros(2, np.int32), np.zeros(2, np.int32)), "leaf 1 has the shape s32"),
    ((np.zeros(3, np.int32), np.zeros(2, bool)), "leaf 0 has the shape s32.3."),
    ((np.zeros(2, np.int64), np.zeros(2, bool)), "leaf 0 has the shape s64"),
    ((np.zeros((), np.int32), np.zeros(2, bool)), "leaf 0 has the shape s32"),
])
def test_other_shapes_are_said(results, message):
    x = np.zeros(2, np.int32)
    report = assay.compare(TWO, results, x, x)
    assert report.verdict == "wrong-shape"
    with pytest.raises(AssertionError, match=message):
        assay.golden(TWO, x, x).check(results)


def test_the_worst_leaf_decides():
    x = np.zeros(2, np.int32)
    report = assay.compare(TWO, {"a": x, "b": [np.ones(2, bool)]}, x, x)
    assert [leaf.verdict for leaf in report.leaves] == ["conforms", "differs"]
    assert report.verdict == "differs"


UNJUDGED = """HloModule unjudged

ENTRY main {
  x = c64[1] parameter(0)
  e = c64[1] exponential(x)
  ROOT r = c64[1] multiply(e, e)
}
"""


def test_what_nobody_certifies_is_no_success():
    # Of complex numbers that may differ there are no certified ranges.
    golden = assay.golden(UNJUDGED, np.array([1 + 2j], np.complex64))
    with pytest.raises(assay.Mismatch, match="^unjudged"):
        golden.check(golden.value)
    assert golden.value not in golden


def test_golden_keeps_its_arrays():
    x = X.copy()
    golden = assay.golden(SOFTMAX, x)
    x[:] = 0
    golden.check(softmax(X))
    assert golden.value.tobytes() == assay.evaluate(SOFTMAX, X).tobytes()


def test_a_mismatch_is_an_assertion_with_the_report():
    with pytest.raises(AssertionError) as caught:
        assay.golden(SOFTMAX, X).check(X)
    assert str(caught.value).startswith("differs\nleaf 0: f32[4] differs")


def test_dictionaries_have_the_order_that_jax_gives_them():
    program = binary("add", "f32[]").replace("ROOT ", "").replace(
        "}", "  d = f32[] subtract(x, y)\n  ROOT t = (f32[], f32[]) tuple(r, d)\n}")
    sums = {"b": np.float32(3), "a": np.float32(-1)}
    one, two = np.float32(1), np.float32(2)
    assert assay.compare(program, collections.OrderedDict(sums), one, two).conforms
    assert assay.compare(program, sums, one, two).verdict == "differs"
    assert assay.compare(program, {"a": sums["b"], "b": sums["a"]}, one, two).conforms


def test_what_golden_gives_is_no_part_of_it():
    golden = assay.golden(unary("negate", "f32[2]"), X[:2])
    golden.value[0] = 7
    assert list(golden.value) == [-1, -2]


def test_masked_elements_are_no_elements():
    masked = np.ma.masked_array(X, [False, True, False, False])
    with pytest.raises(TypeError, match="masked"):
        assay.evaluate(SOFTMAX, masked)
    assay.evaluate(SOFTMAX, np.ma.masked_array(X))


@pytest.mark.parametrize("size", [0, 2, 4])
def test_bounds_have_the_elements_that_exist(size):
    program = ("ENTRY e {\n  x = f32[4] constant({1, 2, 3, 4})\n"
               f"  n = s32[] constant({size})\n"
               "  d = f32[<=4] set-dimension-size(x, n), dimensions={0}\n"
               "  ROOT r = f32[<=4] exponential(d)\n}")
    (bounds,) = assay.bounds(program)
    parts = bounds.value, bounds.low, bounds.high, bounds.nan
    assert [part.shape for part in parts] == [(size,)] * 4
    assert (bounds.low < bounds.high).all() and not bounds.nan.any()
