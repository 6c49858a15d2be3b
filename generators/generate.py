#!/usr/bin/env python3
"""Writes the golden vectors: conformance/vectors/<op>.jsonl, and of large sets
conformance/vectors/<set>/<type>.jsonl.

    generate.py [op ...]   write those operations' files (default: those whose
                           sources have changed since they were written);
                           `dynamic_sizes` and `regressions` are sets of many
                           operations
    generate.py --check    say which sources or files have changed since the files
                           were written; exit code 1 if any
    --again                make the files of all, changed or not: write them, or
                           with --check say which ones differ
"""

import argparse
import pathlib
import sys

import made
from rendered import VECTORS, files_of, operations, render, source_of


def standing(op: str) -> list[str]:
    """What made.txt says of an operation or set whose files are right."""
    texts = {str(file.relative_to(VECTORS)): file.read_bytes() for file in files_of(op)}
    return [made.digest_of_sources(source_of(op)), made.digest(texts)]


def changed(ops: list[str]) -> list[str]:
    record = made.read_record()
    return [op for op in ops if record.get(op) != standing(op)]


def stale_files(op: str) -> list[pathlib.Path]:
    files = render(op)
    return sorted({file for file, text in files.items()
                   if not file.exists() or file.read_text() != text}
                  | (set(files_of(op)) - set(files)))


def check(ops: list[str], again: bool) -> int:
    wrong = changed(ops)
    if again:
        wrong += [str(file.relative_to(VECTORS)) for op in ops for file in stale_files(op)]
    if wrong:
        print("these have changed since they were written, or their sources, run "
              "generators/generate.py: " + ", ".join(wrong))
    return 1 if wrong else 0


def write(op: str) -> None:
    files = render(op)
    for file in set(files_of(op)) - set(files):
        file.unlink()
    for file, text in files.items():
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)


def write_all(ops: list[str]) -> None:
    known = set(operations())
    record = {op: line for op, line in made.read_record().items() if op in known}
    for op in ops:
        write(op)
        record[op] = standing(op)
        made.write_record(record)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("op", nargs="*")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--again", action="store_true")
    arguments = parser.parse_args()
    named = [op.replace("-", "_") for op in arguments.op]
    ops = named or operations()
    if arguments.check:
        return check(ops, arguments.again)
    write_all(ops if named or arguments.again else changed(ops))
    return 0


if __name__ == "__main__":
    sys.exit(main())
