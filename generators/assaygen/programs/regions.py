"""Computations that call others, as text and as what they compute.

A step is an instruction with the rule of its value; a computation runs its
steps in order. Shapes and values are arrays, tuples of them (also nested) and
TOKEN; a shape is an array without codes.
"""

from __future__ import annotations

from assaygen import arrays, types
from assaygen.arrays import Array
from assaygen.cases import Case, bits
from assaygen.streams import Stream

TOKEN = None
PRED, S32 = types.BY_NAME["pred"], types.S32
FLAG = Array(PRED, (), ())
COMPARE = {
    "EQ": lambda a, b: a == b, "NE": lambda a, b: a != b, "LT": lambda a, b: a < b,
    "LE": lambda a, b: a <= b, "GT": lambda a, b: a > b, "GE": lambda a, b: a >= b,
}
ARITHMETIC = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "maximum": max,
    "minimum": min,
}


def shape(t, *dims: int, layout: str = "") -> Array:
    return Array(t, dims, (), layout)


def shape_of(value):
    if isinstance(value, tuple):
        return tuple(map(shape_of, value))
    return value and Array(value.type, value.dims, (), value.layout)


def text_of(form) -> str:
    if isinstance(form, tuple):
        return "(" + ", ".join(map(text_of, form)) + ")"
    return form.shape if form else "token[]"


def leaves(value) -> list[Array]:
    """The arrays in a value, from left to right."""
    if isinstance(value, tuple):
        return [leaf for part in value for leaf in leaves(part)]
    return [value] if value else []


def number(t, code) -> str:
    """One element, as text."""
    if t.kind == "float":
        value = types.decode(t, code)
        return "-0.0" if value.is_zero and value.sign < 0 else str(float(value.exact))
    return str(t.integer(code) if t.kind == "int" else code)


def literal(x: Array) -> str:
    """The elements of an array that is not empty, in braces."""
    words = [number(x.type, code) for code in x.codes]
    for size in reversed(x.dims):
        words = ["{" + ", ".join(words[i:i + size]) + "}" for i in range(0, len(words), size)]
    return words[0] if x.dims or x.type is not PRED else ("false", "true")[x.codes[0]]


def combine(name: str, a: Array, b: Array) -> Array:
    """An operation on the integers of two arrays, element by element."""
    t = a.type
    read = t.integer if t.kind == "int" else int
    return Array(t, a.dims, tuple(
        t.wrap(ARITHMETIC[name](read(x), read(y))) for x, y in zip(a.codes, b.codes)))


def scalar(t, x: int) -> Array:
    return Array(t, (), (t.wrap(x),))


class Region:
    """A computation; its parameters are p0, p1, ... and its values have the
    names that its methods give back."""

    def __init__(self, name: str, *parameters, tail: str = "") -> None:
        self.name, self.parameters, self.tail = name, parameters, tail
        self.shapes = {f"p{i}": x for i, x in enumerate(parameters)}
        self.lines = [f"  p{i} = {text_of(x)} parameter({i})"
                      for i, x in enumerate(parameters)]
        self.steps: list[tuple] = []
        self.called: list[Region] = []
        self.root = f"p{len(parameters) - 1}" if parameters else ""

    def step(self, form, op: str, operands=(), rule=None, extra: str = "",
             calls=()) -> str:
        """An instruction; rule gives its value for those of its operands."""
        name = f"v{len(self.steps)}"
        self.lines.append(f"  {name} = {text_of(form)} {op}({', '.join(operands)}){extra}")
        self.steps.append((name, operands, rule))
        self.shapes[name] = form
        self.called += [region for region in calls if region not in self.called]
        self.root = name
        return name

    def constant(self, t, x: int) -> str:
        literal = ("false", "true")[x] if t is PRED else t.integer(t.wrap(x))
        name = self.step(shape(t), "constant", (), lambda: scalar(t, x))
        self.lines[-1] = f"  {name} = {t.name}[] constant({literal})"
        return name

    def bits(self, x: Array) -> str:
        """A constant of any bits: by way of unsigned integers, or of parts."""
        t, form = x.type, shape_of(x)
        if t.kind == "complex":
            part = types.component(t)
            names = [self.bits(Array(part, x.dims, codes)) for codes in zip(*x.codes)]
            return self.step(form, "complex", names, lambda *_: x)
        if t.kind == "float" and t.specials != "finite":
            word = types.BY_NAME[f"u{t.bits}"]
            name = self.bits(Array(word, x.dims, x.codes))
            return self.step(form, "bitcast-convert", (name,), lambda _: x)
        name = self.step(form, "constant", (), lambda: x)
        self.lines[-1] = f"  {name} = {form.shape} constant({literal(x)})"
        return name

    def value(self, x) -> str:
        """A constant of any bits, or a tuple of such."""
        if isinstance(x, tuple):
            return self.tuple(*(self.value(part) for part in x))
        return self.bits(x)

    def spread(self, t, x: int, dims) -> str:
        """A constant, broadcast where the array is no scalar."""
        name = self.constant(t, x)
        return self.step(shape(t, *dims), "broadcast", (name,), lambda a: arrays.splat(
            t, dims, a.codes[0]), ", dimensions={}") if dims else name

    def two(self, op: str, a: str, b: str) -> str:
        form = self.shapes[a]
        return self.step(form, op, (a, b), lambda x, y: combine(op, x, y))

    def compare(self, a: str, b: str, direction: str) -> str:
        t, dims = self.shapes[a].type, self.shapes[a].dims
        return self.step(shape(PRED, *dims), "compare", (a, b), lambda x, y: Array(
            PRED, dims, tuple(int(COMPARE[direction](t.integer(i), t.integer(j)))
                              for i, j in zip(x.codes, y.codes))),
            f", direction={direction}")

    def tuple(self, *names: str) -> str:
        return self.step(tuple(self.shapes[x] for x in names), "tuple", names,
                         lambda *parts: parts)

    def element(self, name: str, index: int) -> str:
        return self.step(self.shapes[name][index], "get-tuple-element", (name,),
                         lambda parts: parts[index], f", index={index}")

    def loop(self, name: str, condition: Region, body: Region) -> str:
        def rule(value):
            while condition.run(value).codes[0]:
                value = body.run(value)
            return value
        return self.step(self.shapes[name], "while", (name,), rule,
                         f", condition={condition.name}, body={body.name}",
                         (condition, body))

    def branch(self, selector: str, branches: list[Region], operands: list[str]) -> str:
        """Branches by true and false, or by number; others take the last."""
        flag = self.shapes[selector].type is PRED
        names = [region.name for region in branches]
        extra = (f", true_computation={names[0]}, false_computation={names[1]}" if flag
                 else f", branch_computations={{{', '.join(names)}}}")

        def rule(which, *values):
            k = which.type.integer(which.codes[0]) if not flag else 1 - which.codes[0]
            k = k if 0 <= k < len(branches) else len(branches) - 1
            return branches[k].run(values[k])
        return self.step(branches[0].result, "conditional", (selector, *operands), rule,
                         extra, branches)

    def call(self, region: Region, *operands: str, op: str = "call",
             extra: str = "") -> str:
        how = "calls" if op == "fusion" else "to_apply"
        return self.step(region.result, op, operands, region.run,
                         f"{extra}, {how}={region.name}", (region,))

    @property
    def result(self):
        return self.shapes[self.root]

    def run(self, *arguments):
        values = {f"p{i}": x for i, x in enumerate(arguments)}
        for name, operands, rule in self.steps:
            values[name] = rule(*(values[x] for x in operands))
        return values[self.root]

    def text(self, entry: bool = False) -> str:
        prefix = f"  {self.root} = "
        lines = [line.replace("  ", "  ROOT ", 1) if line.startswith(prefix) else line
                 for line in self.lines]
        return ("ENTRY " * entry + self.name + " {\n" + "\n".join(lines) + "\n}" + self.tail)


def module(main: Region, header: str = "") -> str:
    """The whole text: callees stand before their callers."""
    order: list[Region] = []

    def visit(region):
        for callee in region.called:
            visit(callee)
        if region not in order:
            order.append(region)
    visit(main)
    texts = [region.text(entry=region is main) for region in order]
    head = f"HloModule m{header}"
    shapes = (*main.parameters, main.result)
    if any(x.layout for x in leaves(shapes)):
        operands = ", ".join(map(text_of, main.parameters))
        head += f", entry_computation_layout={{({operands})->{text_of(main.result)}}}"
    return "\n\n".join([head, *texts]) + "\n"


def case(what: str, statement: str, main: Region, why: list[str], *arguments,
         nan: str = "same", header: str = "", devices: int = 1) -> Case:
    """The case that runs main; devices take as many arguments each, in turn."""
    count = len(main.parameters)
    rows = [arguments[i * count:(i + 1) * count] for i in range(devices)]
    results = [leaf for row in rows for leaf in leaves(main.run(*row))]
    return Case(what, statement, module(main, header), [bits(x, nan) for x in results],
                why, leaves(arguments))


def small(t, dims, stream: Stream) -> Array:
    """Small integers, negative ones among them where the type has them."""
    return arrays.build(t, dims, lambda _: t.wrap(stream.below(19) - 9 * t.signed))


def mixed(stream: Stream, region: Region, names: list[str], steps: int) -> str:
    """Some integer operations on values of one shape, the last one's name."""
    form = region.shapes[names[0]]
    names = [region.spread(form.type, 1 + stream.below(9), form.dims), *names]
    for _ in range(steps):
        op = stream.choice(list(ARITHMETIC))
        names.append(region.two(op, stream.choice(names), names[-1]))
    return names[-1]
