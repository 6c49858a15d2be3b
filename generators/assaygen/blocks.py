"""Files of lines in blocks: ": name", and the lines of that block below it."""

import argparse
import pathlib
from collections.abc import Callable


def read(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith(": "):
            found[line[2:]] = []
        elif found:
            found[list(found)[-1]].append(line)
    return found


def main(about: str | None, file: pathlib.Path, names: list[str],
         lines: Callable[[str, bool], list[str]], sample: Callable[[str, list[str]], list[str]],
         head: tuple[str, ...] = ()) -> int:
    """The command of a generator: writes the file, or with --check says which blocks
    differ. lines(name, False) are a block's lines, lines(name, True) those of them that
    sample() picks and that are computed anew to check."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("file", nargs="?", type=pathlib.Path, default=file)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.check:
        found = read(options.file.read_text())
        wrong = [name for name in names if sample(name, found.get(name, [])) != lines(name, True)]
        print("\n".join(f"{name} differs" for name in wrong) or "the same")
        return 1 if wrong else 0
    text = list(head)
    for name in names:
        text += [f": {name}", *lines(name, False)]
    options.file.write_text("\n".join(text) + "\n")
    return 0
