"""Checks that a sweep which is killed and resumed leaves the same bytes.

    sweeps.py ASSAY
"""

import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
ASSAY = str(pathlib.Path(sys.argv[1]).resolve())
# Some 130 chunks of 2^20 numbers, whose exponentials are 0.
SWEEP = ["sweep", "--op", "exp", "--backend", "cpu:", "--range", "-inf:-1e33", "-j", "2"]
INCOMPLETE = 4
USAGE = 2


class Sweeps(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.at = pathlib.Path(cls.folder.name)
        cls.whole = cls.at / "whole.jsonl"
        run = cls.run_with(cls.whole)
        assert run.returncode == 0, run.stderr
        cls.report = run.stdout

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @staticmethod
    def run_with(file, *arguments, sweep=SWEEP):
        return subprocess.run([ASSAY, *sweep, "-o", file, *arguments], cwd=ROOT, text=True,
                              capture_output=True, timeout=300)

    def interrupt(self, file, sent):
        """Sends the signal as soon as a few chunks are written."""
        part = pathlib.Path(f"{file}.part")
        run = subprocess.Popen([ASSAY, *SWEEP, "-o", file], cwd=ROOT, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        limit = time.monotonic() + 100
        while run.poll() is None and time.monotonic() < limit:
            if part.exists() and part.read_text().count("\n") >= 4:
                run.send_signal(sent)
                break
            time.sleep(0.001)
        run.communicate()
        return run.returncode, part

    def test_a_killed_sweep_goes_on_to_the_same_bytes(self):
        for sent in (signal.SIGKILL, signal.SIGTERM):
            file = self.at / f"killed_{sent}.jsonl"
            code, part = self.interrupt(file, sent)
            self.assertEqual(code, -sent if sent == signal.SIGKILL else INCOMPLETE)
            self.assertFalse(file.exists())
            left = part.read_text().count("\n")
            self.assertLess(left, self.whole.read_text().count("\n"))
            part.write_text(part.read_text() + '{"event":"chunk","chu')  # cut off
            run = self.run_with(file, "--resume")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(file.read_bytes(), self.whole.read_bytes())
            self.assertEqual(run.stdout, self.report)

    def test_a_complex_sweep_goes_on_to_the_same_bytes(self):
        sweep = ["sweep", "--op", "multiply", "--type", "c64", "--backend", "cpu:", "-j"]
        whole, part = self.at / "complex.jsonl", self.at / "rest.jsonl"
        run = self.run_with(whole, sweep=[*sweep, "2"])
        self.assertEqual(run.returncode, 0, run.stderr)
        lines = whole.read_text().splitlines(True)
        pathlib.Path(f"{part}.part").write_text("".join(lines[:9]) + lines[9][:30])
        again = self.run_with(part, "--resume", sweep=[*sweep, "1"])
        self.assertEqual(again.stdout, run.stdout)
        self.assertEqual(part.read_bytes(), whole.read_bytes())

    def test_a_whole_file_is_told_again(self):
        before = self.whole.read_bytes()
        run = self.run_with(self.whole, "--resume")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.whole.read_bytes(), before)
        self.assertEqual(run.stdout, self.report)

    def test_one_thread_and_two_give_the_same(self):
        file = self.at / "one.jsonl"
        run = self.run_with(file, sweep=[*SWEEP[:-1], "1"])
        self.assertEqual(run.stdout, self.report)
        self.assertEqual(file.read_bytes(), self.whole.read_bytes())

    def test_what_belongs_to_another_sweep_is_refused(self):
        lines = self.whole.read_text().splitlines(True)
        begin = json.loads(lines[0])
        begin["sweep"] = "tanh"
        tally = json.loads(lines[2])
        tally["sum"] = -1
        wrong = {
            "sweep.resumed": ["x" * 100 + "\n", json.dumps(begin) + "\n"],
            "sweep.file": [lines[0] + "{}\n", lines[0] + "[" * 10000 + "\n",
                           lines[0] + lines[2], lines[0] + lines[1] + lines[1],
                           lines[0] + lines[1] + json.dumps(tally) + "\n"],
        }
        for label, texts in wrong.items():
            for text in texts:
                file = self.at / "wrong.jsonl"
                pathlib.Path(f"{file}.part").write_text(text)
                run = self.run_with(file, "--resume")
                self.assertIn(label, run.stderr)
                self.assertNotEqual(run.returncode, 0)
                self.assertFalse(file.exists())
                self.assertEqual(pathlib.Path(f"{file}.part").read_text(), text)

    def test_two_at_once_do_not_share_a_file(self):
        file = self.at / "shared.jsonl"
        first = subprocess.Popen([ASSAY, *SWEEP, "-o", file], cwd=ROOT, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not pathlib.Path(f"{file}.part").exists() and first.poll() is None:
            time.sleep(0.001)
        second = self.run_with(file)
        first.communicate()
        self.assertEqual(first.returncode, 0)
        self.assertIn("file.", second.stderr)
        self.assertEqual(file.read_bytes(), self.whole.read_bytes())

    def test_wrong_options_are_named(self):
        for label, arguments in {
            "sweep.operation": ["--op", "dot"],
            "sweep.type": ["--op", "abs", "--type", "c64"],
            "sweep.range": ["--op", "add", "--type", "c64", "--range", "0:1"],
            "usage.resume": ["--op", "exp", "--resume"],
            "usage.profile": ["--op", "exp", "--profile", "nothing"],
        }.items():
            run = subprocess.run([ASSAY, "sweep", "-b", "cpu:", *arguments], cwd=ROOT, text=True,
                                 capture_output=True, timeout=60)
            self.assertIn(label, run.stderr)

    def test_a_backend_that_dies_is_named_and_the_sweep_goes_on_later(self):
        file = self.at / "dies.jsonl"
        run = subprocess.run([ASSAY, "sweep", "--op", "exp", "--type", "bf16", "-b",
                              "process:false", "-o", file], cwd=ROOT, text=True,
                             capture_output=True, timeout=100)
        self.assertEqual(run.returncode, 3)
        self.assertIn("sweep.backend", run.stderr)
        self.assertFalse(file.exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
