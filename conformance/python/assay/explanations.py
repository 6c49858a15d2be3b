"""Where an element of a result comes from."""

from __future__ import annotations

import dataclasses
from typing import Any, Optional, Tuple

from assay import library


@dataclasses.dataclass(frozen=True)
class Explanation:
    """What was said of an element, line by line (spec/explain.md)."""

    text: str

    def __str__(self) -> str:
        return self.text


def explain(program: library.Program, *arrays: Any, element: str = "",
            depth: int = 1, terms: int = 16, run: int = 1,
            device: Optional[Tuple[int, int]] = None, max_work: int = 0,
            max_memory: int = 0, timeout: Optional[float] = None) -> Explanation:
    """Tells how an element of a program's instruction comes about: the elements
    that it is made of, the exact value, and its rounding.

    `element` is "%name[1,2]", or "%name{0}[1,2]" in a tuple; without it the
    first element of the result is meant. `depth` is how many instructions back
    are told, `terms` how many of a sum; `run` says which run of an instruction
    that runs many times, `device` (replica, partition) which device. The
    program, the arrays and the limits are those of evaluate().
    """
    request: dict[str, Any] = {"operation": "explain", "element": element,
                               "depth": depth, "terms": terms, "run": run}
    if device is not None:
        request["device"] = list(device)
    limits = library.Limits(max_work, max_memory, timeout)
    return library.call(request, program,
                        lambda answer: Explanation(answer.json["text"].rstrip("\n")),
                        arrays, limits=limits)
