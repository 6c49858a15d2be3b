"""HLO text as computations of instructions, and arrays of codes."""

import re
from dataclasses import dataclass, field

from oracle.formats import PARTS, Unknown, width

HEAD = re.compile(r"^(?:ENTRY )?%?([\w.-]+) (?:\(.*\) -> .* )?\{$")
LINE = re.compile(r"^(ROOT )?%?([\w.-]+) = (\(.*?\)|\S+) ([\w-]+)\((.*)$")
COMMENT = re.compile(r"/\*.*?\*/")
DEVICES = re.compile(r"\b(replica_count|num_partitions)=(?!1\b)")
ARRAY = re.compile(r"^([a-z]\w*)\[([\d,]*)\](?:\{.*\})?$")


@dataclass
class Shape:
    """Of an array, or of a tuple of arrays."""

    kind: str
    sizes: tuple
    leaves: list = field(default_factory=list)

    def leaf(self, number):
        leaves = self.leaves if self.kind == "tuple" else [self]
        if number >= len(leaves):
            raise Unknown("a result of another device")
        return leaves[number]


@dataclass
class Instruction:
    shape: Shape
    operation: str
    operands: list
    attributes: dict
    text: str  # between its parentheses


@dataclass
class Computation:
    instructions: dict = field(default_factory=dict)
    parameters: dict = field(default_factory=dict)  # names by numbers
    root: str = ""


def shape_of(text):
    match = ARRAY.match(text)
    if match is None:
        raise Unknown(f"a shape {text}")
    return Shape(match[1], tuple(int(size) for size in match[2].split(",") if size))


def shape_or_tuple(text):
    text = COMMENT.sub("", text)
    if not text.startswith("("):
        return shape_of(text)
    return Shape("tuple", (), [shape_of(part) for part in split(text[1:-1])])


def closing(text):
    """The place of the parenthesis that ends a list of operands."""
    depth = 1
    for at, letter in enumerate(text):
        depth += (letter in "({[") - (letter in ")}]")
        if depth == 0:
            return at
    raise Unknown("an instruction without an end")


def split(text):
    """At commas outside of braces."""
    parts, depth, begin = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "({[") - (letter in ")}]")
        if letter == "," and depth == 0:
            parts.append(text[begin:at].strip())
            begin = at + 1
    return [part for part in [*parts, text[begin:].strip()] if part]


def attributes_of(text):
    found = {}
    for part in split(text):
        name, equals, value = part.partition("=")
        if equals:
            found[name.strip()] = value.strip()
    return found


def instruction_of(match):
    _, name, shape, operation, rest = match.groups()
    end = closing(rest)
    inner = COMMENT.sub("", rest[:end])
    operands = [] if operation in ("parameter", "constant") else [
        operand.split()[-1].lstrip("%") for operand in split(inner)]
    return name, Instruction(shape_or_tuple(shape), operation, operands,
                             attributes_of(rest[end + 1:]), inner)


def parse(text):
    """The computations by their names; "ENTRY" is the one that runs."""
    computations, current = {}, None
    if DEVICES.search(text.partition("\n")[0]):
        raise Unknown("a program of several devices")
    for line in map(str.strip, text.splitlines()):
        if match := HEAD.match(line):
            current = Computation()
            computations["ENTRY" if line.startswith("ENTRY") else match[1]] = current
        elif current is not None and (match := LINE.match(line)):
            name, instruction = instruction_of(match)
            current.instructions[name] = instruction
            if instruction.operation == "parameter":
                current.parameters[int(instruction.text)] = name
            if match[1]:
                current.root = name
    if "ENTRY" not in computations:
        raise Unknown("a program without an entry")
    return computations


def words_of(text):
    """The elements of { {1, 2}, {3, 4} }, in their order."""
    return re.findall(r"[^{},\s]+", text)


def numbers(text):
    """The integers of {1,2,3}."""
    return [int(word) for word in text.strip("{}").split(",") if word.strip()]


class Array:
    """Codes by index; those of complex types are pairs."""

    def __init__(self, shape, codes):
        self.shape, self.codes = shape, codes

    def at(self, index):
        place = 0
        for size, part in zip(self.shape.sizes, index):
            if not 0 <= part < size:
                raise Unknown("an index outside of its array")
            place = place * size + part
        return self.codes[place]


def literal(text):
    """`f32[2] 3f800000*2`: bits in hexadecimal, runs of equal ones with their number."""
    head, *words = text.split()
    shape, codes = shape_of(head), []
    for word in words:
        bits, _, count = word.partition("*")
        parts = tuple(int(part, 16) for part in bits.split(":"))
        codes += [parts if shape.kind in PARTS else parts[0]] * int(count or 1)
    return Array(shape, codes)


def written(array):
    """The text of an array, with one word for equal codes in a row."""
    kind = array.shape.kind
    part = PARTS.get(kind, kind)
    digits, words = (width(part) + 3) // 4, []
    for code in array.codes:
        word = ":".join(f"{one:0{digits}x}" for one in (code if kind in PARTS else [code]))
        if words and words[-1][0] == word:
            words[-1][1] += 1
        else:
            words.append([word, 1])
    sizes = ",".join(map(str, array.shape.sizes))
    return " ".join([f"{kind}[{sizes}]"] + [
        word if count == 1 else f"{word}*{count}" for word, count in words])
