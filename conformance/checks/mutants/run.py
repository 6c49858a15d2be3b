"""Changes the sources in one place at a time, and counts whom the cases catch.

run.py [--count N] [--seed S] [--only FOLDER]... [--by-hand] [--ask NAME]... [--jobs J]
       [--output FILE]

A mutant is the project with one operator, bound, constant, choice, argument or
statement changed. One build holds all of them, each with a switch. A mutant is killed
where a case of the tier smoke, or of core, is not judged as before, or where one of
the other checks of every run or a unit test fails; with --ask only those of that name
are asked (interpreter:, sets, conformance_test, ...), in that order. Those that do not
compile count for nothing. With --by-hand those that by_hand.json lists are tried, too,
before the N that are drawn. FILE gets a JSON object for each mutant as soon as it is
known; what FILE has already, of the same commit, is not asked again, so that a run that
was interrupted goes on. Those that live and change nothing stand in equivalent.json,
each with the reason that a person found.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import hashlib
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
from typing import Iterator

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import by_hand  # noqa: E402
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


def files(seed: str, only: tuple[str, ...], known: dict[str, dict]) -> Iterator[str]:
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


def mutants_of(file: str, command: dict, seed: str, taken: list[Mutant]) -> list[Mutant]:
    """At most two of a file, whose places lie apart, and from those that are taken."""
    options = lint.options(command)
    unit = pathlib.Path(command["file"])
    places = places_of(ROOT, parse(options, unit), ROOT / file)
    chosen: list[Mutant] = []
    for mutant in sorted(places, key=lambda m: m.key(seed)):
        if len(chosen) == OF_EACH_FILE:
            break
        apart = all(mutant.end <= other.begin or other.end <= mutant.begin
                    for other in chosen + taken)
        if apart and compiling(ROOT, options, unit, file, {1: mutant}):
            chosen.append(mutant)
    return chosen


def pick(count: int, seed: str, only: tuple[str, ...], jobs: int, taken: list[Mutant]
         ) -> list[Mutant]:
    """So many of each folder in turn, beside those that are taken."""
    known = units()
    queue = files(seed, only, known)
    picked: list[Mutant] = []
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        while len(picked) < count:
            some = list(itertools.islice(queue, 4 * jobs))
            if not some:
                break
            found = pool.map(mutants_of, some, [known[file] for file in some],
                             itertools.repeat(seed),
                             [[m for m in taken if m.file == file] for file in some])
            picked += itertools.chain.from_iterable(found)
    return picked[:count]


def listed_in(file: str, changes: list[by_hand.Change], command: dict) -> list[Mutant]:
    text = (ROOT / file).read_text()
    mutants = {number: Mutant(file, *by_hand.place(change, text), change.before, change.after,
                              change.form()) for number, change in enumerate(changes)}
    unit = pathlib.Path(command["file"])
    kept = compiling(ROOT, lint.options(command), unit, file, mutants)
    for number in sorted(set(mutants) - set(kept)):
        print(f"does not compile: {file}:{mutants[number].line}: {mutants[number].after}")
    return list(kept.values())


def listed(only: tuple[str, ...], jobs: int) -> list[Mutant]:
    """Those that a person wrote down, as far as they compile."""
    known = units()
    by_file: dict[str, list[by_hand.Change]] = {}
    for change in by_hand.load():
        if change.file.startswith(only):
            by_file.setdefault(change.file, []).append(change)
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        found = pool.map(listed_in, by_file, by_file.values(),
                         [known[file] for file in by_file])
        return list(itertools.chain.from_iterable(found))


def all_chosen(options: argparse.Namespace, at: str) -> list[Mutant]:
    """Those that an earlier run of the same commit chose, which took it minutes, or as
    they are chosen now."""
    only = tuple(options.only or [""])
    kept = TREE / "build" / "chosen.json"
    wanted = [at, options.count, options.seed, options.only, options.by_hand]
    if at and kept.exists():
        before, rows = json.loads(kept.read_text())
        if before == wanted:
            return [Mutant(**row) for row in rows]
    chosen = listed(only, options.jobs) if options.by_hand else []
    chosen += pick(options.count, options.seed, only, options.jobs, chosen)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps([wanted, [dataclasses.asdict(m) for m in chosen]]))
    return chosen


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


def commit() -> str:
    """Nothing where files differ from it."""
    def git(*arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=ROOT, text=True, check=True,
                              capture_output=True).stdout.strip()
    return "" if git("status", "--porcelain") else git("rev-parse", "HEAD")


def key(row: dict) -> tuple:
    return tuple(row[name] for name in ("file", "begin", "end", "after"))


def recorded(file: pathlib.Path, at: str) -> dict[tuple, dict]:
    """What an earlier run of the same commit has found."""
    lines = file.read_text().split("\n")[:-1] if at and file.exists() else []
    return {key(row): row for row in map(json.loads, lines) if row["commit"] == at}


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
    parser.add_argument("--only", action="append", default=[], metavar="FOLDER")
    parser.add_argument("--by-hand", action="store_true")
    parser.add_argument("--ask", action="append", default=[], metavar="NAME")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--output", type=pathlib.Path, default=TREE / "build" / "mutants.jsonl")
    options = parser.parse_args()
    TREE.mkdir(parents=True, exist_ok=True)
    at = commit()
    subprocess.run(["cmake", "--preset", "release"], cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL)
    mutants = build(dict(enumerate(all_chosen(options, at), 1)), options.jobs)
    asked = questions(options.ask)

    done = recorded(options.output, at)
    rows = {number: {"number": number, "commit": at} | dataclasses.asdict(mutant)
            for number, mutant in mutants.items()}

    def one(number: int) -> dict:
        return done.get(key(rows[number])) or \
            rows[number] | outcome(number, mutants[number].file, asked)

    known = equivalent.load()
    results = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, \
            options.output.open("w") as output:
        for row in done.values():
            output.write(json.dumps(row) + "\n")
        asked_of = {pool.submit(one, number): number for number in mutants}
        for answer in concurrent.futures.as_completed(asked_of):
            number, found = asked_of[answer], answer.result()
            if key(found) not in done:
                output.write(json.dumps(found) + "\n")
            output.flush()
            results[number] = mutants[number], with_reason(mutants[number], found, known)
    print_matrix([results[number] for number in mutants])
    return 0


if __name__ == "__main__":
    sys.exit(main())
