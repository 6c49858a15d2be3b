"""constant: numbers that are spelled out, rounded once (spec/ops/constant.md)."""

from assaygen import arrays, decimals, movement, pools, types, values
from assaygen.arrays import Array
from assaygen.cases import Case, bits, rejected
from assaygen.program import Program
from assaygen.streams import Stream

WHY = {
    "Exact": "special and random values of every type, spelled with all their digits",
    "Tie": "decimals half way between two numbers go to even, those a little beside "
           "them to the nearer one: rounding twice, or few digits, would not",
    "Spelling": "one number in several spellings",
    "Nesting": "braces as deep as there are dimensions, without elements too",
    "Layout": "values have the same indices in any layout",
    "Overflow": "numbers that the type cannot hold",
    "Rejected": "a rule of the page, or of the text, is violated",
}
BY = types.BY_NAME
LAYOUTS = ["{1,0}", *pools.LAYOUTS]


def nested(array: Array, spell, index=()) -> str:
    if len(index) == len(array.dims):
        return spell(array.type, array.at(index))
    inner = (nested(array, spell, (*index, i)) for i in range(array.dims[len(index)]))
    return "{" + ", ".join(inner) + "}"


def one(array, what, statement, why, text=None):
    text = nested(array, decimals.literal) if text is None else text
    program = Program("m", []).root(array.shape, f"constant({text})")
    return Case(f"{array.type.name}/{what}", statement, program, [bits(array, "same")], why)


def of_types():
    for t in types.ALL:
        stream = Stream("constant", t.name)
        codes = pools.unary_codes(t, stream, 8) if t.bits <= 8 else pools.specials(t)
        if t.kind == "complex" or t.bits > 8:
            codes = codes + [pools.random_code(t, stream) for _ in range(8)]
        if t.name == "f64":  # subnormal numbers have a thousand digits
            codes = [c for c in codes if c & ~t.sign_mask not in (1, (1 << 52) - 1)] + [1]
        yield one(arrays.of(t, codes), "values", "all digits give the same number", ["Exact"])


def ties(t):
    """(code, text) of numbers half way between a code and the next, or beside."""
    stream = Stream("constant", "ties", t.name)
    some = [0, 1, (1 << t.mantissa) - 1, 1 << t.mantissa, t.max_finite - 1]
    some += [pools.finite_float(t, stream) & ~t.sign_mask for _ in range(6)]
    for low in some:
        high = low + 1
        if low >= t.max_finite or t.bits == 64 and low >> 52 not in range(900, 1150):
            continue
        half = (types.decode(t, low).exact + types.decode(t, high).exact) / 2
        sign = -1 if stream.bits(1) else 1
        for text, code in ((decimals.scientific(sign * half), low + low % 2),
                           (decimals.beside(sign * half, True), high),
                           (decimals.beside(sign * half, False), low)):
            signed = code | (t.sign_mask if sign < 0 else 0)
            yield (code if code == 0 and t.specials == "fnuz" else signed), text


def of_ties():
    for t in types.FLOATS:
        if t.specials != "e8m0":
            codes, texts = zip(*ties(t))
            yield one(arrays.of(t, codes), "ties", "a decimal is rounded once", ["Tie"],
                      "{" + ", ".join(texts) + "}")


SPELLINGS = [("1", 1), ("1.", 1), ("1.0", 1), ("10e-1", 1), ("0.1e1", 1), ("1E0", 1),
             (".5", 0.5), ("5e-1", 0.5), ("-2.50", -2.5), ("-.25", -0.25), ("001", 1),
             ("1e+2", 100), ("0.00001e5", 1), ("0e5", 0)]


def of_spellings():
    for name in ("f32", "f64", "bf16", "f16"):
        t = BY[name]
        known = [(text, types.encode(t, values.number(types.Fraction(x))))
                 for text, x in SPELLINGS]
        known += [("-0", t.sign_mask), ("-0.0", t.sign_mask), ("-0e3", t.sign_mask),
                  ("nan", t.nan), ("-nan", t.nan | t.sign_mask), ("inf", t.max_finite + 1),
                  ("-inf", t.sign_mask | t.max_finite + 1), ("nan(0x1)", t.max_finite + 2)]
        yield one(arrays.of(t, (code for _, code in known)), "spellings",
                  "many spellings of a number", ["Spelling"],
                  "{" + ", ".join(text for text, _ in known) + "}")
    yield one(arrays.of(types.PRED, (1, 0, 1, 0)), "spellings", "true is 1", ["Spelling"],
              "{true, false, 1, 0}")
    yield one(arrays.of(BY["u64"], ((1 << 64) - 1, (1 << 64) - 1, 1 << 63)), "spellings",
              "u64 takes negative integers", ["Spelling"],
              "{-1, 18446744073709551615, 9223372036854775808}")


def of_shapes():
    for t in (types.F32, types.S32, types.PRED, types.C64):
        for dims in pools.SHAPES:
            name = "x".join(map(str, dims)) or "scalar"
            yield one(arrays.iota(t, dims), f"shape_{name}", f"braces of shape {list(dims)}",
                      ["Nesting"])
        code = arrays.from_number(t, 1)
        yield one(arrays.splat(t, (2, 3), code), "one_for_all",
                  "an element without braces stands for all", ["Nesting"],
                  decimals.literal(t, code))
        yield one(Array(t, (2, 0, 3), ()), "no_elements", "no elements are {}", ["Nesting"],
                  "{}")


def of_layouts():
    for i, layout in enumerate(LAYOUTS):
        array = movement.any_bits("constant", types.S32, (5, 6), layout)
        yield one(array.with_layout(layout), f"layout_{i}", f"elements in {layout}", ["Layout"])


def of_tuples():
    parts = [arrays.iota(types.F32, (2,)), arrays.iota(types.PRED, ()), arrays.iota(BY["u4"], (3,))]
    inner = "(" + ", ".join(x.shape for x in parts[1:]) + ")"
    texts = [nested(x, decimals.literal) for x in parts]
    program = Program("m", []).root(
        f"({parts[0].shape}, {inner})", f"constant(({texts[0]}, ({texts[1]}, {texts[2]})))")
    yield Case("f32/tuple", "a tuple holds literals", program,
               [bits(x, "same") for x in parts], ["Nesting"])


def beyond(t):
    """The number half way between the largest and what would follow it."""
    last, before = (types.decode(t, t.max_finite - d).exact for d in (0, 1))
    return last + (last - before) / 2


def refused(t, dims, text, label, what, why=()):
    shape = Array(t, dims, ()).shape
    program = Program("m", []).root(shape, f"constant({text})")
    return Case(f"{t.name}/{what}", f"{text[:40]} is no {shape}", program,
                rejected(label), [*why, "Rejected"])


def of_overflow():
    """A decimal a little below rounds to the largest number; one above to none, but
    in formats that saturate. Half way it depends on which is even."""
    for t in types.FLOATS:
        if t.specials == "e8m0":
            continue
        half = beyond(t)
        below, above = decimals.beside(half, False), decimals.beside(half, True)
        largest = t.max_finite
        texts = [below, "-" + below]
        if t.specials == "finite":
            texts += [above, "-" + above, "1e30", "-1e30"]
        elif largest % 2 == 0:
            texts += [decimals.scientific(half), "-" + decimals.scientific(half)]
        codes = [largest | (t.sign_mask if text[0] == "-" else 0) for text in texts]
        yield one(arrays.of(t, codes), "largest", "decimals that round to the largest number",
                  ["Overflow", "Tie"], "{" + ", ".join(texts) + "}")
        if t.specials != "finite":
            yield refused(t, (), above, "text.range", "too_large", ["Overflow"])
            yield refused(t, (), "-1e400", "text.range", "far_too_large", ["Overflow"])
        if t.specials != "finite" and largest % 2:
            yield refused(t, (), decimals.scientific(half), "text.range", "half_too_large",
                          ["Overflow", "Tie"])
    for t in types.INTS:
        yield refused(t, (), str(t.high + 1), "text.range", "too_large", ["Overflow"])
        if t.name != "u64":
            yield refused(t, (), str(t.low - 1), "text.range", "too_small", ["Overflow"])
    yield refused(types.PRED, (), "2", "text.range", "too_large", ["Overflow"])


def refusals():
    yield refused(types.F32, (2,), "{...}", "constant.elided", "elided")
    yield refused(types.S32, (), "{...}", "constant.elided", "elided_scalar")
    yield refused(types.F32, (2,), "{1, 2, 3}", "text.literal", "too_many")
    yield refused(types.F32, (2, 2), "{{1, 2}, {3}}", "text.literal", "too_few")
    yield refused(types.F32, (2, 2), "{1, 2, 3, 4}", "text.syntax", "too_flat")
    yield refused(types.S32, (), "1.0", "text.number", "decimal")


def cases():
    for rows in (of_types, of_ties, of_spellings, of_shapes, of_layouts, of_tuples, of_overflow,
                 refusals):
        yield from rows()
