"""Changes the sources in one place at a time, and counts whom the cases catch.

mutants.py [--count N] [--seed S] [--only FOLDER] [--jobs J] [--output FILE]

A mutant is a copy of the project with one operator, bound, constant or choice
changed. It is killed where a case of the tier smoke, or of core, is not judged as
before: by interpreter: and interpreter:definition, of backends/cpu by cpu:. Those
that do not compile count for nothing. FILE gets a JSON object for each mutant; a
person decides which of those that live are equivalent.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import pathlib
import queue
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TREES = ROOT / "build" / "mutants"
FOLDERS = (
    "interpreter/model", "interpreter/numeric", "interpreter/ops", "interpreter/definition",
    "interpreter/plans", "interpreter/rules", "interpreter/run", "interpreter/devices",
    "interpreter/verify", "interpreter/text", "interpreter/stablehlo", "backends/cpu",
    "conformance/sets", "conformance/expect", "conformance/judge", "conformance/layout",
)
TIERS = ("smoke", "core")
SECONDS = 300

# What stands for what, in an expression; the first group is replaced.
CHANGES = [
    (r" (<) ", "<="), (r" (<=) ", "<"), (r" (>) ", ">="), (r" (>=) ", ">"),
    (r" (==) ", "!="), (r" (!=) ", "=="), (r" (&&) ", "||"), (r" (\|\|) ", "&&"),
    (r" (\+) ", "-"), (r" (-) ", "+"), (r" (\*) ", "+"), (r" (/) ", "*"), (r" (%) ", "/"),
    (r" (<<) ", ">>"), (r" (\+=) ", "-="), (r" (-=) ", "+="), (r"(\+\+)\w", "--"),
    (r"\W(true)\W", "false"), (r"\W(false)\W", "true"),
    (r"\W(std::min)\(", "std::max"), (r"\W(std::max)\(", "std::min"),
    (r"\W(0)[;,)\]]", "1"), (r"\W(1)[;,)\]]", "2"), (r"[(!]\!(\w)", None),
    (r"\W(floor)\(", "ceil"), (r"\W(ceil)\(", "floor"), (r"\W(front)\(", "back"),
    (r"\W(low)\b", "high"), (r"\W(break);", "continue"),
]
# Lines whose change says nothing of results: messages, limits of work, assertions.
SKIPPED = re.compile(
    r"^\s*(//|#|\"|using|namespace|template|static_assert|enum|class|struct|case )|"
    r"require|spend|kWork|reserve|throw|Count\{|ASSERT|operator|include|work_")


@dataclasses.dataclass(frozen=True)
class Mutant:
    file: str
    line: int
    column: int
    before: str
    after: str

    def key(self, seed: str) -> str:
        text = f"{seed} {self.file} {self.line} {self.column} {self.after}"
        return hashlib.sha256(text.encode()).hexdigest()

    def folder(self) -> str:
        return next(f for f in FOLDERS if self.file.startswith(f + "/"))

    def apply(self, tree: pathlib.Path, undo: bool = False) -> None:
        path = tree / self.file
        lines = (ROOT / self.file).read_text().split("\n")
        if not undo:
            text = lines[self.line - 1]
            end = self.column + len(self.before)
            lines[self.line - 1] = text[:self.column] + self.after + text[end:]
        path.write_text("\n".join(lines))


def mutants_of(file: pathlib.Path) -> list[Mutant]:
    name = str(file.relative_to(ROOT))
    found = []
    for number, text in enumerate(file.read_text().split("\n"), 1):
        if not text.startswith("  ") or SKIPPED.search(text) or '"' in text:
            continue
        code = text.split("//")[0]
        for pattern, after in CHANGES:
            for match in re.finditer(pattern, code):
                # Without the negation.
                start, end = match.span(1) if after is not None else (match.start(1) - 1,
                                                                      match.start(1))
                found.append(Mutant(name, number, start, code[start:end], after or ""))
    return found


def pick(count: int, seed: str, only: str) -> list[Mutant]:
    """As many of each folder, one after the other."""
    by_folder = []
    for folder in FOLDERS:
        if only and not folder.startswith(only):
            continue
        files = sorted(p for p in (ROOT / folder).rglob("*.cc")
                       if not re.search(r"_(test|fuzz|benchmark)\.cc$|/testing/", str(p)))
        mutants = [mutant for file in files for mutant in mutants_of(file)]
        by_folder.append(sorted(mutants, key=lambda m: m.key(seed)))
    picked = [m for row in zip(*(row[:count] for row in by_folder if row)) for m in row]
    return picked[:count]


class Tree:
    """A copy of the sources with a build of its own."""

    def __init__(self, number: int) -> None:
        self.path = TREES / str(number)
        self.environment = os.environ | {"CCACHE_BASEDIR": str(self.path),
                                         "CCACHE_NOHASHDIR": "1"}
        files = subprocess.run(["git", "ls-files"], cwd=ROOT, text=True, check=True,
                               capture_output=True).stdout.split("\n")
        for name in filter(None, files):
            source, target = ROOT / name, self.path / name
            if target.exists() and target.read_bytes() == source.read_bytes():
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
        self.run("cmake", "--preset", "release", "-DASSAY_TESTS=OFF")
        if self.build() != 0:
            sys.exit("the project does not build")
        self.good = {(tier, b): self.judge(tier, b)[0] for tier in TIERS
                     for b in ("interpreter:", "interpreter:definition", "cpu:")}

    def run(self, *command: str) -> int:
        try:
            return subprocess.run(command, cwd=self.path, env=self.environment,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  timeout=SECONDS, check=False).returncode
        except subprocess.TimeoutExpired:
            return 124

    def build(self) -> int:
        return self.run("cmake", "--build", "--preset", "release", "-j", "1",
                        "--target", "assay")

    def judge(self, tier: str, backend: str) -> tuple[str, set[str]]:
        """What became of each case, as one word, and the cases that are not well."""
        events = self.path / "build" / "events.jsonl"
        events.unlink(missing_ok=True)
        code = self.run("build/release/assay", "check", "--tier", tier, "--backend", backend,
                        "--timeout", "20", "-o", str(events))
        if not events.exists():
            return f"ended with {code}", set()
        cases = [json.loads(line) for line in events.read_text().split("\n")[1:-2]]
        verdicts = [(case["id"], case["verdict"]) for case in cases]
        wrong = {name for name, verdict in verdicts
                 if verdict not in ("conforms", "rejected-rightly", "unsupported", "unjudged")}
        text = json.dumps([code, verdicts])
        return hashlib.sha256(text.encode()).hexdigest(), wrong

    def outcome(self, mutant: Mutant) -> dict:
        mutant.apply(self.path)
        try:
            return self.killed(mutant) if self.build() == 0 else {"killed": "not built"}
        finally:
            mutant.apply(self.path, undo=True)

    def killed(self, mutant: Mutant) -> dict:
        is_cpu = mutant.folder() == "backends/cpu"
        for tier in TIERS:
            for backend in ("cpu:",) if is_cpu else ("interpreter:", "interpreter:definition"):
                word, wrong = self.judge(tier, backend)
                if word != self.good[tier, backend]:
                    return {"killed": tier, "by": backend, "cases": sorted(wrong)[:200]}
        return {"killed": ""}


def print_matrix(results: list[tuple[Mutant, dict]]) -> None:
    rows: dict[str, collections.Counter] = {}
    cases: collections.Counter = collections.Counter()
    for mutant, outcome in results:
        rows.setdefault(mutant.folder(), collections.Counter())[outcome["killed"]] += 1
        cases.update(outcome.get("cases", []))
    rows["all"] = sum(rows.values(), collections.Counter())
    print(f"{'folder':<26} {'mutants':>8} {'smoke':>6} {'core':>6} {'live':>6}")
    for folder, row in rows.items():
        tried = row["smoke"] + row["core"] + row[""]
        print(f"{folder:<26} {tried:>8} {row['smoke']:>6} {row['core']:>6} {row['']:>6}")
    for name, count in cases.most_common(5):
        print(f"{name} kills {count}")
    for mutant, outcome in results:
        if outcome["killed"] == "":
            print(f"lives: {mutant.file}:{mutant.line}:{mutant.column + 1}: "
                  f"{mutant.before or '!'} -> {mutant.after}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=256)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--output", type=pathlib.Path, default=TREES / "mutants.jsonl")
    options = parser.parse_args()
    mutants = pick(options.count, options.seed, options.only)
    trees: queue.Queue[Tree] = queue.Queue()
    for number in range(options.jobs):
        trees.put(Tree(number))

    def try_one(mutant: Mutant) -> tuple[Mutant, dict]:
        tree = trees.get()
        try:
            return mutant, tree.outcome(mutant)
        finally:
            trees.put(tree)

    results = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, \
            options.output.open("w") as output:
        for mutant, outcome in pool.map(try_one, mutants):
            results.append((mutant, outcome))
            output.write(json.dumps(dataclasses.asdict(mutant) | outcome) + "\n")
            output.flush()
    print_matrix(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
