"""Checks the pages of spec/ops: one per operation, with its sections.

An operation that can be evaluated has all sections and at least three
examples; one that is only declared has Syntax, Constraints and Result.
Argument: the `assay` program.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DECLARED = ["Syntax", "Constraints", "Result"]
EVALUABLE = DECLARED + ["Special values", "Accuracy", "Examples"]


def states(assay: str) -> dict[str, str]:
    out = subprocess.run(
        [assay, "list", "--operations"], check=True, capture_output=True, text=True
    ).stdout
    rows = [line.split() for line in out.splitlines() if line.strip()]
    return {row[0]: row[1] for row in rows}


def problems(name: str, state: str) -> list[str]:
    page = ROOT / "spec/ops" / (name.replace("-", "_") + ".md")
    if not page.exists():
        return [f"{name}: no page"]
    text = page.read_text()
    sections = re.findall(r"^## (.*)$", text, re.M)
    wanted = EVALUABLE if state == "evaluable" else DECLARED
    wrong = [f"{name}: no section {want}" for want in wanted if want not in sections]
    examples = len(re.findall(r"^\s*```hlo example", text, re.M))
    if state == "evaluable" and examples < 3:
        wrong.append(f"{name}: {examples} examples instead of three")
    if not re.search(r"^\s*```hlo syntax", text, re.M):
        wrong.append(f"{name}: no syntax example")
    return wrong


def main() -> int:
    found = states(sys.argv[1])
    wrong = [line for name in sorted(found) for line in problems(name, found[name])]
    files = {page.stem for page in (ROOT / "spec/ops").glob("*.md")}
    known = {name.replace("-", "_") for name in found}
    wrong += [f"spec/ops/{name}.md: no such operation" for name in sorted(files - known)]
    print("\n".join(wrong) or f"pages: {len(found)} operations")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
