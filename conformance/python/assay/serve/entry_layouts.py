"""Orders of dimensions at the entry of a program: read in HLO text, written to StableHLO's."""

import re

ROOT = re.compile(r"^ *ROOT \S+ = (\(.*?\)|\S+) [\w-]+\(")
PARAMETER = re.compile(r"^ *(?:ROOT )?\S+ = (\S+) parameter\((\d+)\)")
SHAPE = re.compile(r"\b[a-z]\w*\[([^\]]*)\](?:\{([\d,]*))?")
MAIN = re.compile(r"^( *func\.func (?:public )?@main\()(.*)(\) -> )(.*)( \{)$", re.MULTILINE)
ARGUMENT = re.compile(r"%arg(\d+): tensor<[^<>]*(?:<[^<>]*>)?>(?: \{)?")
RESULT = re.compile(r"tensor<[^<>]*(?:<[^<>]*>)?>(?: \{)?")


def order_of(sizes, order):
    """The dimensions from minor to major; None where they are row-major."""
    rank = sizes.count(",") + 1 if sizes else 0
    row_major = list(range(rank - 1, -1, -1))
    found = [int(dim) for dim in order.split(",")] if order else row_major
    return None if found == row_major else found


def orders_of(shape):
    """That of each array of a shape, which may be a tuple's."""
    return [order_of(*match.groups(default="")) for match in SHAPE.finditer(shape)]


def entry_orders(program):
    """Those of the parameters by their numbers, and those of the results."""
    parameters, results = {}, []
    for line in program[program.find("\nENTRY ") + 1:].splitlines():
        if match := PARAMETER.match(line):
            (parameters[int(match[2])],) = orders_of(match[1]) or [None]
        if match := ROOT.match(line):
            results = orders_of(match[1])
    return parameters, results


def mode(matched, order):
    """That type of an argument or result with the attribute that asks for an order."""
    if order is None:
        return matched
    asked = f'mhlo.layout_mode = "{{{",".join(map(str, order))}}}"'
    if matched.endswith("{"):
        return f"{matched}{asked}, "
    return f"{matched} {{{asked}}}"


def with_modes(text, parameters, results):
    """The module in StableHLO's text with these orders; None where they have no place in it."""
    match = MAIN.search(text)
    if match is None:
        return None
    head, arguments, arrow, types, end = match.groups()
    kinds = RESULT.findall(types)
    if len(kinds) != len(results):
        return None
    arguments = ARGUMENT.sub(lambda one: mode(one[0], parameters.get(int(one[1]))), arguments)
    orders = iter(results)
    types = RESULT.sub(lambda one: mode(one[0], next(orders)), types)
    if len(kinds) == 1 and not types.startswith("("):
        types = f"({types})"
    return text[:match.start()] + head + arguments + arrow + types + end + text[match.end():]
