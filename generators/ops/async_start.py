"""async-start, async-update and async-done around operations
(spec/ops/async_start.md)."""

from assaygen import arrays, pools, refused, types
from assaygen.programs import bindings
from assaygen.arrays import Array
from assaygen.cases import Case, bits
from assaygen.program import Program
from assaygen.streams import Stream

from ops import add

STATES = {
    "Direct": "the done follows the start",
    "Late": "the second operand is bound by an update",
    "Carried": "the state goes through a tuple, with a word of context",
    "LateStart": "the state goes through a tuple without context: it runs at its end",
}
WHY = STATES | refused.WHY
DONE = " ; (s32[2], f32[4]) async-done(s)"
ROWS = [
    ("C1", "the state holds another operand", "f32[4] ; s32[2]",
     "s = ((f32[4], s32[3]), (s32[2], f32[4]), u32[]) async-start(p0, p1), calls=w" + DONE),
    ("C1", "the state holds no operands", "f32[4] ; s32[2]",
     "s = ((), (s32[2], f32[4]), u32[]) async-start(p0, p1), calls=w" + DONE),
    ("C2", "the operands are exchanged", "f32[4] ; s32[2]",
     "s = ((s32[2], f32[4]), (s32[2], f32[4]), u32[]) async-start(p1, p0), calls=w" + DONE),
    ("C2", "an operand too much", "f32[4] ; s32[2]",
     "s = ((f32[4], s32[2], s32[2]), (s32[2], f32[4]), u32[]) async-start(p0, p1, p1), "
     "calls=w" + DONE),
    ("C3", "the result has another type", "f32[4] ; s32[2]",
     "s = ((f32[4], s32[2]), (u32[2], f32[4]), u32[]) async-start(p0, p1), calls=w" + DONE),
    ("C3", "the result has more parts", "f32[4] ; s32[2]",
     "s = ((f32[4], s32[2]), (s32[2], f32[4], f32[4]), u32[]) async-start(p0, p1), "
     "calls=w" + DONE),
]
OPERATIONS = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
}


def joined(name, t, x, y):
    if t.kind != "int":
        return add.RULE(t, x, y)
    return t.wrap(OPERATIONS[name](t.integer(x), t.integer(y)))


def bodies(shape: str) -> dict[str, list[str]]:
    whole = f"(({shape}, {shape}), {shape}, u32[])"
    bare = f"(({shape}, {shape}), {shape})"
    return {
        "Direct": [f"s = {whole} async-start(p0, p1), calls=w"],
        "Late": [f"q = (({shape}), (), u32[]) async-start(p0), calls=w",
                 f"s = {whole} async-update(q, p1)"],
        "Carried": [f"q = {whole} async-start(p0, p1), calls=w",
                    f"t = ({whole}) tuple(q)",
                    f"s = {whole} get-tuple-element(t), index=0"],
        "LateStart": [f"q = {bare} async-start(p0, p1), calls=w",
                       f"t = ({bare}) tuple(q)",
                       f"s = {bare} get-tuple-element(t), index=0"],
    }


def cases():
    for t in types.ALL:
        for number, why in enumerate(STATES):
            stream = Stream("async-start", t.name, number)
            name = stream.choice(list(OPERATIONS)) if t.kind == "int" else "add"
            a, b = (arrays.build(t, (2, 3), lambda _: pools.random_code(t, stream))
                    for _ in range(2))
            result = Array(t, (2, 3), tuple(
                joined(name, t, x, y) for x, y in zip(a.codes, b.codes)))
            region = (f"w {{\n  a = {a.shape} parameter(0)\n"
                      f"  b = {a.shape} parameter(1)\n"
                      f"  ROOT c = {a.shape} {name}(a, b)\n}}")
            program = Program("m", [a, b]).region(region)
            for line in bodies(a.shape)[why]:
                program.line(line)
            done = "async-done(s)" + (", calls=w" if why == "LateStart" else "")
            program.root(a.shape, done)
            what = why.lower().replace(" ", "_")
            yield Case(f"{t.name}/{name}_{what}", f"{name} in two halves", program,
                       [bits(result)], [why])
    yield from refused.cases("async-start", ROWS, bindings.WRAPPED)
