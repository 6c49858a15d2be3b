"""What a program returns on the reference, and on any conforming backend."""

from __future__ import annotations

import dataclasses
from typing import Any, Optional

import numpy as np

from assay import library
from assay.errors import Mismatch


def evaluate(program: library.Program, *arrays: Any, threads: int = 1,
             max_work: int = 0, max_memory: int = 0, timeout: Optional[float] = None
             ) -> np.ndarray | tuple[np.ndarray, ...]:
    """The reference's result: the same bits on every machine.

    The program is HLO or StableHLO text, a path, or a lowered JAX function;
    there is an array for each array among its parameters, of just its type. An
    array comes back, or a tuple of the arrays of the result from left to right
    where it is a tuple or of several devices. Results do not depend on
    `threads`. `max_work` is about how many nanoseconds of a core it may take (0:
    two seconds, and more for large inputs), `max_memory` how many bytes the
    arrays may take that it makes (0: what the machine has), `timeout` how many
    seconds it may run (None: no limit). Raises Error, of those TimeoutReached
    where the timeout is over, and Mismatch where a check that the program
    declares does not hold.
    """
    def read(answer: library.Answer) -> np.ndarray | tuple[np.ndarray, ...]:
        if answer.json["broken_checks"]:
            raise Mismatch("\n".join(answer.json["broken_checks"]))
        results = tuple(answer.take(part) for part in answer.json["results"])
        return results[0] if answer.json["is_one"] else results

    return library.call({"operation": "evaluate", "threads": threads}, program,
                        read, arrays,
                        limits=library.Limits(max_work, max_memory, timeout))


@dataclasses.dataclass(frozen=True)
class Bounds:
    """What one array of a result may be.

    `value` is the reference's. Each element lies from `low` to `high`, or is NaN
    where `nan` says so; where nothing but NaN is allowed, both are NaN. Of a
    complex number the real and the imaginary part have ends of their own, and
    `nan` has one dimension more, of these two parts. All three are None where
    nothing is certified, and `unknown` says why.
    """

    value: np.ndarray
    low: np.ndarray | None
    high: np.ndarray | None
    nan: np.ndarray | None
    unknown: str
    text: str

    def __str__(self) -> str:
        return self.text


def bounds(program: library.Program, *arrays: Any, profile: str = "tight",
           max_work: int = 0, max_memory: int = 0, timeout: Optional[float] = None
           ) -> tuple[Bounds, ...]:
    """What every backend may return that conforms to the profile, for each
    array of the result. The other arguments are those of evaluate()."""
    def one(answer: library.Answer, leaf: dict[str, Any]) -> Bounds:
        value = answer.take(leaf)
        if "unknown" in leaf:
            return Bounds(value, None, None, None, leaf["unknown"], leaf["text"])
        low, high = answer.take(leaf), answer.take(leaf)
        parts = [2] if leaf["type"] in ("c64", "c128") else []
        nan = answer.take({"type": "pred", "dims": leaf["dims"] + parts})
        return Bounds(value, low, high, nan, "", leaf["text"])

    def read(answer: library.Answer) -> tuple[Bounds, ...]:
        return tuple(one(answer, leaf) for leaf in answer.json["leaves"])

    return library.call({"operation": "bounds", "profile": profile}, program,
                        read, arrays,
                        limits=library.Limits(max_work, max_memory, timeout))
