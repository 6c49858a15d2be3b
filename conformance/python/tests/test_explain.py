"""assay.explain, and bounds of complex numbers."""

import fractions
import pathlib
import re

import numpy as np
import pytest

import assay
from programs import ENDLESS, SOFTMAX, TWO, binary, unary

README = (pathlib.Path(__file__).resolve().parents[3] / "README.md").read_text()
X = np.array([1, 2, 3, 4], np.float32)


def test_says_what_the_readme_shows():
    shown = re.search(r"^\$ build/release/assay explain softmax.hlo .*\n((?:.+\n)+)```",
                      README, re.M)[1]
    assert str(assay.explain(SOFTMAX, X, element="%r[2]")) == shown.rstrip("\n")


def test_the_exact_value_is_the_quotient():
    text = assay.explain(binary("divide", "f32[]"), np.float32(7), np.float32(3)).text
    numerator, denominator = re.search(r"= ([0-9]+)/([0-9]+) = ", text).groups()
    assert fractions.Fraction(int(numerator), int(denominator)) == fractions.Fraction(7, 3)


def test_depth_terms_and_tuples_are_chosen():
    shallow = assay.explain(SOFTMAX, X, element="%s")
    assert "%e[3]" not in assay.explain(SOFTMAX, X, element="%s", terms=2).text
    deep = assay.explain(SOFTMAX, X, element="%s", depth=2)
    assert len(deep.text.splitlines()) > len(shallow.text.splitlines())
    x = np.array([1, 5], np.int32)
    assert assay.explain(TWO, x, x, element="%r{0}[1]").text.startswith("%r{0}[1] = 10")


def test_runs_of_a_loop_are_chosen():
    program = ENDLESS.replace("constant(true)", "compare(x, limit), direction=LT").replace(
        "  ROOT t", "  limit = s32[] constant(5)\n  ROOT t")
    for run in (1, 4):
        text = assay.explain(program, element="%y", run=run).text
        assert text.startswith(f"run {run} of 5") and f"%y[] = {run} " in text


@pytest.mark.parametrize("settings, rule", [
    ({"element": "%nothing"}, "explain.name"), ({"element": "%r[9]"}, "explain.index"),
    ({"element": "r[0"}, "explain.element"), ({"element": "%r{0}"}, "explain.tuple"),
    ({"run": 2}, "explain.run"), ({"device": (1, 0)}, "explain.device"),
    ({"depth": 0}, "usage.request"), ({"depth": 101}, "usage.request"),
    ({"terms": -1}, "usage.request"), ({"run": 0}, "usage.request"),
    ({"element": 5}, "usage.request"), ({"device": (1,)}, "usage.request"),
    ({"device": (0, -1)}, "usage.request"), ({"device": 1.5}, "usage.request")])
def test_what_is_asked_wrongly_is_said(settings, rule):
    with pytest.raises((assay.EvaluateError, TypeError)) as caught:
        assay.explain(SOFTMAX, X, **settings)
    assert isinstance(caught.value, TypeError) or caught.value.rule == rule


def test_a_device_is_chosen():
    program = ("HloModule m, replica_count=2\n\nENTRY e {\n"
               "  ROOT r = u32[] replica-id()\n}\n")
    for replica in (0, 1):
        text = assay.explain(program, element="%r", device=(replica, 0)).text
        assert text.startswith(f"%r[] = {replica} ")


def test_bounds_of_complex_numbers_hold_each_part():
    mpmath = pytest.importorskip("mpmath")
    x = np.array([1 + 2j, -0.5 + 100j, 3e-5 - 1j], np.complex64)
    (leaf,) = assay.bounds(unary("exponential", "c64[3]"), x, profile="tight")
    assert not leaf.unknown and leaf.nan.shape == (3, 2) and not leaf.nan.any()
    with mpmath.workprec(200):
        for value, low, high in zip(x, leaf.low, leaf.high):
            exact = mpmath.exp(mpmath.mpc(float(value.real), float(value.imag)))
            assert low.real <= exact.real <= high.real
            assert low.imag <= exact.imag <= high.imag
            # They say something: what they leave open is small beside the value.
            assert max(high.real - low.real, high.imag - low.imag) <= 2**-10 * abs(exact)
    assert "3 elements: 0 of one value, 3 bounded" in str(leaf)


def test_bounds_of_complex_numbers_that_are_determined_are_single():
    x = np.array([1 + 2j], np.complex128)
    (leaf,) = assay.bounds(unary("negate", "c128[1]"), x)
    assert leaf.low[0] == leaf.high[0] == -1 - 2j and leaf.nan.tolist() == [[False] * 2]
    x = np.array([complex(np.nan, 1)], np.complex64)
    (leaf,) = assay.bounds(unary("negate", "c64[1]"), x)
    assert leaf.nan.tolist() == [[True, False]]
    assert np.isnan(leaf.low[0].real) and leaf.low[0].imag == -1
