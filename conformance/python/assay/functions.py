"""Functions of JAX, run on one of its platforms and judged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from assay.errors import Mismatch
from assay.reports import Report, compare


def check(f: Callable[..., Any], *args: Any, platform: str = "cpu",
          profile: str = "tight") -> Report:
    """Judges what JAX computes of f(*args) on the platform.

    The arguments are arrays or trees of them; f is what jax.jit takes. Raises
    Mismatch, with the report as its text, unless the result conforms; one that
    cannot be judged does not. Raises ImportError where there is no JAX.
    """
    try:
        import jax
    except ImportError as error:
        raise ImportError("assay.check needs the package jax") from error
    device = jax.devices(platform)[0]
    placed = jax.device_put(args, device)
    compiled = jax.jit(f, keep_unused=True)
    lowered = compiled.lower(*placed)
    results = jax.tree_util.tree_leaves(compiled(*placed))
    inputs = jax.tree_util.tree_leaves(placed)
    report = compare(lowered.as_text(), [np.asarray(leaf) for leaf in results],
                     *[np.asarray(leaf) for leaf in inputs], profile=profile)
    if not report.conforms:
        raise Mismatch(report.text)
    return report
