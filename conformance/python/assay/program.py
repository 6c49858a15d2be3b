"""The program `assay`, which the package starts and brings along."""

from __future__ import annotations

import os
import pathlib
import sys
from typing import NoReturn

HERE = pathlib.Path(__file__).resolve().parent
NAME = "assay"


def program_path() -> pathlib.Path:
    """$ASSAY_PROGRAM, else that of the package, else that of the source tree."""
    named = os.environ.get("ASSAY_PROGRAM")
    if named:
        return pathlib.Path(named)
    places = [HERE / "bin" / NAME, HERE.parents[2] / "build" / "release" / NAME]
    for place in places:
        if place.is_file():
            return place
    raise FileNotFoundError(
        f"the program {NAME} is neither at {places[0]} nor at {places[1]}: build it "
        "with `./dev check`, or set ASSAY_PROGRAM to its path")


def environment() -> dict[str, str]:
    """What the program is started with: engines of Python are those of this one,
    unless ASSAY_PYTHON names another."""
    return {"ASSAY_PYTHON": sys.executable, **os.environ}


def main() -> NoReturn:
    """The command `assay` of the installed package."""
    try:
        program = str(program_path())
        os.execve(program, [program, *sys.argv[1:]], environment())
    except OSError as error:
        sys.exit(f"assay: {error}")
