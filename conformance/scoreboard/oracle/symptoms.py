"""What is wrong with a number that came out, in a few words."""

from oracle.formats import FORMATS, PARTS, decode, is_signaling, place

FAR = 1 << 20


def is_subnormal(kind, code):
    if kind not in FORMATS:
        return False
    x = decode(kind, code)
    return x.kind == "number" and 0 < abs(x.value) < FORMATS[kind].normal


def of_floats(kind, actual, right, operands):
    """`right` is a code, or None where it is NaN; `operands` are pairs of type and code."""
    got = decode(kind, actual)
    subnormal = any(is_subnormal(*one) for one in operands)
    if right is None and subnormal and not got.is_nan:
        return "takes subnormal operands wrongly"
    if right is None:
        return "hands on a signaling NaN" if got.is_nan and is_signaling(kind, actual) else (
            "loses a NaN")
    wanted = decode(kind, right)
    if wanted.is_nan:
        return "changes the bits of a NaN"
    if subnormal or is_subnormal(kind, right):
        return "flushes subnormal numbers" if got.kind == "number" and got.value == 0 else (
            "takes subnormal operands wrongly")
    if got.is_nan:
        return "makes a NaN"
    if got.kind != wanted.kind:
        return "makes an infinity" if got.kind == "infinity" else "loses an infinity"
    if got.value == wanted.value == 0:
        return "takes the wrong sign of zero"
    apart = abs(place(kind, actual) - place(kind, right))
    if apart == 1:
        return "rounds wrongly"
    return "is too far off" if apart < FAR else "is another number"


def symptom(kind, actual, right, operands):
    """Of codes, or of pairs of them."""
    flat = [(PARTS.get(each, each), part) for each, code in operands
            for part in (code if each in PARTS else [code])]
    if kind in PARTS or isinstance(actual, tuple):
        for a, r in zip(actual, right or (None, None)):
            if a != r:
                return of_floats(PARTS[kind], a, r, flat)
    if kind in FORMATS:
        return of_floats(kind, actual, right, flat)
    if any(is_subnormal(*one) for one in flat):
        return "takes subnormal operands wrongly"
    return "is another number"
