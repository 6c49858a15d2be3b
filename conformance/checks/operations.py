"""Checks that every operation is complete: page, interpreter, vectors, for
each rule of its page a case of its vectors that must be rejected by it, and for
each element type that it takes a case with values.

Argument: the `assay` program, which lists the operations. That each rule has
an example on the page itself is what labels.py checks.
"""

import json
import pathlib
import re
import subprocess
import sys

from element_types import unprobed

ROOT = pathlib.Path(__file__).resolve().parents[2]
LISTED = re.compile(r"^\* `([a-z][a-z0-9-]*\.(?:C\d+|[a-z][a-z0-9-]*))`", re.M)


def operations(assay: str) -> dict[str, str]:
    """The state of each."""
    out = subprocess.run(
        [assay, "list", "--operations"], check=True, capture_output=True, text=True
    ).stdout
    return dict(line.split() for line in out.splitlines() if line.strip())


def rejected(vectors: pathlib.Path) -> set[str]:
    """The rules by which cases of a file must be rejected."""
    _, *cases = vectors.read_text().splitlines()
    expected = (json.loads(case)["expect"] for case in cases)
    return {x["rejected"] for x in expected if isinstance(x, dict)}


def files_of(name: str) -> tuple[pathlib.Path, pathlib.Path]:
    """Page and vectors."""
    stem = name.replace("-", "_")
    return ROOT / f"spec/ops/{stem}.md", ROOT / f"conformance/vectors/{stem}.jsonl"


def problems(name: str) -> list[str]:
    page, vectors = files_of(name)
    files = [page, ROOT / f"interpreter/ops/{page.stem}.cc", vectors]
    wrong = [f"{name}: no {file.relative_to(ROOT)}" for file in files if not file.exists()]
    if not page.exists():
        return wrong
    shown = rejected(vectors) if vectors.exists() else set()
    rules = LISTED.findall(page.read_text())
    return wrong + [f"{name}: no vector is rejected by {rule}"
                    for rule in rules if rule not in shown]


def main() -> int:
    names = operations(sys.argv[1])
    wrong = [line for name in names for line in problems(name)]
    evaluable = (name for name, state in names.items() if state == "evaluable")
    wrong = wrong or unprobed(sys.argv[1], {name: files_of(name) for name in evaluable})
    print("\n".join(wrong) or f"operations: {len(names)} are complete")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
