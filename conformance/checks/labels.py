"""Checks that rule labels agree: code, pages, examples that must fail.

A label that the code raises stands in a page of spec/, and a label that a
page's constraints list has at least one `invalid` example there.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LABEL = r"[a-z][a-z0-9-]*\.(?:C\d+|[a-z][a-z0-9-]*)"
IN_CODE = re.compile(rf'"({LABEL})"')
# In the reader of StableHLO names of operations look like labels: there only
# what a failing call has is one.
IN_CALL = re.compile(
    r"\b(?:fail\w*|reject\w*|require\w*|unsupported|expected|Error)\("
    rf'(?:[^";]|"[^"\n]*")*?"({LABEL})"'
)
LISTED = re.compile(rf"^\* `({LABEL})`", re.M)
INVALID = re.compile(rf"^\s*```\w+ invalid ({LABEL})", re.M)
# Rules that no program text can show: they need a value, a size or a file.
NOT_A_PROGRAM = re.compile(r"^(evaluate|literal|npy|input|file|page|vectors|usage|numerics|system)\.")
NOT_A_LABEL = re.compile(
    r"\.(md|h|cc|hlo|npy|json|jsonl|xml|so|py|txt)$|^(interpreter|chlo|stablehlo)\.")


def raised() -> dict[str, str]:
    labels: dict[str, str] = {}
    for file in sorted((ROOT / "interpreter").rglob("*.cc")):
        if re.search(r"_(test|benchmark|fuzz)\.cc$", file.name):
            continue
        pattern = IN_CALL if "stablehlo" in file.parts else IN_CODE
        for label in pattern.findall(file.read_text()):
            if not NOT_A_LABEL.search(label):
                labels.setdefault(label, str(file.relative_to(ROOT)))
    return labels


def main() -> int:
    pages = [page.read_text() for page in sorted((ROOT / "spec").rglob("*.md"))]
    listed = {label for page in pages for label in LISTED.findall(page)}
    shown = {label for page in pages for label in INVALID.findall(page)}
    code = raised()
    wrong = [
        f"{code[label]} raises {label}, which no page of spec/ lists"
        for label in sorted(set(code) - listed)
    ]
    wrong += [
        f"spec/ lists {label}, but no example must be rejected by it"
        for label in sorted(listed - shown)
        if not NOT_A_PROGRAM.match(label)
    ]
    print("\n".join(wrong) or f"labels: {len(listed)} rules agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
