"""Programs that expect values at the ends of their sets and beside them, by checks of their own
(conformance.md, Declared checks): a check that fails says whether the operation may return what
was expected, all of it."""

from __future__ import annotations

from cases import Array, Case
from complex_rules import FUNCTIONS as COMPLEX_FUNCTIONS
from elementwise import FUNCTIONS_OF_TWO, REAL_FUNCTIONS
from formats import PARTS, Type, code_at, first_place, last_place
from valuesets import ANY, Between, ValueSet

OF_SUMS = ("sum", "fold")
EXACT = ("sqrt", "sign", "abs")  # that have one result, or are judged as if they had

Codes = list[int]  # of all components


def has_checks(case: Case) -> bool:
    """Whether such a check knows the operation: where it has one result, it is not asked."""
    if case.leaves[0][0].kind not in ("float", "complex"):
        return False
    own = [*REAL_FUNCTIONS, *FUNCTIONS_OF_TWO, *COMPLEX_FUNCTIONS]
    known = case.kind in OF_SUMS or (case.operation in own and case.operation not in EXACT)
    return known and case.profile == "tight" and all(case.sets) and None not in case.sets[0]


def expected_arrays(case: Case) -> list[tuple[str, bool, Array]]:
    """Arrays with what they are and whether all their elements are in the sets."""
    own, dims = case.leaves[0]
    t = PARTS.get(own.name, own)
    inner = [s.inner if isinstance(s, Between) else s for s in case.sets[0]]
    outer = [(s.outer if isinstance(s, Between) else s).limited() for s in case.sets[0]]
    low = [_inside(t, s, 0) for s in inner]
    found = [("low", True, low), ("high", True, [_inside(t, s, -1) for s in inner])]
    if any(s.nan == ANY for s in inner):
        nans = [t.nan if s.nan == ANY else code for s, code in zip(inner, low)]
        found.append(("nan", True, nans))
    for i, s in enumerate(outer):
        for code in _beside(t, s):
            name = f"{code:0{t.digits}x} at {i}"
            found.append((name, False, [*low[:i], code, *low[i + 1:]]))
    return [(name, inside, Array(own, dims, _elements(own, codes)))
            for name, inside, codes in found]


def _inside(t: Type, s: ValueSet, which: int) -> int:
    """The least value, or the greatest for -1; NaN where there is no number."""
    if not s.ranges:
        return t.nan if s.nan == ANY else min([*s.signaling, *(s.nan or ())])
    return code_at(t, s.ranges[which][which])


def _beside(t: Type, s: ValueSet) -> Codes:
    """The codes next to the ranges that are not in the set, and NaN where that is none."""
    places = [where for low, high in s.ranges for where in (low - 1, high + 1)]
    if not s.ranges:
        places = [0, last_place(t)]
    codes = [code_at(t, p) for p in places if first_place(t) <= p <= last_place(t)]
    if t.has_nan and not s.has_nan:
        codes.append(t.nan)
    return [code for code in codes if not s.holds(t, code)]


def _elements(t: Type, codes: Codes) -> list:
    return list(zip(codes[::2], codes[1::2])) if t.name in PARTS else codes


def program(case: Case, arrays: list[Array]) -> str:
    """The case's program with a check of its result for each array, which is a parameter."""
    result = arrays[0].shape
    head, _, root = case.hlo.rpartition("  ROOT r = ")
    lines = [root.removesuffix("}\n").rstrip("\n")]
    first = len(case.inputs)
    for k, _ in enumerate(arrays):
        lines.append(f"q{k} = {result} parameter({first + k})")
        lines.append(f"c{k} = () custom-call(r, q{k}), custom_call_target=\"check.expect_eq\", "
                     "custom_call_has_side_effect=true")
    lines.append(f"ROOT out = {result} copy(r)")
    return head + "  r = " + "\n  ".join(lines) + "\n}\n"


def verdicts(text: str) -> list[bool | None]:
    """Of each check, whether the expected array is in the sets, by what `eval` says; None where
    only the signs of zeros differ, which such a check does not mind."""
    lines = [line for line in text.splitlines() if ": check.expect_eq: " in line]
    return [None if " within its tolerance" in line
            else " bit-equal" in line or "may return it too)" in line for line in lines]
