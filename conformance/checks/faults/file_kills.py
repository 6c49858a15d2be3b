"""Checks what is left of a run that a signal ends.

    file_kills.py ASSAY [ROUNDS]

SIGINT and SIGTERM end check, compare, eval and golden bless with exit code 4
and everything that was done by then; SIGKILL leaves every finished case, and no
file is cut off. Signals come while a program runs without end, and ROUNDS times
at random moments.
"""

import json
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[3]
ASSAY = str(pathlib.Path(sys.argv[1]).resolve())
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 10
INCOMPLETE = 4
DONE = 20
FOREVER = [f"--max-work={2**53}"]
SIZE = 200_000
ENDLESS = (ROOT / "conformance/files/testing/endless.hlo").read_text()
ARRAYS = f"""HloModule a

ENTRY main {{
  x = f32[{SIZE}] parameter(0)
  y = f32[{SIZE}] negate(x)
  z = f32[{SIZE}] abs(x)
  ROOT r = (f32[{SIZE}], f32[{SIZE}], f32[{SIZE}]) tuple(x, y, z)
}}
"""


def events(file):
    """The events of the whole lines of a file."""
    return [json.loads(line) for line in file.read_text().splitlines(True)
            if line.endswith("\n")]


class Kills(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.at = pathlib.Path(self.folder.name)
        lines = (ROOT / "conformance/vectors/add.jsonl").read_text().splitlines()
        self.head = lines[0]
        self.lines = lines[1:1 + DONE]
        self.endless = json.dumps(
            json.loads(lines[1]) | {"id": "while/f32/endless", "hlo": ENDLESS, "inputs": [],
                                    "expect": "reference", "source": "reference"},
            separators=(",", ":"))

    def write(self, name, text):
        (self.at / name).write_text(text)
        return str(self.at / name)

    def cases(self, lines):
        return self.write("c.jsonl", "\n".join([self.head, *lines, ""]))

    def start(self, *arguments):
        run = subprocess.Popen([ASSAY, *map(str, arguments)], cwd=ROOT, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(run.communicate)
        self.addCleanup(run.kill)
        return run

    def until(self, holds):
        limit = time.monotonic() + 60
        while not holds():
            self.assertLess(time.monotonic(), limit, "nothing happens")
            time.sleep(0.01)

    @staticmethod
    def takes_signals(run):
        status = pathlib.Path(f"/proc/{run.pid}/status").read_text()
        blocked = int(status.split("SigBlk:")[1].split()[0], 16)
        return blocked & 1 << signal.SIGINT - 1 or run.poll() is not None

    def check(self, jobs=1):
        return self.start("check", "-b", "interpreter:definition", self.at / "c.jsonl", "-j", jobs,
                          "-o", self.at / "e", "--junit", self.at / "j")

    def has_lines(self, count):
        part = self.at / "e.part"
        return part.exists() and part.read_bytes().count(b"\n") >= count

    def names(self):
        return sorted(file.name for file in self.at.iterdir())


class Endless(Kills):
    """The run is in a case, or in a program, without an end."""

    def orders(self):
        return ((1, [*self.lines, self.endless]), (2, [self.endless, *self.lines]))

    def test_check_ends_with_all_that_it_has(self):
        for jobs, lines in self.orders():
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                self.cases(lines)
                run = self.check(jobs)
                self.until(lambda: self.has_lines(1 + DONE))
                run.send_signal(number)
                out, err = run.communicate(timeout=30)
                self.assertEqual(run.returncode, INCOMPLETE, err)
                found = events(self.at / "e")
                self.assertEqual([e["id"] for e in found[1:-1]],
                                 [json.loads(line)["id"] for line in self.lines])
                self.assertEqual((found[-1]["exit_code"], found[-1]["cases"]),
                                 (INCOMPLETE, DONE))
                self.assertIn(f"{DONE - 1} of {DONE - 1} cases conform; the verifier refused 1 "
                              "invalid program; stopped before 1 case", out)
                self.assertIn("stopped by a signal", err)
                suites = ElementTree.parse(self.at / "j").getroot()
                self.assertEqual(suites.get("errors"), "1")
                self.assertEqual(self.names(), ["c.jsonl", "e", "j"])

    def test_check_that_is_killed_leaves_its_lines(self):
        for jobs, lines in self.orders():
            self.cases(lines)
            for name in ("e", "j"):
                self.write(name, "old")
            run = self.check(jobs)
            self.until(lambda: self.has_lines(1 + DONE))
            run.kill()
            run.wait()
            for name in ("e", "j"):
                self.assertEqual((self.at / name).read_text(), "old")
            self.assertEqual(sorted(e["id"] for e in events(self.at / "e.part")[1:]),
                             sorted(json.loads(line)["id"] for line in self.lines))
            self.cases(self.lines)
            self.assertEqual(self.check().wait(), 0)
            self.assertEqual(self.names(), ["c.jsonl", "e", "j"])

    def test_a_run_that_ended_early_goes_on(self):
        self.cases(self.many())
        code, whole, err = self.resumed()
        self.assertEqual(code, 0, err)
        wanted = (self.at / "e").read_bytes()
        # Nothing is left to do, and nothing changes.
        self.assertEqual(self.resumed()[:2], (0, whole))
        self.assertEqual((self.at / "e").read_bytes(), wanted)
        for number in (signal.SIGKILL, signal.SIGTERM):
            (self.at / "e").unlink()
            run = self.check(2)
            self.until(lambda: self.has_lines(1 + DONE))
            run.send_signal(number)
            run.communicate(timeout=30)
            self.assertNotEqual(run.returncode, 0, "the run was too fast to be stopped")
            if number == signal.SIGKILL:  # the last line may be cut off
                part = self.at / "e.part"
                part.write_bytes(part.read_bytes()[:-5])
            self.assertEqual(self.resumed()[:2], (0, whole))
            self.assertEqual((self.at / "e").read_bytes(), wanted)
            self.assertFalse((self.at / "e.part").exists())

    def test_a_recorded_case_does_not_run_again(self):
        self.cases(self.lines)
        self.resumed()
        old = (self.at / "e").read_text()
        self.assertIn('"verdict":"conforms"', old)
        lie = old.replace('"verdict":"conforms"', '"verdict":"unjudged"', 1)
        (self.at / "e").write_text(lie)
        self.assertIn("1 unjudged", self.resumed()[1])

    def test_a_run_goes_on_only_as_it_began(self):
        self.cases(self.lines)
        self.resumed()
        old = (self.at / "e").read_bytes()
        for options, name in ((["-b", "cpu:"], "backend"), (["-p", "cr"], "profile"),
                              (["-f", json.loads(self.lines[0])["id"]], "cases"), (["--levels"], "levels"),
                              (["--raw"], "raw"),
                              (["--require", "*"], "require")):
            code, _, err = self.resumed(*options)
            self.assertEqual(code, 2, err)
            self.assertIn(f'the recorded run has "{name}": ', err)
            self.assertEqual((self.at / "e").read_bytes(), old)
        build = json.loads(old.split(b"\n")[0])["build"]
        self.assertRegex(build, "^[0-9a-f]{64}$")
        (self.at / "e").write_bytes(old.replace(build.encode(), b"0" * 64, 1))
        code, _, err = self.resumed()
        self.assertEqual(code, 2, err)
        self.assertIn(f'the recorded run has "build": "{"0" * 64}", and this one "{build}", but a '
                      "run must go on as it began", err)
        (self.at / "e").write_bytes(old)
        cases = (self.at / "c.jsonl").read_text()
        inputs = json.loads(self.lines[0])["inputs"][0].split(" ")
        self.cases([self.lines[0].replace(" ".join(inputs), " ".join([*inputs[:-1], "7" * len(
            inputs[-1])])), *self.lines[1:]])
        self.assertNotEqual((self.at / "c.jsonl").read_text(), cases)
        code, _, err = self.resumed()
        self.assertEqual((code, (self.at / "e").read_bytes()), (2, old), err)
        self.assertIn('the recorded run has "manifest": ', err)
        (self.at / "c.jsonl").write_text(cases)
        for line in (b"[]", b"{}", b'{"event":"case"}', b"\xff", b"[" * 10**5):
            (self.at / "e").write_bytes(old.replace(b"\n", b"\n" + line + b"\n", 1))
            code, _, err = self.resumed()
            self.assertEqual(code, 2, err)
            self.assertIn("a line of the events is", err)

    def many(self):
        """So many cases that a run can be stopped in the middle."""
        lines = []
        for i in range(100):
            for line in self.lines:
                case = json.loads(line)
                lines.append(json.dumps(case | {"id": f"{case['id']}_{i}"},
                                        separators=(",", ":")))
        return lines

    def resumed(self, *options):
        backend = [] if "-b" in options else ["-b", "interpreter:definition"]
        done = subprocess.run(
            [ASSAY, "check", *backend, self.at / "c.jsonl", "-o", self.at / "e", "--resume",
             *options], cwd=ROOT, text=True, capture_output=True)
        return done.returncode, done.stdout, done.stderr

    def test_a_second_signal_ends_at_once(self):
        self.cases([*self.lines, self.endless])
        run = self.check()
        self.until(lambda: self.has_lines(1 + DONE))
        run.send_signal(signal.SIGINT)
        run.send_signal(signal.SIGTERM)
        self.assertIn(run.wait(timeout=30), (INCOMPLETE, -signal.SIGINT, -signal.SIGTERM))

    def test_ignored_signals_stay_ignored(self):
        self.cases([*self.lines, self.endless])
        run = subprocess.Popen(
            ["sh", "-c", "trap '' HUP; exec \"$@\"", "sh", ASSAY, "check", "-b",
             "interpreter:definition", str(self.at / "c.jsonl"), "-o", str(self.at / "e")], cwd=ROOT,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        self.until(lambda: self.has_lines(1 + DONE))
        run.send_signal(signal.SIGHUP)
        with self.assertRaises(subprocess.TimeoutExpired):
            run.wait(timeout=1)

    def test_compare_tells_what_it_has(self):
        program = self.write("w.hlo", ENDLESS)
        run = self.start("compare", program, "-b", "interpreter:", *FOREVER)
        time.sleep(3)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=30)
        self.assertEqual(run.returncode, INCOMPLETE, err)
        self.assertRegex(out, r"(?m)^negate .*\n(.*\n)*interpreter: .*stopped before")

    def test_eval_and_bounds_leave_nothing(self):
        program = self.write("w.hlo", ENDLESS)
        for command in ("eval", "bounds"):
            run = self.start(command, program, "-o", self.at / "out", *FOREVER)
            self.until(lambda run=run: self.takes_signals(run))
            self.until(lambda: (self.at / "out").exists())
            run.send_signal(signal.SIGTERM)
            self.assertEqual(run.wait(timeout=30), INCOMPLETE)
            self.assertEqual(list((self.at / "out").iterdir()), [])


class RandomMoments(Kills):
    """Whatever is there is whole, and is either new or as before."""

    def setUp(self):
        super().setUp()
        self.random = random.Random(14)

    def rounds(self, command):
        """Runs the command again and again, and ends it earlier or later."""
        begin = time.monotonic()
        run = self.start(*command)
        _, err = run.communicate()
        self.assertEqual(run.returncode, 0, err)
        whole = time.monotonic() - begin
        for _ in range(ROUNDS):
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
                run = self.start(*command)
                # Before main() nobody is there who could take a signal.
                self.until(lambda run=run: self.takes_signals(run))
                time.sleep(self.random.uniform(0, 1.1 * whole))
                run.send_signal(number)
                out, err = run.communicate(timeout=60)
                codes = (0, -number) if number == signal.SIGKILL else (0, INCOMPLETE)
                self.assertIn(run.returncode, codes, err)
                yield run.returncode, out

    def test_check(self):
        lines = (ROOT / "conformance/vectors/add.jsonl").read_text()
        cases = self.write("c.jsonl", lines)
        count = lines.count("\n") - 1
        command = ["check", "-b", "interpreter:", cases, "-j", 2, "-o", self.at / "e",
                   "--junit", self.at / "j"]
        for code, out in self.rounds(command):
            found = events(self.at / "e")
            if code == 0:
                self.assertEqual(len(found), count + 2)
                self.assertIn("cases conform", out)
            self.assertEqual(found[0]["event"], "begin")
            self.assertEqual(found[-1]["event"], "end")
            self.assertEqual(found[-1]["cases"], len(found) - 2)
            ElementTree.parse(self.at / "j")
            for name in ("e.part", "e.part.whole", "j.part") if code < 0 else ():
                (self.at / name).unlink(missing_ok=True)
            self.assertEqual(self.names(), ["c.jsonl", "e", "j"])

    def test_compare(self):
        program = self.write("a.hlo", ARRAYS)
        command = ["compare", program, "-i", "random:1", "-b", "cpu:"]
        for code, out in self.rounds(command):
            if code == 0:
                self.assertRegex(out, "cases conform\n$")

    def test_eval(self):
        program = self.write("a.hlo", ARRAYS)
        out = self.at / "out"
        for code, _ in self.rounds(["eval", program, "-i", "random:1", "-o", out]):
            names = sorted(file.name for file in out.iterdir())
            if code == 0:
                self.assertEqual(names, ["0.npy", "1.npy", "2.npy"])
            for name in ("0.npy", "1.npy", "2.npy"):
                self.assertEqual((out / name).stat().st_size, 128 + 4 * SIZE)

    def test_bless(self):
        asked = {"expect": "reference", "source": "reference"}
        asking = [json.dumps(json.loads(line) | asked, separators=(",", ":"))
                  for line in self.lines if '"rejected"' not in line]
        cases = self.cases(asking)
        before = pathlib.Path(cases).read_bytes()
        after = None
        for code, _ in self.rounds(["golden", "bless", cases]):
            # The first run of all blessed the file.
            after = after or pathlib.Path(cases).read_bytes()
            self.assertIn(pathlib.Path(cases).read_bytes(), (before, after))
            if code == 0:
                self.assertEqual(self.names(), ["c.jsonl"])
            pathlib.Path(cases).write_bytes(before)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
