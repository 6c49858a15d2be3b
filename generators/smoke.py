#!/usr/bin/env python3
"""Writes the list of the tier smoke: conformance/vectors/smoke.txt.

    smoke.py            write it
    smoke.py --check    say whether it differs; exit code 1 if so

Of each operation it has few cases that together show all its flags, types, kinds of
expectation and rules, tiles, ranks and orders of magnitude; and those of
smoke_kills.txt, which notice changes of the sources that these do not
(conformance/checks/mutants).
"""

import heapq
import json
import pathlib
import re
import sys
from collections.abc import Iterator

HERE = pathlib.Path(__file__).resolve().parent
VECTORS = HERE.parent / "conformance" / "vectors"
LIST = VECTORS / "smoke.txt"
KILLS = HERE / "smoke_kills.txt"
SPEC = HERE.parent / "spec"
PARAMETER = re.compile(r"= (\w+)\[([\d,<=]*)\](\{[^}]*\})? parameter\(")


def operation(case: dict) -> str:
    """The root's: files of many operations name none."""
    root = re.search(r"ROOT \S+ = .*?\s([a-z][a-z0-9-]*)\(", case.get("hlo", ""))
    return root.group(1) if root else case["id"].split("/")[0]


def kind_of_expectation(case: dict) -> str:
    expect = case["expect"]
    if isinstance(expect, dict):
        return expect["rejected"]
    return "+".join(sorted({next(iter(leaf)) for leaf in expect}))


def layout_class(text: str) -> str:
    tiles = re.search(r":T(\([^}]*\))", text)
    return tiles.group(1) if tiles else "permuted" if re.search(r"\{0,\d", text) else ""


def features(case: dict) -> Iterator[tuple[str, ...]]:
    """What a case shows of its operation."""
    yield ("kind", kind_of_expectation(case))
    for flag in case["why"]:
        yield ("flag", flag)
    yield ("layout", layout_class(case.get("hlo", "")))
    for place, (kind, dims, _) in enumerate(PARAMETER.findall(case.get("hlo", ""))[:3]):
        sizes = [int(d.lstrip("<=")) for d in dims.split(",") if d]
        yield ("type", kind)
        yield ("rank", str(place), str(len(sizes)))
        yield ("largest", str(place), str(max(sizes, default=1).bit_length()))
    result = re.search(r"ROOT \S+ = (\w+)", case.get("hlo", ""))
    yield ("result", result.group(1) if result else "")


def chosen(cases: list[tuple[int, dict]]) -> Iterator[str]:
    """Each time the one that shows most of what none before it does; of equal ones the
    shortest."""
    heap = [(-len(shown), length, case["id"], shown)
            for length, case in cases for shown in [set(features(case))]]
    heapq.heapify(heap)
    seen: set[tuple[str, ...]] = set()
    while heap:
        promised, length, name, shown = heapq.heappop(heap)
        new = shown - seen
        if not new:
            continue
        if len(new) < -promised:
            heapq.heappush(heap, (-len(new), length, name, new))
            continue
        seen |= new
        yield name


def render() -> str:
    by_operation: dict[str, list[tuple[int, dict]]] = {}
    for file in sorted(VECTORS.rglob("*.jsonl")):
        if file.stem == "large_parts":  # each takes seconds
            continue
        for line in file.read_text().splitlines()[1:]:
            case = json.loads(line)
            by_operation.setdefault(operation(case), []).append((len(line), case))
    ids = {name for cases in by_operation.values() for name in chosen(cases)}
    known = {case["id"] for cases in by_operation.values() for _, case in cases}
    pages = {file.stem.replace("_", "-") for file in SPEC.rglob("*.md")}
    kills = set(KILLS.read_text().split())
    unknown = sorted(name for name in kills - known
                     if "/page/" not in name or name.split("/")[0] not in pages)
    if unknown:
        sys.exit(f"smoke_kills.txt has what is no case: {', '.join(unknown)}")
    return "\n".join(sorted(ids | kills)) + "\n"


def main() -> int:
    text = render()
    if "--check" in sys.argv[1:]:
        if LIST.read_text() == text:
            return 0
        print("stale list, run generators/smoke.py")
        return 1
    LIST.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
