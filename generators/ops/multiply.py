"""multiply: all types; complex products by exact sums (spec/ops/multiply.md)."""

from assaygen import elementwise, types, values

WHY = elementwise.WHY


def complex_product(t, a, b):
    part = types.component(t)
    (ar, ai), (br, bi) = ([types.decode(part, c) for c in z] for z in (a, b))
    real = values.add(values.multiply(ar, br), values.multiply(ai, bi).negated())
    imaginary = values.add(values.multiply(ar, bi), values.multiply(ai, br))
    return types.encode(part, real), types.encode(part, imaginary)


RULE = elementwise.by_class(
    pred=lambda a, b: a & b, integer=lambda t, a, b: a * b,
    real=elementwise.lift(values.multiply), complex_=complex_product)


def cases():
    yield from elementwise.exact("multiply", types.ALL, 2, RULE)
    for t in (types.F32, types.BY_NAME["f16"], types.BY_NAME["u2"]):
        yield from elementwise.shapes("multiply", t, 2, RULE)
