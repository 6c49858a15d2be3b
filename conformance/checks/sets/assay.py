"""Asks the program: the sets of `bounds` and of `golden bless`, and verdicts of `check`."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
from dataclasses import dataclass

import declared
import vectors
from cases import Array, Case
from formats import PARTS, Type, decode, place
from valuesets import ANY, ValueSet

BITS = re.compile(r"\(bits ([0-9a-f]+)\)")
LEAF = re.compile(r"^leaf [0-9]+: ")
COMPLEX = re.compile(r"^real part (.*), imaginary part (.*)$")
LINE = re.compile(r"^  \{([0-9,]*)\} (.*)$")


OUTSIDE = re.compile(r" ([0-9]+) of [0-9]+ certified elements? (?:are|is) outside")


@dataclass
class Bounds:
    """Sets of leaves, [None] where nothing is certified; `outside` is None where the backend
    does not run the program."""

    leaves: list[list]
    outside: int | None


class Assay:
    """A binary and a folder for the files that it reads."""

    def __init__(self, binary: str, folder: pathlib.Path) -> None:
        self.binary = binary
        self.folder = folder

    def run(self, *arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run([self.binary, *arguments], capture_output=True, text=True)

    def bounds(self, case: Case) -> "Bounds | str":
        """The sets of each leaf, and how much of a backend's result is outside; or an error."""
        file = self.folder / "program.hlo"
        file.write_text(case.hlo)
        inputs = [word for x in case.inputs for word in ("-i", x.sized())]
        run = self.run("bounds", str(file), *inputs, "-p", case.profile, "--show",
                       str(max(case.elements, 1)), "-b", case.backend)
        # 77: everything is open.
        if run.returncode not in (0, 1, 77) or not run.stdout.startswith(("leaf", "// replica 0,")):
            return f"bounds ends with {run.returncode}: {run.stderr}{run.stdout}"
        found = OUTSIDE.search(run.stdout)
        return Bounds(parse_bounds(run.stdout, case), int(found[1]) if found else None)


    def declared(self, case: Case, arrays: list[Array]) -> str:
        """What the checks say of a program that expects these arrays."""
        file = self.folder / "declared.hlo"
        file.write_text(declared.program(case, arrays))
        inputs = [word for x in [*case.inputs, *arrays] for word in ("-i", x.sized())]
        run = self.run("eval", str(file), *inputs)
        return run.stdout + run.stderr


def parse_bounds(text: str, case: Case) -> list[list]:
    leaves: list[list] = []
    for line in text.splitlines():
        if LEAF.match(line):
            leaves.append([])
        elif "nothing is certified" in line:
            leaves[-1] = [None]
        elif found := LINE.match(line):
            t = case.leaves[len(leaves) - 1][0]
            leaves[-1] += [parse_set(part, PARTS.get(t.name, t)) for part in parts_of(found[2])]
    return leaves


def parts_of(words: str) -> list[str]:
    """The set, or those of both parts of a complex number."""
    found = COMPLEX.match(words)
    return [found[1], found[2]] if found else [words]


def parse_set(words: str, t: Type) -> ValueSet:
    """"from 1 = 0x1p+0 (bits 3c00) to 2 = 0x1p+1 (bits 4000), or any quiet NaN"."""
    result = ValueSet()
    for part in words.split(", or "):
        codes = [int(code, 16) for code in BITS.findall(part)]
        if not codes:
            result.nan = ANY if part == "any quiet NaN" else result.nan
        elif t.kind == "float" and decode(t, codes[0]).kind == "nan":
            result.add_code(t, codes[0])
        else:
            result.add(place(t, codes[0]), place(t, codes[-1]))
    return result


def bless(assay: Assay, cases: list[Case]) -> list[str] | str:
    """The lines of the cases with the sets that `golden bless` writes, or an error."""
    file = assay.folder / "blessed.jsonl"
    lines = [json.dumps(vectors.HEADER, separators=(",", ":"))]
    file.write_text("\n".join([*lines, *map(vectors.reference_line, cases)]) + "\n")
    run = assay.run("golden", "bless", str(file))
    if run.returncode:
        return f"golden bless fails: {run.stdout}{run.stderr}"
    return file.read_text().splitlines()[1:]


def blessed_sets(case: Case, line: str) -> list[list] | str:
    expect = json.loads(line)["expect"]
    if isinstance(expect, dict):
        return str(expect)
    return [vectors.parse_expectation(e, t) for e, (t, _) in zip(expect, case.leaves, strict=True)]


def verdicts(assay: Assay, lines: list[str], *options: str) -> dict[str, dict]:
    """The events of `check` on these cases, by id."""
    file, events = assay.folder / "judged.jsonl", assay.folder / "events.jsonl"
    events.unlink(missing_ok=True)
    header = json.dumps(vectors.HEADER, separators=(",", ":"))
    file.write_text("\n".join([header, *lines]) + "\n")
    run = assay.run("check", str(file), "-o", str(events), *options)
    if not events.exists():
        return {"": {"message": run.stdout + run.stderr}}
    found = [json.loads(line) for line in events.read_text().splitlines()]
    return {event["id"]: event for event in found if "id" in event}
