"""What the reports' cases share: codes of decimals, programs, expectations."""

from __future__ import annotations

from fractions import Fraction

from assaygen import arrays, types, values
from assaygen.arrays import Array
from assaygen.cases import Case, bits, rounded
from assaygen.program import Program
from assaygen.types import BY_NAME, Type
from assaygen.values import Value

F16, BF16, F32, F64 = (BY_NAME[n] for n in ("f16", "bf16", "f32", "f64"))
S8, S32, S64, U8, U32 = (BY_NAME[n] for n in ("s8", "s32", "s64", "u8", "u32"))
PRED = types.PRED
WORDS = {"nan": values.NAN, "-nan": Value("nan", -1), "inf": values.INF,
         "-inf": Value("inf", -1), "-0": Value("zero", -1)}


def code(t: Type, number) -> int:
    """The code nearest to a decimal, a fraction, or one of WORDS."""
    if t.kind == "int":
        return t.wrap(int(number))
    word = WORDS.get(number) if isinstance(number, str) else None
    return types.encode(t, word or values.number(Fraction(number)))


def vector(t: Type, *numbers) -> Array:
    return arrays.of(t, (code(t, x) for x in numbers))


def exact(t: Type, code_: int) -> Fraction:
    return types.decode(t, code_).exact


def rounded_value(t: Type, x: Fraction) -> Fraction:
    """x rounded to the type; both are finite."""
    return exact(t, types.encode(t, values.number(x)))


def apply(real, t: Type, *operands: Array) -> Array:
    """An exact operation of values, rounded once, on each element."""
    rows = zip(*(x.codes for x in operands))
    codes = (types.encode(t, real(*(types.decode(operands[0].type, c) for c in row)))
             for row in rows)
    return Array(t, operands[0].dims, tuple(codes))


def report(number: int, t: Type, name: str, statement: str, program: Program,
           expect: list) -> Case:
    return Case(f"{t.name}/{number:02}_{name}", statement, program, expect,
                [f"Report{number:02}"])


def one_value(number, name, statement, inputs, instruction, result, nan="any") -> Case:
    """A program of one instruction whose result has one value."""
    program = Program("m", inputs).root(result.shape, instruction)
    return report(number, inputs[0].type, name, statement, program, [bits(result, nan)])


def function(number, name, statement, op, rule, limit, operand, within=None) -> Case:
    """A program of one real function: at most `limit` steps, or "faithful"."""
    t = operand.type
    answers = [rule(t, c) for c in operand.codes]
    value = Array(t, operand.dims, tuple(c for c, _ in answers))
    ends = tuple(code(t, x) for x in within) if within else (None, None)
    program = Program("m", [operand]).root(operand.shape, f"{op}(p0)")
    return report(number, t, name, statement, program,
                  [rounded(value, [side for _, side in answers], limit, ends)])
