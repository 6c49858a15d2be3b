"""Cases as lines of a vector file, and the sets that stand in them (conformance.md, Vectors)."""

from __future__ import annotations

import json
from cases import Array, Case, bits_of, module, shape
from formats import PARTS, Type, code_at, decode, first_place, last_place, place
from valuesets import ANY, Between, ValueSet, computed, single

HEADER = {"generator": "conformance/checks/sets/run.py", "command": "run.py",
          "notes": {"Drawn": "drawn at random"}, "do_not_edit": True}


def line(id_: str, hlo: str, inputs: list[Array], expect: object, source: str) -> str:
    case = {"id": id_, "statement": "the set is that of conformance.md", "why": ["Drawn"],
            "hlo": hlo, "inputs": [x.literal() for x in inputs], "expect": expect,
            "source": source}
    return json.dumps(case, separators=(",", ":"))


def reference_line(case: Case) -> str:
    """A case that leaves its sets to the reference."""
    return line(case.id, case.hlo, case.inputs, "reference",
                "reference")


def parse_literal(text: str, t: Type) -> list:
    """The codes of a literal, pairs of complex elements."""
    codes: list = []
    for word in text.split(" ")[1:]:
        bits, _, count = word.partition("*")
        parts = [int(part, 16) for part in bits.split(":")]
        codes += [tuple(parts) if t.kind == "complex" else parts[0]] * int(count or 1)
    return codes


def _components(t: Type, codes: list) -> list[int]:
    return [part for code in codes for part in code] if t.kind == "complex" else codes


def parse_expectation(set_: dict, t: Type) -> list[ValueSet | None]:
    """The sets of all components of a leaf."""
    part = PARTS.get(t.name, t)
    if "unspecified" in set_:
        return [None]
    if "bits" in set_:
        codes = _components(t, parse_literal(set_["bits"], t))
        make = single if set_.get("nan") == "same" else computed
        return [make(part, code) for code in codes]
    values = _components(t, parse_literal(set_["interval"], t))
    found = []
    ranges = [set_, *set_.get("also", [])]
    ends = [[_components(t, parse_literal(r[end], t)) for end in ("low", "high")]
            for r in ranges]
    nans = set_.get("nans", "0" * len(values))
    for i, value in enumerate(values):
        found.append(_element(part, value, [(low[i], high[i]) for low, high in ends]))
        if nans[i] == "1":
            found[-1].add_nan()
    return found


def _is_nan(t: Type, code: int) -> bool:
    return t.kind == "float" and decode(t, code).kind == "nan"


def _element(t: Type, value: int, ranges: list[tuple[int, int]]) -> ValueSet:
    found = computed(t, value)
    for low, high in ranges:
        if _is_nan(t, value) and _is_nan(t, low) and _is_nan(t, high):
            continue
        if _is_nan(t, low) or _is_nan(t, high):
            found.add_nan()
        found.add(first_place(t) if _is_nan(t, low) else place(t, low),
                  last_place(t) if _is_nan(t, high) else place(t, high))
    return found


def inner(s: ValueSet | Between) -> ValueSet:
    return s.inner if isinstance(s, Between) else s


def stated(t: Type, dims: tuple[int, ...], sets: list[ValueSet]) -> dict:
    """Sets of the elements of a real array as an interval."""
    rows = [_ranges(t, s) for s in sets]
    most = max(len(row) for row in rows)
    columns = [[row[min(k, len(row) - 1)] for row in rows] for k in range(most)]

    def literal(codes: list[int]) -> str:
        return " ".join([shape(t, dims), *(bits_of(t, code) for code in codes)])

    ranges = [{"low": literal([low for low, _ in column]),
               "high": literal([high for _, high in column])} for column in columns]
    result: dict = {"interval": literal([row[0][0] for row in rows]), **ranges[0]}
    if most > 1:
        result["also"] = ranges[1:]
    nans = "".join("1" if s.nan == ANY else "0" for s in sets)
    if "1" in nans:
        result["nans"] = nans
    return result


def _ranges(t: Type, s: ValueSet) -> list[tuple[int, int]]:
    if not s.ranges:
        return [(t.nan, t.nan)]
    return [(code_at(t, low), code_at(t, high)) for low, high in s.limited().ranges]


def probes(t: Type, sets: list[ValueSet]) -> list[tuple[str, list[int], int]]:
    """Values for a leaf with these sets: a name, the codes, and how many lie outside."""
    inside = [code_at(t, s.ranges[0][0]) if s.ranges else t.nan for s in sets]
    ends = [code_at(t, s.ranges[-1][1]) if s.ranges else t.nan for s in sets]
    found = [("low", inside, 0), ("high", ends, 0)]
    for name, which in (("below", 0), ("above", 1)):
        codes = [_next_to(t, s, which, code) for s, code in zip(sets, inside)]
        found.append((name, codes, sum(a != b for a, b in zip(codes, inside))))
    if t.has_nan:
        codes = [t.nan for _ in sets]
        found.append(("nan", codes, sum(s.nan is None for s in sets)))
    return found


def _next_to(t: Type, s: ValueSet, above: int, otherwise: int) -> int:
    """A code just outside of the lowest or the highest range, if there is one."""
    if not s.ranges:
        return 0 if s.nan is not None else otherwise
    where = s.ranges[-1][1] + 1 if above else s.ranges[0][0] - 1
    inside = first_place(t) <= where <= last_place(t)
    return code_at(t, where) if inside else otherwise


def judged_lines(case: Case) -> list[tuple[str, int, str]]:
    """Cases of a program that returns what it is given, the first the sets: an id, how many
    elements are outside, and the line."""
    result = []
    for k, ((t, dims), sets) in enumerate(zip(case.leaves, case.sets)):
        plain = t.kind == "float" and all(
            s is not None and inner(s).nan in (None, ANY) for s in sets)
        if not plain or not sets:
            continue
        own = [inner(s).limited() for s in sets]
        text = module([f"ROOT p = {shape(t, dims)} parameter(0)"])
        for name, codes, outside in probes(t, own):
            id_ = f"{case.id}.{k}.{name}"
            result.append((id_, outside, line(id_, text, [Array(t, dims, codes)],
                                              [stated(t, dims, own)], "exact")))
    return result

