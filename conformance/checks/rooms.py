"""Checks the folders: at most 30 files each, a README of at most 20 lines that
introduces the folder, no basename twice, no numbered names, no test and no type
of a namespace twice.

Where there may be more files, each file is one of many alike: operations,
their pages, generators and vectors, programs, checksums.
"""

import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = 30
README_LINES = 20
ALIKE = re.compile(
    r"^(interpreter/ops|spec/ops|generators/ops|conformance/vectors|"
    r"conformance/programs|conformance/numerics/checksums)\b")
NUMBERED = re.compile(r"[a-z]\d+$")
TEST = re.compile(r"^TEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\)", re.M)
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{$(.*?)^\}  // namespace", re.M | re.S)
TYPE = re.compile(r"^(?:struct|class|enum class) (\w+)[^;{]*\{", re.M)
# An operation's plan is named as the operation is.
PLAN = re.compile(r"^interpreter/plans/")


def tracked() -> list[pathlib.PurePosixPath]:
    out = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True,
                         capture_output=True, text=True).stdout
    return [pathlib.PurePosixPath(line) for line in out.splitlines()
            if (ROOT / line).is_file()]


def is_source(file: pathlib.PurePosixPath) -> bool:
    return file.suffix in (".h", ".cc")


def crowded(files: list[pathlib.PurePosixPath]) -> list[str]:
    counts = collections.Counter(str(file.parent) for file in files)
    return [f"{folder}: {count} files, at most {FILES} are easily read"
            for folder, count in sorted(counts.items())
            if count > FILES and not ALIKE.match(folder)]


def unintroduced(files: list[pathlib.PurePosixPath]) -> list[str]:
    wrong = []
    for folder in sorted({file.parent for file in files if is_source(file)}):
        if folder.name in ("testing", "consumer", "ops", "mutant"):
            continue
        readme = ROOT / folder / "README.md"
        if not readme.exists():
            wrong.append(f"{folder}: no README.md")
        elif readme.read_text().count("\n") > README_LINES:
            wrong.append(f"{folder}/README.md: over {README_LINES} lines")
    return wrong


def repeated(files: list[pathlib.PurePosixPath]) -> list[str]:
    places = collections.defaultdict(list)
    for file in files:
        if is_source(file) and file.name != "main.cc":
            places[file.name].append(str(file))
    return [f"{name} stands twice: " + ", ".join(where)
            for name, where in sorted(places.items())
            if len([w for w in where if not PLAN.match(w)]) > 1
            or len([w for w in where if PLAN.match(w)]) > 1]


def numbered(files: list[pathlib.PurePosixPath]) -> list[str]:
    mnemonics = {file.stem for file in files
                 if str(file.parent) == "interpreter/ops"}
    return [f"{file}: a number is no name" for file in files
            if is_source(file) and NUMBERED.search(file.stem)
            and file.stem not in mnemonics]


def doubled_tests(files: list[pathlib.PurePosixPath]) -> list[str]:
    """Of two tests of one name in one program a linker keeps the first, which
    then runs twice, without a word."""
    places = collections.defaultdict(list)
    for file in files:
        if file.name.endswith("_test.cc"):
            for test in TEST.findall((ROOT / file).read_text()):
                places[".".join(test)].append(str(file))
    return [f"the test {name} stands twice: " + ", ".join(where)
            for name, where in sorted(places.items()) if len(where) > 1]


def doubled_types(files: list[pathlib.PurePosixPath]) -> list[str]:
    """Of what templates make of two types of one name a linker keeps the first."""
    places = collections.defaultdict(set)
    for file in files:
        if file.suffix != ".h":
            continue
        for space, body in NAMESPACE.findall((ROOT / file).read_text()):
            for name in TYPE.findall(body):
                places[f"{space}::{name}"].add(str(file))
    return [f"the type {name} stands twice: " + ", ".join(sorted(where))
            for name, where in sorted(places.items()) if len(where) > 1]


def main() -> int:
    files = tracked()
    wrong = (crowded(files) + unintroduced(files) + repeated(files)
             + numbered(files) + doubled_tests(files) + doubled_types(files))
    print("\n".join(wrong) or f"rooms: {len(files)} files have a place")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
