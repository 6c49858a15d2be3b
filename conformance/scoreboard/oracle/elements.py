"""An element of a program, from those that it is made of."""

from fractions import Fraction

from oracle import (
    arithmetic, complexes, folds, integers, movements, orders, places, reals, windows)
from oracle.formats import (
    FORMATS, PARTS, LeftOpen, Unknown, binade, decode, encode, integer, is_integer, number,
    width)
from oracle.programs import numbers, words_of
from oracle.results import Computed, Exact

MADE = {  # of many elements
    "reduce": folds.reduce, "dot": folds.dot, "sort": orders.element, "topk": orders.topk,
    "reduce-window": windows.reduce_window, "select-and-scatter": windows.select_and_scatter,
    "convolution": windows.convolution, "scatter": places.scatter}


def steps_of(kind, name):
    """What suites of functions let pass at most: 4 codes, and 1 in narrow formats."""
    if name == "sqrt":
        return 0
    return 4 if kind in ("f32", "f64") else 1


class Program:
    """Elements of the entry computation, given the arrays of its parameters."""

    def __init__(self, computations, inputs):
        self.computations = computations
        self.entry = computations["ENTRY"]
        self.inputs = inputs
        self.known = {}

    def shape(self, name):
        return self.entry.instructions[name].shape

    def code(self, name, index):
        """The code of an element of an instruction that is exact, or rounds once."""
        key = (name, index)
        if key not in self.known:
            found = self.element(name, index)
            if isinstance(found, Computed):
                if found.steps or found.error:
                    raise Unknown("a value that is made of one that may differ")
                found = Exact(self.exact_code(name, found.value))
            self.known[key] = found.code
        return self.known[key]

    def exact_code(self, name, value):
        """That of a value of which nothing is rounded: compilers that join operations or take
        wider formats within come to the same."""
        kind = self.shape(name).kind
        code = encode(kind, value)
        kept = decode(kind, code)
        if value.is_nan or kept.kind != value.kind or kept.value != value.value:
            raise Unknown("a rounded value within several operations, which compilers may join")
        return code

    def element(self, name, index, leaf=0):
        instruction = self.entry.instructions[name]
        operation = instruction.operation
        if operation == "tuple":
            return self.element(instruction.operands[leaf], index)
        if operation in ("copy", "opt-barrier") and instruction.shape.kind == "tuple":
            return self.element(instruction.operands[0], index, leaf)
        if operation == "get-tuple-element":
            return self.element(instruction.operands[0], index,
                                int(instruction.attributes["index"]))
        if operation == "parameter":
            if "tuple" in (one.shape.kind for one in self.entry.instructions.values()
                           if one.operation == "parameter"):
                raise Unknown("a parameter that is a tuple")
            return Exact(self.inputs[int(instruction.text)].at(index))
        if operation == "constant":
            return Exact(constant(instruction, index))
        if operation == "iota":
            return iota(instruction, index)
        moved = places.gather(self, instruction, index) if operation == "gather" else (
            movements.source(self, instruction, index))
        if moved is not None:
            if self.shape(moved[0]).kind != instruction.shape.kind:
                raise Unknown("an operand of another type")
            return Exact(self.code(*moved))
        if operation in MADE:
            return MADE[operation](self, instruction, index, leaf)
        if operation == "rng":
            raise LeftOpen("random numbers")
        return self.elementwise(instruction, index)

    def elementwise(self, instruction, index):
        if instruction.shape.kind == "tuple":
            raise Unknown(f"{instruction.operation} of tuples")
        most = 3 if instruction.operation == "clamp" else 2
        if not 1 <= len(instruction.operands) <= most or any(
                self.shape(name).sizes not in ((), instruction.shape.sizes)
                for name in instruction.operands):
            raise Unknown(f"{instruction.operation} of such operands")
        kinds = [self.shape(name).kind for name in instruction.operands]
        if "tuple" in kinds:
            raise Unknown(f"{instruction.operation} of tuples")
        codes = [self.code(name, index if self.shape(name).sizes else ())
                 for name in instruction.operands]
        return apply(instruction, kinds, codes)


def constant(instruction, index):
    words = words_of(instruction.text)
    place = movements.flat(instruction.shape.sizes, index)
    if place >= len(words):
        raise Unknown("a constant without an element there")
    return scalar(instruction.shape.kind, words[place])


def iota(instruction, index):
    kind = instruction.shape.kind
    (dim,) = numbers(instruction.attributes["iota_dimension"])
    if kind in FORMATS:
        return Computed(number(Fraction(index[dim])))
    if not is_integer(kind):
        raise Unknown(f"iota of {kind}")
    return Exact(index[dim] % (1 << width(kind)))


def scalar(kind, text):
    if kind in FORMATS and text.lstrip("-").replace(".", "", 1).isdigit():
        return encode(kind, number(Fraction(text), text.startswith("-")))
    if kind == "pred":
        return int(text == "true")
    if is_integer(kind):
        return int(text) % (1 << width(kind))
    raise Unknown(f"a constant {text}")


def apply(instruction, kinds, codes):
    """An element-wise operation on the codes of its operands."""
    operation, kind = instruction.operation, instruction.shape.kind
    if operation in ("convert", "copy"):
        return convert(kinds[0], kind, codes[0])
    if operation == "compare":
        return compare(instruction, kinds, *codes)
    if operation == "clamp":
        return clamp(kind, *codes)
    if any(one in PARTS for one in (*kinds, kind)):
        return complexes.apply(instruction, kinds, codes)
    if kind in FORMATS and set(kinds) == {kind}:
        return of_floats(instruction, kind, codes)
    if operation == "is-finite":
        return Exact(int(decode(kinds[0], codes[0]).kind == "number"))
    if set(kinds) == {kind}:
        unary = len(codes) == 1
        return Exact(integers.unary(kind, operation, *codes) if unary
                     else integers.binary(kind, operation, *codes))
    raise Unknown(f"{operation} of {kinds}")


def clamp(kind, low, code, high):
    """The least of the upper bound and of what is greater, the lower bound or the number."""
    if kind in FORMATS:
        low, value, high = (decode(kind, one) for one in (low, code, high))
        return Computed(arithmetic.extreme(
            "minimum", high, arithmetic.extreme("maximum", low, value)))
    if kind in PARTS:
        raise Unknown("an order of complex numbers")
    return Exact(integers.binary(kind, "minimum", high, integers.binary(
        kind, "maximum", low, code)))


def of_floats(instruction, kind, codes):
    operation = instruction.operation
    values = [decode(kind, code) for code in codes]
    if operation in ("negate", "abs"):
        return of_signs(operation, kind, codes[0])
    if operation in ("maximum", "minimum") or operation in arithmetic.BINARY:
        return Computed(arithmetic.binary(operation, *values))
    if operation in arithmetic.ROUNDED_TO_INTEGERS:
        return Computed(arithmetic.whole(operation, values[0]))
    if operation == "sign":
        return Computed(arithmetic.sign(values[0]))
    if operation == "reduce-precision":
        return reduced(instruction, kind, values[0])
    if operation == "atan2":
        return Computed(reals.atan2(*values), steps_of(kind, operation))
    if operation == "power":
        return Computed(reals.power(*values), steps_of(kind, operation))
    return Computed(reals.apply(operation, values[0]), steps_of(kind, operation))


def of_signs(operation, kind, code):
    """What changes the sign and nothing else."""
    if decode(kind, code).is_nan:
        raise Unknown("the sign of a NaN")
    f = FORMATS[kind]
    if operation == "negate":
        if not f.signed or (f.special == "fnuz" and code == 0):
            raise Unknown("the negative of what has none")
        return Exact(code ^ f.sign)
    return Exact(code & ~f.sign if operation == "abs" and f.sign else code)


def reduced(instruction, kind, x):
    exponent = int(instruction.attributes["exponent_bits"])
    mantissa = int(instruction.attributes["mantissa_bits"])
    f = FORMATS[kind]
    if x.kind != "number" or x.value == 0 or exponent > f.exponent or exponent < 2:
        raise Unknown("a number that formats differ about")
    size = abs(x.value)
    if size < f.normal or size < Fraction(2) ** (4 - 2 ** (exponent - 1)):
        raise Unknown("a subnormal number of the narrower format")
    quantum = Fraction(2) ** (binade(size) - min(mantissa, f.mantissa))
    rounded = round(x.value / quantum) * quantum
    if abs(rounded) >= Fraction(2) ** (2 ** (exponent - 1)):
        raise Unknown("a number beyond the narrower format")
    return Computed(number(rounded))


def convert(source, kind, code):
    if source == kind:
        return Exact(code)
    if source in PARTS or kind in PARTS:
        return converted_parts(source, kind, code)
    value = decode(source, code) if source in FORMATS else number(integer(source, code))
    if kind in FORMATS:
        return Computed(value)
    if kind == "pred":
        return Exact(int(value.is_nan or value.kind == "infinity" or value.value != 0))
    if source not in FORMATS:
        return Exact(int(value.value) % (1 << width(kind)))
    if value.kind != "number":
        raise Unknown("an integer of what is no number")
    whole = int(value.value)  # cut off
    low = -(1 << (width(kind) - 1)) if kind[0] == "s" else 0
    if not low <= whole < low + (1 << width(kind)):
        raise Unknown("an integer beyond its type")
    return Exact(whole % (1 << width(kind)))


def converted_parts(source, kind, code):
    """To a complex type, part by part; the imaginary part of a real number is 0."""
    if kind not in PARTS:
        raise Unknown("the real part as a conversion")
    part, codes = PARTS[kind], []
    for one in code if source in PARTS else [code]:
        value = decode(PARTS.get(source, source), one) if source in FORMATS or (
            source in PARTS) else number(integer(source, one))
        codes.append(encode(part, value))
    return Exact(tuple(codes if source in PARTS else [*codes, 0]))


def compare(instruction, kinds, first, second):
    kind, direction = kinds[0], instruction.attributes["direction"]
    if len(set(kinds)) > 1:
        raise Unknown("a comparison of two types")
    if instruction.attributes.get("type", "FLOAT") == "TOTALORDER" and kind in FORMATS:
        raise Unknown("a total order")
    if kind in PARTS:
        part = PARTS[kind]
        equal = all(arithmetic.compare("EQ", decode(part, a), decode(part, b))
                    for a, b in zip(first, second))
        return Exact(int(equal == (direction == "EQ")))
    if kind in FORMATS:
        return Exact(int(arithmetic.compare(direction, decode(kind, first), decode(kind, second))))
    a, b = integer(kind, first), integer(kind, second)
    return Exact(int({"EQ": a == b, "NE": a != b, "LT": a < b, "LE": a <= b, "GT": a > b,
                      "GE": a >= b}[direction]))
