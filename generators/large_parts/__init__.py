"""large_parts: lines, matrices and features that are larger than a scratch memory
of 2^18 bytes, which a machine with tiles splits (spec/tpu.md). Programs make them of
iota and give one integer, the sum of each element times its place.
"""

from __future__ import annotations

from assaygen import arrays, types
from assaygen.cases import Case, bits

WHY = {"Split": "a part of the operation is larger than 2^18 bytes, and is split"}

LINE = 40001  # numbers of a line; 7 has no factor in common with it
ROWS = 260  # of a matrix
SAMPLES = 13440  # of a transform; a multiple of 2, 3, 4, 5 and 7
TOOTH = 32
SIDES = 7

ADD = """add {
  a = s64[] parameter(0)
  b = s64[] parameter(1)
  ROOT r = s64[] add(a, b)
}
"""

LESS = """less {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  c = s32[] parameter(2)
  d = s32[] parameter(3)
  ROOT r = pred[] compare(a, b), direction=LT
}
"""


def spread(name: str, kind: str, dims: str, value: int) -> str:
    return (f"  {name}.one = {kind}[] constant({value})\n"
            f"  {name} = {kind}[{dims}] broadcast({name}.one), dimensions={{}}\n")


def program(body: str, result: str, dims: str, count: int, regions: str = "") -> str:
    """The sum of the s64 array `result` of these dimensions, each times its place."""
    return (f"HloModule m\n\n{ADD}\n{regions}\nENTRY main {{\n{body}"
            f"  flat = s64[{count}] reshape({result})\n"
            f"  place = s64[{count}] iota(), iota_dimension=0\n"
            f"  weighted = s64[{count}] multiply(flat, place)\n"
            "  zero.sum = s64[] constant(0)\n"
            "  ROOT sum = s64[] reduce(weighted, zero.sum), dimensions={0}, to_apply=add\n}\n")


def weighted(numbers) -> dict:
    """What such a program gives for these numbers."""
    total = sum(place * number for place, number in enumerate(numbers))
    s64 = types.BY_NAME["s64"]
    return bits(arrays.Array(s64, (), (arrays.from_number(s64, total),)))


def integers(name: str, source: str, dims: str, kind: str = "f32") -> str:
    """The nearest integers of numbers that are integers but for roundings."""
    return (f"  {name}.whole = {kind}[{dims}] round-nearest-even({source})\n"
            f"  {name} = s64[{dims}] convert({name}.whole)\n")


def sorts():
    body = (f"  i = s32[{LINE}] iota(), iota_dimension=0\n" + spread("three", "s32", str(LINE), 3) +
            f"  key = s32[{LINE}] remainder(i, three)\n"
            f"  s = (s32[{LINE}], s32[{LINE}]) sort(key, i), dimensions={{0}}, is_stable=true, "
            "to_apply=less\n"
            f"  places = s32[{LINE}] get-tuple-element(s), index=1\n"
            f"  x = s64[{LINE}] convert(places)\n")
    yield Case("s32/sort_of_equals", "equal keys keep their order in a long line",
               program(body, "x", str(LINE), LINE, LESS),
               [weighted(sorted(range(LINE), key=lambda i: i % 3))], ["Split"])
    count = LINE // 2
    mixed = [7 * i % LINE for i in range(LINE)]
    body = (f"  i = s32[{LINE}] iota(), iota_dimension=0\n" + spread("seven", "s32", str(LINE), 7) +
            spread("n", "s32", str(LINE), LINE) +
            f"  j = s32[{LINE}] multiply(i, seven)\n  k = s32[{LINE}] remainder(j, n)\n"
            f"  t = (s32[{count}], s32[{count}]) topk(k), k={count}\n"
            f"  places = s32[{count}] get-tuple-element(t), index=1\n"
            f"  x = s64[{count}] convert(places)\n")
    yield Case("s32/greatest_half", "the places of the greatest half of a long line",
               program(body, "x", str(count), count),
               [weighted(sorted(range(LINE), key=lambda i: -mixed[i])[:count])], ["Split"])


def factor_at(i: int, j: int) -> int:
    """4 on the diagonal, and from -1 to 1 in the two places before it."""
    if i == j:
        return 4
    return (i + 2 * j) % 3 - 1 if 0 < i - j <= 2 else 0


def factor() -> str:
    dims = f"{ROWS},{ROWS}"
    return ("".join(spread(name, "s32", dims, value) for name, value in
                    [("none", 0), ("one", 1), ("two", 2), ("three", 3), ("four", 4)]) +
            f"""  i = s32[{dims}] iota(), iota_dimension=0
  j = s32[{dims}] iota(), iota_dimension=1
  jj = s32[{dims}] multiply(j, two)
  ij = s32[{dims}] add(i, jj)
  part = s32[{dims}] remainder(ij, three)
  beside = s32[{dims}] subtract(part, one)
  far = s32[{dims}] subtract(i, j)
  is.on = pred[{dims}] compare(far, none), direction=EQ
  is.below = pred[{dims}] compare(far, none), direction=GT
  is.near = pred[{dims}] compare(far, two), direction=LE
  is.band = pred[{dims}] and(is.below, is.near)
  band = s32[{dims}] select(is.band, beside, none)
  all = s32[{dims}] select(is.on, four, band)
  l = f32[{dims}] convert(all)
""")


def matrices():
    dims = f"{ROWS},{ROWS}"
    body = (factor() + f"  t = f32[{dims}] transpose(l), dimensions={{1,0}}\n"
            f"  a = f32[{dims}] dot(l, t), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}\n"
            f"  c = f32[{dims}] cholesky(a), lower=true\n" + integers("x", "c", dims))
    yield Case("f32/factor", "the factor of a product is what was multiplied",
               program(body, "x", dims, ROWS * ROWS),
               [weighted(factor_at(i, j) for i in range(ROWS) for j in range(ROWS))], ["Split"])
    sides = f"{ROWS},{SIDES}"
    body = (factor() + spread("five", "s32", sides, 5) + f"""  p = s32[{sides}] iota(), iota_dimension=0
  q = s32[{sides}] iota(), iota_dimension=1
  pq = s32[{sides}] add(p, q)
  u = s32[{sides}] remainder(pq, five)
  known = f32[{sides}] convert(u)
  b = f32[{sides}] dot(l, known), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}
  s = f32[{sides}] triangular-solve(l, b), left_side=true, lower=true, unit_diagonal=false, """
            "transpose_a=NO_TRANSPOSE\n" + integers("x", "s", sides))
    yield Case("f32/solution", "the unknowns of a product are what was multiplied",
               program(body, "x", sides, ROWS * SIDES),
               [weighted((i + k) % 5 for i in range(ROWS) for k in range(SIDES))], ["Split"])


def transforms():
    """A comb of one sample in TOOTH, whose lines are as far apart as it has teeth. A wave of
    four samples would not do: its spectrum needs no turns between the passes of a transform."""
    n = str(SAMPLES)
    body = (f"  i = s32[{n}] iota(), iota_dimension=0\n" + spread("tooth", "s32", n, TOOTH) +
            spread("none", "s32", n, 0) + f"""  beside = s32[{n}] remainder(i, tooth)
  is.tooth = pred[{n}] compare(beside, none), direction=EQ
  w = f32[{n}] convert(is.tooth)
  zero = f32[] constant(0)
  zeros = f32[{n}] broadcast(zero), dimensions={{}}
  c = c64[{n}] complex(w, zeros)
  y = c64[{n}] fft(c), fft_type=FFT, fft_length={{{n}}}
  re = f32[{n}] real(y)
""" + integers("x", "re", n))
    teeth = SAMPLES // TOOTH
    found = [teeth if i % teeth == 0 else 0 for i in range(SAMPLES)]
    yield Case("c64/spectrum", "a comb of samples has a comb for its spectrum",
               program(body, "x", n, SAMPLES), [weighted(found)], ["Split"])


def features():
    """0 and 4 by turns, or 8 less: the deviation is 2."""
    dims = f"{ROWS},2,{ROWS}"
    count = ROWS * 2 * ROWS
    body = (f"  i = s32[{dims}] iota(), iota_dimension=2\n  f = s32[{dims}] iota(), iota_dimension=1\n" +
            spread("one", "s32", dims, 1) + spread("four", "s32", dims, 4) +
            spread("eight", "s32", dims, 8) + f"""  odd = s32[{dims}] and(i, one)
  up = s32[{dims}] multiply(odd, four)
  down = s32[{dims}] multiply(f, eight)
  moved = s32[{dims}] subtract(up, down)
  v = f32[{dims}] convert(moved)
  scale = f32[2] constant({{3, 5}})
  offset = f32[2] constant({{0, 10}})
  n = (f32[{dims}], f32[2], f32[2]) batch-norm-training(v, scale, offset), epsilon=0, feature_index=1
  y = f32[{dims}] get-tuple-element(n), index=0
""" + integers("x", "y", dims))
    numbers = [(3, 5)[f] * (2 * (i % 2) - 1) + 10 * f
               for _ in range(ROWS) for f in range(2) for i in range(ROWS)]
    yield Case("f32/normal_features", "features that lie apart become alike",
               program(body, "x", dims, count), [weighted(numbers)], ["Split"])


def updates():
    """Number i goes to place 7 i modulo three more than there are, or nowhere."""
    places = 1001
    n = str(LINE)
    body = (f"  i = s32[{n}] iota(), iota_dimension=0\n" + spread("seven", "s32", n, 7) +
            spread("size", "s32", n, places + 3) + spread("none", "s64", str(places), 0) +
            f"""  j = s32[{n}] multiply(i, seven)
  at = s32[{n}] remainder(j, size)
  u = s64[{n}] convert(i)
  x = s64[{places}] scatter(none, at, u), update_window_dims={{}}, inserted_window_dims={{0}}, """
            "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add\n")
    sums = [0] * places
    for i in range(LINE):
        if 7 * i % (places + 3) < places:
            sums[7 * i % (places + 3)] += i
    yield Case("s64/sums_of_updates", "each place gets updates from all parts of a long list",
               program(body, "x", str(places), places), [weighted(sums)], ["Split"])


def cases():
    for part in (sorts, matrices, transforms, features, updates):
        yield from part()
