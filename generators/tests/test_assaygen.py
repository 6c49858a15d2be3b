"""The vectors obey their JSON Schema, and the library its own definitions."""

import json
import pathlib
import unittest
from fractions import Fraction

import jsonschema
import mpmath

import conversions
from assaygen import (arrays, cases, combiners, functions, indexed, steps, sums, types, values,
                      windows)
from ops import convert

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Vectors(unittest.TestCase):
    def test_every_line_is_valid(self):
        schema = json.loads((ROOT / "spec/schema/vectors.schema.json").read_text())
        validator = jsonschema.Draft202012Validator(schema)
        for file in sorted((ROOT / "conformance/vectors").rglob("*.jsonl")):
            head, *cases = map(json.loads, file.read_text().splitlines())
            with self.subTest(file=file.name):
                validator.validate(head)
                ids = [case["id"] for case in cases]
                self.assertEqual(len(ids), len(set(ids)))
                for case in cases[::7]:
                    validator.validate(case)
                    self.assertLessEqual(set(case["why"]), set(head["notes"]))


class Names(unittest.TestCase):
    def test_words_of_xla_name_no_instruction(self):
        def named(name, expect):
            text = f"HloModule m\n\nENTRY main {{\n  ROOT {name} = f32[] constant(1)\n}}\n"
            return cases.Case("f32/x", "a case", text, expect).words_as_names()

        for name in ("true", "s2", "f32", "token", "nan"):
            self.assertEqual(named(name, []), [name])
        for name in ("truth", "s2_", "s3", "p0"):
            self.assertEqual(named(name, []), [])
        self.assertEqual(named("true", cases.rejected("text.name")), [])


class Formats(unittest.TestCase):
    def test_small_codes_survive(self):
        for t in types.FLOATS:
            for code in range(1 << t.bits) if t.bits <= 8 else ():
                value = types.decode(t, code)
                if not value.is_nan:
                    self.assertEqual(types.encode(t, value), code, (t.name, code))

    def test_largest_values_are_those_of_the_page(self):
        largest = {"f16": 65504, "f8e5m2": 57344, "f8e4m3": 240, "f8e4m3fn": 448,
                   "f8e4m3b11fnuz": 30, "f6e2m3fn": Fraction(15, 2), "f4e2m1fn": 6}
        for name, value in largest.items():
            t = types.BY_NAME[name]
            self.assertEqual(types.decode(t, t.max_finite).exact, value)

    def test_a_tie_goes_to_even(self):
        f16 = types.BY_NAME["f16"]
        self.assertEqual(types.encode(f16, values.number(2049)), 0x6800)
        self.assertEqual(types.encode(f16, values.number(2051)), 0x6802)


class Around(unittest.TestCase):
    def test_an_end_just_below_zero_is_zero_where_there_is_no_negative_one(self):
        for name in ("f8e4m3b11fnuz", "f8e4m3fnuz", "f8e5m2fnuz"):
            t = types.BY_NAME[name]
            least = types.decode(t, 1).exact
            self.assertEqual(sums.around(t, least, least * 5 / 4), (1, 0, 2))
        t = types.BY_NAME["f8e5m2"]
        least = types.decode(t, 1).exact
        self.assertEqual(sums.around(t, least, least * 5 / 4), (1, 0x80, 2))

    def test_ends_beyond_the_largest_number(self):
        for name, low, high in (("f16", 0xFBFF, 0x7BFF), ("f6e2m3fn", 0x3F, 0x1F),
                                ("f8e4m3fn", 0xFF, 0x7E), ("f8e4m3fnuz", 0x80, 0x7F)):
            t = types.BY_NAME[name]
            far = 4 * types.decode(t, t.max_finite).exact
            self.assertEqual(sums.around(t, Fraction(0), far), (0, low, high), name)
            self.assertEqual(sums.around(t, Fraction(1), far)[1], low, name)


class Steps(unittest.TestCase):
    def around(self, t, x, limit, ends=(None, None)):
        code = types.encode(t, values.number(x))
        return steps.around(t, code, types.side(t, code, x), limit, ends)

    def test_what_overflows_may_be_the_last_number(self):
        f16, bf16 = types.BY_NAME["f16"], types.BY_NAME["bf16"]
        last, unit = Fraction(65504), Fraction(32)
        self.assertEqual(self.around(f16, last + unit * 3 / 4, "faithful"), (0x7BFF, 0x7C00))
        self.assertEqual(self.around(f16, last + unit, "faithful"), (0x7C00, 0x7C00))
        self.assertEqual(self.around(f16, -last - unit / 2, "faithful"), (0xFC00, 0xFBFF))
        self.assertEqual(self.around(f16, last + unit / 4, "faithful"), (0x7BFF, 0x7C00))
        self.assertEqual(self.around(f16, last + unit * 9 / 4, 2), (0x7BFF, 0x7C00))
        self.assertEqual(self.around(f16, last + unit * 5 / 2, 2), (0x7C00, 0x7C00))
        self.assertEqual(self.around(bf16, Fraction(1 << 300), 2), (0x7F80, 0x7F80))
        fn = types.BY_NAME["f8e4m3fn"]  # NaN stands where infinity would
        self.assertEqual(self.around(fn, Fraction(448 + 31), "faithful"), (0x7E, 0x7F))
        self.assertEqual(self.around(fn, Fraction(448 + 32), "faithful"), (0x7F, 0x7F))
        self.assertEqual(self.around(fn, Fraction(448 + 8), "faithful"), (0x7E, 0x7F))
        self.assertEqual(self.around(fn, Fraction(-448 - 8), "faithful"), (0xFF, 0xFE))
        self.assertEqual(self.around(fn, Fraction(448 + 8), 1), (0x7D, 0x7E))

    def test_no_step_crosses_zero_or_an_end(self):
        tiny = Fraction(1, 1 << 200)
        self.assertEqual(self.around(types.F32, tiny, 2), (0, 2))
        self.assertEqual(self.around(types.F32, -tiny, 2), (0x80000002, 0x80000000))
        self.assertEqual(self.around(types.F32, Fraction(0), 2), (0, 0))
        self.assertEqual(self.around(types.F32, Fraction(1), 2, (0x3F800000, None)),
                         (0x3F800000, 0x3F800002))
        fnuz = types.BY_NAME["f8e4m3fnuz"]  # without -0
        self.assertEqual(self.around(fnuz, -tiny, "faithful"), (0x81, 0))
        self.assertEqual(self.around(fnuz, -types.decode(fnuz, 1).exact * 3 / 4, "faithful"),
                         (0x81, 0))


class Definitions(unittest.TestCase):
    """The examples of the pages, by hand."""

    def test_a_window_that_leaves_the_operand_is_left_out(self):
        numbers = indexed.Numbers((4,), (3,), [1], [], [0], 1, [2], [], [])
        indices = arrays.of(types.S32, (types.S32.wrap(x) for x in (0, 3, -1)))
        self.assertEqual(numbers.targets(indices), {(0,): [(0, 0)], (1,): [(0, 1)]})

    def test_cells_in_padding_and_gaps_are_skipped(self):
        window = [(2, 1, 0, 0, 2, 1)]
        self.assertEqual(windows.result_dims((2,), window), (2,))
        found = [list(windows.places((2,), window, (k,))) for k in range(2)]
        self.assertEqual(found, [[(0,)], [(1,)]])

    def test_of_several_updates_any_may_stay(self):
        codes = combiners.updates(types.F32, 5, 3)
        value, least, greatest = combiners.joined(types.F32, "update", [0, *codes])
        self.assertEqual(value, codes[-1])
        self.assertEqual(set(codes), set(range(least, greatest + 1)))


class Conversions(unittest.TestCase):
    def test_many_at_once_are_like_one(self):
        """The integers of conversions.py give what fractions give."""
        for source in conversions.REAL:
            sources = conversions.codes(source)
            sources = sources[::len(sources) // 199 + 1] + sources[-9:]
            found = [convert.value_of(source, code) for code in sources]
            numbers = list(conversions.dyadics(found))
            for target in conversions.REAL:
                many = conversions.results(source, target, sources, found, numbers)
                self.assertEqual(list(many), [convert.rule(source, target, c) for c in sources],
                                 (source.name, target.name))


class Functions(unittest.TestCase):
    def test_root_of_two(self):
        self.assertEqual(functions.square_root(types.F32, 0x40000000), 0x3FB504F3)

    def test_side_of_tanh_seven(self):
        rule = functions.function(functions.hyperbolic_tangent, lambda x: None,
                                  mpmath.tanh)
        self.assertEqual(rule(types.F32, 0x40E00000)[0], 0x3F7FFFE4)


class Sums(unittest.TestCase):
    def test_small_integers_are_exact_in_every_order(self):
        terms = [Fraction(3), Fraction(-5), Fraction(7)]
        self.assertEqual(len(set(sums.codes(types.F32, terms, False))), 1)

    def test_the_interval_holds_the_rounded_sum(self):
        terms = [Fraction(1), Fraction(1, 1 << 25)]
        nearest, low, high = sums.codes(types.F32, terms, True)
        self.assertLessEqual(low, nearest)
        self.assertLess(nearest, high)


if __name__ == "__main__":
    unittest.main()
