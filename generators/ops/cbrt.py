"""cbrt: correctly rounded by mpmath and integer roots (spec/ops/cbrt.md)."""

from fractions import Fraction

import mpmath

from assaygen import functions, types, values
from assaygen.elements import elementwise
from assaygen.streams import Stream

WHY = elementwise.WHY | elementwise.REJECTED | {
    "Cube": "cubes of numbers, whose roots are exact, and the codes beside them",
}


def root(x):
    return mpmath.sign(x) * mpmath.cbrt(abs(x))


RULE = functions.function(functions.cube_root, functions.cube_root_of, root)
CBRT = elementwise.RealFunction("cbrt", RULE, {"f32": 1, "f64": 2})


def cubes(t):
    """Both signs; roots of a third of the type's bits, over all its exponents."""
    stream = Stream("cbrt", "cubes", t.name)
    codes = []
    for _ in range(16):
        odd = stream.bits(t.mantissa // 3) | 1
        least = (t.min_exponent - t.mantissa) // 3 + 1
        power = least + stream.below((t.bias + 1 - t.mantissa) // 3 - least)
        cube = values.number(odd ** 3 * Fraction(8) ** power)
        code = types.encode(t, cube)
        if types.decode(t, code).kind == "finite":
            codes += [(code + d) | sign for d in (-1, 0, 1) for sign in (0, t.sign_mask)]
    return list(dict.fromkeys(codes))


def cases():
    yield from CBRT.of_types()
    for t in types.FLOATS:
        if t.bits > 8:
            yield CBRT.of_codes("cubes", "roots that are exact, and almost", t, cubes(t),
                                ["Cube"])
    yield from CBRT.of_shapes(types.F32)
    for t in (types.S32, types.PRED, types.C64):
        yield elementwise.wrong_type("cbrt", t, 1, "cbrt.C1")
