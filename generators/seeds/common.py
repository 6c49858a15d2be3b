"""Examples: a program as lines, the numbers that the document gives, and where."""

from __future__ import annotations

import re

from assaygen.arrays import Array
from assaygen.cases import Case, bits, rejected
from assaygen.program import Program
from assaygen.types import BY_NAME
from sequences.elements import matrix, vector  # noqa: F401

F32, F64, S32, S64, U8, U16, U32, U64, F16, PRED = (
    BY_NAME[n] for n in ("f32", "f64", "s32", "s64", "u8", "u16", "u32", "u64", "f16", "pred"))
DOCUMENTS = {
    "000_shapes": "shapes and layouts",
    "001_tiles": "tiled layouts",
    "002_operations": "the semantics of operations",
    "003_broadcasting": "broadcasting semantics, in Chinese",
    "004_broadcasting": "broadcasting semantics, in Hindi",
}
WHY = {
    "Example": "an example of the documentation, with its numbers",
    "Stated": "what the documentation says in words, with numbers chosen here",
    "Corrected": "an example whose translation or original is wrong, with the numbers that the "
                 "text around it asks for",
    "Circle": "instructions that wait for each other in a circle: an order of the four "
              "instructions of a channel that none of their happens-before rules allows",
    "Refused": "what the documentation allows and HLO does not any more, or the other way round",
}
SHAPE = re.compile(r"(\(.*?\)|\S+) [a-z-]+\(")  # of an instruction
ADD = """add {
  a = T[] parameter(0)
  b = T[] parameter(1)
  ROOT c = T[] add(a, b)
}"""
MAX, MIN, MUL = (ADD.replace(" add(", f" {op}(") for op in ("maximum", "minimum", "multiply"))


def region(text: str, t: str = "f32") -> str:
    return text.replace("T[]", f"{t}[]")


def number(t, x) -> Array:
    return Array(t, (), vector(t, x).codes)


def example(document: str, what: str, statement: str, inputs, body: str, results, *,
            why: str = "Example", regions=(), header: str = "", devices=None,
            nan: str = "any") -> Case:
    """The last line of the body is the root; p0, p1, ... are the inputs. With
    `devices` these are the inputs of each, and results are of one after the other."""
    assert document in DOCUMENTS, document
    program = Program("m", list(inputs), header)
    for text in regions:
        program.region(text)
    *before, root = [line.strip() for line in body.strip().splitlines()]
    for line in before:
        program.line(line)
    program.line("ROOT " + root)
    program.result = SHAPE.match(root.split(" = ", 1)[1])[1]
    given = [x for row in devices for x in row] if devices else list(inputs)
    return Case(f"{document}/{what}", statement, program, [bits(x, nan) for x in results],
                [why], given)


def text(document: str, what: str, statement: str, module: str, results, *,
         why: str = "Example", inputs=()) -> Case:
    """A whole module as it stands."""
    return Case(f"{document}/{what}", statement, module, [bits(x) for x in results], [why],
                list(inputs))


def refused(document: str, what: str, statement: str, module: str, rule: str,
            inputs=()) -> Case:
    return Case(f"{document}/{what}", statement, module, rejected(rule), ["Refused"],
                list(inputs))
