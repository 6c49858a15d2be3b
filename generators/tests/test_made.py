"""What made.py says that a module imports is what Python loads for it."""

import pathlib
import subprocess
import sys
import unittest

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


if __name__ == "__main__":
    unittest.main()
