"""What made.py says that a module imports is what Python loads for it."""

import contextlib
import io
import pathlib
import subprocess
import sys
import unittest
from unittest import mock

import generate
import made
import rendered

LOADED = """
import importlib, sys
sys.path.insert(0, sys.argv[1])
importlib.import_module(sys.argv[2])
print(*(name for name, module in sys.modules.items()
        if (getattr(module, "__file__", None) or "").startswith(sys.argv[1])))
"""


def loaded(module: str) -> set[str]:
    run = subprocess.run([sys.executable, "-c", LOADED, str(made.HERE), module],
                         capture_output=True, text=True, check=True)
    return set(run.stdout.split())


class ClosureTest(unittest.TestCase):
    def test_holds_what_is_loaded(self):
        for module in ("ops.add", "ops.fft", "stablehlo", *rendered.LARGE_SETS,
                       "regressions", "sequences"):
            self.assertLessEqual(loaded(module), made.closure(module), module)

    def test_leaves_out_what_is_not_imported(self):
        self.assertNotIn("ops.fft", made.closure("ops.add"))
        self.assertEqual(loaded("ops.add"), made.closure("ops.add"))

    def test_names_all_operations_where_a_name_is_computed(self):
        operations = {f"ops.{file.stem}" for file in (made.HERE / "ops").glob("*.py")}
        self.assertLessEqual(operations, made.closure("covering_elementwise"))


class DigestTest(unittest.TestCase):
    def test_tells_names_and_texts_apart(self):
        digests = {made.digest(texts) for texts in (
            {"a": b"bc"}, {"ab": b"c"}, {"a": b"b", "c": b""}, {"a": b"", "b": b"c"}, {})}
        self.assertEqual(len(digests), 5)

    def test_record_names_each_operation_once(self):
        lines = pathlib.Path(made.RECORD).read_text().splitlines()[1:]
        self.assertEqual([line.split()[2] for line in lines], rendered.operations())


class StaleTest(unittest.TestCase):
    """What made.txt does not have as it stands."""

    OPERATIONS = ["abs", "add"]

    def setUp(self):
        self.record = {op: generate.standing(op) for op in self.OPERATIONS}

    def run_with(self, record, *arguments):
        """The exit code, what is printed, and which operations are written."""
        written = []
        with contextlib.redirect_stdout(io.StringIO()) as said, \
                mock.patch.object(made, "read_record", lambda: record), \
                mock.patch.object(made, "write_record"), \
                mock.patch.object(generate, "operations", lambda: self.OPERATIONS), \
                mock.patch.object(generate, "write", written.append), \
                mock.patch.object(sys, "argv", ["generate.py", *arguments]):
            return generate.main(), said.getvalue(), written

    def test_is_nothing_where_all_stands(self):
        self.assertEqual(self.run_with(self.record, "--check"), (0, "", []))
        self.assertEqual(self.run_with(self.record), (0, "", []))

    def test_is_told_and_written(self):
        sources, files = self.record["add"]
        for wrong in ([sources, "0" * 64], ["0" * 64, files], None):
            record = self.record | {"add": wrong}
            code, said, _ = self.run_with(record, "--check")
            self.assertEqual(code, 1)
            self.assertTrue(said.endswith("generators/generate.py: add\n"), said)
            self.assertEqual(self.run_with(record), (0, "", ["add"]))

    def test_does_not_matter_where_operations_are_named(self):
        self.assertEqual(self.run_with(self.record, "abs"), (0, "", ["abs"]))
        self.assertEqual(self.run_with(self.record, "--again"), (0, "", self.OPERATIONS))


if __name__ == "__main__":
    unittest.main()
