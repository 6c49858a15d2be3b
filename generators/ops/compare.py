"""compare: IEEE and total order in all directions (spec/ops/compare.md)."""

from assaygen import arrays, pools, refused, types, values
from assaygen.cases import Case, bits, without
from assaygen.elements import elementwise
from assaygen.program import Program
from assaygen.streams import Stream

WHY = without(elementwise.WHY, "Drawn") | refused.WHY
# Pairs of types whose values are compared with each other.
MIXED = [(types.BY_NAME[s], types.BY_NAME[t])
         for s, t in (("f32", "bf16"), ("f16", "f64"), ("bf16", "f8e4m3fn"))]
DIRECTIONS = {
    "EQ": lambda less, equal, greater: equal,
    "NE": lambda less, equal, greater: not equal,
    "LT": lambda less, equal, greater: less,
    "LE": lambda less, equal, greater: less or equal,
    "GT": lambda less, equal, greater: greater,
    "GE": lambda less, equal, greater: greater or equal,
}


def total_key(t, code):
    """Orders codes as -NaN < -inf < .. < -0 < +0 < .. < +inf < +NaN; the one
    NaN of FNUZ types is the lowest, e8m0 compares its bits."""
    if t.specials == "e8m0":
        return code
    magnitude = code & ~t.sign_mask
    return -magnitude - 1 if code & t.sign_mask else magnitude


def fnuz_key(t, code):
    if code == t.sign_mask:
        return -(1 << 20)
    return -(code & ~t.sign_mask) if code & t.sign_mask else code


def ordered(t, a, b, total):
    """(less, equal, greater)"""
    if t.kind == "float" and not total:
        x, y = types.decode(t, a), types.decode(t, b)
        return values.less(x, y), values.equal(x, y), values.less(y, x)
    if t.kind == "complex":
        part = types.component(t)
        same = all(ordered(part, p, q, False)[1] for p, q in zip(a, b))
        return False, same, False
    if t.kind == "float":
        key = fnuz_key if t.specials == "fnuz" else total_key
        a, b = key(t, a), key(t, b)
    elif t.kind == "int":
        a, b = t.integer(a), t.integer(b)
    return a < b, a == b, a > b


def rule(direction, total=False):
    choose = DIRECTIONS[direction]
    return lambda t, a, b: int(choose(*ordered(t, a, b, total)))


def of_two_types(direction, s, t):
    """Values of both types have one order."""
    stream = Stream("compare", direction, s.name, t.name)
    columns = [pools.unary_codes(u, stream, 24) for u in (s, t)]
    rows = list(zip(columns[0], reversed(columns[1])))
    rows += [(s_code, t_code) for x in (-1, 0, 1, 2) for y in (-1, 0, 1, 2)
             for s_code in [types.encode(s, values.number(x))]
             for t_code in [types.encode(t, values.number(y))]]
    def result(a, b):
        x, y = types.decode(s, a), types.decode(t, b)
        return int(DIRECTIONS[direction](
            values.less(x, y), values.equal(x, y), values.less(y, x)))
    inputs = [arrays.of(u, column) for u, column in zip((s, t), zip(*rows))]
    expect = arrays.of(types.PRED, [result(*row) for row in rows])
    program = Program("m", inputs).root(
        expect.shape, f"compare(p0, p1), direction={direction}")
    return Case(f"{s.name}/{direction.lower()}_{t.name}",
                f"values of {s.name} and of {t.name} have one order", program,
                [bits(expect)], ["Special", "Random"])


ROWS = [
    ("C1", "other sizes", "s8[2] ; s8[1]", "pred[2] compare(p0, p1), direction=LT"),
    ("C1", "a float and an integer", "f32[2] ; s32[2]",
     "pred[2] compare(p0, p1), direction=LT"),
    ("C1", "signed and unsigned", "s8[2] ; u8[2]", "pred[2] compare(p0, p1), direction=GE"),
    ("C2", "tuples", "(f32[2])", "pred[2] compare(p0, p0), direction=EQ"),
    ("C3", "complex numbers in an order", "c128[2]", "pred[2] compare(p0, p0), direction=GE"),
    ("C4", "floats as signed", "f32[2]", "pred[2] compare(p0, p0), direction=LT, type=SIGNED"),
    ("C4", "unsigned numbers as floats", "u32[2]",
     "pred[2] compare(p0, p0), direction=LT, type=FLOAT"),
    ("C4", "complex numbers in the total order", "c64[2]",
     "pred[2] compare(p0, p0), direction=NE, type=TOTALORDER"),
    ("C4", "pred as signed", "pred[2]", "pred[2] compare(p0, p0), direction=LT, type=SIGNED"),
    ("C5", "two float types in the total order", "f16[2] ; bf16[2]",
     "pred[2] compare(p0, p1), direction=EQ, type=TOTALORDER"),
]


def cases():
    def to_pred(_):
        return types.PRED
    for direction in DIRECTIONS:
        allowed = types.ALL if direction in ("EQ", "NE") else types.ALL[:-2]
        yield from elementwise.exact(
            "compare", allowed, 2, rule(direction), extra=f", direction={direction}",
            tag=f"{direction}_", count=24, result=to_pred)
        yield from (of_two_types(direction, s, t) for s, t in MIXED)
    for direction in ("LT", "GE", "EQ"):
        yield from elementwise.exact(
            "compare", types.FLOATS, 2, rule(direction, True),
            extra=f", direction={direction}, type=TOTALORDER",
            tag=f"{direction}_TOTALORDER_", count=24, result=to_pred)
    yield from elementwise.shapes("compare", types.F32, 2, rule("LT"),
                                  extra=", direction=LT", result=to_pred)
    yield from refused.cases("compare", ROWS)
