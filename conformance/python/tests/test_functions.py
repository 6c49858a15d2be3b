"""assay.check: functions of JAX on XLA:CPU."""

import numpy as np
import pytest

import assay

jax = pytest.importorskip("jax")
jnp = jax.numpy


def test_right_functions_conform():
    x = np.linspace(-3, 3, 24, dtype=np.float32).reshape(4, 6)
    report = assay.check(lambda a: {"y": a + 1, "x": (a @ a.T, a.sum())}, x)
    assert report.conforms and len(report.leaves) == 3


def test_trees_and_unused_arguments():
    tree = {"b": jnp.arange(4), "a": (jnp.ones(2), 3)}
    assert assay.check(lambda t, unused: t["b"] * t["a"][1], tree, 2.5).conforms


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "int8", "bool", "int4"])
def test_narrow_types(dtype):
    x = jnp.array([0, 1, 1, 0]).astype(dtype)
    assert assay.check(lambda a: a[::-1], x).conforms


def test_a_constant_of_the_function_is_in_the_program():
    table = np.arange(100, dtype=np.float32)
    assert assay.check(lambda i: jnp.asarray(table)[i], jnp.arange(3)).conforms


def test_a_wrong_result_is_an_assertion():
    # XLA:CPU drops the NaN of a minimum, and a subnormal number in a product.
    with pytest.raises(AssertionError, match="^differs"):
        assay.check(lambda a, b: a * b, np.float32(2.0**-120), np.float32(2.0**-20))


def test_lowered_functions_are_programs():
    x = np.arange(4, dtype=np.float32)
    lowered = jax.jit(jnp.cumsum).lower(x)
    assert assay.evaluate(lowered, x).tolist() == [0, 1, 3, 6]


def test_no_jax_is_said(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "jax", None)
    with pytest.raises(ImportError, match="assay.check needs the package jax"):
        assay.check(lambda x: x, 1)
