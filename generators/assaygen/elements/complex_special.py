"""Complex functions where a part is infinite or NaN, and at poles: the tables of
spec/numerics.md (Complex numbers), which are those of Annex G of C, and what the
page says to follow from them."""

from __future__ import annotations

from fractions import Fraction
from typing import Callable, NamedTuple

import mpmath

from assaygen import arrays, sums, types, values
from assaygen.cases import Case, interval
from assaygen.functions import fraction
from assaygen.program import Program
from assaygen.types import Type
from assaygen.values import INF, NAN, ZERO, Value, number

WHY = {
    "Infinite": "parts that are infinite or NaN, and poles; beside them points of all "
                "quadrants",
}
LOWEST = INF.negated()


class Found(NamedTuple):
    """Both parts, and which of them may have either sign."""

    re: Value
    im: Value
    re_is_open: bool = False
    im_is_open: bool = False


# None: the page gives no special value.
Function = Callable[[Value, Value], Found | None]
NO_NUMBER = Found(NAN, NAN)


def is_finite(v: Value) -> bool:
    return v.kind in ("zero", "finite")


def turn(quarters: int) -> Value:
    """So many times pi/4."""
    with mpmath.workprec(400):
        return number(fraction(quarters * mpmath.pi / 4))


def of_sign(size: Value, x) -> Value:
    return size if x > 0 else size.negated()


def towards(size: Value, y: Value, factor=1) -> Found:
    """size (cos y + i sin y), where the size is 0 or infinite; y is finite, in units of
    the factor."""
    if y.is_zero:
        return Found(size, ZERO if y.sign > 0 else ZERO.negated())
    angle = factor * mpmath.mpf(y.exact.numerator) / y.exact.denominator
    return Found(of_sign(size, mpmath.cos(angle)), of_sign(size, mpmath.sin(angle)))


def mirrored(upper: Function) -> Function:
    """f(conj z) = conj f(z) of what is known where y is not negative."""
    def whole(x: Value, y: Value) -> Found | None:
        if y.sign > 0:
            return upper(x, y)
        found = upper(x, y.negated())
        return found and found._replace(im=found.im.negated())
    return whole


def odd(right: Function) -> Function:
    """f(-conj z) = -conj f(z) of what is known where x is not negative."""
    def upper(x: Value, y: Value) -> Found | None:
        found = right(x if x.sign > 0 else x.negated(), y)
        return found and (found if x.sign > 0 else found._replace(re=found.re.negated()))
    return mirrored(upper)


def even(right: Function) -> Function:
    def upper(x: Value, y: Value) -> Found | None:
        found = right(x if x.sign > 0 else x.negated(), y)
        return found and (found if x.sign > 0 else found._replace(im=found.im.negated()))
    return mirrored(upper)


def exponential(x: Value, y: Value) -> Found | None:
    if x.is_nan:
        return Found(NAN, ZERO) if y.is_zero else NO_NUMBER
    if is_finite(x):
        return None if is_finite(y) else NO_NUMBER
    if is_finite(y):
        return towards(INF if x.sign > 0 else ZERO, y)
    return Found(INF, NAN, True) if x.sign > 0 else Found(ZERO, ZERO, True, True)


def exponential_minus_one(x: Value, y: Value) -> Found | None:
    found = exponential(x, y)
    if not x.is_inf or x.sign > 0:
        return found
    return found._replace(re=number(-1), re_is_open=False)


def logarithm_beyond(x: Value, y: Value) -> Found | None:
    if y.is_inf:
        return Found(INF, NAN if x.is_nan else turn(
            2 if not x.is_inf else 1 if x.sign > 0 else 3))
    if x.is_inf:
        return Found(INF, NAN if y.is_nan else ZERO if x.sign > 0 else turn(4))
    return None if is_finite(x) and is_finite(y) else NO_NUMBER


def logarithm(x: Value, y: Value) -> Found | None:
    if x.is_zero and y.is_zero:
        return Found(LOWEST, ZERO if x.sign > 0 else turn(4))
    return logarithm_beyond(x, y)


def logarithm_plus_one(x: Value, y: Value) -> Found | None:
    if y.is_zero and x.is_zero:
        return Found(x, y)
    if y.is_zero and is_finite(x) and x.exact == -1:
        return Found(LOWEST, ZERO)
    return logarithm_beyond(x, y)


def root(x: Value, y: Value) -> Found | None:
    if x.is_zero and y.is_zero:
        return Found(ZERO, ZERO)
    if y.is_inf:
        return Found(INF, INF)
    if not x.is_inf:
        return None if is_finite(x) and is_finite(y) else NO_NUMBER
    if x.sign > 0:
        return Found(INF, NAN if y.is_nan else ZERO)
    return Found(NAN, INF, False, True) if y.is_nan else Found(ZERO, INF)


def reciprocal_root(x: Value, y: Value) -> Found | None:
    """One over the root; which sign a zero has whose part of the root is NaN, or has
    either sign, the page does not say."""
    if x.is_zero and y.is_zero:
        return Found(INF, NAN)
    if y.is_inf or (x.is_inf and not y.is_nan):
        return Found(ZERO, ZERO.negated())
    return None if is_finite(x) and is_finite(y) or x.is_inf else NO_NUMBER


def cube_root(x: Value, y: Value) -> Found | None:
    if x.is_zero and y.is_zero:
        return Found(ZERO, ZERO) if x.sign > 0 else None
    if y.is_inf:
        return Found(INF, INF)
    if x.is_inf:
        return Found(INF, NAN if y.is_nan else ZERO if x.sign > 0 else INF)
    return None if is_finite(x) and is_finite(y) else NO_NUMBER


def tanh(x: Value, y: Value) -> Found | None:
    if x.is_inf:
        if not is_finite(y):
            return Found(number(1), ZERO, False, True)
        twice = number(2 * y.exact) if not y.is_zero else y
        return Found(number(1), towards(ZERO, twice).im)
    if x.is_nan:
        return Found(NAN, ZERO) if y.is_zero else NO_NUMBER
    if is_finite(y):
        return Found(x, y) if x.is_zero and y.is_zero else None
    return Found(x if x.is_zero else NAN, NAN)


def sinh(x: Value, y: Value) -> Found | None:
    if x.is_inf:
        return towards(INF, y) if is_finite(y) else Found(INF, NAN, True)
    if y.is_zero and (x.is_zero or x.is_nan):
        return Found(x, ZERO)
    if is_finite(x) and is_finite(y):
        return None
    return Found(ZERO, NAN, True) if x.is_zero else NO_NUMBER


def cosh(x: Value, y: Value) -> Found | None:
    if x.is_inf:
        return towards(INF, y) if is_finite(y) else Found(INF, NAN, y.is_inf)
    if x.is_nan and y.is_zero or x.is_zero and not is_finite(y):
        return Found(NAN, ZERO, False, True)
    return None if is_finite(x) and is_finite(y) else NO_NUMBER


def asinh(x: Value, y: Value) -> Found | None:
    if x.is_inf:
        return Found(INF, NAN if y.is_nan else turn(1) if y.is_inf else ZERO)
    if y.is_inf:
        return Found(INF, NAN, True) if x.is_nan else Found(INF, turn(2))
    if y.is_zero and (x.is_zero or x.is_nan):
        return Found(x, ZERO)
    return None if is_finite(x) and is_finite(y) else NO_NUMBER


def acosh(x: Value, y: Value) -> Found | None:
    if x.is_zero and y.is_nan:
        return Found(NAN, turn(2))
    return logarithm_beyond(x, y)


def atanh(x: Value, y: Value) -> Found | None:
    if y.is_inf:
        return Found(ZERO, turn(2), x.is_nan)
    if x.is_inf:
        return Found(ZERO, NAN if y.is_nan else turn(2))
    if is_finite(x) and is_finite(y):
        if y.is_zero and x.exact == 1:
            return Found(INF, ZERO)
        return Found(x, y) if x.is_zero and y.is_zero else None
    return Found(ZERO, NAN) if x.is_zero else NO_NUMBER


def acos(x: Value, y: Value) -> Found | None:
    found = mirrored(acosh)(x, y)
    if found is None:
        return None
    im = found.re if y.sign < 0 else found.re.negated()
    return Found(found.im if found.im.sign > 0 else found.im.negated(), im,
                 False, y.is_nan and im.is_inf)


def logistic(x: Value, y: Value) -> Found | None:
    if not x.is_inf:
        return None if is_finite(x) and is_finite(y) else NO_NUMBER
    way = towards(ZERO, y) if is_finite(y) else Found(ZERO, ZERO)
    return Found(number(1) if x.sign > 0 else way.re, way.im, x.sign < 0, True)


def arc_kernel(x: Value, y: Value) -> Found | None:
    """Of conj z what it is of z."""
    if y.is_inf:
        return Found(INF, INF)
    if x.is_inf:
        return Found(y if y.sign > 0 else y.negated(), INF)
    return None if is_finite(x) and is_finite(y) else NO_NUMBER


def along(of: Function) -> Function:
    """-i f(iz)"""
    def own(x: Value, y: Value) -> Found | None:
        found = of(y.negated() if not y.is_nan else y, x)
        return found and Found(found.im, found.re.negated() if not found.re.is_nan
                               else NAN, found.im_is_open, found.re_is_open)
    return own


def cosine(x: Value, y: Value) -> Found | None:
    return even(cosh)(y.negated() if not y.is_nan else y, x)


FUNCTIONS: dict[str, Function] = {
    "exp": mirrored(exponential), "expm1": mirrored(exponential_minus_one),
    "log": mirrored(logarithm), "log1p": mirrored(logarithm_plus_one),
    "sqrt": mirrored(root), "rsqrt": mirrored(reciprocal_root), "cbrt": mirrored(cube_root),
    "logistic": mirrored(logistic), "asin_acos_kernel": arc_kernel,
    "sinh": odd(sinh), "cosh": even(cosh), "tanh": odd(tanh), "asinh": odd(asinh),
    "acosh": mirrored(acosh), "atanh": odd(atanh), "acos": acos,
    "sin": along(odd(sinh)), "cos": cosine, "tan": along(odd(tanh)),
    "asin": along(odd(asinh)), "atan": along(odd(atanh)),
}

# Where a sign is open beside NaN the reference has another one of these than what
# the page says of conj z, -z and iz: it states neither.
UNSTATED = ("cosh", "cos", "asin", "atan")


def stated(function: str, x: Value, y: Value) -> Found | None:
    found = FUNCTIONS[function](x, y)
    if function in UNSTATED and found and (found.re_is_open or found.im_is_open):
        if any(v.is_nan for v in (x, y, *found[:2])):
            return None
    return found


SIZES = [number(Fraction(k, 2)) for k in (1, 4, 8, 10)]
PARTS = [v for size in (ZERO, *SIZES, INF) for v in (size, size.negated())] + [NAN]
POLES = [(x, y) for x in (number(1), number(-1)) for y in PARTS[:2]]


def part_set(t: Type, v: Value, is_open: bool, steps: int) -> tuple[int, ...]:
    """The value, and least and greatest of two ranges."""
    code = types.encode(t, v)
    low = high = code
    if v.kind == "finite":
        error = (2 * steps + 1) * sums.unit(t) * v.magnitude
        low, high = sums.around(t, v.exact, error)[1:]
    elif is_open and v.is_zero:
        low, high = t.sign_mask, 0
    elif is_open:
        return code, code, code, code ^ t.sign_mask, code ^ t.sign_mask
    return code, low, high, low, high


def cases(op: str, function: str, steps: dict[str, int], extra: str, tag: str):
    """A case for each complex type of what FUNCTIONS knows."""
    if function not in FUNCTIONS:
        return
    for t in types.COMPLEX:
        part = types.component(t)
        rows = []
        for z in [*((x, y) for x in PARTS for y in PARTS), *POLES]:
            found = stated(function, *z)
            if found is not None:
                rows.append((tuple(types.encode(part, v) for v in z), [
                    part_set(part, v, is_open, steps[part.name])
                    for v, is_open in zip(found[:2], found[2:])]))
        operand = arrays.of(t, (code for code, _ in rows))
        ends = [arrays.of(t, (tuple(parts[k] for parts in sets) for _, sets in rows))
                for k in range(5)]
        expect = interval(*ends[:3])
        if ends[3:] != ends[1:3]:
            expect["also"] = [{"low": ends[3].text(), "high": ends[4].text()}]
        program = Program("m", [operand]).root(operand.shape, f"{op}(p0){extra}")
        yield Case(f"{t.name}/{tag}special",
                   f"{tag.rstrip('_') or op} of infinities, NaN and poles", program,
                   [expect], ["Infinite"])
