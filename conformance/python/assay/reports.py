"""Results that were computed elsewhere, judged."""

from __future__ import annotations

import collections
import dataclasses
import math
from typing import Any, Optional

from assay import library


@dataclasses.dataclass(frozen=True)
class Difference:
    """The first element that is outside of its set, in words."""

    index: tuple[int, ...]
    expected: str
    reference: str
    actual: str
    ulps: int | None  # None: NaN against a number


@dataclasses.dataclass(frozen=True)
class LeafReport:
    """One array of the result."""

    verdict: str  # "conforms", "differs", "unjudged", "wrong-shape"
    message: str
    elements: int
    outside: int  # elements that are not in their sets
    inexact: int  # elements that are not the reference's bits
    worst_ulps: float  # the farthest from the reference; inf: NaN, or a number for it
    difference: Difference | None


@dataclasses.dataclass(frozen=True)
class Report:
    """What is said of a whole result; `verdict` is the worst of its arrays'."""

    verdict: str
    text: str
    leaves: tuple[LeafReport, ...]

    @property
    def conforms(self) -> bool:
        return self.verdict == "conforms"

    def __str__(self) -> str:
        return self.text


def leaves_of(tree: Any) -> list[Any]:
    """The arrays in tuples, lists and dictionaries, as JAX has them: by their keys, sorted,
    but for those that keep an order."""
    if isinstance(tree, collections.OrderedDict):
        return [leaf for part in tree.values() for leaf in leaves_of(part)]
    if isinstance(tree, dict):
        return [leaf for key in sorted(tree) for leaf in leaves_of(tree[key])]
    if isinstance(tree, (tuple, list)):
        return [leaf for part in tree for leaf in leaves_of(part)]
    return [] if tree is None else [tree]


def _leaf_report(leaf: dict[str, Any]) -> LeafReport:
    fields = dict(leaf)
    if fields["worst_ulps"] is None:
        fields["worst_ulps"] = math.inf
    difference = fields["difference"]
    if difference is not None:
        difference["index"] = tuple(difference["index"])
        fields["difference"] = Difference(**difference)
    return LeafReport(**fields)


def compare(program: library.Program, results: Any, *arrays: Any,
            profile: str = "tight", max_work: int = 0, max_memory: int = 0,
            timeout: Optional[float] = None) -> Report:
    """Judges what a backend made of the program for these arrays.

    `results` is an array or a tree of arrays, those of the result from left to
    right. An array is right where each element lies in the set that the
    operation allows under the profile (spec/conformance.md); of a program of
    several operations where it lies in the certified range; it is unjudged
    where nothing is certified. The limits are those of evaluate(), `max_work`
    with four times as much where it is 0.
    """
    def read(answer: library.Answer) -> Report:
        return Report(answer.json["verdict"], answer.json["text"],
                      tuple(map(_leaf_report, answer.json["leaves"])))

    return library.call({"operation": "judge", "profile": profile},
                        program, read, arrays, leaves_of(results),
                        library.Limits(max_work, max_memory, timeout))
