"""Changes the sources in one place at a time, and counts whom the cases catch.

run.py [--count N] [--seed S] [--only FOLDER] [--ask NAME]... [--jobs J] [--output FILE]

A mutant is the project with one operator, bound, constant, choice, argument or
statement changed. One build holds all of them, each with a switch. A mutant is killed
where a case of the tier smoke, or of core, is not judged as before, or where one of
the other checks of every run or a unit test fails; with --ask only those of that name
are asked (interpreter:, sets, conformance_test, ...), which is faster. Those that do
not compile count for nothing. FILE gets a JSON object for each mutant. Those that live
and change nothing stand in equivalent.json, each with the reason that a person found.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
from typing import Iterator

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import equivalent  # noqa: E402
import lint  # noqa: E402
from places import Mutant, compiling, parse, places_of  # noqa: E402
from program import ROOT, TREE, build, outcome, questions  # noqa: E402

FOLDERS = (
    "interpreter/model", "interpreter/numeric", "interpreter/ops", "interpreter/definition",
    "interpreter/plans", "interpreter/rules", "interpreter/run", "interpreter/devices",
    "interpreter/verify", "interpreter/text", "interpreter/stablehlo", "backends/cpu",
    "conformance/sets", "conformance/expect", "conformance/judge", "conformance/layout",
)
OF_EACH_FILE = 2
COMMANDS = ROOT / "build" / "release"


def folder_of(file: str) -> str:
    return next(folder for folder in FOLDERS if file.startswith(folder + "/"))


def hashed(seed: str, text: str) -> str:
    return hashlib.sha256(f"{seed} {text}".encode()).hexdigest()


def units() -> dict[str, dict]:
    """The compile command for each source, and for each header one that reads it."""
    found = {}
    readers: dict[str, dict] = {}
    for command in lint.compiled(str(COMMANDS)):
        file = pathlib.Path(command["file"])
        found[str(file.relative_to(ROOT))] = command
        for header in re.findall(r'#include "([^"]+\.h)"', file.read_text()):
            readers.setdefault(header, command)
    return readers | found


def files(seed: str, only: str, known: dict[str, dict]) -> Iterator[str]:
    """A file of each folder in turn."""
    by_folder = []
    for folder in FOLDERS:
        if folder.startswith(only):
            inside = [file for file in known if file.startswith(folder + "/")
                      and "/testing/" not in file]
            by_folder.append(iter(sorted(inside, key=lambda file: hashed(seed, file))))
    while by_folder:
        for queue in list(by_folder):
            file = next(queue, None)
            if file is None:
                by_folder.remove(queue)
            else:
                yield file


def mutants_of(file: str, command: dict, seed: str, taken: int) -> dict[int, Mutant]:
    """At most two of a file, whose places lie apart."""
    options = lint.options(command)
    unit = pathlib.Path(command["file"])
    places = places_of(ROOT, parse(options, unit), ROOT / file)
    chosen: list[Mutant] = []
    for mutant in sorted(places, key=lambda m: m.key(seed)):
        if len(chosen) == OF_EACH_FILE:
            break
        apart = all(mutant.end <= other.begin or other.end <= mutant.begin for other in chosen)
        if apart and compiling(ROOT, options, unit, file, {1: mutant}):
            chosen.append(mutant)
    return {taken + i: mutant for i, mutant in enumerate(chosen)}


def pick(count: int, seed: str, only: str) -> dict[int, Mutant]:
    known = units()
    picked: dict[int, Mutant] = {}
    for file in files(seed, only, known):
        if len(picked) >= count:
            break
        picked |= mutants_of(file, known[file], seed, len(picked) + 1)
    return dict(list(picked.items())[:count])


def with_reason(mutant: Mutant, found: dict, known: list[equivalent.Equivalent]) -> dict:
    """As it is, or why nobody can notice it; whoever says so wrongly is told."""
    line = (ROOT / mutant.file).read_text().split("\n")[mutant.line - 1]
    why = equivalent.reason(known, mutant.file, line, mutant.before, mutant.after)
    if not why:
        return found
    if found["killed"]:
        print(f"killed, though equivalent.json has it: {mutant.file}:{mutant.line}")
        return found
    return found | {"killed": "equivalent", "why": why}


def print_matrix(results: list[tuple[Mutant, dict]]) -> None:
    rows: dict[str, collections.Counter] = {}
    cases: collections.Counter = collections.Counter()
    for mutant, found in results:
        rows.setdefault(folder_of(mutant.file), collections.Counter())[found["killed"]] += 1
        cases.update(found.get("cases", []))
    rows["all"] = sum(rows.values(), collections.Counter())
    columns = ("smoke", "core", "checks", "tests", "equivalent", "")
    print(f"{'folder':<26} {'mutants':>8} " + " ".join(
        f"{column or 'live':>10}" for column in columns))
    for folder, row in rows.items():
        print(f"{folder:<26} {sum(row.values()):>8} "
              + " ".join(f"{row[column]:>10}" for column in columns))
    for name, count in cases.most_common(5):
        print(f"{name} kills {count}")
    for mutant, found in results:
        if found["killed"] in ("", "equivalent"):
            word = found["killed"] or ("lives" if found["reached"] else "never reached")
            print(f"{word}: {mutant.file}:{mutant.line}: "
                  f"{equivalent.in_short(mutant.before)[:60]} -> "
                  f"{equivalent.in_short(mutant.after)[:60] or 'nothing'}"
                  + (f": {found['why']}" if "why" in found else ""))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=256)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", default="")
    parser.add_argument("--ask", action="append", default=[], metavar="NAME")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--output", type=pathlib.Path, default=TREE / "build" / "mutants.jsonl")
    options = parser.parse_args()
    TREE.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cmake", "--preset", "release"], cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL)
    mutants = build(pick(options.count, options.seed, options.only), options.jobs)
    asked = questions(options.ask)

    def one(number: int) -> dict:
        return outcome(number, mutants[number].file, asked)

    known = equivalent.load()
    results = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, \
            options.output.open("w") as output:
        for number, found in zip(mutants, pool.map(one, mutants)):
            found = with_reason(mutants[number], found, known)
            results.append((mutants[number], found))
            output.write(json.dumps({"number": number} | dataclasses.asdict(mutants[number])
                                    | found) + "\n")
            output.flush()
    print_matrix(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
