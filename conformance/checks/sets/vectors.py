"""Cases as lines of a vector file, and the sets that stand in them (conformance.md, Vectors)."""

from __future__ import annotations

import json
from cases import Array, Case, bits_of, module, shape
from formats import PARTS, Type, code_at, decode, first_place, last_place, place
from valuesets import ANY, Between, ValueSet, single

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
        make = single if set_.get("nan") == "same" else _itself
        return [make(part, code) for code in codes]
    values = _components(t, parse_literal(set_["interval"], t))
    found = []
    ranges = [set_, *set_.get("also", [])]
    ends = [[_components(t, parse_literal(r[end], t)) for end in ("low", "high")]
            for r in ranges]
    nans = set_.get("nans", "0" * len(values))
    for i, value in enumerate(values):
        if nans[i] == "s":
            found.append(single(part, value))
            continue
        found.append(_element(part, value, [(low[i], high[i]) for low, high in ends]))
        if nans[i] == "1":
            found[-1].add_nan()
    return found


def _is_nan(t: Type, code: int) -> bool:
    return t.kind == "float" and decode(t, code).kind == "nan"


def _itself(t: Type, code: int) -> ValueSet:
    """The code, and any quiet NaN beside a NaN."""
    found = single(t, code)
    return found.add_nan() if found.has_nan else found


def _element(t: Type, value: int, ranges: list[tuple[int, int]]) -> ValueSet:
    found = _itself(t, value)
    for k, (low, high) in enumerate(ranges):
        if k > 0 and t.family == "ieee" and low == high != value and _is_nan(t, low):
            found.add_code(t, low)
            continue
        if _is_nan(t, value) and _is_nan(t, low) and _is_nan(t, high):
            continue
        if _is_nan(t, low) or _is_nan(t, high):
            found.add_nan()
        found.add(first_place(t) if _is_nan(t, low) else place(t, low),
                  last_place(t) if _is_nan(t, high) else place(t, high))
    return found


def inner(s: ValueSet | Between) -> ValueSet:
    return s.inner if isinstance(s, Between) else s


def _own_nan(s: ValueSet) -> int | None:
    """The NaN that stands for itself in a case: the only value, or a signaling one."""
    codes = sorted(s.signaling) + (sorted(s.nan) if isinstance(s.nan, frozenset) else [])
    return codes[0] if codes else None


def _can_be_stated(s: ValueSet) -> bool:
    """Whether a case tells its NaNs: none, all quiet ones and at most one signaling, or one."""
    if s.nan == ANY:
        return len(s.signaling) <= 1
    own = len(s.signaling) + len(s.nan or ())
    return own == 0 or (own == 1 and not s.ranges)


def stated(t: Type, dims: tuple[int, ...], sets: list[ValueSet]) -> dict:
    """Sets of the elements of a real array as an interval."""
    rows = [_ranges(t, s) for s in sets]
    most = max(len(row) for row in rows)
    columns = [[row[min(k, len(row) - 1)] for row in rows] for k in range(most)]

    def literal(codes: list[int]) -> str:
        return " ".join([shape(t, dims), *(bits_of(t, code) for code in codes)])

    ranges = [{"low": literal([low for low, _ in column]),
               "high": literal([high for _, high in column])} for column in columns]
    owns = [_own_nan(s) for s in sets]
    values = [row[0][0] if own is None else own for row, own in zip(rows, owns)]
    result: dict = {"interval": literal(values), **ranges[0]}
    if most > 1:
        result["also"] = ranges[1:]
    nans = "".join("1" if s.nan == ANY else "s" if s.has_nan else "0" for s in sets)
    if set(nans) != {"0"}:
        result["nans"] = nans
    return result


def _ranges(t: Type, s: ValueSet) -> list[tuple[int, int]]:
    if not s.ranges:
        own = _own_nan(s)
        return [(t.nan if own is None else own,) * 2]
    return [(code_at(t, low), code_at(t, high)) for low, high in s.ranges]


def probes(t: Type, sets: list[ValueSet]) -> list[tuple[str, list[int]]]:
    """Values for a leaf with these sets: both ends of each range, the codes beside them, NaNs."""
    found = []
    for k in range(max(1, *(len(s.ranges) for s in sets))):
        for name, end, step in (("low", 0, 0), ("high", 1, 0), ("below", 0, -1), ("above", 1, 1)):
            found.append((f"{name}.{k}", [_near_end(t, s, k, end, step) for s in sets]))
    for name, code in (("nan", t.nan), ("signaling", t.infinity | 1)) if t.has_nan else ():
        if decode(t, code).kind == "nan":
            found.append((name, [code for _ in sets]))
            own = [_own_nan(s) for s in sets]
            found.append((f"{name}.own", [code if x is None else x for x in own]))
    return found


def _near_end(t: Type, s: ValueSet, k: int, end: int, step: int) -> int:
    """The code at an end of the k-th range, or of the last, or the one beside it if there is
    one; of what has no range NaN, and what lies beside that is 0."""
    if not s.ranges:
        own = _own_nan(s)
        return 0 if step else t.nan if own is None else own
    where = s.ranges[min(k, len(s.ranges) - 1)][end]
    beside = where + step
    return code_at(t, beside if first_place(t) <= beside <= last_place(t) else where)


def judged_lines(case: Case) -> list[tuple[str, int, str]]:
    """Cases of a program that returns what it is given, the first the sets: an id, how many
    elements are outside, and the line."""
    result = []
    for k, ((t, dims), sets) in enumerate(zip(case.leaves, case.sets)):
        if t.kind != "float" or not sets or None in sets:
            continue
        own = [inner(s).limited() for s in sets]
        if not all(map(_can_be_stated, own)):
            continue
        text = module([f"ROOT p = {shape(t, dims)} parameter(0)"])
        for name, codes in probes(t, own):
            outside = sum(not s.holds(t, code) for s, code in zip(own, codes))
            id_ = f"{case.id}.{k}.{name}"
            result.append((id_, outside, line(id_, text, [Array(t, dims, codes)],
                                              [stated(t, dims, own)], "exact")))
    return result
