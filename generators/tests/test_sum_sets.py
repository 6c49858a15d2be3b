"""Sets of sums are those of spec/conformance.md, by its own examples."""

import unittest
from fractions import Fraction

from assaygen import types, values
from assaygen.covering import sum_sets, sum_values
from assaygen.covering.sum_sets import Range
from assaygen.streams import Stream

F32, F16, BF16 = (types.BY_NAME[name] for name in ("f32", "f16", "bf16"))
INF, NAN = 0x7F800000, 0x7FC00000


def code(t, x):
    return types.encode(t, values.number(x))


class SumSets(unittest.TestCase):
    def test_overflow_on_the_way_admits_infinity_beside_the_sum(self):
        big = code(F32, 2 * 10 ** 38)
        found = sum_sets.of_elements(F32, [big, big, big | F32.sign_mask])
        self.assertEqual((found.code, found.also, found.nan), (big, (INF,), False))
        self.assertTrue(found.low < big < found.high < INF)

    def test_a_sum_beyond_the_type_is_infinity_alone(self):
        big = code(F32, 3 * 10 ** 38)
        self.assertEqual(sum_sets.of_elements(F32, [big, big]), sum_sets.single(INF))

    def test_overflow_on_both_sides_admits_nan(self):
        big = F32.max_finite
        found = sum_sets.of_elements(F32, [big, big, big | F32.sign_mask, big | F32.sign_mask])
        self.assertEqual((found.code, found.also, found.nan),
                         (0, (INF, INF | F32.sign_mask), True))

    def test_exact_sums_have_one_value(self):
        ones = [code(BF16, 1)] * 256
        self.assertEqual(sum_sets.of_elements(BF16, ones), sum_sets.single(code(BF16, 256)))
        self.assertFalse(sum_sets.of_elements(BF16, [*ones, ones[0]]).is_one)

    def test_the_bound_is_that_of_the_page(self):
        """Two roundings by 2^-24 of 3 + 2^-23 and a 64th more: 1.52 steps of 2^-22."""
        found = sum_sets.of_elements(F32, [code(F32, 1), code(F32, 1), 0x3F800001])
        self.assertEqual((found.code, found.low, found.high),
                         (0x40400000, 0x403FFFFF, 0x40400002))

    def test_signs_of_zero(self):
        minus = F32.sign_mask
        self.assertEqual(sum_sets.of_elements(F32, [minus] * 3), Range(minus, minus, 0))
        self.assertEqual(sum_sets.of_elements(F32, [minus, 0]), sum_sets.single(0))
        self.assertEqual(sum_sets.of_products((F32,) * 3, [(0, minus)]), Range(0, minus, 0))

    def test_special_terms(self):
        one = code(F32, 1)
        self.assertEqual(sum_sets.of_products((F32,) * 3, [(0, INF)]).code, NAN)
        self.assertEqual(sum_sets.of_elements(F32, [INF, one]), sum_sets.single(INF))
        self.assertEqual(sum_sets.of_elements(F32, [INF, INF | F32.sign_mask]).code, NAN)

    def test_the_last_number_stands_for_what_is_beyond(self):
        """Of 7.5 + 7.5 - 7.5 the first two may stay 7.5; less 2 / 16 * 22.5 and a 64th more."""
        t, last = types.BY_NAME["f6e2m3fn"], Fraction(15, 2)
        found = sum_sets.of_elements(t, [code(t, last), code(t, last), code(t, -last)])
        self.assertEqual((found.code, found.low, found.high),
                         (code(t, last), code(t, Fraction(-11, 4)), code(t, last)))


class SumValues(unittest.TestCase):
    def test_lines_have_their_lengths(self):
        for t in (F32, F16, BF16, types.BY_NAME["f8e4m3fn"], types.BY_NAME["f4e2m1fn"]):
            for name, line in sum_values.CLASSES.items():
                for n in (1, 2, 3, 33, 257, 1025):
                    if sum_values.fits(t, name, n):
                        found = line(t, n, Stream("test", t.name, name, n))
                        self.assertEqual(len(found), n, (t.name, name, n))

    def test_the_last_exact_sum_and_the_first_that_is_not(self):
        for n in (3, 129, 1025):
            for name, is_exact in (("last_exact", True), ("first_inexact", False)):
                line = sum_values.CLASSES[name](F32, n, Stream("test", name, n))
                unit = sum(abs(sum_sets.steps(F32, code)) for code in line)
                unit //= sum_sets.steps(F32, F32.bias << F32.mantissa) >> F32.mantissa
                self.assertEqual(unit, (1 << 24) + (not is_exact), (name, n))
