#!/usr/bin/env python3
"""Lines that no case runs, and mutants of which no case can catch (./dev lines).

    lines.py BUILD [PREFIX...]   BUILD counts lines (preset `lines`), and has run the
                                 cases; PREFIX: folders or files, without any those
                                 that make values; those of a PREFIX are written out
"""

import collections
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
VALUES = ["interpreter", "backends/cpu"]
Counts = dict[str, dict[int, int]]  # how often each line of a file has run


def documents(counts: pathlib.Path):
    """What gcov says of one object, whose folder it is asked in."""
    text = subprocess.run(["gcov", "--json-format", "--stdout", counts], cwd=counts.parent,
                          capture_output=True, check=True, text=True).stdout
    return map(json.loads, text.splitlines())


def count_lines(build: pathlib.Path) -> Counts:
    """Of templates and headers the one that has run most often."""
    found: Counts = collections.defaultdict(dict)
    for counts in sorted(build.rglob("*.gcda")):
        for document in documents(counts):
            for file in document["files"]:
                path = os.path.normpath(os.path.join(
                    document["current_working_directory"], file["file"]))
                if not path.startswith(f"{ROOT}/") or path.startswith(f"{ROOT}/build/"):
                    continue
                own = found[os.path.relpath(path, ROOT)]
                for line in file["lines"]:
                    number = line["line_number"]
                    own[number] = max(own.get(number, 0), line["count"])
    return found


def ranges(numbers: list[int]) -> str:
    """Next to each other but for two, which have no code: "3-9 14"."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number <= found[-1][1] + 3:
            found[-1][1] = number
        else:
            found.append([number, number])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in found)


def folder_of(file: str) -> str:
    return "/".join(file.split("/")[:-1][:3])


def print_folders(counts: Counts) -> None:
    folders = collections.defaultdict(lambda: [0, 0])
    for file, lines in counts.items():
        folders[folder_of(file)][0] += len(lines)
        folders[folder_of(file)][1] += sum(not count for count in lines.values())
    for folder, (all_lines, never) in sorted(folders.items(), key=lambda row: -row[1][1]):
        if never:
            print(f"{never:6} of {all_lines:6} {folder}")
    print(f"{sum(never for _, never in folders.values())} of "
          f"{sum(lines for lines, _ in folders.values())} lines are run by no case")


def print_files(counts: Counts) -> None:
    for file, lines in sorted(counts.items()):
        never = sorted(number for number, count in lines.items() if not count)
        if never:
            print(f"{file}: {ranges(never)}")


def main() -> int:
    build, *prefixes = sys.argv[1:]
    counts = {file: lines for file, lines in count_lines(pathlib.Path(build).resolve()).items()
              if file.startswith(tuple(prefixes or VALUES))}
    if prefixes:
        print_files(counts)
    print_folders(counts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
