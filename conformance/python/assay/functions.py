"""Functions of JAX, run on one of its platforms and judged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Optional

import numpy as np

from assay.errors import Mismatch
from assay.reports import Report, compare


def _as_numpy(jax: Any, leaf: Any) -> np.ndarray:
    """The array that a program has for the leaf: the words of a key, and the
    predicates that JAX lowers float0 to."""
    dtype = getattr(leaf, "dtype", None)
    if dtype == jax.dtypes.float0:
        return np.zeros(leaf.shape, bool)
    if dtype is not None and jax.dtypes.issubdtype(dtype, jax.dtypes.prng_key):
        return np.asarray(jax.random.key_data(leaf))
    return np.asarray(leaf)


def _placed(jax: Any, args: Any, device: Any) -> Any:
    """The arguments on the device; float0 has no memory there."""
    def place(leaf: Any) -> Any:
        is_float0 = getattr(leaf, "dtype", None) == jax.dtypes.float0
        return leaf if is_float0 else jax.device_put(leaf, device)

    return jax.tree_util.tree_map(place, args)


def check(f: Callable[..., Any], *args: Any, platform: str = "cpu",
          profile: str = "tight", max_work: int = 0, max_memory: int = 0,
          timeout: Optional[float] = None) -> Report:
    """Judges what JAX computes of f(*args) on the platform.

    The arguments are arrays, random keys, or trees of them; f is what jax.jit
    takes. Raises Mismatch, with the report as its text, unless the result
    conforms; one that cannot be judged does not. The limits are those of
    compare(). Raises ImportError where there is no JAX.
    """
    try:
        import jax
    except ImportError as error:
        raise ImportError("assay.check needs the package jax") from error
    device = jax.devices(platform)[0]
    placed = _placed(jax, args, device)
    compiled = jax.jit(f, keep_unused=True)
    with jax.default_device(device):
        lowered = compiled.lower(*placed)
        results = jax.tree_util.tree_leaves(compiled(*placed))
    inputs = jax.tree_util.tree_leaves(placed)
    report = compare(lowered.as_text(), [_as_numpy(jax, leaf) for leaf in results],
                     *[_as_numpy(jax, leaf) for leaf in inputs], profile=profile,
                     max_work=max_work, max_memory=max_memory, timeout=timeout)
    if not report.conforms:
        raise Mismatch(report.text)
    return report
