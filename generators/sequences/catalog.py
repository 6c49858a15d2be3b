"""Sequences and the programs that they become: their inputs given, or folded into
constants, or laid out in other orders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable

from assaygen.arrays import Array
from assaygen.cases import Case
from assaygen.programs.regions import case, shape_of
from assaygen.streams import Stream
from assaygen.types import Type
from sequences.elements import order
from sequences.steps import Steps

VARIANTS = {
    "Folded": "the inputs are constants, so that a compiler may compute the program",
    "Arranged": "inputs, values and results lie in memory in other orders",
}


@dataclass(frozen=True)
class Sequence:
    """build(steps, input...) writes instructions and gives the result's name; "same"
    of `nan` says that no instruction computes. `header` is the module's."""

    type: Type
    what: str
    statement: str
    why: str
    inputs: tuple[Array, ...]
    build: Callable
    nan: str = "any"
    header: str = ""
    only: str = ""  # the one variant that is wanted: given, folded or arranged

    def cases(self):
        fits = {"given": True,
                "folded": bool(self.inputs) and all(x.size for x in self.inputs),
                "arranged": any(len(x.dims) > 1 for x in self.inputs)}
        for variant, fit in fits.items():
            if fit and self.only in ("", variant):
                yield getattr(self, variant)()

    def given(self) -> Case:
        main = Steps("main", *map(shape_of, self.inputs))
        return self.case("", main, main.shapes, self.inputs, self.why)

    def folded(self) -> Case:
        main = Steps("main")
        names = [main.value(x) for x in self.inputs]
        return self.case(".folded", main, names, (), self.why, "Folded")

    def arranged(self) -> Case:
        stream = Stream("sequences", self.type.name, self.what)
        laid = [x.with_layout(order(stream, len(x.dims))) for x in self.inputs]
        main = Steps("main", *map(shape_of, laid), arranged=stream)
        return self.case(".arranged", main, main.shapes, laid, self.why, "Arranged")

    def case(self, tail: str, main: Steps, names, arguments, *why: str) -> Case:
        main.root = self.build(main, *list(names)) or main.root
        return case(f"{self.type.name}/{self.what}{tail}", self.statement, main, list(why),
                    *arguments, nan=self.nan, header=self.header if not tail else "")

