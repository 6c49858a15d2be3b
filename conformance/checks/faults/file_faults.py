"""Checks what the commands do with files that are not as they should be.

    file_faults.py ASSAY FAULTY_CALLS

Inputs that are missing, endless or cannot be read; outputs that are inputs, are
another output, lie on a full disk or belong to another run; standard output
that nobody takes. The library FAULTY_CALLS makes single calls fail
(conformance/files/testing).
"""

import errno
import json
import os
import pathlib
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
ASSAY, FAULTY = (str(pathlib.Path(a).resolve()) for a in sys.argv[1:3])
USAGE, BROKEN = 2, 3
PROGRAM = """HloModule t

ENTRY main {
  a = f32[3] parameter(0)
  b = f32[3] negate(a)
  ROOT r = (f32[3], f32[3]) tuple(a, b)
}
"""
OPEN = """func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = stablehlo.negate %x : tensor<?xf32>
  return %y : tensor<?xf32>
}
"""
INPUT = ["-i", "{1, 2, 3}"]
ENDLESS = (ROOT / "conformance/files/testing/endless.hlo").read_text()


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.at = pathlib.Path(self.folder.name)
        lines = (ROOT / "conformance/vectors/abs.jsonl").read_text().splitlines(True)
        self.cases = self.write("cases.jsonl", "".join(lines[:4]))
        self.program = self.write("t.hlo", PROGRAM)

    def write(self, name, text):
        (self.at / name).write_text(text)
        return str(self.at / name)

    def assay(self, *arguments, fault=None, timeout=60, **options):
        options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("stdout", subprocess.PIPE)
        environment = dict(os.environ)
        if fault:
            environment |= {"LD_PRELOAD": FAULTY,
                            "ASAN_OPTIONS": "verify_asan_link_order=0"}
            environment |= {f"FAULTY_{key.upper()}": str(value)
                            for key, value in fault.items()}
        return subprocess.run(
            [ASSAY, *map(str, arguments)], stderr=subprocess.PIPE, text=True,
            timeout=timeout, env=environment, cwd=ROOT, **options)

    def refused(self, code, words, *arguments, **options):
        done = self.assay(*arguments, **options)
        self.assertEqual(done.returncode, code, (arguments, done.stderr))
        self.assertIn(words, done.stderr, arguments)
        self.assertNotIn("internal error", done.stderr, arguments)
        return done

    def names(self, folder="."):
        return sorted(entry.name for entry in (self.at / folder).iterdir())

    def asking(self):
        """A vector file with two cases that are to be blessed."""
        lines = pathlib.Path(self.cases).read_text().splitlines()
        cases = [json.loads(line) | {"expect": "reference", "source": "reference"}
                 for line in lines[1:3]]
        texts = [json.dumps(case, separators=(",", ":")) for case in cases]
        return self.write("asking.jsonl", "\n".join([lines[0], *texts, ""]))

    def check(self, *arguments, **options):
        return self.assay("check", "-b", "interpreter:", self.cases, *arguments, **options)

    def check_refused(self, code, words, *arguments, **options):
        return self.refused(code, words, "check", "-b", "interpreter:", self.cases,
                            *arguments, **options)


class Outputs(Files):
    """What is there is only replaced, as a whole, by what is done."""

    def test_an_input_is_no_output(self):
        before = pathlib.Path(self.cases).read_bytes()
        os.link(self.cases, self.at / "hard.jsonl")
        (self.at / "soft.jsonl").symlink_to("cases.jsonl")
        for option in ("-o", "--junit"):
            for name in ("cases.jsonl", "hard.jsonl", "soft.jsonl"):
                self.check_refused(USAGE, name, option, self.at / name)
                self.assertEqual(pathlib.Path(self.cases).read_bytes(), before)
        self.assertEqual(self.names(),
                         ["cases.jsonl", "hard.jsonl", "soft.jsonl", "t.hlo"])

    def test_results_of_eval_and_bounds_are_no_inputs(self):
        self.assay("eval", self.program, *INPUT, "-o", self.at / "out")
        before = (self.at / "out/0.npy").read_bytes()
        for command in ("eval", "bounds"):
            self.refused(USAGE, "0.npy", command, self.program, "-i",
                         f"@{self.at}/out/0.npy", "-o", self.at / "out")
            self.assertEqual((self.at / "out/0.npy").read_bytes(), before)

    def test_two_outputs_are_two_files(self):
        for other in ("x", "./x", "../" + self.at.name + "/x"):
            self.check_refused(USAGE, "x", "-o", self.at / "x", "--junit",
                               f"{self.at}/{other}")
        (self.at / "x").write_text("old")
        os.link(self.at / "x", self.at / "y")
        self.check_refused(USAGE, "y", "-o", self.at / "x", "--junit", self.at / "y")
        self.assertEqual((self.at / "x").read_text(), "old")
        with open(self.at / "x", "a") as out:
            self.check_refused(USAGE, "x", "-o", self.at / "x", stdout=out)
        self.assertEqual((self.at / "x").read_text(), "old")

    def test_what_does_not_begin_replaces_nothing(self):
        bad = self.write("bad.jsonl", "{")
        for name in ("e", "j"):
            self.write(name, "old")
        outputs = ["-o", self.at / "e", "--junit", self.at / "j"]
        for code, rest in ((USAGE, ["-f", "tpyo"]), (BROKEN, [bad]),
                           (BROKEN, [self.at / "none"]), (USAGE, ["-b", "npu:"]),
                           (USAGE, ["-p", "tpyo"])):
            done = self.check(*outputs, *rest)
            self.assertEqual(done.returncode, code, (rest, done.stderr))
            self.assertEqual((self.at / "e").read_text(), "old", rest)
            self.assertEqual((self.at / "j").read_text(), "old", rest)
        self.assertEqual(self.names(), ["bad.jsonl", "cases.jsonl", "e", "j", "t.hlo"])

    def test_a_full_disk_leaves_the_files_of_before(self):
        for name in ("e", "j", "s.svg"):
            self.write(name, "old")
        golden = pathlib.Path(self.asking())
        before = golden.read_bytes()
        for call, number in (("write", errno.ENOSPC), ("fsync", errno.EIO),
                             ("rename", errno.EACCES)):
            fault = {"call": call, "errno": number}
            words = os.strerror(number)
            run = [("e", ["check", self.cases, "-o", self.at / "e"]),
                   ("j", ["check", self.cases, "--junit", self.at / "j"]),
                   ("s.svg", ["layout", "f32[3,5]{1,0}", "-o", self.at / "s.svg"])]
            for name, arguments in run:
                self.refused(BROKEN, words, *arguments,
                             fault=fault | {"file": f"{self.at}/{name}"})
                self.assertEqual((self.at / name).read_text(), "old", (call, name))
            self.refused(BROKEN, words, "golden", "bless", golden,
                         fault=fault | {"file": "asking"})
            self.assertEqual(golden.read_bytes(), before, call)
        self.assertEqual([name for name in self.names() if name != "e.part"],
                         ["asking.jsonl", "cases.jsonl", "e", "j", "s.svg", "t.hlo"])

    def test_a_full_disk_leaves_the_arrays_of_before(self):
        folder = self.at / "out"
        for command in ("eval", "bounds"):
            run = [command, self.program, *INPUT, "-o", folder]
            self.assertEqual(self.assay(*run).returncode, 0)
            before = {f.name: f.read_bytes() for f in folder.iterdir()}
            run[3] = "{4, 5, 6}"
            for call in ("write", "fsync"):
                self.refused(BROKEN, os.strerror(errno.ENOSPC), *run, fault={
                    "call": call, "errno": errno.ENOSPC, "file": f"{folder}/1"})
                self.assertEqual(before, {f.name: f.read_bytes() for f in folder.iterdir()})

    def test_lines_that_were_written_survive_a_full_disk(self):
        self.check_refused(BROKEN, "No space", "-o", self.at / "e", "-j", 2, fault={
            "call": "write", "errno": errno.ENOSPC, "file": "/e.part", "after": 3})
        lines = (self.at / "e.part").read_text().splitlines()
        self.assertEqual([json.loads(line)["event"] for line in lines],
                         ["begin", "case", "case"])
        self.assertEqual(self.check("-o", self.at / "e").returncode, 0)
        self.assertEqual(self.names(), ["cases.jsonl", "e", "t.hlo"])

    def test_parts_of_reads_and_writes_are_put_together(self):
        for jobs in (1, 2):
            self.check("-o", self.at / "a", "--junit", self.at / "x", "-j", jobs)
            small = {"file": str(self.at), "size": 7}
            done = self.check("-o", self.at / "b", "--junit", self.at / "y", fault=small)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual((self.at / "a").read_text(), (self.at / "b").read_text())
            self.assertEqual(len((self.at / "b").read_text().splitlines()), 5)

    def test_odd_names(self):
        (self.at / "folder").mkdir()
        for name, words in (("/dev/full", "No space"), (self.at / "folder", "Is a dir"),
                            (self.at / "no/x", "No such"), (f"{self.cases}/x", "Not a dir")):
            for option in ("-o", "--junit"):
                self.check_refused(BROKEN, words, option, name)
            self.refused(BROKEN, words, "layout", "f32[2]", "-o", name)
        for command in ("eval", "bounds"):
            self.refused(BROKEN, "cases.jsonl", command, self.program, *INPUT,
                         "-o", self.cases)
        done = self.check("-o", "/dev/null", "--junit", "/dev/null")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.check("-o", "/dev/stdout")
        self.assertEqual(done.stdout.count('{"event":'), 5)

    def test_a_new_file_is_like_the_old_one(self):
        old = pathlib.Path(self.write("old", "old"))
        old.chmod(0o604)
        (self.at / "link").symlink_to("old")
        self.assertEqual(self.check("-o", self.at / "link").returncode, 0)
        self.assertTrue((self.at / "link").is_symlink())
        self.assertEqual(stat.S_IMODE(old.stat().st_mode), 0o604)
        self.assertIn('"end"', old.read_text())

    def test_what_a_dead_run_left_is_replaced(self):
        self.write("e.part", "of a dead run")
        self.check("-o", self.at / "e", "-f", "tpyo")
        self.assertEqual((self.at / "e.part").read_text(), "of a dead run")
        self.assertEqual(self.check("-o", self.at / "e").returncode, 0)
        self.assertEqual(self.names(), ["cases.jsonl", "e", "t.hlo"])


class Inputs(Files):
    """What cannot be read to its end is an error of its name."""

    def readers(self, file):
        npy = f"@{file}"
        return [["check", file], ["golden", "verify", file], ["golden", "bless", file],
                ["eval", file], ["compare", file], ["bounds", file], ["explain", file],
                ["fmt", file], ["eval", self.program, "-i", npy],
                ["eval", self.write("open.mlir", OPEN), "-i", npy]]

    def test_what_is_no_file(self):
        missing = str(self.at / "none.jsonl")
        for run in self.readers(missing):
            self.refused(BROKEN, "none.jsonl: No such file", *run)
        for run in self.readers(str(self.at)):
            if run[0] not in ("check", "compare", "golden"):  # these take folders
                self.refused(BROKEN, "Is a directory", *run)
        os.symlink("/dev/zero", self.at / "zero.jsonl")
        for run in self.readers(str(self.at / "zero.jsonl")):
            self.refused(BROKEN, "zero.jsonl is a device", *run, timeout=10)
        with open("/dev/zero") as zero:
            self.refused(BROKEN, "standard input is a device", "fmt", "-", stdin=zero,
                         timeout=10)

    def test_what_breaks_off(self):
        fault = {"call": "read", "errno": errno.EIO, "after": 1}
        text = pathlib.Path(self.cases).read_text()
        for name in ("cut.jsonl", "cut.npy"):
            for run in self.readers(self.write(name, text)):
                if run[0] == "golden" and name == "cut.npy":
                    continue
                for after in (0, 1):
                    self.refused(BROKEN, os.strerror(errno.EIO), *run,
                                 fault=fault | {"file": name, "after": after})
                self.assertEqual((self.at / name).read_text(), text, run)

    def test_pipes(self):
        pipe = str(self.at / "pipe.hlo")
        os.mkfifo(pipe)
        writer = threading.Thread(target=lambda: pathlib.Path(pipe).write_text(PROGRAM))
        writer.start()
        done = self.assay("fmt", pipe)
        writer.join()
        self.assertEqual(done.stdout, self.assay("fmt", self.program).stdout)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_pipes_have_an_end(self):
        array = subprocess.Popen(["yes"], stdout=subprocess.PIPE)
        try:
            self.refused(BROKEN, "is larger than", "eval", self.program, "-i",
                         "@/dev/stdin", stdin=array.stdout, timeout=60)
        finally:
            array.stdout.close()
            array.wait()

    def test_a_file_named_twice_counts_once(self):
        os.link(self.cases, self.at / "same.jsonl")
        for other in (self.cases, f"{self.at}/./cases.jsonl", str(self.at)):
            done = self.check(other)
            self.assertIn("2 of 2 cases conform; the verifier refused 1 invalid program\n",
                          done.stdout, other)


class Runs(Files):
    """One file is written by one run at a time."""

    def start_and_stop(self, ready, *arguments):
        """Starts a run without an end, and stops it once it is ready: a run that
        computed on would end when its budget is spent, on a fast machine soon."""
        run = subprocess.Popen([ASSAY, *map(str, arguments)], cwd=ROOT,
                               stdout=subprocess.DEVNULL)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        limit = time.monotonic() + 30
        while not ready():
            self.assertIsNone(run.poll(), "the first run has ended")
            self.assertLess(time.monotonic(), limit, "the first run is not ready")
            time.sleep(0.01)
        time.sleep(0.2)
        run.send_signal(signal.SIGSTOP)

    def test_a_second_run_is_refused(self):
        line = json.loads(pathlib.Path(self.cases).read_text().splitlines()[1])
        line |= {"id": "while/f32/endless", "hlo": ENDLESS,
                 "inputs": [], "expect": "reference", "source": "reference"}
        cases = self.write("w.jsonl", pathlib.Path(self.cases).read_text() +
                           json.dumps(line, separators=(",", ":")) + "\n")
        outputs = ["-o", str(self.at / "e"), "--junit", str(self.at / "j")]
        part = self.at / "e.part"
        self.start_and_stop(lambda: part.exists() and part.read_bytes().count(b"\n") >= 4,
                            "check", "-b", "interpreter:definition", cases, *outputs)
        before = part.read_bytes()
        self.check_refused(BROKEN, "another run", "-o", self.at / "e")
        self.check_refused(BROKEN, "another run", "-o", self.at / "e", "--resume")
        self.check_refused(BROKEN, "another run", "--junit", self.at / "j")
        self.assertEqual(part.read_bytes(), before)

    def test_a_full_disk_loses_nothing_of_a_run_that_goes_on(self):
        events = self.at / "e"
        self.assertEqual(self.check("-o", events).returncode, 0)
        whole = events.read_bytes()
        recorded = b"".join(whole.splitlines(keepends=True)[:2])
        broken = 0
        for part in (False, True):  # a run that was killed left e.part
            for after in range(4):
                events.unlink(missing_ok=True)
                held = events.with_suffix(".part") if part else events
                held.write_bytes(recorded)
                done = self.check("-o", events, "--resume", fault={
                    "call": "write", "errno": errno.ENOSPC, "file": "e.part", "after": after})
                broken += done.returncode == BROKEN
                if done.returncode == BROKEN:
                    self.assertIn(os.strerror(errno.ENOSPC), done.stderr)
                    self.assertTrue(any(
                        file.exists() and file.read_bytes().startswith(recorded)
                        for file in (events, events.with_suffix(".part"))), (part, after))
                self.assertEqual(self.check("-o", events, "--resume").returncode, 0)
                self.assertEqual(events.read_bytes(), whole, (part, after))
        self.assertGreaterEqual(broken, 4)

    def test_a_second_run_into_a_folder_is_refused(self):
        endless = self.write("w.hlo", ENDLESS)
        self.start_and_stop((self.at / "out").exists, "eval", endless,
                            f"--max-work={2**53}", "-o", self.at / "out")
        for command in ("eval", "bounds"):
            self.refused(BROKEN, "another run", command, self.program, *INPUT,
                         "-o", self.at / "out")

    def test_blessings_at_the_same_time_give_one(self):
        golden = pathlib.Path(self.asking())
        before = golden.read_bytes()
        self.assertEqual(self.assay("golden", "bless", golden).returncode, 0)
        blessed = golden.read_bytes()
        for _ in range(5):
            golden.write_bytes(before)
            runs = [subprocess.Popen([ASSAY, "golden", "bless", str(golden)], cwd=ROOT,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                    for _ in range(4)]
            codes = {run.wait() for run in runs}
            self.assertLessEqual(codes, {0, BROKEN})
            self.assertIn(0, codes)
            self.assertEqual(golden.read_bytes(), blessed)

    def test_runs_at_the_same_time_do_not_mix(self):
        command = [ASSAY, "check", "-b", "interpreter:", self.cases, "-o", str(self.at / "e")]
        runs = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL) for _ in range(8)]
        codes = {run.wait() for run in runs}
        self.assertLessEqual(codes, {0, BROKEN})
        self.assertIn(0, codes)
        lines = (self.at / "e").read_text().splitlines()
        self.assertEqual([json.loads(line)["event"] for line in lines],
                         ["begin", "case", "case", "case", "end"])


class StandardOutput(Files):
    """What is printed arrives, or the exit code says that it did not."""

    def printing(self):
        return [["bounds", self.program, *INPUT], ["check", self.cases],
                ["compare", self.program, *INPUT], ["eval", self.program, *INPUT],
                ["explain", self.program, *INPUT], ["fmt", self.program],
                ["golden", "verify", self.cases], ["layout", "f32[2]"], ["list"],
                ["list", "--cases"], ["spec", "pad"], ["--help"], ["--version"],
                ["check", "--help"],
                ["verify-numerics", "--function", "sqrt", "--blocks", "1", "--hard", "0",
                 "--no-rival"], ["verify-numerics", "--battery", "1"]]

    def test_a_full_one(self):
        for run in self.printing():
            with open("/dev/full", "w") as full:
                done = self.refused(BROKEN, "standard output: No space", *run, stdout=full)
                self.assertEqual(done.stderr.count("\n"), 1, run)

    def test_one_that_nobody_reads(self):
        for run in self.printing():
            read, write = os.pipe()
            os.close(read)
            self.refused(BROKEN, "standard output: Broken pipe", *run, stdout=write)
            os.close(write)

    def test_a_closed_one(self):
        for run in [["check", self.cases, "-o", str(self.at / "e")], *self.printing()]:
            done = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", ASSAY, *run], cwd=ROOT,
                                  stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, BROKEN, (run, done.stderr))
        lines = (self.at / "e").read_text().splitlines()
        self.assertEqual(json.loads(lines[-1])["event"], "end")

    def test_messages_that_nobody_takes(self):
        done = subprocess.run(
            ["sh", "-c", 'exec "$@" 2>/dev/full', "sh", ASSAY, "check", self.cases, "-f",
             "tpyo"], cwd=ROOT, stdout=subprocess.PIPE)
        self.assertEqual(done.returncode, USAGE)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
