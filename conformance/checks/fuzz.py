"""Runs the libFuzzer targets of a build until there are enough executions, and
prints how many each made in a second.

With a seed every target starts from the seeds of its corpus alone and makes a
fixed number of executions, so that runs are as alike as threads and addresses
let them be. Without one the first round gives each target some seconds, and
further ones as many more as are missing, to all of them, until there are enough;
corpora grow from run to run.
"""

import argparse
import concurrent.futures
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import fuzz_seeds

# What a target gets in the first round. Those that read a short text alone are
# fast, and soon have seen all.
SECONDS = 25
SHORTER = {"checksums_fuzz": 2, "sweep_events_fuzz": 5, "profile_fuzz": 3, "element_fuzz": 5, "filter_fuzz": 5}
# How much more than others a target gets where executions are shared out.
# shrink_fuzz makes many programs of one.
SHARES: dict[str, float] = {"shrink_fuzz": 0.1}
FLAGS = [
    "-timeout=60",
    "-rss_limit_mb=3000",
    "-max_len=100000",
    # Keeping account of rare features takes as long as all the rest.
    "-entropic=0",
    "-print_final_stats=1",
]
# Of programs it counts which lines ran, not how often: loops over elements are
# no news.
ONLY_LINES = "-use_counters=0"
# Keeping the stacks of all allocations, too, takes half the time.
ENVIRONMENT = {"ASAN_OPTIONS": "malloc_context_size=1:quarantine_size_mb=8"}
ROOT = pathlib.Path(__file__).resolve().parents[2]
COUNT = re.compile(r"stat::number_of_executed_units: (\d+)")


def count_in(log: str) -> int:
    found = COUNT.search(log)
    return int(found.group(1)) if found else 0


class Target:
    """A program that libFuzzer drives, with a corpus that it extends."""

    def __init__(self, program: pathlib.Path, build: pathlib.Path, seed: int | None) -> None:
        self.name = program.name
        self.program = program
        self.build = build
        self.seed = seed
        kind = "corpus" if seed is None else "seeded_corpus"
        self.corpus = build / kind / program.name
        self.executions = 0
        self.seconds = 0.0
        self.error = ""

    def is_of_programs(self) -> bool:
        return (ROOT / "conformance/fuzz" / (self.name + ".cc")).exists()

    def prepare(self) -> None:
        if self.seed is not None:
            shutil.rmtree(self.corpus, ignore_errors=True)
        fuzz_seeds.write(self.name, self.corpus)

    def run(self, *limits: str) -> None:
        log = self.build / (self.name + ".log")
        command = [
            str(self.program),
            *limits,
            f"-artifact_prefix={self.build}/",
            f"-dict={fuzz_seeds.dictionary(self.build)}",
            *FLAGS,
            *([ONLY_LINES] if self.is_of_programs() else []),
            str(self.corpus),
        ]
        started = time.monotonic()
        with log.open("wb") as output:
            done = subprocess.run(
                command,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=os.environ | ENVIRONMENT,
                check=False,
            )
        text = log.read_text(errors="replace")
        self.executions += count_in(text)
        self.seconds += time.monotonic() - started
        if done.returncode != 0:
            self.error = "\n".join(text.splitlines()[-60:])

    def rate(self) -> float:
        return self.executions / self.seconds


def run_all(targets: list[Target], limits: dict[str, list[str]]) -> None:
    """In the order given, one for each core at a time."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda t: t.run(*limits[t.name]), targets))
    for target in targets:
        if target.error:
            print(f"{target.name} found something:\n{target.error}")
    if any(target.error for target in targets):
        sys.exit(1)


def run_seeded(targets: list[Target], executions: int, seed: int) -> None:
    whole = sum(SHARES.get(t.name, 1) for t in targets)

    def limits(target: Target) -> list[str]:
        runs = math.ceil(executions * SHARES.get(target.name, 1) / whole)
        return [f"-seed={seed}", f"-runs={runs}"]

    run_all(targets, {t.name: limits(t) for t in targets})


def run_timed(targets: list[Target], executions: int) -> None:
    def for_seconds(seconds: int) -> list[str]:
        return [f"-max_total_time={seconds}"]

    run_all(targets, {t.name: for_seconds(SHORTER.get(t.name, SECONDS)) for t in targets})
    while (missing := executions - sum(t.executions for t in targets)) > 0:
        more = math.ceil(missing / sum(t.rate() for t in targets))
        run_all(targets, {t.name: for_seconds(more) for t in targets})


def find_targets(build: pathlib.Path, names: list[str], seed: int | None) -> list[Target]:
    programs = sorted(p for p in build.glob("*/*_fuzz") if p.is_file())
    return [Target(p, build, seed) for p in programs if not names or p.name in names]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("executions", type=int)
    parser.add_argument("target", nargs="*")
    parser.add_argument("--seed", type=int)
    args = parser.parse_args()
    targets = find_targets(args.build, args.target, args.seed)
    for target in targets:
        target.prepare()
    if args.seed is None:
        run_timed(targets, args.executions)
    else:
        run_seeded(targets, args.executions, args.seed)
    for target in targets:
        print(
            f"{target.name:15} {target.executions:9} executions,"
            f" {target.rate():7.0f} a second"
        )
    print(f"{sum(t.executions for t in targets)} executions, no finding")


if __name__ == "__main__":
    main()
