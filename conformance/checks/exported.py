"""Compares the table of spec/stablehlo_export.md with what `assay fmt` prints.

Of the programs on the pages of spec/ops, an operation becomes a call of a target
`hlo.*` in some just where the table names it, and in all just where it says
"always". Argument: the `assay` program.
"""

import collections
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```hlo (?:example|syntax)$\n(.*?)^```$", re.M | re.S)
OPCODE = re.compile(r"^ *(?:ROOT )?%?[\w.-]+ = .*?[\]})] ([a-z][a-z-]*)\(", re.M)
CALL = re.compile(r'call_target_name = "hlo\.([a-z-]+)"')


def table() -> dict[str, bool]:
    """The operations that become calls, and whether always."""
    text = (ROOT / "spec/stablehlo_export.md").read_text()
    rows = re.search(r"^\| operation \| is such a call \|\n\|.*\n((?:\|.*\n)+)", text, re.M)
    assert rows, "spec/stablehlo_export.md has no table of calls"
    found = {}
    for names, when in re.findall(r"^\| (.*) \| (.*) \|$", rows[1], re.M):
        found |= {name: when == "always" for name in re.findall(r"`([a-z-]+)`", names)}
    return found


def programs() -> Iterator[str]:
    for page in sorted((ROOT / "spec/ops").glob("*.md")):
        for body in FENCE.findall(page.read_text()):
            yield re.split(r"^(?:---|input:.*)$", body, maxsplit=1, flags=re.M)[0]


def exported(assay: str, program: str) -> tuple[set[str], set[str]]:
    """The operations of a program, and those that become calls; none where it has no
    StableHLO."""
    with tempfile.NamedTemporaryFile("w", suffix=".hlo") as file:
        file.write(program)
        file.flush()
        done = subprocess.run([assay, "fmt", "--to", "stablehlo", file.name],
                              capture_output=True, text=True)
    if done.returncode != 0:
        return set(), set()
    return set(OPCODE.findall(program)), set(CALL.findall(done.stdout))


def problems(stated: dict[str, bool], uses: dict[str, list[bool]]) -> Iterator[str]:
    """`uses` tells of each operation whether it was a call, for each program with it."""
    for op, calls in sorted(uses.items()):
        if any(calls) and op not in stated:
            yield f"{op} becomes a call, which the table does not say"
        if op in stated and not any(calls):
            yield f"{op} never becomes a call, but stands in the table"
        if op in stated and any(calls) and stated[op] != all(calls):
            yield f"{op} is {'not ' if stated[op] else ''}always a call, as the table does not say"
    yield from (f"no page has a program with {op}" for op in sorted(set(stated) - set(uses)))


def main() -> int:
    uses: dict[str, list[bool]] = collections.defaultdict(list)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for ops, calls in pool.map(lambda p: exported(sys.argv[1], p), programs()):
            for op in ops | calls:
                uses[op].append(op in calls)
    wrong = list(problems(table(), uses))
    count = sum(map(len, uses.values()))
    print("\n".join(wrong) or f"exported: {count} uses of {len(uses)} operations are as stated")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
