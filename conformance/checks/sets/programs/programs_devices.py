"""Random all-reduces and reduce-scatters, which add or multiply what devices bring."""

from __future__ import annotations

from cases import Array, Case, module, parameters, region
from formats import Type
from products import extreme_set, product_set
from profiles import parse
from programs.programs_elementwise import any_float
from programs.programs_sums import matrix_of, sum_profile, values_of
from streams import Stream
from sums import Terms, quantum_of, sum_set
from values import any_code, middling
from valuesets import single

WIDTH = 6
SLICE = "dynamic_slice_sizes={1,6}"


def collective_case(name: str, s: Stream) -> Case:
    """Each replica has a row of its own; a group's members combine theirs."""
    t, operation = any_float(s), s.one_of(["add"] * 4 + ["multiply", "maximum", "minimum"])
    count = s.between(1, 7)
    groups = _groups(count, s)
    if operation == "add":
        profile, rows = sum_profile(s), matrix_of(t, count, WIDTH, s)
    else:
        profile = s.one_of(["tight", "tight", "cr", "exact"])
        rows = [[any_code(t, s) if s.chance(4) else middling(t, s) for _ in range(WIDTH)]
                for _ in range(count)]
    sizes = {len(group) for group in groups}
    size = sizes.pop()
    scatters = not sizes and WIDTH % size == 0 and s.chance(2)
    inputs = [Array(t, (count, WIDTH), sum(rows, []))]
    sets = []
    for device in range(count):
        group = next(group for group in groups if device in group)
        of_group = [_set(operation, t, rows, group, column, profile) for column in range(WIDTH)]
        part, at = WIDTH // size, group.index(device)
        sets.append(of_group[at * part:(at + 1) * part] if scatters else of_group)
    return Case(name, "collective", "reduce-scatter" if scatters else "all-reduce", profile,
                _text(t, operation, groups, size if scatters else 0, inputs), inputs,
                [(t, (len(own),)) for own in sets], sets)


def _groups(count: int, s: Stream) -> list[list[int]]:
    """All devices, or groups of one size, in any order."""
    order = list(range(count))
    for place in range(count):
        other = s.between(place, count - 1)
        order[place], order[other] = order[other], order[place]
    size = s.one_of([n for n in range(1, count + 1) if count % n == 0])
    return [order[k:k + size] for k in range(0, count, size)]


def _set(operation: str, t: Type, rows: list[list[int]], group: list[int], column: int,
         profile: str) -> object:
    codes = [rows[member][column] for member in group]
    if len(codes) == 1:  # the operand
        found = single(t, codes[0])
        return found.add_nan() if found.has_nan else found
    if operation == "multiply":
        return product_set(t, values_of(t, codes), parse(profile))
    if operation != "add":
        return extreme_set(t, operation, codes, parse(profile))
    whole = sum((rows[member] for member in group), [])
    terms = Terms(tuple(values_of(t, codes)), quantum_of(values_of(t, whole)))
    return sum_set(t, [terms], parse(profile))


def _text(t: Type, operation: str, groups: list[list[int]], scattered: int,
          inputs: list[Array]) -> str:
    count = inputs[0].dims[0]
    lists = ",".join("{" + ",".join(map(str, group)) + "}" for group in groups)
    width, kind, rest = WIDTH, "all-reduce", ""
    if scattered:
        width, kind, rest = WIDTH // scattered, "reduce-scatter", ", dimensions={0}"
    text = module(
        [*parameters(inputs), "i = u32[] replica-id()", "zero = u32[] constant(0)",
         f"row = {t.name}[1,{WIDTH}] dynamic-slice(p0, i, zero), {SLICE}",
         f"own = {t.name}[{WIDTH}] reshape(row)",
         f"ROOT r = {t.name}[{width}] {kind}(own), replica_groups={{{lists}}}{rest}, "
         "to_apply=fold"], region("fold", t, operation))
    return text.replace("HloModule m", f"HloModule m, replica_count={count}", 1)


