"""Every report has its cases or a reason, and each case catches its fault."""

import json
import pathlib
import re
import unittest
from fractions import Fraction

import mpmath

from assaygen import functions, types, values
from ops import convert
from regressions import ELSEWHERE, REPORTS, WHY, draws, solves
from regressions.arithmetic import FP8, by_reciprocal
from regressions.common import BF16, F16, F32, F64, code, exact, rounded_value

ROOT = pathlib.Path(__file__).resolve().parents[2]


def read():
    lines = (ROOT / "conformance/vectors/regressions.jsonl").read_text().splitlines()
    return {case["id"]: case for case in map(json.loads, lines[1:])}


CASES = read()


def elements(literal):
    """The type and the codes of a literal without complex elements."""
    shape, *words = literal.split()
    codes = []
    for word in words:
        bits, _, count = word.partition("*")
        codes += [int(bits, 16)] * int(count or 1)
    return types.BY_NAME[shape.split("[")[0]], codes


def ordinal(t, code_):
    magnitude = code_ & ~t.sign_mask
    return -magnitude if code_ & t.sign_mask else magnitude


def admits(result_set, i, code_):
    """Whether a set of real floats admits this code as element i."""
    kind = next(iter(result_set))
    t, codes = elements(result_set[kind])
    if types.decode(t, code_).is_nan or types.decode(t, codes[i]).is_nan:
        return types.decode(t, code_).is_nan == types.decode(t, codes[i]).is_nan
    if kind == "bits":
        return code_ == codes[i]
    low, high = (elements(result_set[end])[1][i] for end in ("low", "high"))
    return ordinal(t, low) <= ordinal(t, code_) <= ordinal(t, high)


class Reports(unittest.TestCase):
    def test_each_has_cases_or_a_reason(self):
        found = {int(re.match(r"regressions/\w+/(\d\d)_", name)[1]) for name in CASES}
        self.assertEqual(set(REPORTS), set(range(1, 43)))
        self.assertEqual(found | set(ELSEWHERE), set(REPORTS))
        self.assertFalse(found & set(ELSEWHERE))
        self.assertEqual(len(WHY), len(found))

    def test_the_page_names_what_is_missing(self):
        page = (ROOT / "spec/conformance.md").read_text()
        for number, reason in ELSEWHERE.items():
            self.assertRegex(page, rf"\| [\d, ]*\b{number}\b[\d, ]* \| {reason} \|")


class Faults(unittest.TestCase):
    """Results that a report describes, computed here, lie outside of the sets."""

    def case(self, name):
        case = CASES[f"regressions/{name}"]
        operands = [elements(text) for text in case["inputs"]]
        return case["expect"], operands

    def assert_caught(self, name, wrong, leaf=0, every=False):
        """wrong(t, codes...) is outside of the set for one element, or every."""
        expect, operands = self.case(name)
        t = operands[0][0]
        rows = list(zip(*(codes for _, codes in operands)))
        out = [not admits(expect[leaf], i, wrong(t, *row)) for i, row in enumerate(rows)]
        self.assertTrue(all(out) if every else any(out), name)

    def test_functions(self):
        above_one = 0x3F800001
        self.assert_caught("f32/01_tanh_saturates", lambda t, c: above_one, every=True)
        self.assert_caught("f32/02_erf_saturates", lambda t, c: above_one, every=True)
        for dims in ("1", "2", "7x1"):
            self.assert_caught(f"f32/03_erf_shape_{dims}", lambda t, c: 0x3F7FFFFD, every=True)
        logs = self.case("f64/04_log_plus_one")[0][0]
        self.assertFalse(admits(logs, 0, elements(logs["interval"])[1][0] + 129))
        self.assert_caught("f16/12_erf", lambda t, c: t.nan, every=True)
        self.assert_caught("f32/32_sine", lambda t, c: 0xFF800000, every=True)

    def test_flushed_operands(self):
        """Functions of zero in place of a subnormal operand."""
        for name, rule in (("log", 0xFF800000), ("rsqrt", 0x7F800000), ("sqrt", 0),
                           ("log_plus_one", 0)):
            self.assert_caught(f"f32/15_{name}", lambda t, c, r=rule: r)
        zero = {"multiply": lambda t, a, b: t.nan, "compare": lambda t, a, b: 1}
        for name, wrong in zero.items():
            for t in ("f32", "f64", "f16", "bf16"):
                self.assert_caught(f"{t}/16_{name}", wrong)
        self.assert_caught("f64/14_multiply", lambda t, a, b: 0, every=True)

    def test_arithmetic(self):
        def reciprocal(t, a, b):
            return types.encode(t, values.number(by_reciprocal(t, a, b)))
        self.assert_caught("f32/25_divide_by_itself", reciprocal, every=True)
        self.assert_caught("f32/25_divide_by_another", reciprocal, every=True)

        def inverse_root(t, x):
            return functions.round_real(t, lambda y: 1 / mpmath.sqrt(y), exact(t, x))[0]
        self.assert_caught("f64/26_one_over_sqrt", inverse_root, every=True)
        self.assert_caught("f32/28_there_and_back", lambda t, c: c)
        self.assert_caught("bf16/28_error_of_a_sum", lambda t, a, b: b)
        self.assert_caught("f32/27_power", lambda t, a, b: functions.square_root(t, a))
        self.assert_caught("f32/31_remainder", lambda t, a, b: 0)  # the sign of -4 % 2

    def test_conversions(self):
        for target in FP8:
            for between in (F16, BF16):
                if between.mantissa > target.mantissa:
                    self.assert_caught(f"f32/29_to_{target.name}", lambda t, c, g=target, b=between:
                                       convert.rule(b, g, convert.rule(t, b, c)))
            self.assert_caught(f"f64/29_to_{target.name}", lambda t, c, g=target:
                               convert.rule(F32, g, convert.rule(t, F32, c)))

    def test_products_of_bf16(self):
        def truncated(t, a, b):
            nearest = code(t, exact(t, a) * exact(t, b))
            return nearest - 1
        self.assert_caught("bf16/36_multiply", truncated, every=True)

    def test_sorts_of_flushed_keys(self):
        for name in ("f32/17_subnormal_keys", "f64/17_subnormal_keys"):
            expect, ((t, keys), _) = self.case(name)
            normal = 1 << t.mantissa
            places = sorted(range(len(keys)), key=lambda i: (
                0 if keys[i] & ~t.sign_mask < normal else exact(t, keys[i])))
            self.assertNotEqual(elements(expect[1]["bits"])[1], places)

    def test_signed_indices(self):
        for start in (128, 200):
            first = elements(self.case(f"s32/41_1_of_300_at_{start}")[0][0]["bits"])[1]
            self.assertEqual(first, [1000 + start])  # neither the first nor the last element

    def test_long_sums_stop_growing(self):
        for name, t, n, x in (("bf16/34_sum_of_70000", BF16, 1000, 1),
                              ("f16/34_sum_of_4096", F16, 4096, 1)):
            total = Fraction(0)
            for _ in range(n):
                total = rounded_value(t, total + x)
            self.assertFalse(admits(self.case(name)[0][0], 0, code(t, total)), name)
        self.assertFalse(admits(self.case("f32/34_sum_of_1000000")[0][0], 0,
                                code(F32, "100958.34")))

    def test_dots_of_narrow_operands(self):
        for bits_kept in (8, 11):  # bf16, TF32
            for name, size in (("two_products", 2), ("tile", 4), ("tile_highest", 4)):
                expect, (lhs, rhs) = self.case(f"f32/35_{name}")
                n = len(rhs[1]) // size
                wrong = []
                for i in range(len(lhs[1]) // size):
                    for j in range(n):
                        wrong.append(sum(
                            narrowed(lhs[1][i * size + k], bits_kept)
                            * narrowed(rhs[1][k * n + j], bits_kept) for k in range(size)))
                self.assertTrue(any(not admits(expect[0], i, code(F32, x))
                                    for i, x in enumerate(wrong)), (name, bits_kept))

    def test_constants_of_a_transform(self):
        """Results that are off by 1e-8, as of roots of unity in f32."""
        expect = CASES["regressions/f64/38_irfft_8192"]["expect"][0]
        t, codes = elements(expect["interval"])
        for i, c in enumerate(codes):
            off = exact(t, c) * (1 + Fraction(1, 10**8))
            self.assertTrue(admits(expect, i, c))
            self.assertFalse(admits(expect, i, code(t, off)))

    def test_convolution_of_transformed_tiles(self):
        """Winograd's F(2,3) along the rows, every step rounded to the type."""
        for t in (F16, BF16, F32):
            expect, (lhs, rhs) = self.case(f"{t.name}/39_large_neighbours")
            wrong = [code(t, x) for x in winograd(t, lhs[1], rhs[1])]
            outside = [i for i, c in enumerate(wrong) if not admits(expect[0], i, c)]
            self.assertGreaterEqual(len(outside), 4, t.name)

    def test_solves_of_rounded_operands(self):
        expect = self.case("f32/37_operands")[0]
        wrong = [code(F32, x) for x in solves.rounded_solution(BF16)]
        self.assertFalse(all(admits(expect[0], i, c) for i, c in enumerate(wrong)))

    def test_solves_that_stop_at_256(self):
        """A last unknown or a second matrix that is left out, or its numbers."""
        for t in (F32, F64):
            found = CASES[f"regressions/{t.name}/37_batch_of_257"]["expect"][0]
            codes = elements(found["interval"])[1]
            self.assertFalse(admits(found, 256, 0))
            self.assertFalse(admits(found, 513, codes[256]))

    def test_biased_bytes(self):
        """Bytes modulo 100 are outside of the bounds, fair ones eight deviations inside."""
        self.assertGreater(draws.BIASED, draws.FAIR + 6 * draws.SLACK)
        self.assertGreater(draws.SLACK ** 2, 64 * draws.N * Fraction(56 * 44, 100 ** 2))


def narrowed(c, bits_kept):
    """The number of an f32 code rounded to fewer bits, ties up."""
    drop = 24 - bits_kept
    return exact(F32, (c + (1 << (drop - 1))) >> drop << drop)


def winograd(t, lhs, rhs):
    """3x3 over 6x6: each row of the kernel by F(2,3), then the rows added."""
    def r(x):
        return rounded_value(t, x)
    out = []
    for y in range(4):
        row = [Fraction(0)] * 4
        for k in range(3):
            g = [exact(t, rhs[3 * k + j]) for j in range(3)]
            taps = [g[0], r(r(r(g[0] + g[1]) + g[2]) / 2), r(r(r(g[0] - g[1]) + g[2]) / 2), g[2]]
            for tile in (0, 2):
                d = [exact(t, lhs[6 * (y + k) + tile + j]) for j in range(4)]
                m = [r(a * b) for a, b in zip(taps, (
                    r(d[0] - d[2]), r(d[1] + d[2]), r(d[2] - d[1]), r(d[1] - d[3])))]
                row[tile] = r(row[tile] + r(r(m[0] + m[1]) + m[2]))
                row[tile + 1] = r(row[tile + 1] + r(r(m[1] - m[2]) - m[3]))
        out += row
    return out


if __name__ == "__main__":
    unittest.main()
