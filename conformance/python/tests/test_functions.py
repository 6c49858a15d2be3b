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


def test_random_keys_are_arguments_and_results():
    keys = {"new": jax.random.key(3), "old": jax.random.PRNGKey(3)}
    assert assay.check(lambda k: jax.random.bits(k["new"], (3,)), keys).conforms
    report = assay.check(lambda k: jax.random.split(k["new"]), keys)
    assert report.conforms and report.leaves[0].elements == 4
    many = jax.random.split(jax.random.key(0, impl="rbg"), 3)
    assert assay.check(lambda k: k[::-1], many).leaves[0].elements == 12


def test_float0_is_an_argument_and_a_result():
    x = jnp.arange(3)
    zeros = np.zeros(3, jax.dtypes.float0)
    assert assay.check(lambda a, z: a + 1, x, zeros).conforms
    tangent = jax.jvp(lambda a: a * 2, (x,), (zeros,))[1]
    assert tangent.dtype == jax.dtypes.float0
    report = assay.check(lambda a, z: jax.jvp(lambda b: b * 2, (a,), (z,)), x, zeros)
    assert [leaf.verdict for leaf in report.leaves] == ["conforms", "conforms"]


def test_limits_are_those_of_the_judgement():
    x = np.linspace(1, 2, 1000, dtype=np.float32)
    with pytest.raises(assay.EvaluateError, match="evaluate.work"):
        assay.check(jnp.tan, x, max_work=1000)
    with pytest.raises(assay.EvaluateError, match="evaluate.memory"):
        assay.check(lambda a: jnp.tan(a) + 1, jnp.zeros(100_000), max_memory=1000)


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
