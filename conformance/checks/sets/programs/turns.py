"""The random programs of a seed, of all kinds in turn."""

from __future__ import annotations

from typing import Callable, Iterator

from cases import Case
from programs.programs_complex import complex_case, complex_sum_case
from programs.programs_devices import collective_case
from programs.programs_elementwise import float_case, mixed_case
from programs.programs_exact import EXACT_KINDS
from programs.programs_folds import FOLD_KINDS
from programs.programs_norms import norm_case
from programs.programs_orders import sort_case
from programs.programs_scaled import scaled_case
from programs.programs_solves import solve_case
from programs.programs_sums import SUM_KINDS
from programs.programs_transforms import transform_case
from streams import Stream

KINDS: dict[str, Callable[[str, Stream], Case]] = {
    "float": float_case, "mixed": mixed_case, **SUM_KINDS, **EXACT_KINDS, **FOLD_KINDS,
    "complex": complex_case, "complex-sum": complex_sum_case, "sort": sort_case, "scaled": scaled_case,
    "collective": collective_case, "solve": solve_case, "norm": norm_case,
    "transform": transform_case}
TURNS = ["float"] * 6 + ["mixed"] + [*SUM_KINDS] * 2 + [*EXACT_KINDS] + [*FOLD_KINDS]
TURNS += ["complex"] * 2 + ["complex-sum", "sort", "scaled"]
TURNS += ["collective", "solve", "norm", "transform"]
MUTANTS = [
    "flush-subnormals", "flush-operands", "drop-nan", "first-zero", "floor-divide",
    "loose-exponential", "lose-zero-sign", "narrow-sum", "overshoot", "quiet-nans", "reciprocal",
    "saturate-add", "sign-of-nan", "truncate-add", "truncate-convert", "unordered-compare"]
BACKENDS = ["cpu:"] * 4 + ["interpreter:"] + [f"mutant:{name}" for name in MUTANTS]


def cases(seed: str, count: int, only: str = "") -> Iterator[Case]:
    """Programs with at least so many elements in all."""
    made = 0
    number = 0
    while made < count:
        for turn, kind in enumerate(TURNS):
            if only in KINDS and only != kind:
                continue
            case = make(kind, f"{seed}/{number}.{turn}")
            if only and only not in (kind, case.kind, case.operation):
                continue
            made += case.elements
            yield case
        number += 1


def make(kind: str, name: str) -> Case:
    """The program of a name, the same for ever."""
    s = Stream("sets", kind, name)
    case = KINDS[kind](f"{kind}/{name}", s)
    case.backend = s.one_of(BACKENDS)
    return case
