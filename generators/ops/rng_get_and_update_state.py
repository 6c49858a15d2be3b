"""rng-get-and-update-state: what a backend may begin with is its own choice; by how
much it moves on is not (spec/ops/rng_get_and_update_state.md)."""

from assaygen import types
from assaygen.arrays import Array
from assaygen.cases import Case, bits
from assaygen.program import Program
from assaygen.streams import Stream

WHY = {
    "Delta": "the state is a number of 128 bits that moves on by delta, which may be "
             "negative or change the high half alone through a carry",
    "Order": "instructions take the state one after the other",
    "Draws": "rng moves the state on by one for each element",
    "Layout": "the low half comes first in any layout",
    "Rejected": "a rule of the text is violated",
}
U64 = types.BY_NAME["u64"]
MASK = (1 << 64) - 1


def halves(x: int) -> Array:
    return Array(U64, (2,), (x & MASK, x >> 64 & MASK))


def get(program, name, delta, layout=""):
    return program.line(f"{name} = u64[2]{layout} rng-get-and-update-state(), delta={delta}")


def minus(program, name, a, b):
    """name = a - b modulo 2^128, of halves, the low one first."""
    for x in (a, b):
        program.line(f"{x}_low = u64[1] slice({x}), slice={{[0:1]}}")
        program.line(f"{x}_high = u64[1] slice({x}), slice={{[1:2]}}")
    program.line(f"{name}_low = u64[1] subtract({a}_low, {b}_low)")
    program.line(f"{name}_less = pred[1] compare({a}_low, {b}_low), direction=LT")
    program.line(f"{name}_borrow = u64[1] convert({name}_less)")
    program.line(f"{name}_difference = u64[1] subtract({a}_high, {b}_high)")
    program.line(f"{name}_high = u64[1] subtract({name}_difference, {name}_borrow)")
    return f"concatenate({name}_low, {name}_high), dimensions={{0}}"


def moved(what, deltas, why, layout=""):
    """The difference of the last state and the first: the sum of all deltas but the
    last, which nobody sees."""
    program = Program("m", [])
    for k, delta in enumerate(deltas):
        get(program, f"state{k}", delta, layout)
    program.root("u64[2]", minus(program, "d", f"state{len(deltas) - 1}", "state0"))
    return Case(f"u64/{what}", f"the state moves on by {' + '.join(map(str, deltas[:-1]))}",
                program, [bits(halves(sum(deltas[:-1])))], why)


def of_deltas():
    for delta in (0, 1, 2, 4096, (1 << 63) - 1, 1 << 62, -1, -2, -(1 << 63), 1 - (1 << 63)):
        name = f"by_{delta}".replace("-", "minus_")
        yield moved(name, (delta, 1), ["Delta"])
    most = (1 << 63) - 1
    yield moved("carry_of_three", (most, most, 2, 0), ["Delta", "Order"])
    yield moved("there_and_back", (5, most, -most, -5, 0), ["Delta", "Order"])
    yield moved("below", (-1, -1, -1, 7), ["Delta", "Order"])
    for k in range(16):
        stream = Stream("rng-get-and-update-state", k)
        deltas = [stream.bits(64) - (1 << 63) for _ in range(2 + stream.below(5))]
        yield moved(f"random_{k:02}", deltas, ["Delta", "Order"])


def of_draws():
    for t, dims in (("f32", (3, 5)), ("u8", (7,)), ("f64", ()), ("pred", (2, 2)),
                    ("s32", (0, 4)), ("bf16", (1000,))):
        shape = f"{t}[{','.join(map(str, dims))}]"
        count = Array(U64, dims, ()).size
        for kind in ("rng_uniform", "rng_normal") if t in ("f32", "f64", "bf16") else (
                "rng_uniform",):
            program = Program("m", [])
            program.line(f"a = {t}[] constant(0)").line(f"b = {t}[] constant(1)")
            get(program, "state0", 3)
            program.line(f"x = {shape} rng(a, b), distribution={kind}")
            get(program, "state1", 1)
            program.root("u64[2]", minus(program, "d", "state1", "state0"))
            name = f"{kind}_{t}_{'x'.join(map(str, dims)) or 'scalar'}"
            yield Case(f"u64/{name}", f"{count} numbers are drawn between two states", program,
                       [bits(halves(3 + count))], ["Draws"])


def of_layouts():
    for k, layout in enumerate(("{0}", "{0:T(4)}", "{0:T(2)(1)}", "{0:L(8)}")):
        yield moved(f"layout_{k}", (11, 1), ["Layout"], layout)


def refusals():
    for name, shape, extra, rule in (
            ("other_shape", "u64[3]", ", delta=1", "text.shape-mismatch"),
            ("other_type", "u32[2]", ", delta=1", "text.shape-mismatch"),
            ("no_delta", "u64[2]", "", "text.attribute-missing")):
        program = Program("m", []).root(shape, f"rng-get-and-update-state(){extra}")
        yield Case(f"u64/{name}", "the state is u64[2], and moves on by a delta", program,
                   {"rejected": rule}, ["Rejected"])
    program = Program("m", [Array(U64, (), (1,))])
    program.root("u64[2]", "rng-get-and-update-state(p0), delta=1")
    yield Case("u64/an_operand", "there are no operands", program,
               {"rejected": "text.operand-count"}, ["Rejected"])


def cases():
    for rows in (of_deltas, of_draws, of_layouts, refusals):
        yield from rows()
