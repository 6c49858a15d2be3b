"""long_lines: sorts, folds, scans, updates, products and transforms that are so long
that implementations take another way than for short ones. Programs make the lines of
iota and give one integer, the sum of each element times its place; their numbers are
exact.
"""

from __future__ import annotations

from assaygen import types
from assaygen.cases import Case
from large_parts import integers, program, spread, weighted

WHY = {"Long": "lines of thousands of elements"}

LINE = 4001
S32 = types.S32


def scattered(name: str, dims: str, modulus: int, factor: int = 7919, less: int = 0) -> str:
    """(factor i mod modulus) - less, where `i` counts."""
    return (spread(f"{name}.f", "s32", dims, factor) + spread(f"{name}.m", "s32", dims, modulus) +
            spread(f"{name}.l", "s32", dims, less) +
            f"  {name}.a = s32[{dims}] multiply(i, {name}.f)\n"
            f"  {name}.b = s32[{dims}] remainder({name}.a, {name}.m)\n"
            f"  {name} = s32[{dims}] subtract({name}.b, {name}.l)\n")


def at(i: int, modulus: int, factor: int = 7919, less: int = 0) -> int:
    return factor * i % modulus - less


def case(what: str, statement: str, body: str, dims: str, count: int, numbers,
         regions: str = "") -> Case:
    return Case(what, statement, program(body, "x", dims, count, regions),
                [weighted(numbers)], ["Long"])


def comparator(kinds: list[str], body: str) -> str:
    """Two of each of these kinds: a0, b0, a1, b1, ..."""
    lines = [f"  {side}{k} = {kind}[] parameter({2 * k + (side == 'b')})"
             for k, kind in enumerate(kinds) for side in "ab"]
    return "before {\n" + "\n".join(lines) + "\n" + body + "}\n"


COUNT = f"  i = s32[{LINE}] iota(), iota_dimension=0\n"


def places(kinds: str, operands: str, index: int) -> str:
    return (f"  s = ({kinds}) sort({operands}), dimensions={{0}}, is_stable=true, to_apply=before\n"
            f"  at = s32[{LINE}] get-tuple-element(s), index={index}\n"
            f"  x = s64[{LINE}] convert(at)\n")


def sorts():
    n = f"[{LINE}]"
    body = (COUNT + scattered("k", str(LINE), 13) + scattered("m", str(LINE), 17, 31, 8) +
            f"  f = f32{n} convert(m)\n" + places(f"s32{n}, f32{n}, s32{n}", "k, f, i", 2))
    yield case("s32/sort_by_two_keys", "by a key, and where it is equal down by another",
               body, str(LINE), LINE,
               sorted(range(LINE), key=lambda i: (at(i, 13), -at(i, 17, 31))),
               comparator(["s32", "f32", "s32"], """  first = pred[] compare(a0, b0), direction=LT
  same = pred[] compare(a0, b0), direction=EQ
  second = pred[] compare(a1, b1), direction=GT
  both = pred[] and(same, second)
  ROOT r = pred[] or(first, both)
"""))
    for kind in ("s32", "s8"):
        body = (COUNT + scattered("k", str(LINE), 13) + scattered("m", str(LINE), 17, 31) +
                f"  p = {kind}{n} convert(k)\n  q = {kind}{n} convert(m)\n" +
                places(f"{kind}{n}, {kind}{n}, s32{n}", "p, q, i", 2))
        yield case(f"{kind}/sort_by_difference",
                   "a comparator that mixes the rows: a0 - a1 < b0 - b1", body, str(LINE), LINE,
                   sorted(range(LINE), key=lambda i: at(i, 13) - at(i, 17, 31)),
                   comparator([kind, kind, "s32"], f"""  left = {kind}[] add(a0, b1)
  right = {kind}[] add(b0, a1)
  ROOT r = pred[] compare(left, right), direction=LT
"""))
    body = (COUNT + scattered("k", str(LINE), 13) + f"  f = f64{n} convert(i)\n"
            f"  zero = f64[] constant(0)\n  zeros = f64{n} broadcast(zero), dimensions={{}}\n"
            f"  z = c128{n} complex(zeros, f)\n"
            f"  s = (s32{n}, c128{n}) sort(k, z), dimensions={{0}}, is_stable=true, to_apply=before\n"
            f"  w = c128{n} get-tuple-element(s), index=1\n  im = f64{n} imag(w)\n"
            f"  x = s64{n} convert(im)\n")
    yield case("c128/sorted_by_another", "elements of 16 bytes in the order of keys down",
               body, str(LINE), LINE, sorted(range(LINE), key=lambda i: -at(i, 13)),
               comparator(["s32", "c128"], "  ROOT r = pred[] compare(a0, b0), direction=GT\n"))
    yield sort_of_all_floats()


# f32: -NaN, -inf, -2, -0, +0, a subnormal, 3 and NaN; as numbers both zeros and both
# NaNs are equal, and NaNs come last.
CODES = [0xffc00000, 0xff800000, 0xc0000000, 0x80000000, 0, 1, 0x40400000, 0x7fc00000]
RANKS = [7, 0, 1, 2, 2, 4, 5, 7]


def sort_of_all_floats() -> Case:
    rows = LINE // len(CODES)
    count = rows * len(CODES)
    codes = ", ".join(str(S32.integer(code)) for code in CODES)
    body = (f"  t = s32[{len(CODES)}] constant({{{codes}}})\n"
            f"  u = s32[{rows},{len(CODES)}] broadcast(t), dimensions={{1}}\n"
            f"  v = s32[{count}] reshape(u)\n  f = f32[{count}] bitcast-convert(v)\n"
            f"  i = s32[{count}] iota(), iota_dimension=0\n"
            f"  s = (f32[{count}], s32[{count}]) sort(f, i), dimensions={{0}}, is_stable=true, "
            "to_apply=before\n"
            f"  at = s32[{count}] get-tuple-element(s), index=1\n"
            f"  x = s64[{count}] convert(at)\n")
    lines = "  zero = f32[] constant(0)\n  none = f32[] constant(nan)\n"
    for side in "ab":
        lines += (f"  {side}.is.zero = pred[] compare({side}0, zero), direction=EQ\n"
                  f"  {side}.one.zero = f32[] select({side}.is.zero, zero, {side}0)\n"
                  f"  {side}.is.nan = pred[] compare({side}0, {side}0), direction=NE\n"
                  f"  {side}.key = f32[] select({side}.is.nan, none, {side}.one.zero)\n")
    lines += "  ROOT r = pred[] compare(a.key, b.key), direction=LT, type=TOTALORDER\n"
    return case("f32/sort_of_all_floats", "zeros are one number, and NaNs one at the end",
                body, str(count), count,
                sorted(range(count), key=lambda i: RANKS[i % len(CODES)]),
                comparator(["f32", "s32"], lines))


def extreme_region(kind: str, direction: str) -> str:
    return f"""extreme {{
  a = {kind}[] parameter(0)
  ai = s32[] parameter(1)
  b = {kind}[] parameter(2)
  bi = s32[] parameter(3)
  wins = pred[] compare(a, b), direction={direction}
  is.nan = pred[] compare(a, a), direction=NE
  first = pred[] or(wins, is.nan)
  same = pred[] compare(a, b), direction=EQ
  sooner = pred[] compare(ai, bi), direction=LT
  both = pred[] and(same, sooner)
  taken = pred[] or(first, both)
  v = {kind}[] select(first, a, b)
  p = s32[] select(taken, ai, bi)
  ROOT t = ({kind}[], s32[]) tuple(v, p)
}}
"""


def counted(kind: str, dims: str, size: int) -> str:
    """The places in a row, as they may be written."""
    if kind == "s32":
        return f"  j = s32[{dims}] iota(), iota_dimension=1\n"
    return (f"  line = s32[{size}] iota(), iota_dimension=0\n"
            f"  j = s32[{dims}] broadcast(line), dimensions={{1}}\n")


def extremes():
    """The first of equal ones, in each of 41 rows."""
    rows, size = 41, 301
    dims = f"{rows},{size}"
    for kind, direction, worst in (("s32", "GT", -1000), ("f32", "LT", 1000)):
        numbers = [[at(r * size + k, 1009, less=500) // 50 for k in range(size)]
                   for r in range(rows)]
        best = max if direction == "GT" else min
        body = (f"  f = s32[{rows * size}] iota(), iota_dimension=0\n  i = s32[{dims}] reshape(f)\n" +
                scattered("d", dims, 1009) + spread("fifty", "s32", dims, 50) +
                spread("ten", "s32", dims, 10) +
                f"  q = s32[{dims}] divide(d, fifty)\n  n = s32[{dims}] subtract(q, ten)\n"
                f"  v = {kind}[{dims}] convert(n)\n" + counted(kind, dims, size) +
                f"  worst = {kind}[] constant({worst})\n  none = s32[] constant(0)\n"
                f"  e = ({kind}[{rows}], s32[{rows}]) reduce(v, j, worst, none), dimensions={{1}}, "
                "to_apply=extreme\n"
                f"  at = s32[{rows}] get-tuple-element(e), index=1\n"
                f"  x = s64[{rows}] convert(at)\n")
        yield case(f"{kind}/places_of_{best.__name__}ima", "the first of equal ones in a long row",
                   body, str(rows), rows, [row.index(best(row)) for row in numbers],
                   extreme_region(kind, direction))


def running_sums():
    """Modulo 2^32, from either end, along rows and columns."""
    length, lines = 601, 3
    add = "sum {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n  ROOT c = s32[] add(a, b)\n}\n"
    large = 2147001  # so that sums wrap
    for along, dims in ((1, (lines, length)), (0, (length, lines))):
        for reversed_ in (False, True):
            text = ",".join(map(str, dims))
            size = "x".join(str(n) if d == along else "1" for d, n in enumerate(dims))
            ends = f"0_{length - 1}" if reversed_ else f"{length - 1}_0"
            pad = "x".join(ends if d == along else "0_0" for d in range(2))
            body = (f"  f = s32[{length * lines}] iota(), iota_dimension=0\n"
                    f"  i = s32[{text}] reshape(f)\n" + scattered("r", text, 1001, less=400) +
                    spread("large", "s32", text, large) + f"  v = s32[{text}] multiply(r, large)\n"
                    "  none = s32[] constant(0)\n"
                    f"  w = s32[{text}] reduce-window(v, none), window={{size={size} pad={pad}}}, "
                    f"to_apply=sum\n  x = s64[{text}] convert(w)\n")
            found = [0] * (length * lines)
            step, row = (1, length) if along else (lines, 1)
            for line in range(lines):
                total = 0
                for k in range(length)[::-1 if reversed_ else 1]:
                    place = line * row + k * step
                    total = S32.wrap(total + at(place, 1001, less=400) * large)
                    found[place] = S32.integer(total)
            yield case(f"s32/running_sums_{'columns' if along == 0 else 'rows'}"
                       f"{'_from_behind' if reversed_ else ''}",
                       "each number and all before it, modulo 2^32",
                       body, text, length * lines, found, add)


PRODUCT = """product {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] multiply(a, b)
}
"""
FACTORS = ["2", "0.5", "-1", "1", "-2", "-0.5", "1"]  # what they multiply to stays near 1


def factors(dims: str, count: int) -> str:
    """FACTORS again and again, as a line."""
    rows = count // len(FACTORS)
    return (f"  t = f32[{len(FACTORS)}] constant({{{', '.join(FACTORS)}}})\n"
            f"  u = f32[{rows},{len(FACTORS)}] broadcast(t), dimensions={{1}}\n"
            f"  v = f32[{dims}] reshape(u)\n  one = f32[] constant(1)\n")


def product_of(first: int, count: int) -> float:
    found = 1.0
    for i in range(first, first + count):
        found *= float(FACTORS[i % len(FACTORS)])
    return found


def products():
    """Powers of two, four times over: integers."""
    rows, size = 7, 4001
    dims, kept = f"{rows},{size}", 3500
    body = (factors(dims, rows * size) +
            f"  p = f32[{rows}] reduce(v, one), dimensions={{1}}, to_apply=product\n" +
            spread("four", "f32", str(rows), 4) + f"  y = f32[{rows}] multiply(p, four)\n" +
            integers("x", "y", str(rows)))
    yield case("f32/long_products", "four thousand factors, whose product is a power of two",
               body, str(rows), rows,
               [int(4 * product_of(r * size, size)) for r in range(rows)], PRODUCT)
    width, whole = 101, kept - kept % len(FACTORS)
    out = whole - width + 1
    body = (factors(str(whole), whole) +
            f"  p = f32[{out}] reduce-window(v, one), window={{size={width}}}, to_apply=product\n" +
            spread("four", "f32", str(out), 4) + f"  y = f32[{out}] multiply(p, four)\n" +
            integers("x", "y", str(out)))
    yield case("f32/running_products", "a hundred factors after each place",
               body, str(out), out, [int(4 * product_of(i, width)) for i in range(out)], PRODUCT)


def updates():
    """No sum rounds."""
    spots, n = 211, f"{LINE}"
    for kind, large in (("f64", 2 ** 30 + 1), ("f32", 1)):
        body = (COUNT + scattered("at", n, spots + 2) + scattered("m", n, 997, 31, 400) +
                f"  f = {kind}[{n}] convert(m)\n" + spread("large", kind, n, large) +
                f"  u = {kind}[{n}] multiply(f, large)\n" + spread("none", kind, str(spots), 0) +
                f"  y = {kind}[{spots}] scatter(none, at, u), update_window_dims={{}}, "
                "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
                f"index_vector_dim=1, to_apply=plus\n  x = s64[{spots}] convert(y)\n")
        found = [0] * spots
        for i in range(LINE):
            if at(i, spots + 2) < spots:
                found[at(i, spots + 2)] += at(i, 997, 31, 400) * large
        yield case(f"{kind}/sums_of_updates", "many updates for each place, and some for none",
                   body, str(spots), spots, found,
                   f"plus {{\n  a = {kind}[] parameter(0)\n  b = {kind}[] parameter(1)\n"
                   f"  ROOT c = {kind}[] add(a, b)\n}}\n")


def matrix(name: str, kind: str, dims: str, count: int, factor: int, less: int) -> str:
    """Element i is (factor [i/7] mod 3) - less."""
    return (f"  {name}.n = s32[{count}] iota(), iota_dimension=0\n" +
            spread(f"{name}.seven", "s32", str(count), 7) +
            spread(f"{name}.factor", "s32", str(count), factor) +
            spread(f"{name}.three", "s32", str(count), 3) +
            spread(f"{name}.less", "s32", str(count), less) +
            f"  {name}.w = s32[{count}] divide({name}.n, {name}.seven)\n"
            f"  {name}.p = s32[{count}] multiply({name}.w, {name}.factor)\n"
            f"  {name}.r = s32[{count}] remainder({name}.p, {name}.three)\n"
            f"  {name}.v = s32[{count}] subtract({name}.r, {name}.less)\n"
            f"  {name}.m = s32[{dims}] reshape({name}.v)\n"
            f"  {name} = {kind}[{dims}] convert({name}.m)\n")


def products_of_matrices():
    """Whole numbers from -1 to 1, or from 0 to 2 where there is no sign."""
    rows, depth, columns = 35, 67, 37
    for kind, result in (("bf16", "bf16"), ("bf16", "f32"), ("f16", "f16"), ("f32", "f32"),
                         ("f64", "f64"), ("s8", "s32"), ("u8", "s32"), ("s32", "s32"),
                         ("u64", "u64"), ("c64", "c64"), ("f8e4m3fn", "f32")):
        less = 0 if kind[0] == "u" else 1
        body = "".join(
            matrix(name, kind, dims, count, factor, less) for name, dims, count, factor in
            (("a", f"{rows},{depth}", rows * depth, 101),
             ("b", f"{depth},{columns}", depth * columns, 103)))
        out = f"{rows},{columns}"
        body += (f"  y = {result}[{out}] dot(a, b), lhs_contracting_dims={{1}}, "
                 "rhs_contracting_dims={0}\n")
        body += (f"  re = f32[{out}] real(y)\n  x = s64[{out}] convert(re)\n" if result == "c64"
                 else f"  x = s64[{out}] convert(y)\n")
        left = [[at((r * depth + k) // 7, 3, 101, less) for k in range(depth)] for r in range(rows)]
        right = [[at((k * columns + c) // 7, 3, 103, less) for k in range(depth)]
                 for c in range(columns)]
        yield case(f"{kind}/product_in_{result}", "a product of matrices, whose sums do not round",
                   body, out, rows * columns,
                   [sum(map(int.__mul__, row, column)) for row in left for column in right])


def convolutions():
    """Whole numbers from -1 to 1; outside of the image are zeros."""
    for what, sides, channels, features, groups, stride in (
            ("windows", (9, 13), 16, 24, 1, 1), ("strided_windows", (9, 13), 16, 24, 1, 2),
            ("features_apart", (11, 14), 40, 40, 40, 1)):
        height, width = sides
        of_group = channels // groups
        out = [(n - 1) // stride + 1 for n in sides]
        images, kernels = height * width * channels, 9 * of_group * features
        body = (matrix("a", "f32", f"1,{height},{width},{channels}", images, 101, 1) +
                matrix("b", "f32", f"3,3,{of_group},{features}", kernels, 103, 1))
        dims = f"1,{out[0]},{out[1]},{features}"
        body += (f"  y = f32[{dims}] convolution(a, b), window={{size=3x3 stride={stride}x{stride} "
                 f"pad=1_1x1_1}}, dim_labels=b01f_01io->b01f, feature_group_count={groups}\n"
                 f"  x = s64[{dims}] convert(y)\n")
        image = [at(i // 7, 3, 101, 1) for i in range(images)]
        kernel = [at(i // 7, 3, 103, 1) for i in range(kernels)]

        def element(y, x, feature):
            begin = feature // (features // groups) * of_group
            return sum(image[((y * stride + v - 1) * width + x * stride + u - 1) * channels
                             + begin + c]
                       * kernel[((v * 3 + u) * of_group + c) * features + feature]
                       for v in range(3) if 0 <= y * stride + v - 1 < height
                       for u in range(3) if 0 <= x * stride + u - 1 < width
                       for c in range(of_group))
        yield case(f"f32/{what}", "a convolution, whose sums do not round",
                   body, dims, out[0] * out[1] * features,
                   [element(y, x, k) for y in range(out[0]) for x in range(out[1])
                    for k in range(features)])


def transforms():
    """There and back: the numbers are what they were."""
    for n in (251, 509):
        body = (f"  i = s32[{n}] iota(), iota_dimension=0\n" + scattered("m", str(n), 19, less=9) +
                f"  w = f64[{n}] convert(m)\n  zero = f64[] constant(0)\n"
                f"  zeros = f64[{n}] broadcast(zero), dimensions={{}}\n"
                f"  c = c128[{n}] complex(w, zeros)\n"
                f"  y = c128[{n}] fft(c), fft_type=FFT, fft_length={{{n}}}\n"
                f"  z = c128[{n}] fft(y), fft_type=IFFT, fft_length={{{n}}}\n"
                f"  re = f64[{n}] real(z)\n" + integers("x", "re", str(n), "f64"))
        yield case(f"c128/prime_{n}", "a transform of a prime number of points, and back",
                   body, str(n), n, [at(i, 19, less=9) for i in range(n)])


def cases():
    for part in (sorts, extremes, running_sums, products, updates,
                 products_of_matrices, convolutions, transforms):
        yield from part()
