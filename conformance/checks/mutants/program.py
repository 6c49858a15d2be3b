"""A copy of the project that holds all mutants, and what the cases say of each."""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from places import SWITCH, SWITCH_TEXT, Mutant, written

ROOT = pathlib.Path(__file__).resolve().parents[3]
TREE = ROOT / "build" / "mutants"
ASSAY = "build/release/assay"
TIERS = ("smoke", "core")
CHECKS = {
    "golden": [ASSAY, "golden", "verify"],
    "exported": [sys.executable, "conformance/checks/exported.py", ASSAY],
    "pages": [sys.executable, "conformance/checks/pages.py", ASSAY],
    "sets": [sys.executable, "conformance/checks/sets/run.py", ASSAY, "2000"],
}
SECONDS = 300  # how long a mutant may take for what the program does in less than a minute
WELL = ("conforms", "rejected-rightly", "unsupported", "unjudged")


def copy_sources() -> None:
    """The files of the project that are not as they should be in the copy."""
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, text=True, check=True,
                           capture_output=True).stdout.split("\n")
    for name in filter(None, files):
        source, target = ROOT / name, TREE / name
        if not source.exists():
            continue
        if target.exists() and target.read_bytes() == source.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)


def write_mutants(mutants: dict[int, Mutant]) -> None:
    copy_sources()
    (TREE / SWITCH).write_text(SWITCH_TEXT)
    for file in {mutant.file for mutant in mutants.values()}:
        text = written(ROOT, file, {n: m for n, m in mutants.items() if m.file == file})
        (TREE / file).write_text(text)


def run(command: list[str], **variables: str) -> subprocess.CompletedProcess | None:
    """None where it takes too long."""
    environment = os.environ | {"CCACHE_BASEDIR": str(TREE), "CCACHE_NOHASHDIR": "1"}
    try:
        return subprocess.run(command, cwd=TREE, env=environment | variables, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              errors="replace", timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None


def build(mutants: dict[int, Mutant], jobs: int) -> dict[int, Mutant]:
    """Builds the program; without those that a compiler refuses after all."""
    while True:
        write_mutants(mutants)
        subprocess.run(["cmake", "--preset", "release", "-DASSAY_TESTS=OFF"], cwd=TREE,
                       check=True, stdout=subprocess.DEVNULL)
        environment = os.environ | {"CCACHE_BASEDIR": str(TREE), "CCACHE_NOHASHDIR": "1"}
        done = subprocess.run(["ninja", "-C", "build/release", f"-j{jobs}", "-k0", "assay"],
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


class Judge:
    """Asks one question of a mutant: is all as it is without it?"""

    def __init__(self, name: str, tier: str, command: list[str]) -> None:
        self.name = name
        self.tier = tier
        self.command = command
        self.reached: set[int] = set()
        marks = TREE / "build" / f"reached.{re.sub(r'[^a-z]+', '-', name)}"
        marks.unlink(missing_ok=True)
        self.good, _ = self.ask(0, ASSAY_REACHED=str(marks))
        if marks.exists():
            self.reached = set(map(int, marks.read_text().split()))

    def ask(self, number: int, **variables: str) -> tuple[str, list[str]]:
        """What became of all, as one word, and the cases that are not well."""
        events = TREE / "build" / f"events.{number}.jsonl"
        events.unlink(missing_ok=True)
        checks = self.tier in TIERS
        output = ["-o", str(events)] if checks else []
        done = run([*self.command, *output], ASSAY_MUTANT=str(number), **variables)
        if done is None:
            return "ended by nobody", []
        if not checks or not events.exists():
            return f"{done.returncode}", []
        cases = [json.loads(line) for line in events.read_text().split("\n")[1:-2]]
        events.unlink()
        verdicts = [(case["id"], case["verdict"]) for case in cases]
        wrong = [name for name, verdict in verdicts if verdict not in WELL]
        text = json.dumps([done.returncode, verdicts])
        return hashlib.sha256(text.encode()).hexdigest(), sorted(wrong)

    def kills(self, number: int) -> tuple[bool, list[str]]:
        if number not in self.reached:
            return False, []
        word, wrong = self.ask(number)
        return word != self.good, wrong


def judges() -> list[Judge]:
    found = []
    for tier in TIERS:
        for backend in ("interpreter:", "cpu:", "interpreter:definition"):
            command = [ASSAY, "check", "--tier", tier, "--backend", backend, "--timeout", "20"]
            found.append(Judge(f"{tier} {backend}", tier, command))
    found.extend(Judge(name, "checks", command) for name, command in CHECKS.items())
    return found


def outcome(mutant: int, asked: list[Judge]) -> dict:
    for judge in asked:
        killed, cases = judge.kills(mutant)
        if killed:
            return {"killed": judge.tier, "by": judge.name, "cases": cases[:200]}
    reached = [judge.name for judge in asked if mutant in judge.reached]
    return {"killed": "", "reached": reached}
