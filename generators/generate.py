#!/usr/bin/env python3
"""Writes the golden vectors: conformance/vectors/<op>.jsonl.

    generate.py [op ...]          write those operations' files (default: all);
                                  `dynamic_sizes` and `regressions`
                                  are sets of many operations
    generate.py --check [op ...]  say which files differ; exit code 1 if any
"""

import argparse
import importlib
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
VECTORS = HERE.parent / "conformance" / "vectors"
sys.path.insert(0, str(HERE))

# Cases of many operations: packages beside ops/.
SETS = ["dynamic_sizes", "regressions"]


def operations() -> list[str]:
    named = (p.stem for p in (HERE / "ops").glob("*.py") if p.stem != "__init__")
    return sorted([*named, *SETS])


def render(op: str) -> str:
    """The whole file of one operation or set."""
    source = op if op in SETS else f"ops.{op}"
    module = importlib.import_module(source)
    mnemonic = op.replace("_", "-")
    head = {
        "generator": f"generators/{op}" if op in SETS else f"generators/ops/{op}.py",
        "command": f"generators/generate.py {op}",
        "notes": dict(sorted(module.WHY.items())),
        "do_not_edit": True,
    }
    cases = list(module.cases())
    problems = lint(cases, module.WHY)
    if problems:
        raise SystemExit(f"{op}: " + "; ".join(problems))
    cases.sort(key=lambda case: case.what)
    lines = [json.dumps(head, separators=(",", ":"))]
    return "\n".join(lines + [case.line(mnemonic) for case in cases]) + "\n"


def lint(cases: list, why: dict) -> list[str]:
    """Unique ids, known reasons, statements that state."""
    seen: set[str] = set()
    wrong = []
    for case in cases:
        if case.what in seen:
            wrong.append(f"{case.what} stands twice")
        seen.add(case.what)
        wrong += [f"{case.what}: unknown why {w}" for w in case.why if w not in why]
        if not case.why or not case.statement:
            wrong.append(f"{case.what} does not say why it exists")
        if "should" in case.statement or case.statement.startswith("test"):
            wrong.append(f"{case.what}: the statement does not state")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("op", nargs="*")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    stale = []
    for op in arguments.op or operations():
        text = render(op.replace("-", "_"))
        file = VECTORS / f"{op.replace('-', '_')}.jsonl"
        if arguments.check:
            if not file.exists() or file.read_text() != text:
                stale.append(file.name)
        else:
            file.write_text(text)
    if stale:
        print("stale vectors, run generators/generate.py: " + ", ".join(stale))
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
