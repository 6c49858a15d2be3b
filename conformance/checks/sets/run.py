"""Holds the sets of the program against those that this folder computes from conformance.md.

run.py ASSAY [COUNT] [--seed WORD]: COUNT sets of random programs of one operation.
"""

from __future__ import annotations

import argparse
import collections
import itertools
import pathlib
import sys
import tempfile
from typing import Iterator

import declared
import page
import vectors
from assay import Assay, bless, blessed_sets, verdicts
from cases import Case, bits_of
from formats import PARTS
from programs import turns
from valuesets import agrees, describe

SHOWN = 10
BATCH = 200


class Report:
    """Counts, and the first differences."""

    def __init__(self, shown: int) -> None:
        self.sets: collections.Counter[str] = collections.Counter()
        self.unspecified: collections.Counter[str] = collections.Counter()
        self.wrong: collections.Counter[str] = collections.Counter()
        self.judged = 0
        self.shown = shown

    def difference(self, case: Case, text: str) -> None:
        self.wrong[f"{case.kind} {case.operation}"] += 1
        if sum(self.wrong.values()) <= self.shown:
            print(f"{case.name}, {case.operation}, --profile {case.profile}: {text}")
            print(case.hlo, end="")
            for x in case.inputs:
                print(f"  --input '{x.sized()}'")

    def compare(self, case: Case, who: str, found: list[list] | str) -> None:
        if isinstance(found, str):
            self.difference(case, found)
            return
        for leaf, (expected, actual) in enumerate(zip(case.sets, found, strict=True)):
            self._leaf(case, who, leaf, expected, actual)

    def _leaf(self, case: Case, who: str, leaf: int, expected: list, actual: list) -> None:
        t = PARTS.get(case.leaves[leaf][0].name, case.leaves[leaf][0])
        key = f"{case.kind} {case.operation}"
        if actual == [None]:  # the leaf as a whole
            actual = [None] * len(expected)
        for i, (mine, theirs) in enumerate(zip(expected, actual, strict=True)):
            self.sets[key] += 1
            self.unspecified[key] += mine is None
            if not agrees(mine, theirs):
                at = ", ".join(bits_of(x.type, x.codes[i]) for x in case.inputs
                               if len(x.codes) == len(expected))
                self.difference(case, f"element {i} of leaf {leaf}, {t.name} ({at}): {who} has "
                                f"{describe(t, theirs)}, conformance.md {describe(t, mine)}")
                return

    def verdict(self, case: Case, name: str, outside: int, event: dict) -> None:
        """Compares a verdict with how many of the values that it is about lie outside."""
        self.judged += case.elements
        wanted = "differs" if outside else "conforms"
        if event.get("verdict") != wanted or event.get("outside", 0) != outside:
            said = {key: event[key] for key in ("verdict", "outside", "message") if key in event}
            self.difference(case, f"{name}: check says {said}, but {outside} are outside")

    def print(self) -> int:
        for key in sorted(self.sets):
            print(f"{key:44} {self.sets[key]:7} sets, {self.unspecified[key]:5} unspecified, "
                  f"{self.wrong[key]:4} differ")
        total = sum(self.wrong.values())
        print(f"{sum(self.sets.values())} sets, {self.judged} values judged, "
              f"{total} programs differ")
        return 1 if total else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("assay")
    parser.add_argument("count", type=int, nargs="?", default=2000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", default="", help="a kind or an operation")
    parser.add_argument("--shown", type=int, default=SHOWN)
    options = parser.parse_args()
    report = Report(options.shown)
    for problem in page.problems():
        report.wrong[problem] += 1
        print(problem)
    with tempfile.TemporaryDirectory() as folder:
        program = Assay(options.assay, pathlib.Path(folder))
        for some in batches(turns.cases(options.seed, options.count, options.only)):
            examine(program, some, report)
    return report.print()


def batches(cases: Iterator[Case]) -> Iterator[list[Case]]:
    """Few enough for one file."""
    while some := list(itertools.islice(cases, BATCH)):
        yield some


def examine(program: Assay, some: list[Case], report: Report) -> None:
    """Asks bounds for each program; bless, for the default profile; and check, for a backend, and
    with values at the ends of all sets and beside them."""
    outside: dict[str, int] = {}
    for case in some:
        found = program.bounds(case)
        if isinstance(found, str):
            report.difference(case, found)
            continue
        report.compare(case, "bounds", found.leaves)
        if found.outside is not None and [None] not in found.leaves:
            outside[case.id] = found.outside
    lines = bless(program, some)
    if isinstance(lines, str):
        report.difference(some[0], lines)
        return
    for case, line in zip(some, lines, strict=True):
        if case.profile == "tight":
            report.compare(case, "golden bless", blessed_sets(case, line))
    judge_backends(program, some, lines, outside, report)
    judge_ends(program, some, report)
    judge_declared(program, some, report)


def judge_backends(program: Assay, some: list[Case], lines: list[str], outside: dict[str, int],
                   report: Report) -> None:
    """check finds as many elements of a backend's result outside as bounds does."""
    groups = collections.defaultdict(list)
    for case, line in zip(some, lines, strict=True):
        if case.id in outside:
            groups[case.profile, case.backend].append((case, line))
    for (profile, backend), members in groups.items():
        events = verdicts(program, [line for _, line in members], "-p", profile, "-b", backend)
        for case, _ in members:
            event = events.get(case.id, {"verdict": str(events.get(""))})
            if event["verdict"] not in ("unjudged", "unsupported"):
                report.verdict(case, f"bounds and {backend}", outside[case.id], event)


def judge_ends(program: Assay, some: list[Case], report: Report) -> None:
    """check takes the values at the ends of stated sets, and none beside them."""
    judged = [(case, row) for case in some for row in vectors.judged_lines(case)]
    lines = [text for _, (_, _, text) in judged]
    events = verdicts(program, lines, "-b", "interpreter:")
    for case, (name, outside, _) in judged:
        event = events.get(name, {"verdict": str(events.get(""))})
        report.verdict(case, name, outside, event)


def judge_declared(program: Assay, some: list[Case], report: Report) -> None:
    """A program's own checks say of values at the ends of computed sets that the operation may
    return them, and of none beside them."""
    for case in filter(declared.has_checks, some):
        expected = declared.expected_arrays(case)
        text = program.declared(case, [array for _, _, array in expected])
        found = declared.verdicts(text)
        if len(found) != len(expected):
            report.difference(case, f"eval says {text}")
            continue
        report.judged += len(expected)
        wrong = [(name, inside) for (name, inside, _), admitted in zip(expected, found)
                 if admitted not in (None, inside)]
        if wrong:
            name, inside = wrong[0]
            report.difference(case, f"the check of {name} says that it is "
                              f"{'not ' if inside else ''}admitted, of {len(wrong)} alike")


if __name__ == "__main__":
    sys.exit(main())
