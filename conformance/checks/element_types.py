"""The element types that an operation takes and that no vector probes.

An operation takes a type where one of its programs (the examples of its page,
the cases of its vectors) is still valid with that type written in place of the
type of its first operand or of its result, and is not refused when it runs. So
the verifier itself says which types there are.
"""

import json
import pathlib
import re
import subprocess
import tempfile

FENCE = re.compile(r"^```hlo (?:syntax|example)[^\n]*\n(.*?)^(?:---|```)", re.M | re.S)
LINE = re.compile(r"^\s*(?:ROOT )?%?([\w.-]+) = (.+?) ([a-z][a-z0-9-]*)\((.*)$")
NAME = re.compile(r"%?([\w.-]+)")
LEAF = re.compile(r"\b(pred|[a-z]+\d\w*)(?=\[)")
NUMBER = re.compile(r"(?<!\w)\d+\b")
# A rule of evaluation: a word, where those of the verifier have a number.
REFUSED = re.compile(r"error: ([a-z-]+)\.(?!C\d)[a-z]")
# So many forms of cases are asked about, the shortest ones: they have the fewest other
# reasons to be invalid.
FORMS = 12
PARTS = {"c64": "f32", "c128": "f64"}

# ("operand", "f32"): the type of the first operand, or of a result.
Use = tuple[str, str]
Files = dict[str, tuple[pathlib.Path, pathlib.Path]]


def element_types(assay: str) -> dict[str, int]:
    """The bits of each."""
    out = subprocess.run(
        [assay, "list", "--types"], check=True, capture_output=True, text=True
    ).stdout
    rows = map(str.split, out.splitlines())
    return {name: int(bits) for name, _, bits, *_ in rows}


def valued(vectors: pathlib.Path) -> list[str]:
    """The HLO programs of cases that state values."""
    _, *lines = vectors.read_text().splitlines()
    cases = (json.loads(line) for line in lines)
    return [case["hlo"] for case in cases
            if "hlo" in case and isinstance(case["expect"], list)]


def uses(name: str, program: str) -> set[Use]:
    """How a program uses the operation."""
    found: set[Use] = set()
    shapes: dict[str, str] = {}
    for match in map(LINE.match, program.splitlines()):
        if not match:
            continue
        result, shape, opcode, operands = match.groups()
        shapes[result] = shape
        if opcode != name:
            continue
        first = NAME.match(operands)
        operand = shapes.get(first[1], "") if first else ""
        found |= {("operand", leaf) for leaf in LEAF.findall(operand)}
        found |= {("result", leaf) for leaf in LEAF.findall(shape)}
    return found


def replaced(program: str, names: dict[str, str]) -> str:
    return LEAF.sub(lambda match: names.get(match[1], match[1]), program)


def partners(name: str, bits: dict[str, int]) -> dict[str, str]:
    """The types that go with a type: its parts, what it is a part of, and the
    unsigned integers as wide as it."""
    wholes = {part: whole for whole, part in PARTS.items()}
    return {"part": PARTS.get(name, ""), "whole": wholes.get(name, ""),
            "bits": f"u{bits[name]}"}


def retyped(program: str, old: str, new: str, bits: dict[str, int]) -> set[str]:
    """With a type in place of another, and with their partners likewise."""
    before, after = partners(old, bits), partners(new, bits)
    pairs = {before[k]: after[k] for k in before if before[k] in bits and after[k] in bits}
    return {replaced(program, {old: new}), replaced(program, pairs | {old: new})}


def forms(place: str, name: str, programs: list[str]) -> list[tuple[str, str]]:
    """Programs, the shortest first, and the type that they use in this place; of those
    that differ in that type and in numbers only one."""
    found: dict[str, tuple[str, str]] = {}
    for program in programs:
        for _, old in (use for use in uses(name, program) if use[0] == place):
            form = NUMBER.sub("0", replaced(program, {old: "?"}))
            found.setdefault(form, (program, old))
    return [found[form] for form in sorted(found, key=len)]


def questions(name: str, page: pathlib.Path, vectors: pathlib.Path,
              bits: dict[str, int]) -> dict[str, set[Use]]:
    """Programs that are valid only if the operation takes a type that no case has,
    and for each of them the uses in question."""
    shown, cases = FENCE.findall(page.read_text()), valued(vectors)
    probed = set().union(*(uses(name, case) for case in cases))
    asked: dict[str, set[Use]] = {}
    for place in ("operand", "result"):
        missing = [t for t in bits if (place, t) not in probed]
        if not missing:
            continue
        found = forms(place, name, shown) + forms(place, name, cases)[:FORMS]
        for program, old in found:
            for t in missing:
                for text in retyped(program, old, t, bits):
                    asked.setdefault(text, set()).add((place, t))
    return asked


def valid(assay: str, programs: list[str]) -> list[bool]:
    """Which programs the verifier lets pass."""
    with tempfile.TemporaryDirectory() as folder:
        files = [f"{i}.hlo" for i in range(len(programs))]
        for file, program in zip(files, programs):
            pathlib.Path(folder, file).write_text(program)
        judge = pathlib.Path(assay).resolve()
        out = subprocess.run([judge, "fmt", "--check", *files], cwd=folder,
                             capture_output=True, text=True, check=False).stderr
    wrong = {line.split(":")[0] for line in out.splitlines()
             if not line.endswith(": not in canonical form")}
    return [file not in wrong for file in files]


def is_refused(assay: str, name: str, program: str) -> bool:
    """Whether a rule of the operation forbids to run a valid program."""
    out = subprocess.run([assay, "eval", "-", "-i", "random:1", "-o", "none"], input=program,
                         capture_output=True, text=True, check=False).stderr
    return any(rule[1] == name for rule in REFUSED.finditer(out))


def unprobed(assay: str, files: Files) -> list[str]:
    """A line for each operation and type without a case; `files` are the page and
    the vectors of each operation."""
    bits = element_types(assay)
    rows = [(name, program, found) for name, (page, vectors) in files.items()
            for program, found in questions(name, page, vectors, bits).items()]
    answers = valid(assay, [program for _, program, _ in rows])
    shortest: dict[tuple[str, Use], str] = {}
    for (name, program, found), answer in zip(rows, answers):
        for use in found if answer else ():
            key = name, use
            shortest[key] = min(shortest.get(key, program), program, key=len)
    return [f"{name}: takes {t} as {place}, and no vector with values has it"
            for (name, (place, t)), program in sorted(shortest.items())
            if not is_refused(assay, name, program)]
