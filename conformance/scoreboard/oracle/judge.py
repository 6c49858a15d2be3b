"""Whether the bits that came out of a program are right at an index."""

from oracle.complexes import Parts
from oracle.elements import Program
from oracle.formats import FORMATS, PARTS, Unknown, decode, encode, is_signaling, place, spelled
from oracle.programs import literal, parse
from oracle.results import Computed


class Answer:
    """Whether an element is right, the code that is, None for NaN, and what is right in
    words."""

    def __init__(self, right, code, words):
        self.right, self.code, self.words = right, code, words


def bits_of(kind, text):
    parts = tuple(int(part, 16) for part in text.split(":"))
    return parts if kind in PARTS else parts[0]


def zero_of(kind):
    return "0:0" if kind in PARTS else "0"


def exact(kind, code, right):
    if kind in PARTS:
        part = PARTS[kind]
        words = ", ".join(spelled(part, one) for one in right)
        return Answer(tuple(code) == tuple(right), tuple(right), words)
    return Answer(code == right, right, spelled(kind, right))


def computed(kind, code, found):
    value = found.value
    if value.is_nan:
        if FORMATS[kind].special in ("finite",):
            raise Unknown("NaN in a format without it")
        return Answer(decode(kind, code).is_nan and not is_signaling(kind, code), None,
                      "a quiet NaN")
    right = encode(kind, value)
    words = spelled(kind, right)
    actual = decode(kind, code)
    if found.error:
        near = actual.kind == "number" and abs(actual.value - value.value) <= found.error
        return Answer(code == right or near, right, f"{words} within {float(found.error):.3g}")
    if actual.is_nan:
        return Answer(False, right, words)
    if found.steps and value.kind == "number" and value.value != 0:
        words += f" within {found.steps} codes"
        return Answer(abs(place(kind, code) - place(kind, right)) <= found.steps, right, words)
    return Answer(code == right, right, words)


def parts(found, codes, is_pair):
    right = tuple(encode(found.kind, value) for value in found.parts)
    near = True
    for code, value in zip(codes, found.parts):
        actual = decode(found.kind, code)
        rounding = abs(value.value) / 2 ** FORMATS[found.kind].mantissa
        near = near and actual.kind == "number" and (
            abs(actual.value - value.value) <= found.error + rounding)
    words = ", ".join(spelled(found.kind, code) for code in right)
    return Answer(near, right if is_pair else right[0],
                  f"{words} within {float(found.error):.3g}")


def judge(text, inputs, index, answers, leaf=0):
    """Answers for these bits at an index of an array of the result of a program. Unknown where
    the oracle cannot tell."""
    program = Program(parse(text), [literal(one) for one in inputs])
    root = program.entry.root
    kind = program.shape(root).leaf(leaf).kind
    found = program.element(root, tuple(index), leaf)
    judged = []
    for bits in answers:
        code = bits_of(kind, bits)
        if isinstance(found, Parts):
            judged.append(parts(found, code if kind in PARTS else [code], kind in PARTS))
        elif isinstance(found, Computed):
            judged.append(computed(kind, code, found))
        else:
            judged.append(exact(kind, code, found.code))
    return judged
