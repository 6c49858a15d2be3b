"""Implicit broadcasts, which HLO has none of, and broadcasts that name wrong dimensions."""

from __future__ import annotations

from assaygen import refused

WHY = {"Implicit": "HLO has no implicit broadcasting: the builder writes explicit ones",
       "Wrong": "a broadcast whose dimensions or sizes do not fit"}
BINARY = ("add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum", "power",
          "atan2")
WHOLE = ("and", "or", "xor", "shift-left", "shift-right-arithmetic", "shift-right-logical")
# What is wrong, the shapes of the operands, the shape of the result.
PAIRS = [
    ("a scalar on the right", "[2,3]", "[]", "[2,3]"),
    ("a scalar on the left", "[]", "[2,3]", "[2,3]"),
    ("a row", "[2,3]", "[3]", "[2,3]"),
    ("a degenerate dimension", "[2,1]", "[2,3]", "[2,3]"),
    ("an outer operation", "[2,1]", "[1,3]", "[2,3]"),
]
# Rule, what is wrong, shapes, instructions.
BROADCASTS = [
    ("broadcast.C4", "a degenerate dimension is not repeated", "f32[2,1]",
     "f32[2,3] broadcast(p0), dimensions={0,1}"),
    ("broadcast.C4", "a vector of 3 at a dimension of 2", "f32[3]",
     "f32[2,3] broadcast(p0), dimensions={0}"),
    ("broadcast.C2", "a vector matched with two dimensions", "f32[3]",
     "f32[3,3] broadcast(p0), dimensions={0,1}"),
    ("broadcast.C2", "a row whose dimension is not named", "f32[3]",
     "f32[2,3] broadcast(p0), dimensions={}"),
    ("broadcast.C3", "a dimension that the result has not", "f32[3]",
     "f32[2,3] broadcast(p0), dimensions={2}"),
    ("broadcast.C3", "two dimensions matched with one", "f32[3,3]",
     "f32[3,3] broadcast(p0), dimensions={1,1}"),
    ("broadcast.C1", "a broadcast that changes the type", "f32[3]",
     "s32[2,3] broadcast(p0), dimensions={1}"),
    ("clamp.C1", "bounds of size 1", "f32[1] ; f32[3] ; f32[1]", "f32[3] clamp(p0, p1, p2)"),
    ("clamp.C1", "bounds that are rows", "f32[3] ; f32[2,3] ; f32[3]",
     "f32[2,3] clamp(p0, p1, p2)"),
    ("clamp.C1", "an operand that is a scalar between arrays", "f32[3] ; f32[] ; f32[3]",
     "f32[3] clamp(p0, p1, p2)"),
    ("select.C3", "a mask of size 1", "pred[1] ; f32[3] ; f32[3]", "f32[3] select(p0, p1, p2)"),
    ("select.C3", "a mask that is a row", "pred[3] ; f32[2,3] ; f32[2,3]",
     "f32[2,3] select(p0, p1, p2)"),
    ("select.C2", "a choice between an array and a scalar", "pred[3] ; f32[3] ; f32[]",
     "f32[3] select(p0, p1, p2)"),
]


def named(case, why: str):
    case.why = [why]
    return case


def cases():
    for ops, t in ((BINARY, "f32"), (WHOLE, "s32")):
        for op in ops:
            for statement, lhs, rhs, out in PAIRS:
                row = (f"{op}.C1", f"{op} with {statement}", f"{t}{lhs} ; {t}{rhs}",
                       f"{t}{out} {op}(p0, p1)")
                yield named(refused.case("broadcasting", row), "Implicit")
    for statement, lhs, rhs, out in PAIRS:
        row = ("compare.C1", f"compare with {statement}", f"f32{lhs} ; f32{rhs}",
               f"pred{out} compare(p0, p1), direction=LT")
        yield named(refused.case("broadcasting", row), "Implicit")
    for row in BROADCASTS:
        yield named(refused.case("broadcasting", row), "Wrong")
