"""multiply: all types; complex products beside their modulus (spec/ops/multiply.md)."""

from fractions import Fraction

from assaygen import arrays, pools, stated, types, values
from assaygen.elements import complex_arithmetic as arithmetic
from assaygen.elements import elementwise, mixed_types
from assaygen.cases import Case, interval
from assaygen.program import Program
from assaygen.streams import Stream

WHY = stated.WHY | elementwise.WHY | mixed_types.WHY | elementwise.REJECTED | {
    "Complex": "each component lies within 2.25 units of the modulus of the result",
    "Infinite": arithmetic.WHY["Infinite"],
}
UNITS = Fraction(9, 4)  # of 2^-p times the modulus
RULE = elementwise.by_class(
    pred=lambda a, b: a & b, integer=lambda t, a, b: a * b,
    real=elementwise.lift(values.multiply))


def component_sets(part, a, b):
    """(rounded, low, high) of both components, or None where one is not finite."""
    numbers = [types.decode(part, c) for c in (*a, *b)]
    if any(x.kind not in ("zero", "finite") for x in numbers):
        return None
    ar, ai, br, bi = numbers
    limit = types.decode(part, part.max_finite).exact / 4
    pairs = ((values.multiply(ar, br), values.multiply(ai, bi).negated()),
             (values.multiply(ar, bi), values.multiply(ai, br)))
    if any(sum(term.magnitude for term in terms) > limit for terms in pairs):
        return None
    found = tuple(values.add(*terms) for terms in pairs)
    return arithmetic.sets(part, found, arithmetic.magnitude(found), UNITS)


def complex_case(t):
    part = types.component(t)
    rows = pools.binary_codes(t, Stream("multiply", t.name), 96)
    found = [(row, component_sets(part, *row)) for row in rows]
    found = [(row, triples) for row, triples in found if triples is not None]
    inputs = [arrays.of(t, column) for column in zip(*(row for row, _ in found))]
    sets = [arrays.of(t, ((re[k], im[k]) for _, (re, im) in found)) for k in range(3)]
    program = Program("m", inputs).root(inputs[0].shape, "multiply(p0, p1)")
    return Case(f"{t.name}/values", "products of finite complex numbers", program,
                [interval(*sets)], ["Complex", "Random"])


STATED = [
    ("infinite_square",
     "(1e30 + 1e30i)^2: the products of the real part overflow to both sides",
     "c64[1] 7149f2ca:7149f2ca ; c64[1] 7149f2ca:7149f2ca",
     "c64[1] multiply(p0, p1)",
     "c64[1] 00000000:7f800000 from ff800000:7f800000 to 7f800000:7f800000 or NaN"),
    ("recovered", "infinities that plain formulas lose",
     "c64[1] 7f800000:7fc00000 ; c64[1] 3f800000:3f800000",
     "c64[1] multiply(p0, p1)",
     "c64[1] 7f800000:7f800000"),
]


def cases():
    yield from elementwise.exact(
        "multiply", [t for t in types.ALL if t.kind != "complex"], 2, RULE)
    for t in types.COMPLEX:
        yield complex_case(t)
    for t in (types.F32, types.BY_NAME["f16"], types.BY_NAME["u2"]):
        yield from elementwise.shapes("multiply", t, 2, RULE)
    yield from arithmetic.special_products()
    yield from mixed_types.cases("multiply", values.multiply, lambda tie, b: tie / b)
    yield from elementwise.wrong_types("multiply", types.ALL, 2)
    yield from (stated.case(row) for row in STATED)
