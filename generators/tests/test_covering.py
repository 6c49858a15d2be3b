"""Covering arrays cover, classes of layouts are what they are called, and places in memory are
those of the specification."""

import itertools
import pathlib
import re
import unittest

from assaygen import memory, types
from assaygen.covering import arrange, pairs, value_classes
from assaygen.covering.layouts import LAYOUTS
from assaygen.covering.shapes import SHAPES
from assaygen.streams import Stream

ROOT = pathlib.Path(__file__).resolve().parents[2]
FACTORS = {"a": list("abcdef"), "b": [1, 2, 3, 4, 5], "c": [(), (1,), (2, 3)], "d": [0, 1, 2, 3],
           "e": [True, False]}


def met(rows):
    """The pairs of values, with their factors, that stand in a row."""
    return {pair for row in rows for pair in itertools.combinations(sorted(row.items()), 2)}


def whole(factors):
    """All rows that there are."""
    return [dict(zip(factors, values)) for values in itertools.product(*factors.values())]


def drawn_rule(number):
    """A rule that refuses about a third of all rows for reasons of three factors."""
    stream = Stream("test_covering", number)
    names = list(FACTORS)
    first = names.pop(stream.below(5))
    second, third = names[stream.below(4)], names[stream.below(3)]
    refused = {(x, y, z) for x in FACTORS[first] for y in FACTORS[second] for z in FACTORS[third]
               if Stream("test_covering", number, x, y, z).below(3) == 0}
    return lambda row: (row[first], row[second], row[third]) not in refused


class Rows(unittest.TestCase):
    def check(self, rules, seed=""):
        allowed = [row for row in whole(FACTORS) if all(rule(row) for rule in rules)]
        found = pairs.rows(FACTORS, rules, seed)
        self.assertEqual(met(found), met(allowed))
        self.assertTrue(all(row in allowed for row in found))
        return found

    def test_all_pairs_meet_in_few_rows(self):
        found = self.check([lambda row: True])
        self.assertLess(len(found), 45)  # 30 are needed, 720 are all

    def test_every_allowed_pair_meets_under_rules(self):
        for number in range(40):
            with self.subTest(number=number):
                self.check([drawn_rule(number), drawn_rule(100 + number)], str(number))

    def test_a_pair_that_only_one_row_has_is_found(self):
        one = {"a": "c", "b": 4, "c": (1,), "d": 2, "e": False}
        self.check([lambda row: row["a"] != "c" or all(row[k] == one[k] for k in "bcde")])

    def test_no_row_where_all_are_refused(self):
        self.assertEqual(pairs.rows(FACTORS, [lambda row: False]), [])
        self.assertEqual(pairs.rows(FACTORS, lambda row: row["d"] > 7), [])

    def test_one_factor_has_a_row_for_each_value(self):
        self.assertEqual(pairs.rows({"a": [1, 2]}), [{"a": 1}, {"a": 2}])

    def test_the_seed_alone_decides_the_order(self):
        self.assertEqual(pairs.rows(FACTORS, seed="x"), pairs.rows(FACTORS, seed="x"))
        self.assertNotEqual(pairs.rows(FACTORS, seed="x"), pairs.rows(FACTORS, seed="y"))

    def test_a_rule_reads_a_row_by_names(self):
        with self.assertRaises(TypeError):
            pairs.rows(FACTORS, lambda row: len(list(row)) == 5)


class Layouts(unittest.TestCase):
    def test_the_default_has_no_text_and_others_another_map(self):
        for (name, make), dims, t in itertools.product(LAYOUTS.items(), [(9, 129), (3, 5, 130)],
                                                       map(types.BY_NAME.get, ("bf16", "s4"))):
            text = make(t, dims)
            if text is None:
                continue
            slots, count = memory.slots(dims, memory.parse(text, len(dims)))
            with self.subTest(layout=text):
                self.assertEqual(len(set(slots)), len(slots))
                self.assertLess(max(slots), count)
                same = slots == tuple(range(len(slots)))
                self.assertEqual(same, name in ("default", "packed"))

    def test_each_shape_of_a_class_stands_in_no_other(self):
        shapes = [dims for found in SHAPES.values() for dims in found]
        self.assertEqual(len(shapes), len(set(shapes)))

    def test_places_are_those_of_the_page(self):
        page = (ROOT / "spec/layout.md").read_text()
        maps = re.findall(r"```layout map\n\w+\[([\d,]*)\](\{[^}]*\})\n(.*?)```", page, re.S)
        for dims, text, expected in maps:
            sizes = tuple(map(int, dims.split(",")))
            slots, _ = memory.slots(sizes, memory.parse(text, len(sizes)))
            self.assertEqual(list(slots), list(map(int, expected.split())), text)
        self.assertGreater(len(maps), 5)

    def test_single_places_are_those_of_the_page(self):
        page = (ROOT / "spec/layout.md").read_text()
        line = r"^\w+\[([\d,]*)\](\{[^}]*\}) at ([\d,]*) = (\d+)$"
        found = re.findall(line, page, re.M)
        for dims, text, at, expected in found:
            sizes, index = (tuple(map(int, x.split(","))) if x else () for x in (dims, at))
            place, _ = memory.place(index, sizes, memory.parse(text, len(sizes)))
            self.assertEqual(place, int(expected), text)
        self.assertGreater(len(found), 5)


class Values(unittest.TestCase):
    def test_every_class_draws_codes_of_every_type(self):
        for name, t in itertools.product(value_classes.NAMES, types.ALL):
            stream = Stream("test_covering", name, t.name)
            for code in (value_classes.draw(name, t, stream) for _ in range(60)):
                parts, width = (code, t.bits // 2) if t.kind == "complex" else ((code,), t.bits)
                self.assertTrue(all(0 <= part < 1 << width for part in parts), (name, t.name))

    def test_pairs_are_near(self):
        stream = Stream("test_covering", "pairs")
        rows = [value_classes.row("pairs", [types.F32] * 2, stream) for _ in range(200)]
        near = [abs((a & 0x7fffffff) - (b & 0x7fffffff)) <= 2 << 25 for a, b in rows]
        self.assertGreater(sum(near), 150)

    def test_places_fill_arrays_of_all_sizes(self):
        for make, count in itertools.product((arrange.places, arrange.marks), (0, 1, 300, 4097)):
            found = make(count, 7, Stream("test_covering", count))
            self.assertEqual(len(found), count)
            self.assertTrue(all(0 <= k < 7 for k in found))


if __name__ == "__main__":
    unittest.main()
