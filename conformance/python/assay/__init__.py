"""Assay from Python: the reference, and the judge of what others compute.

`import assay` alone loads neither the shared library nor NumPy nor JAX: what
needs them is loaded when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from assay.errors import (
    Error, EvaluateError, Mismatch, ParseError, TimeoutReached, VerifyError)

if TYPE_CHECKING:
    from assay.evaluation import Bounds, bounds, evaluate
    from assay.explanations import Explanation, explain
    from assay.functions import check
    from assay.golden_results import Golden, golden
    from assay.reports import Difference, LeafReport, Report, compare

__all__ = [
    "Bounds", "Difference", "Error", "EvaluateError", "Explanation", "Golden",
    "LeafReport", "Mismatch", "ParseError", "Report", "TimeoutReached",
    "VerifyError", "bounds", "check", "compare", "evaluate", "explain", "golden",
]

_MODULES = {
    "Bounds": "evaluation", "bounds": "evaluation", "evaluate": "evaluation",
    "Explanation": "explanations", "explain": "explanations",
    "check": "functions", "Golden": "golden_results", "golden": "golden_results",
    "Difference": "reports", "LeafReport": "reports", "Report": "reports",
    "compare": "reports",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'assay' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"assay.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
