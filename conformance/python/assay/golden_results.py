"""An object that a test asserts on."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from assay import library
from assay.arrays import to_array
from assay.errors import Mismatch
from assay.evaluation import evaluate
from assay.reports import Report, compare


class Golden:
    """The results that a program allows for some arrays, under a profile."""

    def __init__(self, program: library.Program, *arrays: Any,
                 profile: str = "tight", max_work: int = 0, max_memory: int = 0,
                 timeout: Optional[float] = None) -> None:
        self.program = library.program_bytes(program)
        self.arrays = tuple(to_array(array).copy() for array in arrays)
        self.profile = profile
        self._limits = library.Limits(max_work, max_memory, timeout)
        self._value: np.ndarray | tuple[np.ndarray, ...] | None = None

    @property
    def value(self) -> np.ndarray | tuple[np.ndarray, ...]:
        """What the reference returns, as evaluate() has it."""
        if self._value is None:
            self._value = evaluate(self.program, *self.arrays,
                                   **self._limits._asdict())
        if isinstance(self._value, tuple):
            return tuple(array.copy() for array in self._value)
        return self._value.copy()

    def compare(self, result: Any) -> Report:
        """compare() with the program and its arrays."""
        return compare(self.program, result, *self.arrays, profile=self.profile,
                       **self._limits._asdict())

    def check(self, result: Any) -> Report:
        """Raises Mismatch, with the report as its text, unless the result
        conforms; one that cannot be judged does not."""
        report = self.compare(result)
        if not report.conforms:
            raise Mismatch(report.text)
        return report

    def __contains__(self, result: Any) -> bool:
        return self.compare(result).conforms


def golden(program: library.Program, *arrays: Any, profile: str = "tight",
           max_work: int = 0, max_memory: int = 0, timeout: Optional[float] = None
           ) -> Golden:
    """The results that the program allows, each call of it with the limits of
    evaluate(): `golden(p, x).check(y)` raises
    Mismatch with the report where y is none of them, `y in golden(p, x)` says
    whether it is one."""
    return Golden(program, *arrays, profile=profile, max_work=max_work,
                  max_memory=max_memory, timeout=timeout)
