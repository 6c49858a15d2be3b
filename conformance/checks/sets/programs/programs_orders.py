"""Random sorts with equal keys."""

from __future__ import annotations

from cases import Array, Case, module, parameters
from conversions import order
from formats import TYPES, Type, decode, encode, integer, number
from streams import Stream
from values import any_code
from valuesets import ValueSet, single


def _key(t: Type, code: int, total: bool) -> tuple:
    if t.kind != "float":
        return (integer(t, code),)
    if total:
        return (order(t, code),)
    x = decode(t, code)
    return ((-1 if x.negative else 1) if x.kind == "infinite" else 0, x.value)


def _code(t: Type, s: Stream, total: bool) -> int:
    """Few different keys; zeros of both signs, and NaN in the total order."""
    if t.kind != "float":
        return s.between(-2, 2) & (1 << t.bits) - 1
    choice = s.below(6)
    if choice == 0:
        return encode(t, number(0, True))
    while choice == 1:
        code = any_code(t, s)
        if total or decode(t, code).kind != "nan":
            return code
    return encode(t, number(s.between(-1, 2)))


def sort_case(name: str, s: Stream) -> Case:
    """Keys and what they carry along; equal keys in any order unless the sort is stable."""
    t = TYPES[s.one_of(["f32", "f16", "bf16", "s8", "s32", "f8e4m3fn"])]
    length, total, stable = s.between(2, 12), t.kind == "float" and s.chance(2), s.chance(3)
    direction = s.one_of(["LT", "GT"])
    rows = [(_code(t, s, total), s.bits(16)) for _ in range(length)]
    carried = TYPES["u16"]
    inputs = [Array(t, (length,), [k for k, _ in rows]),
              Array(carried, (length,), [v for _, v in rows])]
    words = f", direction={direction}" + (", type=TOTALORDER" if total else "")
    comparator = (f"before {{\n  a = {t.name}[] parameter(0)\n  b = {t.name}[] parameter(1)\n"
                  "  c = u16[] parameter(2)\n  d = u16[] parameter(3)\n"
                  f"  ROOT r = pred[] compare(a, b){words}\n}}\n\n")
    text = module(
        [*parameters(inputs),
         f"ROOT r = ({t.name}[{length}], u16[{length}]) sort(p0, p1), dimensions={{0}}, "
         f"{'is_stable=true, ' if stable else ''}to_apply=before"], comparator)
    ordered = sorted(rows, key=lambda row: _key(t, row[0], total), reverse=direction == "GT")
    if direction == "GT":  # equal rows keep their order
        ordered = sorted(rows, key=lambda row: tuple(-k for k in _key(t, row[0], total)))
    keys = [_key(t, row[0], total) for row in ordered]
    sets: list[list[ValueSet]] = [[], []]
    for place, own in enumerate(ordered):
        run = [own] if stable else [r for r, key in zip(ordered, keys) if key == keys[place]]
        sets[0].append(_union(t, [row[0] for row in run]))
        sets[1].append(_union(carried, [row[1] for row in run]))
    for leaf in sets:  # equal rows that differ: no set of single elements says what may be
        if any(len(s.ranges) + (s.nan is not None) > 1 or s.ranges and s.ranges[0][0]
               != s.ranges[0][1] for s in leaf):
            leaf[:] = [None] * length
    return Case(name, "order", "sort", "tight", text, inputs,
                [(t, (length,)), (carried, (length,))], sets)


def _union(t: Type, codes: list[int]) -> ValueSet:
    found = ValueSet()
    for code in codes:
        found.join(single(t, code))
    return found
