"""Checks `assay fingerprint` as a command: exit codes, its file, its bytes.

    fingerprint.py ASSAY
"""

import json
import pathlib
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
ASSAY = str(pathlib.Path(sys.argv[1]).resolve())
SCHEMA = json.loads((ROOT / "spec/schema/fingerprint.schema.json").read_text())
SHORT = ["--op", "dot", "--op", "reduce", "--type", "f32", "--length", "3", "--length", "9",
         "--sums", "3000"]
WORKER = "process:" + shlex.quote(sys.executable) + " " + shlex.quote(
    str(ROOT / "backends/process/examples/worker.py"))


def run(backend, *arguments):
    return subprocess.run([ASSAY, "fingerprint", "-b", backend, *arguments], cwd=ROOT, text=True,
                          capture_output=True, timeout=600)


class Fingerprint(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.at = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def written(self, backend, *arguments):
        file = self.at / "f.json"
        done = run(backend, *SHORT, "-o", str(file), *arguments)
        return done, file.read_bytes()

    def test_the_reference_sums_exactly(self):
        done, text = self.written("interpreter:")
        self.assertEqual(done.returncode, 0, done.stderr)
        for operation in json.loads(text)["operations"]:
            nine = operation["sums"][-1]
            self.assertEqual(nine["order"]["tree"], "(0+1+2+3+4+5+6+7+8)")
            self.assertIn("added exactly", nine["model"]["blocks"])

    def test_the_file_is_what_the_schema_says(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("no jsonschema")
        for backend in ("interpreter:", "cpu:", "mutant:flush-subnormals"):
            text = self.written(backend)[1]
            jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(text))

    def test_it_is_the_same_each_time(self):
        first, text = self.written("cpu:")
        second, again = self.written("cpu:")
        self.assertEqual(text, again)
        self.assertEqual(first.stdout, second.stdout)

    def test_the_last_line_names_the_backend_with_one_colon(self):
        for backend, named in (("cpu:", "cpu: "), ("cpu:threads=2", "cpu:threads=2: ")):
            last = run(backend, *SHORT[:6], "--length", "1", "--sums", "10").stdout.splitlines()[-1]
            self.assertRegex(last, rf"^{named}\d+ of ")

    def test_what_is_not_supported_is_no_failure(self):
        done = run(WORKER, *SHORT)
        self.assertEqual(done.returncode, 77, done.stderr)
        self.assertIn("unsupported", done.stdout)

    def test_a_backend_that_dies_is_told_from_one_that_differs(self):
        done = run("process:false", *SHORT)
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertIn("failed", done.stdout)

    def test_a_backend_that_hangs_ends(self):
        begin = time.monotonic()
        done = run("process:sleep 1000", *SHORT, "--op", "dot", "--timeout", "1")
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertLess(time.monotonic() - begin, 60)

    def test_wrong_options_are_named(self):
        for arguments in (["--op", "add"], ["--type", "s32"], ["--length", "0"],
                          ["--length", "4097"], ["--sums", "0"]):
            done = run("cpu:", *arguments)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(arguments[0], done.stderr)
        self.assertEqual(run("nobody:").returncode, 2)

    def test_a_killed_run_leaves_no_file(self):
        file = self.at / "killed.json"
        going = subprocess.Popen([ASSAY, "fingerprint", "-b", "cpu:", "-o", str(file)], cwd=ROOT,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        going.stdout.readline()
        going.send_signal(signal.SIGKILL)
        going.communicate()
        self.assertFalse(file.exists())

    def test_one_term(self):
        done = run("cpu:", *SHORT[:6], "--length", "1", "--sums", "100")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
