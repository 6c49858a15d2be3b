"""Holds the sets that vector files state against those of conformance.md.

stated.py ASSAY [FILE...] [--shown N]: every stated set of floats beside the one that `golden
bless` computes for the same program and inputs. A narrower one refuses what the page admits, a
wider one admits what the page refuses. Bounds that one of them computes in double may differ by
TOLERANCE of their width, and a code. What the page admits of sums, whatever their operands are, a
case may know better (see `is_known_sum`), and so do the cases of KNOWN.
"""

from __future__ import annotations

import argparse
import collections
import json
import pathlib
import re
import sys
import tempfile

import vectors
from assay import Assay
from formats import PARTS, TYPES, Type, code_at, decode, place, place_from, place_to
from valuesets import ValueSet, covers, describe

ROOT = pathlib.Path(__file__).resolve().parents[3]
TOLERANCE = 1 << 12
# Other than what follows from the page's general rules, and why.
OF_EXACT = "a bound with |x| of the exact solution, not of the rounded one"
KNOWN = {
    "covering-linear/bf16/triangular-solve_batch_9_right_upper_transpose_any_combining_t8_128_2_1_"
    "default": OF_EXACT,
    "covering-linear/f64/triangular-solve_batch_9_right_lower_adjoint_any_permuted_default_tail":
        OF_EXACT,
    "batch-norm-grad/f32/no_elements": "sums of no terms",
    "batch-norm-grad/f32/no_variance": "the offset's gradient, 1 + 3 in any order",
    "power/c64/complex_to_zero": "a row of power.md",
    "power/c64/of_complex_infinity": "a row of power.md",
    "power/c64/of_complex_zero": "a row of power.md",
    "seeds/002_operations/rng_normal.no_deviation": "a + 0 z is a for every z",
}
ELEMENT = re.compile(r"[a-z]+[0-9a-z]*")
SUMS = re.compile(r" (?:dot|ragged-dot|convolution|reduce|reduce-window|reduce-scatter|all-reduce|"
                  r"scatter|select-and-scatter|scaled-dot)\(|-start\(")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("assay")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--shown", type=int, default=10)
    options = parser.parse_args()
    files = [pathlib.Path(file) for file in options.files]
    report = Report(options.shown)
    with tempfile.TemporaryDirectory() as folder:
        program = Assay(options.assay, pathlib.Path(folder))
        for file in files or sorted((ROOT / "conformance/vectors").rglob("*.jsonl")):
            compare_file(program, file, report)
    return report.end()


class Report:
    """Counts of sets, and the cases that differ."""

    def __init__(self, shown: int) -> None:
        self.sets = 0
        self.wrong: collections.Counter[str] = collections.Counter()
        self.shown = shown

    def difference(self, case: dict, text: str) -> None:
        if case["id"] in KNOWN:
            return
        self.wrong[case["id"]] += 1
        if self.wrong[case["id"]] == 1 and len(self.wrong) <= self.shown:
            print(f"{case['id']}: {text}")

    def end(self) -> int:
        print(f"{self.sets} stated sets, {sum(self.wrong.values())} of {len(self.wrong)} cases "
              "are not those of conformance.md")
        return 1 if self.wrong else 0


def compare_file(program: Assay, file: pathlib.Path, report: Report) -> None:
    cases = [case for case in map(json.loads, file.read_text().splitlines()) if
             isinstance(case.get("expect"), list) and any(map(of_floats, case["expect"]))]
    for case, found in zip(cases, blessed(program, cases, report), strict=True):
        if isinstance(found, list):
            for stated, computed in zip(case["expect"], found, strict=True):
                compare_leaf(case, stated, computed, report)


def blessed(program: Assay, cases: list[dict], report: Report) -> list:
    """What the sets of the cases would be, if they stated none."""
    file = program.folder / "stated.jsonl"
    open_cases = [case | {"expect": "reference", "source": "reference"} for case in cases]
    file.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n"
                            for line in [vectors.HEADER | {"notes": notes(cases)}, *open_cases]))
    run = program.run("golden", "bless", str(file))
    if run.returncode:
        report.difference({"id": cases[0]["id"]}, f"golden bless: {run.stderr}{run.stdout}")
        return [None] * len(cases)
    return [json.loads(line)["expect"] for line in file.read_text().splitlines()[1:]]


def notes(cases: list[dict]) -> dict[str, str]:
    return {word: "as its file says" for case in cases for word in case["why"]}


def type_of(stated: dict) -> Type | None:
    text = stated.get("bits") or stated.get("interval") or ""
    name = ELEMENT.match(text)
    return TYPES.get(name[0]) if name else None


def of_floats(stated: dict) -> bool:
    t = type_of(stated)
    return t is not None and t.kind in ("float", "complex")


def compare_leaf(case: dict, stated: dict, computed: dict, report: Report) -> None:
    t = type_of(stated)
    if t is None or not of_floats(stated) or "unspecified" in computed or stated == computed:
        return
    part = PARTS.get(t.name, t)
    is_sum = bool(SUMS.search(case.get("hlo", "")))
    pairs = zip(vectors.parse_expectation(stated, t), vectors.parse_expectation(computed, t),
                strict=True)
    for i, (mine, theirs) in enumerate(pairs):
        if mine is None or theirs is None:
            continue
        report.sets += 1
        problem = difference(part, mine, theirs, is_sum)
        if problem == "narrower" and case["id"].endswith("special") and is_zero(part, mine):
            continue  # a row of special values in the page of the operation
        if problem:
            report.difference(case, f"element {i}, {part.name}: the case is {problem}: it has "
                              f"{describe(part, mine)}, conformance.md {describe(part, theirs)}")


def difference(t: Type, stated: ValueSet, computed: ValueSet, is_sum: bool) -> str | None:
    """NaNs are compared by whether there are any: an operation that moves data keeps them, and
    which those are a case may know where a program is too long for the page's rules."""
    if stated.has_nan and not computed.has_nan:
        return "wider, by NaN"
    if computed.has_nan and not stated.has_nan:
        return "narrower, by NaN"
    numbers, admitted = ValueSet(stated.ranges), ValueSet(computed.ranges)
    if not covers(grown(t, admitted), numbers):
        return "wider"
    if covers(grown(t, numbers), admitted) or (is_sum and is_known_sum(t, numbers)):
        return None
    return "narrower"


def is_zero(t: Type, stated: ValueSet) -> bool:
    """A zero of one sign."""
    return stated.ranges in ([(zero, zero)] for zero in (place(t, t.top), place(t, 0)))


def is_known_sum(t: Type, stated: ValueSet) -> bool:
    """One value, of a sum that is exact in every order by the element's own terms, where the page
    looks at the operands as a whole; of zero, of both signs or of the one that these terms have."""
    if len(stated.ranges) != 1:
        return False
    (low, high), zeros = stated.ranges[0], (place(t, t.top), place(t, 0))
    return low == high or (low, high) == zeros


def grown(t: Type, s: ValueSet) -> ValueSet:
    """With a code more at the ends of ranges that are not one value, and the TOLERANCE-th part of
    the width. Zeros of both signs are two values."""
    result = ValueSet()
    for low, high in s.ranges:
        ends = [decode(t, code_at(t, end)) for end in (low, high)]
        if low < high and all(end.is_number for end in ends):
            more = (ends[1].value - ends[0].value) / TOLERANCE
            low = min(low - 1, place_from(t, ends[0].value - more))
            high = max(high + 1, place_to(t, ends[1].value + more))
        result.add(low, high)
    return result


if __name__ == "__main__":
    sys.exit(main())
