"""Cases that show a row of a table: operands and results as its cells say."""

from __future__ import annotations

import itertools
import re

import terms
from pages import Row
from vectors import Type, Vector

# What the first column of tables of values is called.
OPERANDS = {"x", "lhs", "rhs", "y", "base", "exponent", "amount", "min", "max", "real",
            "imaginary", "operand", "element", "input", "case", "chosen element"}
# An operation that others do not have: every case of it shows that.
LACKING = re.compile(
    r"^(?:has no (?:such operation|collectives)|its interpreter has no such operation"
    r"|runs no asynchronous halves)(?:; CHLO.*)?$")
# Functions of a library: every case shows it that says how far a result may be from the
# right one.
MEASURED = re.compile(r"^(?:floats: )?the host's libm")
# Rows that refer to the operation that an operation is half of.
AS_ANOTHER = re.compile(r"^as (?:`[a-z-]+`|the wrapped computation)$")


def is_kept(row: Row) -> bool:
    """Whether the row says of a value that its bits arrive somewhere."""
    return (len(row.cells) == 2 and row.heads[-1] in ("result", "element")
            and row.cells[1].startswith(("the same bits", "the same", row.cells[0]))
            and not row.cells[1].startswith("the same NaN")
            and terms.read(row.cells[0]) is not None)


def is_read(row: Row) -> bool:
    """Whether the cells say by themselves what a case has."""
    if row.differs:
        return bool(LACKING.match(row.cells[1]) or MEASURED.match(row.cells[1]))
    if is_kept(row) or AS_ANOTHER.match(row.cells[0]):
        return True
    return is_applied(row)


def is_applied(row: Row) -> bool:
    """Whether the row has operands and the result of a function of elements."""
    *operands, result = row.cells
    return (all(head in OPERANDS for head in row.heads[:-1])
            and row.heads[-1] == "result"
            and None not in [*map(terms.read, operands), terms.read_result(result)])


def carrying(row: Row, vectors: list[Vector]) -> list[list[str]]:
    """For each alternative the cases that have it and hand its bits on."""
    term = terms.read(row.cells[0])
    found: list[list[str]] = [[] for _ in term.tests]
    for vector in vectors:
        for t, codes in vector.moved:
            arrived = set(codes)
            given = [(s, arrived.intersection(x)) for s, x in vector.inputs
                     if s.kind == "float" and s.bits == t.bits]
            for names, test in zip(found, term.tests):
                if any(test(s, code, code) for s, x in given for code in x):
                    names.append(vector.name)
    return [list(dict.fromkeys(names)) for names in found]


def showing(row: Row, vectors: list[Vector]) -> list[list[str]]:
    """For each choice of alternatives the cases with such operands and results."""
    *operands, result = row.cells
    given, gives = [terms.read(cell) for cell in operands], terms.read_result(result)
    choices = list(itertools.product(*(term.tests for term in given)))
    bound = next((k for k, term in enumerate(given) if "x" in term.names), 0)
    found: list[list[str]] = [[] for _ in choices]
    for vector in vectors:
        rows = [element for element in vector.elements() if fits(given, element[0])]
        for names, choice in zip(found, choices):
            if any(shows(choice, gives, bound, *element) for element in rows):
                names.append(vector.name)
    return found


def fits(given: list[terms.Term], operands: tuple[Type, ...]) -> bool:
    return len(given) == len(operands) and all(
        term.of_type(t) and t.kind != "complex" and t == operands[0]
        for term, t in zip(given, operands))


def shows(choice, gives, bound, operands, codes, t, code) -> bool:
    x = codes[bound]
    return (all(test(s, c, x) for s, test, c in zip(operands, choice, codes))
            and any(test(t, code, x) for test in gives.tests))


def of(row: Row, vectors: list[Vector]) -> list[list[str]]:
    """For each alternative of a row that is read the cases that show it."""
    valid = [vector for vector in vectors if vector.sets]
    if row.differs and LACKING.match(row.cells[1]):
        return [[vector.name for vector in valid]]
    if row.differs:
        return [[vector.name for vector in valid if vector.is_measured]]
    if AS_ANOTHER.match(row.cells[0]):
        return [[vector.name for vector in valid]]
    found = carrying(row, valid) if is_kept(row) else [[]]
    return found if all(found) or not is_applied(row) else showing(row, valid)
