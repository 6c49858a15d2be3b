"""Checks the levels of accuracy: schema, and what pages say of the tight one.

Each file of conformance/levels is valid under spec/schema/level.schema.json,
its name is that of the file, ranks count from 0, and the table of steps in
spec/numerics.md and the pages of the operations state the numbers of tight.json.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEVELS = ROOT / "conformance/levels"
SCHEMA = ROOT / "spec/schema/level.schema.json"
ON_PAGE = re.compile(r"f32: at most (\d+) steps?\s+from\s+the correctly\s+rounded\s+value; f64: (\d+)")
ROW = re.compile(r"^\| ([a-z0-9_, -]+) \| (\d) / (\d) \|$", re.M)
NO_ROW = {"the magnitude of complex numbers"}
NO_OPCODE = {"atan", "exp2", "log2", "log10", "hypot", "erfc", "erf_inv", "lgamma"}


def schema_problems(levels: dict[str, dict]) -> list[str]:
    try:
        import jsonschema
    except ImportError:
        return []
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))
    return [
        f"{name}.json: {error.json_path}: {error.message}"
        for name, level in levels.items()
        for error in validator.iter_errors(level)
    ]


def name_problems(levels: dict[str, dict]) -> list[str]:
    wrong = [f"{n}.json names {v['level']}" for n, v in levels.items() if v["level"] != n]
    ranks = sorted(level["rank"] for level in levels.values())
    if ranks != list(range(len(ranks))):
        wrong.append(f"the ranks are {ranks}")
    return wrong


def steps(tight: dict) -> dict[str, tuple[int, int]]:
    """Of functions that are bounded by steps, on most of their arguments."""

    def of(bound: dict | list) -> int | None:
        return (bound[-1] if isinstance(bound, list) else bound).get("steps")

    found = {
        name: (of(row["f32"]), of(row["f64"]))
        for name, row in tight["functions"].items()
    }
    return {name: both for name, both in found.items() if None not in both}


def table_problems(expected: dict[str, tuple[int, int]]) -> list[str]:
    text = (ROOT / "spec/numerics.md").read_text()
    stated = {
        name.strip(): (int(f32), int(f64))
        for names, f32, f64 in ROW.findall(text)
        for name in names.split(", ")
    }
    wrong = []
    for name in sorted(set(expected) | set(stated) - NO_ROW):
        if expected.get(name) != stated.get(name):
            wrong.append(f"spec/numerics.md: {name}: {stated.get(name)}, "
                         f"but tight.json says {expected.get(name)}")
    return wrong


def page_problems(expected: dict[str, tuple[int, int]]) -> list[str]:
    wrong = []
    for name, want in expected.items():
        if name in NO_OPCODE:
            continue
        page = ROOT / f"spec/ops/{name.replace('-', '_')}.md"
        found = ON_PAGE.search(page.read_text())
        said = tuple(map(int, found.groups())) if found else None
        if said != want:
            wrong.append(f"{page.name}: {said}, but tight.json says {want}")
    return wrong


def main() -> int:
    levels = {f.stem: json.loads(f.read_text()) for f in sorted(LEVELS.glob("*.json"))}
    expected = steps(levels["tight"])
    wrong = schema_problems(levels) + name_problems(levels)
    wrong += table_problems(expected) + page_problems(expected)
    print("\n".join(wrong) or f"levels: {len(levels)} agree with schema and pages")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
