"""Sequences and broadcasts: values known by hand, and what their evaluator refuses."""

import unittest

import broadcasting
import seeds
import sequences
from assaygen.types import F32, S32
from broadcasting import rules
from sequences.elements import matrix, vector
from sequences.steps import Steps
from stablehlo import native

CASES = {case.what: case for case in sequences.cases()}


def numbers(what: str, leaf: int = 0) -> list[str]:
    return CASES[what].expect[leaf]["bits"].split()[1:]


class Values(unittest.TestCase):
    def test_zero_times_has_the_sign_of_the_operand(self):
        self.assertEqual(numbers("f32/times_zero")[:4],
                         ["00000000", "80000000", "00000000", "80000000"])

    def test_sum_less_term_loses_the_small_term(self):
        # (1 + 2^24) - 2^24 is 0 by rounding to even, (2^24 + 1) - 1 is 2^24 - 1.
        self.assertEqual(numbers("f32/sum_less_term")[:2], ["00000000", "4b7fffff"])

    def test_prefix_sums_read_what_was_just_written(self):
        found = [int(x, 16) for x in numbers("s32/loop_prefix_sums")]
        self.assertEqual(found, [3, 4, 8, 9, 14, 23])

    def test_variants_have_one_value(self):
        for what, case in CASES.items():
            base = what.removesuffix(".folded").removesuffix(".arranged")
            if base != what and "drawn" not in what:
                self.assertEqual(case.expect, CASES[base].expect, what)

    def test_layouts_are_arranged(self):
        self.assertIn("entry_computation_layout", CASES["f32/transposed_twice.arranged"].program)


class Evaluator(unittest.TestCase):
    def test_refuses_sums_that_depend_on_their_order(self):
        steps = Steps("main")
        x = steps.bits(vector(F32, 2 ** 24, 1, 1))
        steps.reduce("add", x, steps.number(F32, 0), (0,))
        self.assertRaises(AssertionError, steps.run)

    def test_pads_behind_a_cut(self):
        steps = Steps("main")
        x = steps.bits(vector(S32, 1, 2, 3))
        steps.pad(x, steps.number(S32, 9), (-1, 0, 1))
        self.assertEqual(steps.run().codes, (9, 2, 9, 3))

    def test_slices_are_moved_inside(self):
        steps = Steps("main")
        x = steps.bits(matrix(S32, [1, 2, 3], [4, 5, 6]))
        steps.dynamic_slice(x, [steps.number(S32, 9), steps.number(S32, -9)], (1, 2))
        self.assertEqual(steps.run().codes, (4, 5))


class Rules(unittest.TestCase):
    def test_sizes_of_results(self):
        self.assertEqual(rules.result_dims((4,), (1, 2), (0,)), (4, 2))
        self.assertEqual(rules.result_dims((1, 2), (4, 3, 1), (1, 2)), (4, 3, 2))
        self.assertEqual(rules.result_dims((1, 3), (0, 3)), (0, 3))

    def test_sets_are_not_empty_and_unique(self):
        for module in (broadcasting, seeds, native):
            ids = [case.what for case in module.cases()]
            self.assertEqual(len(ids), len(set(ids)))
            self.assertGreater(len(ids), 40)


if __name__ == "__main__":
    unittest.main()
