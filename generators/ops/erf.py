"""erf: correctly rounded by mpmath (spec/ops/erf.md)."""

from fractions import Fraction

import mpmath

from assaygen import functions, types, values
from assaygen.elements import elementwise

WHY = elementwise.WHY | elementwise.REJECTED | {
    "One": "where the result becomes 1, which nothing may exceed",
    "Small": "near zero, where the result is 2/sqrt(pi) times the operand",
}
RULE = functions.function(functions.error_function, lambda x: None, mpmath.erf)
ERF = elementwise.RealFunction("erf", RULE, {"f32": 2, "f64": 2}, (-1, 1))
# The first number whose erf is 1 when rounded lies near x, of each type.
ONE = {"f16": "2.65", "bf16": "1.98", "f32": "3.9192", "f64": "5.9216"}


def around(t, x):
    """Codes close to x, and further away, of both signs."""
    code = types.encode(t, values.number(Fraction(x)))
    near = [code + d for d in (*range(-8, 9), *range(-200, 201, 25))]
    return [c | sign for c in dict.fromkeys(near) for sign in (0, t.sign_mask)]


def small(t):
    """Powers of two down to the smallest number, and their neighbours."""
    step = max((t.bias - 1) // 24, 1)
    normal = [(field << t.mantissa) + d for field in range(1, t.bias, step)
              for d in (0, 1, -1)]
    subnormal = [1 << k for k in range(0, t.mantissa, 3)]
    return list(dict.fromkeys([*subnormal, *(c for c in normal if c > 0)]))


def cases():
    yield from ERF.of_types()
    for name, x in ONE.items():
        t = types.BY_NAME[name]
        yield ERF.of_codes("one", "no result is beyond 1", t, around(t, x), ["One"])
        yield ERF.of_codes("small", "no result near zero loses bits", t, small(t), ["Small"])
    yield from ERF.of_shapes(types.F32)
    for t in (types.S32, types.PRED, types.C64):
        yield elementwise.wrong_type("erf", t, 1, "erf.C1")
