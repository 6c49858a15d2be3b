"""Checks the pages of spec/ops: one per operation, with its sections.

An operation that can be evaluated has all sections and at least three
examples; one that is only declared has Syntax, Constraints and Result.
A profile that a page names is one that the judge takes, and tables do not run
into each other. Argument: the `assay` program.
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


def axes() -> dict[str, set[str]]:
    """The axes of profiles and their choices, as spec/conformance.md says."""
    text = (ROOT / "spec/conformance.md").read_text().split("## Levels and axes")[1]
    rows = re.findall(r"^\| `([a-z-]+)` \| (.*) \|$", text.split("\n## ")[0], re.M)
    words = set(re.findall(r"`([^`]+)`", text))
    names = "subnormals nan zero-sign contraction excess-precision accumulation".split()
    found = {name: set(re.findall(r"`([^`]+)`", row)) for name, row in rows if name in names}
    found["accumulation"] = words
    return found


def levels() -> set[str]:
    return {path.stem for path in (ROOT / "conformance/levels").glob("*.json")}


def unknown_profiles(name: str, text: str) -> list[str]:
    """What a page calls a profile, or writes as AXIS=CHOICE, and is none."""
    known = axes()
    wrong = []
    for word in re.findall(r"profile\s+`([^`]+)`", text):
        parts = [part.split("=")[0] for part in word.split(",")]
        if not set(parts) <= levels() | set(known):
            wrong.append(f"{name}: no profile is called {word}")
    for axis, choice in re.findall(r"`([a-z-]+)=([^`,]+)`", text):
        if axis in known and choice not in known[axis]:
            wrong.append(f"{name}: no choice of {axis} is called {choice}")
    return wrong


def odd_tables(name: str, text: str) -> list[str]:
    """A table's line of dashes is its second line, or it belongs to another; that
    of peers has one head on all pages."""
    second = re.findall(r"(?:\A|\n\n)\|[^\n]*\n(\| ?-[^\n]*)", text)
    lines = re.findall(r"^\| ?-{3}[^\n]*$", text, re.M)
    wrong = [] if len(second) == len(lines) else [f"{name}: two tables without a blank line"]
    heads = re.findall(r"^\| (?:differs \| how|who \| .*) \|$", text, re.M)
    return wrong + [f"{name}: {head}" for head in heads if head != "| who | what differs |"]


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
    return wrong + unknown_profiles(name, text) + odd_tables(name, text)


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
