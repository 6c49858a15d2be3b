"""What an element-wise operation is to covering cases, and how the rules of its own
generator become one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from assaygen import steps, types
from assaygen.covering import value_classes
from assaygen.elements.elementwise import RealFunction
from assaygen.elements.pair_functions import PairFunction
from assaygen.streams import Stream
from assaygen.types import Type

# (type, codes of the operands) -> the rounded code, the least and the greatest one; None
# where nothing is defined.
Answer = Callable[[Type, tuple], tuple | None]


def same(t: Type) -> Type:
    return t


@dataclass(frozen=True)
class Operation:
    """`kinds` are the types of the operands, and `draw` a row of their codes, where it has
    to be a special one. A pool has at most `distinct` rows, from which larger arrays take
    theirs."""

    op: str
    types: list[Type]
    kinds: Callable[[Type], list[Type]]
    answer: Answer
    result: Callable[[Type], Type] = same
    extra: str = ""
    nan: str = "any"
    draw: Callable | None = None
    distinct: int = 400

    def row(self, value: str, t: Type, stream: Stream) -> tuple:
        if self.draw is not None and t.kind == "complex":
            return self.draw(value, t, stream)
        return value_classes.row(value, self.kinds(t), stream)

    def values(self, t: Type) -> list[str]:
        """The classes of values that it has rows of."""
        if self.draw is not None and t.kind == "complex":
            return ["critical", "sparse", "mixed"]
        return value_classes.NAMES if len(self.kinds(t)) > 1 else [*value_classes.CLASSES]


def alike(count: int) -> Callable[[Type], list[Type]]:
    return lambda t: [t] * count


def exact(rule: Callable) -> Answer:
    """Of a rule(type, code, ...) that gives the one code."""
    def answer(t: Type, row: tuple):
        code = rule(t, *row)
        return None if code is None else (code, code, code)
    return answer


def real(function: RealFunction) -> Answer:
    def answer(t: Type, row: tuple):
        found = function.rule(t, *row)
        if found is None:
            return None
        limit = function.limits.get(t.name, "faithful")
        return found[0], *steps.around(t, *found, limit, function.ends(t))
    return answer


def pair(function: PairFunction) -> Answer:
    def answer(t: Type, row: tuple):
        found = function.rule(t, *row)
        if found is None:
            return None
        code, side = found
        if any(types.decode(t, x).is_nan for x in row):
            side = None  # nothing is rounded: NaN^0 is 1
        is_wide = t.name in function.steps
        ends = function.within(t) if is_wide else (None, None)
        return code, *steps.around(t, code, side, function.steps.get(t.name, "faithful"), ends)
    return answer


def by_kind(**answers: Answer) -> Answer:
    """Chooses by the kind of the type; `other` answers for those that have no own."""
    def answer(t: Type, row: tuple):
        return answers.get(t.kind, answers.get("other"))(t, row)
    return answer
