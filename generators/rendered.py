"""The golden vectors of one operation or set as the text of files."""

import importlib
import json
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
VECTORS = HERE.parent / "conformance" / "vectors"

# Cases of many operations: packages beside ops/.
SETS = ["broadcasting", "covering_elementwise", "covering_folds", "covering_linear",
        "covering_movement", "dynamic_sizes", "large_parts", "long_lines",
        "regressions", "seeds", "sequences", "special_terms", "stablehlo"]

# Of these there is a file for each type, in a folder.
LARGE_SETS = [name for name in SETS if name.startswith("covering_")]


def operations() -> list[str]:
    named = (p.stem for p in (HERE / "ops").glob("*.py") if p.stem != "__init__")
    return sorted([*named, *SETS])


def source_of(op: str) -> str:
    return op if op in SETS else f"ops.{op}"


def render(op: str) -> dict[pathlib.Path, str]:
    """The whole files of one operation or set."""
    module = importlib.import_module(source_of(op))
    cases = list(module.cases())
    problems = lint(cases, module.WHY)
    if problems:
        raise SystemExit(f"{op}: " + "; ".join(problems))
    cases.sort(key=lambda case: case.what)
    if op not in LARGE_SETS:
        return {VECTORS / f"{op}.jsonl": render_file(op, module.WHY, cases)}
    files: dict[pathlib.Path, list] = {}
    for case in cases:
        kind = case.what.split("/")[0]
        files.setdefault(VECTORS / op / f"{kind}.jsonl", []).append(case)
    return {file: render_file(op, module.WHY, part) for file, part in files.items()}


def render_file(op: str, why: dict, cases: list) -> str:
    used = {reason for case in cases for reason in case.why}
    head = {
        "generator": f"generators/{op}" if op in SETS else f"generators/ops/{op}.py",
        "command": f"generators/generate.py {op}",
        "notes": {name: why[name] for name in sorted(used)},
        "do_not_edit": True,
    }
    lines = [json.dumps(head, separators=(",", ":"))]
    return "\n".join(lines + [case.line(op.replace("_", "-")) for case in cases]) + "\n"


def lint(cases: list, why: dict) -> list[str]:
    """Unique ids, known reasons without one that no case has, statements that state."""
    seen: set[str] = set()
    wrong = []
    for case in cases:
        if case.what in seen:
            wrong.append(f"{case.what} stands twice")
        seen.add(case.what)
        wrong += [f"{case.what}: unknown why {w}" for w in case.why if w not in why]
        if not case.why or not case.statement:
            wrong.append(f"{case.what} does not say why it exists")
        wrong += [f"{case.what}: XLA cannot parse an instruction of the name {name}"
                  for name in case.words_as_names()]
        if "should" in case.statement or case.statement.startswith("test"):
            wrong.append(f"{case.what}: the statement does not state")
    used = {reason for case in cases for reason in case.why}
    wrong += [f"no case has the reason {name}" for name in why if name not in used]
    return wrong


def files_of(op: str) -> list[pathlib.Path]:
    """The files of one operation or set that there are."""
    return sorted((VECTORS / op).glob("*.jsonl") if op in LARGE_SETS
                  else VECTORS.glob(f"{op}.jsonl"))
