"""Runs the libFuzzer targets of a build, two rounds of them, until there are
enough executions, and prints how many each made in a second.

fuzz.py BUILD EXECUTIONS [TARGET...]: the first round gives each target some
seconds, the second one as many more as are missing, to all of them.
"""

import concurrent.futures
import math
import os
import pathlib
import re
import subprocess
import sys

import fuzz_seeds

# What a target gets in the first round. Those that read a short text alone are
# fast, and soon have seen all.
SECONDS = 25
SHORTER = {"checksums_fuzz": 2, "sweep_events_fuzz": 5, "profile_fuzz": 3, "element_fuzz": 5, "filter_fuzz": 5}
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

    def __init__(self, program: pathlib.Path, build: pathlib.Path) -> None:
        self.name = program.name
        self.program = program
        self.build = build
        self.corpus = build / "corpus" / program.name
        self.executions = 0
        self.seconds = 0
        self.error = ""

    def is_of_programs(self) -> bool:
        return (ROOT / "conformance/fuzz" / (self.name + ".cc")).exists()

    def prepare(self) -> None:
        fuzz_seeds.write(self.name, self.corpus)

    def run(self, seconds: int) -> None:
        log = self.build / (self.name + ".log")
        command = [
            str(self.program),
            f"-max_total_time={seconds}",
            f"-artifact_prefix={self.build}/",
            f"-dict={fuzz_seeds.dictionary(self.build)}",
            *FLAGS,
            *([ONLY_LINES] if self.is_of_programs() else []),
            str(self.corpus),
        ]
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
        self.seconds += seconds
        if done.returncode != 0:
            self.error = "\n".join(text.splitlines()[-60:])

    def rate(self) -> float:
        return self.executions / self.seconds


def run_all(targets: list[Target], seconds: dict[str, int]) -> None:
    """Those that take longest first, one for each core at a time."""
    order = sorted(targets, key=lambda t: -seconds[t.name])
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda t: t.run(seconds[t.name]), order))
    for target in targets:
        if target.error:
            print(f"{target.name} found something:\n{target.error}")
    if any(target.error for target in targets):
        sys.exit(1)


def find_targets(build: pathlib.Path, names: list[str]) -> list[Target]:
    programs = sorted(p for p in build.glob("*/*_fuzz") if p.is_file())
    return [Target(p, build) for p in programs if not names or p.name in names]


def main() -> None:
    build = pathlib.Path(sys.argv[1])
    wanted = int(sys.argv[2])
    targets = find_targets(build, sys.argv[3:])
    for target in targets:
        target.prepare()
    run_all(targets, {t.name: SHORTER.get(t.name, SECONDS) for t in targets})
    missing = wanted - sum(t.executions for t in targets)
    if missing > 0:
        more = math.ceil(missing / sum(t.rate() for t in targets))
        run_all(targets, {t.name: more for t in targets})
    for target in targets:
        print(
            f"{target.name:15} {target.executions:9} executions,"
            f" {target.rate():7.0f} a second"
        )
    print(f"{sum(t.executions for t in targets)} executions, no finding")


if __name__ == "__main__":
    main()
