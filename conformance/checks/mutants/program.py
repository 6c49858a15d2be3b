"""A copy of the project that holds all mutants, and what the cases say of each."""

from __future__ import annotations

import json
import math
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
from typing import Iterator

from places import SWITCH, SWITCH_TEXT, Mutant, written

ROOT = pathlib.Path(__file__).resolve().parents[3]
TREE = ROOT / "build" / "mutants"
ASSAY = "build/release/assay"
CHECKS = {
    "golden": [ASSAY, "golden", "verify"],
    "exported": [sys.executable, "conformance/checks/exported.py", ASSAY],
    "pages": [sys.executable, "conformance/checks/pages.py", ASSAY],
    "sets": [sys.executable, "conformance/checks/sets/run.py", ASSAY, "2000"],
}
OF_DEFINITIONS = ("interpreter/definition", "interpreter/ops", "interpreter/rules")
BACKENDS = ("interpreter:", "cpu:", "interpreter:definition")
# Suites that ask all cases once more.
LONG_SUITES = ("Cases", "Mutants", "RandomProgram", "ChangedProgram")
MOST_SECONDS = 600.0
MOST_BYTES = 4 << 30
CASES_AT_ONCE = 64  # that are asked of a mutant which one of them reaches
MOST_AT_ONCE = 1024  # files or tests on one command line
CLOCK = 4.0  # seconds for each second of a processor


def write_mutants(mutants: dict[int, Mutant]) -> None:
    """The files of the project; only what changes is written, and built again."""
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, text=True, check=True,
                           capture_output=True).stdout.split("\n")
    changed = {mutant.file for mutant in mutants.values()}
    write(SWITCH, SWITCH_TEXT.encode())
    for name in filter(None, files):
        if name in changed:
            of_file = {n: m for n, m in mutants.items() if m.file == name}
            write(name, written(ROOT, name, of_file).encode())
        elif (ROOT / name).exists():
            write(name, (ROOT / name).read_bytes())
            shutil.copymode(ROOT / name, TREE / name)


def write(name: str, text: bytes) -> None:
    target = TREE / name
    if not target.exists() or target.read_bytes() != text:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text)


def processor_seconds() -> float:
    """Of all that was run so far: other load does not change them, as it does the clock's."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(command: list[str], seconds: float, **variables: str) -> subprocess.CompletedProcess | None:
    """None where it takes more than so many seconds of a processor, or some times as
    many by the clock, which ends what sleeps."""
    def limit() -> None:
        """A mutant may ask for more and more."""
        most = math.ceil(seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))

    environment = os.environ | {"CCACHE_BASEDIR": str(TREE), "CCACHE_NOHASHDIR": "1"}
    try:
        done = subprocess.run(command, cwd=TREE, env=environment | variables, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              errors="replace", timeout=CLOCK * seconds, check=False,
                              preexec_fn=limit)
    except subprocess.TimeoutExpired:
        return None
    return None if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL) else done


def build(mutants: dict[int, Mutant], jobs: int) -> dict[int, Mutant]:
    """Builds the program; without those that a compiler refuses after all."""
    while True:
        write_mutants(mutants)
        subprocess.run(["cmake", "--preset", "release", "-DASSAY_TESTS=ON"], cwd=TREE,
                       check=True, stdout=subprocess.DEVNULL)
        environment = os.environ | {"CCACHE_BASEDIR": str(TREE), "CCACHE_NOHASHDIR": "1"}
        done = subprocess.run(["ninja", "-C", "build/release", f"-j{jobs}", "-k0", "assay",
                               "all_tests"],
                              cwd=TREE, env=environment, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode == 0:
            return mutants
        places = {(name, int(line)) for name, line in re.findall(
            r"([\w/]+\.(?:cc|h)):(\d+):\d+: error", done.stdout)}
        bad = {number for number, mutant in mutants.items()
               if any(name.endswith(mutant.file) and
                      mutant.line <= line <= mutant.line + mutant.form.count("\n")
                      for name, line in places)}
        if not bad:
            sys.exit(f"the copy does not build\n{done.stdout[-4000:]}")
        mutants = {n: m for n, m in mutants.items() if n not in bad}


def chunks() -> list[str]:
    """All cases in files of at most so many, each with its header; a page, which has programs
    that are rejected, too, is not cut."""
    found = sorted(str(page.relative_to(TREE)) for page in (TREE / "spec").rglob("*.md"))
    for file in sorted((TREE / "conformance/vectors").rglob("*.jsonl")):
        header, *lines = file.read_text().split("\n")
        cases = [line for line in lines if line.startswith('{"id":')]
        for begin in range(0, len(cases), CASES_AT_ONCE):
            name = f"build/chunks/{file.stem}.{begin}.jsonl"
            write(name, "\n".join([header, *cases[begin:begin + CASES_AT_ONCE], ""]).encode())
            found.append(name)
    return found


def batches(names: list[str], seconds_of: dict[str, float]) -> Iterator[list[str]]:
    """What is soon asked first, and always more of it: most mutants that are killed are
    killed by many."""
    rest = sorted(names, key=lambda name: seconds_of[name])
    size = 4
    while rest:
        yield rest[:size]
        rest, size = rest[size:], min(4 * size, MOST_AT_ONCE)


class Question:
    """What is asked of a mutant; what it says of the program is right."""

    name: str

    def ask(self, command: list[str], number: int, seconds: float = MOST_SECONDS,
            marks: pathlib.Path | None = None) -> subprocess.CompletedProcess | None:
        variables = {"ASSAY_MUTANT": str(number)}
        if marks is not None:
            marks.unlink(missing_ok=True)
            variables["ASSAY_REACHED"] = str(marks)
        return run(command, seconds, **variables)


def most_seconds(usual: float) -> float:
    """A mutant that takes much longer than the program does not end."""
    return 20 + 4 * usual


def smoke_of(name: str, smoke: set[str]) -> str | None:
    """A file with those cases of the file that are in the tier smoke, if there are any; a
    page has more."""
    if not name.endswith(".jsonl"):
        page = pathlib.Path(name).stem.replace("_", "-") + "/page/"
        return name if any(case.startswith(page) for case in smoke) else None
    first, *lines = (TREE / name).read_text().split("\n")
    kept = [line for line in lines if line.startswith('{"id":')
            and json.loads(line)["id"] in smoke]
    if not kept:
        return None
    file = "build/smoke/" + name
    write(file, "\n".join([first, *kept, ""]).encode())
    return file


def reached(marks: pathlib.Path) -> set[int]:
    return set(map(int, marks.read_text().split())) if marks.exists() else set()


class Cases(Question):
    """The cases, in files of a few, and the pages, each for the mutants alone that it reaches."""

    def __init__(self, backend: str) -> None:
        self.name = backend
        self.files: dict[str, set[int]] = {}
        self.verdicts: dict[str, str] = {}
        self.seconds_of: dict[str, float] = {}
        self.smoke: dict[str, str | None] = {}
        self.in_smoke = set((TREE / "conformance/vectors/smoke.txt").read_text().split())
        for name in chunks():
            marks = TREE / "build" / "reached"
            begin = processor_seconds()
            self.verdicts |= self.judge([name], 0, marks=marks) or {}
            self.seconds_of[name] = processor_seconds() - begin
            self.files[name] = reached(marks)
            self.smoke[name] = smoke_of(name, self.in_smoke)

    def judge(self, cases: list[str], number: int, seconds: float = MOST_SECONDS,
              marks: pathlib.Path | None = None) -> dict[str, str] | None:
        """The verdicts; none where the run did not come to its end."""
        events = TREE / "build" / f"events.{number}.jsonl"
        events.unlink(missing_ok=True)
        done = self.ask([ASSAY, "check", *cases, "--backend", self.name, "--timeout", "60",
                         "-o", str(events)], number, seconds, marks)
        if done is None or not events.exists():
            return None
        judged = [json.loads(line) for line in events.read_text().split("\n")[1:-2]]
        events.unlink()
        return {case["id"]: case["verdict"] for case in judged}

    def reaches(self, number: int) -> bool:
        return any(number in found for found in self.files.values())

    def killed(self, number: int) -> dict | None:
        files = [file for file, found in self.files.items() if number in found]
        smoke = [file for file in files if self.smoke[file]]
        return self.killed_by("smoke", smoke, number) or self.killed_by("core", files, number)

    def killed_by(self, tier: str, files: list[str], number: int) -> dict | None:
        for batch in batches(files, self.seconds_of):
            asked = [self.smoke[file] for file in batch] if tier == "smoke" else batch
            found = self.judge(asked, number,
                               most_seconds(sum(self.seconds_of[file] for file in batch)))
            if found is None:
                return {"killed": tier, "by": self.name, "cases": []}
            cases = [case for case, verdict in found.items() if verdict != self.verdicts[case]
                     and (tier == "core" or case in self.in_smoke)]
            if cases:
                return {"killed": tier, "by": self.name, "cases": sorted(cases)[:200]}
        return None


class Check(Question):
    """A program that exits with 0 where all is well."""

    def __init__(self, name: str, command: list[str]) -> None:
        self.name = name
        self.command = command
        marks = TREE / "build" / "reached"
        begin = processor_seconds()
        done = self.ask(command, 0, marks=marks)
        if done is None or done.returncode != 0:
            sys.exit(f"{name} fails without a mutant\n{done.stdout[-4000:] if done else ''}")
        self.seconds = most_seconds(processor_seconds() - begin)
        self.found = reached(marks)

    def reaches(self, number: int) -> bool:
        return number in self.found

    def killed(self, number: int) -> dict | None:
        done = self.ask(self.command, number, self.seconds)
        if done is not None and done.returncode == 0:
            return None
        return {"killed": "checks", "by": self.name, "cases": []}


class Tests(Question):
    """The tests of one program, each for the mutants alone that it reaches."""

    def __init__(self, program: pathlib.Path) -> None:
        self.name = program.name
        self.program = str(program)
        self.tests: dict[str, set[int]] = {}
        self.seconds_of: dict[str, float] = {}
        listed = run([self.program, "--gtest_list_tests"], MOST_SECONDS)
        suite = ""
        for line in listed.stdout.split("\n") if listed else []:
            if line.startswith("  ") and not suite.endswith(LONG_SUITES):
                self.look(f"{suite}.{line.split()[0]}")
            elif line.strip():
                suite = line.split()[0].rstrip(".")

    def look(self, test: str) -> None:
        marks = TREE / "build" / "reached"
        begin = processor_seconds()
        done = self.ask([self.program, f"--gtest_filter={test}"], 0, marks=marks)
        # What fails in a copy, without its neighbours, is not asked.
        if done is not None and done.returncode == 0:
            self.seconds_of[test] = processor_seconds() - begin
            self.tests[test] = reached(marks)

    def reaches(self, number: int) -> bool:
        return any(number in found for found in self.tests.values())

    def killed(self, number: int) -> dict | None:
        tests = [test for test, found in self.tests.items() if number in found]
        for batch in batches(tests, self.seconds_of):
            seconds = most_seconds(sum(self.seconds_of[test] for test in batch))
            done = self.ask([self.program, "--gtest_brief=1", "--gtest_fail_fast",
                             f"--gtest_filter={':'.join(batch)}"], number, seconds)
            if done is None or done.returncode != 0:
                return {"killed": "tests", "by": self.name, "cases": []}
        return None


def questions(names: list[str]) -> list[Cases | Check | Tests]:
    """Those of the names, in their order, or all where there is none."""
    programs = sorted((TREE / "build/release").rglob("*_test"))
    makers = {name: (Cases, name) for name in BACKENDS}
    makers |= {name: (Check, name, command) for name, command in CHECKS.items()}
    makers |= {program.name: (Tests, program) for program in programs if program.is_file()}
    unknown = set(names) - set(makers)
    if unknown:
        sys.exit(f"there is nobody to ask of the name {', '.join(sorted(unknown))}, but there "
                 f"are {', '.join(makers)}")
    asked = [makers[name] for name in names or makers]
    return [make(*arguments) for make, *arguments in asked]


def asked_of(number: int, file: str, asked: list[Cases | Check | Tests]
             ) -> Iterator[Cases | Check | Tests]:
    """Those that reach the place, but for what cannot notice more than another: all
    backends are held to the same stated values. What definitions are made of and
    plans alone reach is asked of the definitions too."""
    by_plans = any(question.name == "interpreter:" and question.reaches(number)
                   for question in asked)
    for question in asked:
        is_needless = by_plans and (
            question.name == "interpreter:definition"
            and not file.startswith(OF_DEFINITIONS)
            or question.name == "cpu:" and not file.startswith(("backends", "conformance")))
        if question.reaches(number) and not is_needless:
            yield question


def outcome(number: int, file: str, asked: list[Cases | Check | Tests]) -> dict:
    tried = []
    for question in asked_of(number, file, asked):
        killed = question.killed(number)
        if killed:
            return killed
        tried.append(question.name)
    return {"killed": "", "reached": tried}
