"""Random folds and contractions of integers and pred, which have one result."""

from __future__ import annotations

import functools

import integers
from cases import Array, Case, module, parameters, region
from formats import INTEGERS, TYPES, Type, integer, wrapped
from programs.programs_elementwise import any_profile
from streams import Stream
from values import any_code
from valuesets import single

ROWS = 10
FOLDS = ["add", "multiply", "maximum", "minimum", "and", "or", "xor"]
OF_PRED = {"add": "or", "multiply": "and", "maximum": "or", "minimum": "and"}


def integer_fold_case(name: str, s: Stream) -> Case:
    t = s.one_of([*INTEGERS, TYPES["pred"]])
    operation, profile, length = s.one_of(FOLDS), any_profile(s), s.between(1, 7)
    rows = [[any_code(t, s) for _ in range(length)] for _ in range(ROWS)]
    start = any_code(t, s)
    inputs = [Array(t, (ROWS, length), sum(rows, [])), Array(t, (), [start])]
    text = module(
        [*parameters(inputs),
         f"ROOT r = {t.name}[{ROWS}] reduce(p0, p1), dimensions={{1}}, to_apply=fold"],
        region("fold", t, operation))
    meant = OF_PRED.get(operation, operation) if t.kind == "pred" else operation
    join = functools.partial(_joined, meant, t)
    sets = [single(t, functools.reduce(join, row, start)) for row in rows]
    return Case(name, "exact fold", operation, profile, text, inputs, [(t, (ROWS,))], [sets])


def _joined(operation: str, t: Type, x: int, y: int) -> int:
    return integers.apply(operation, t, [x, y])


def integer_dot_case(name: str, s: Stream) -> Case:
    """Operands of one type and a result of another, in which sums wrap."""
    own, t = s.one_of(INTEGERS), s.one_of(INTEGERS)
    profile, length = any_profile(s), s.between(1, 6)
    matrices = [[[any_code(own, s) for _ in range(length)] for _ in range(ROWS)] for _ in "ab"]
    inputs = [Array(own, (ROWS, length), sum(m, [])) for m in matrices]
    text = module(
        [*parameters(inputs),
         f"ROOT r = {t.name}[{ROWS}] dot(p0, p1), lhs_batch_dims={{0}}, "
         "rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={1}"])

    def converted(code: int) -> int:
        return integer(t, wrapped(t, integer(own, code)))

    sets = [single(t, wrapped(t, sum(converted(x) * converted(y) for x, y in zip(a, b))))
            for a, b in zip(*matrices)]
    return Case(name, "exact fold", "dot", profile, text, inputs, [(t, (ROWS,))], [sets])


FOLD_KINDS = {"integer-fold": integer_fold_case, "integer-dot": integer_dot_case}
