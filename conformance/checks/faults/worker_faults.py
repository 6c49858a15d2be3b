"""Checks what faults of workers, of the disk and of the system cost a run.

    worker_faults.py ASSAY FAULTY_CALLS ABI_LIAR

Workers of `process:`, of `abi:` and of assay.serve do in some cases what they
must not. Each of those cases is lost and no other; what was recorded stays,
also where the disk is full, where another run has the file, and where SIGKILL
ends the run; and nobody is left behind.
"""

import errno
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
ASSAY, FAULTY, LIAR = (str(pathlib.Path(a).resolve()) for a in sys.argv[1:4])
CRASHED, DIFFERS, BROKEN = "crashed", 1, 3
TESTING = "backends/process/testing/liar.py"

# By backend, without the settings: the faults of its test's worker.
FAULTS = {
    f"process:SETTINGS {sys.executable} {TESTING} named dense 8":
        ["die", "crash", "late", "hang", "garbage", "close_output", "half", "huge", "longer",
         "fewer", "swapped", "flood_output", "flood_errors", "fork", "ignore_sigterm",
         "leave_group"],
    f"process:SETTINGS {sys.executable} {TESTING} named dense 8 parts":
        ["die", "late", "garbage", "half", "fork", "ignore_sigterm"],
    f"abi:SETTINGS {LIAR}":
        ["exit", "abort", "late", "sleep", "garbage", "close", "half", "huge", "beyond",
         "flood_errors", "fork", "ignore_sigterm"],
    f"process:SETTINGS {sys.executable} conformance/checks/serve.py --fake":
        ["die", "late", "hang", "garbage", "close", "half", "huge", "endless_errors", "fork",
         "stubborn"],
}
STUBBORN = ("ignore_sigterm", "stubborn")


def case(number, fault=""):
    """A copy of an array; by its name and its values one that a worker fails at."""
    bits = "44424000 44424000" if fault else f"{0x3f800000 + number:08x} 40000000"
    name = f"FAULT_{fault}" if fault else f"good_{number}"
    hlo = (f"HloModule {name}\n\nENTRY main {{\n  x = f32[2] parameter(0)\n"
           "  ROOT r = f32[2] copy(x)\n}\n")
    return {"id": f"copy/f32/{name.lower()}_{number}", "statement": "the values of the operand",
            "why": ["Type"], "hlo": hlo, "inputs": [f"f32[2] {bits}"],
            "expect": [{"bits": f"f32[2] {bits}", "nan": "same"}], "source": "exact"}


class Workers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="worker_faults")
        self.addCleanup(self.folder.cleanup)
        self.at = pathlib.Path(self.folder.name)
        self.events = self.at / "e"

    def write(self, cases):
        head = (ROOT / "conformance/vectors/copy.jsonl").read_text().splitlines()[0]
        lines = [json.dumps(one, separators=(",", ":")) for one in cases]
        (self.at / "c.jsonl").write_text("\n".join([head, *lines, ""]))

    def start(self, backend, *arguments, environment=()):
        # What is started has the folder's name in its environment.
        known = dict(os.environ) | {"FAULTS_OF": self.folder.name, "ASSAY_ABI_FAULT": "named"}
        return subprocess.Popen(
            [ASSAY, "check", "-b", backend, self.at / "c.jsonl", "-o", self.events,
             *map(str, arguments)],
            env=known | dict(environment), cwd=ROOT, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)

    def check(self, *arguments, **options):
        run = self.start(*arguments, **options)
        out, err = run.communicate(timeout=300)
        return run.returncode, out, err

    def recorded(self, file="e"):
        """The verdicts by id of the whole lines of a file, of which the last may be cut off."""
        lines = (self.at / file).read_bytes().split(b"\n")[:-1]
        events = [json.loads(line) for line in lines]
        return {event["id"]: event["verdict"] for event in events if event["event"] == "case"}

    def left_behind(self):
        """The processes that a run of this test has started."""
        mark, found = f"FAULTS_OF={self.folder.name}".encode(), []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if mark in (process / "environ").read_bytes().split(b"\0"):
                    found.append(int(process.name))
            except OSError:
                pass  # it is another's, or has ended
        return found

    def assert_nobody_is_left(self, why):
        limit = time.monotonic() + 20
        while self.left_behind():
            self.assertLess(time.monotonic(), limit, (why, self.left_behind()))
            time.sleep(0.02)

    def until(self, holds):
        limit = time.monotonic() + 60
        while not holds():
            self.assertLess(time.monotonic(), limit, "nothing happens")
            time.sleep(0.01)

    def has_lines(self, count):
        part = self.at / "e.part"
        return part.exists() and part.read_bytes().count(b"\n") >= count


class Faults(Workers):
    def test_a_fault_costs_its_own_case(self):
        for backend, faults in FAULTS.items():
            # Less than a late answer of the liars takes; what assay.serve waits for an engine's.
            uri = backend.replace("SETTINGS", "timeout=4" if "--fake" in backend else "timeout=1")
            cases = [case(0), case(1)]
            for fault in faults:
                cases += [case(len(cases), fault), case(len(cases) + 1)]
            self.write(cases)
            code, out, err = self.check(uri, "-j", 6)
            self.assertEqual(code, BROKEN, (uri, out, err))
            verdicts = self.recorded()
            wanted = {one["id"]: CRASHED if "/fault_" in one["id"] else "conforms" for one in cases}
            self.assertEqual(verdicts, wanted, uri)
            self.assertNotIn("flaky", self.events.read_text().rsplit("\n", 2)[0], uri)
            self.assert_nobody_is_left(uri)
            self.events.unlink()

    def test_what_fails_only_together_is_flaky(self):
        for parts in ("", " parts"):
            uri = f"process:{sys.executable} {TESTING} crowd dense 8{parts}"
            # Until then the worker gets several cases at once.
            many = [case(i) for i in range(400)]
            self.write([*many, *(case(400 + i, "crowd") for i in range(8))])
            code, out, err = self.check(uri, "--junit", self.at / "j", "-j", 1)
            self.assertEqual(code, DIFFERS, (out, err))
            lines = [json.loads(line) for line in self.events.read_text().splitlines()]
            flaky = [event for event in lines[1:-1] if "flaky" in event]
            self.assertEqual([(event["verdict"], event["flaky"]) for event in flaky],
                             [(CRASHED, "conforms")])
            self.assertRegex(flaky[0]["message"], r"^with \d cases, the worker ended with the "
                             r"exit code 7 without an answer$")
            self.assertEqual((lines[-1]["flaky"], lines[-1]["verdicts"]["conforms"]), (1, 407))
            self.assertIn("flaky: a second run had another outcome, conforms", out)
            self.assertIn("<flakyFailure ", (self.at / "j").read_text())
            self.events.unlink()


class Systems(Workers):
    """The disk, another run and a death of the run, with each kind of worker."""

    def backends(self):
        for backend, faults in FAULTS.items():
            yield backend, next(fault for fault in faults if fault in STUBBORN)

    def test_a_full_disk_loses_nothing(self):
        self.write([case(i) for i in range(6)])
        full = {"LD_PRELOAD": FAULTY, "ASAN_OPTIONS": "verify_asan_link_order=0",
                "FAULTY_CALL": "write", "FAULTY_ERRNO": str(errno.ENOSPC),
                "FAULTY_FILE": "/e.part", "FAULTY_AFTER": "3"}
        for backend, _ in self.backends():
            uri = backend.replace("SETTINGS", "timeout=60")
            code, _, err = self.check(uri, "-j", 1, environment=full)
            self.assertEqual(code, BROKEN, err)
            self.assertIn("No space left", err)
            self.assertEqual(list(self.recorded("e.part").values()), ["conforms"] * 2)
            self.assert_nobody_is_left(uri)
            code, _, err = self.check(uri, "--resume")
            self.assertEqual((code, list(self.recorded().values())), (0, ["conforms"] * 6), err)
            self.events.unlink()

    def test_a_run_that_is_killed_leaves_its_cases_and_nobody(self):
        for backend, fault in self.backends():
            good = [case(i) for i in range(6)]
            self.write([*good, case(6, fault), case(7)])
            uri = backend.replace("SETTINGS", "timeout=100")
            harmless = {"FAULTLESS": "1"}
            code, _, err = self.check(uri, environment=harmless)
            self.assertEqual(code, 0, err)
            whole = self.events.read_bytes()
            self.events.unlink()
            run = self.start(uri, "-j", 1)
            # Then comes a frame with the case that the worker does not give up.
            self.until(lambda: self.has_lines(1 + 3))
            time.sleep(0.2)
            # Another run may not have the file, and takes nothing away from it.
            code, _, err = self.check(uri, environment=harmless)
            self.assertEqual(code, BROKEN, err)
            self.assertIn("another run", err)
            self.assertGreater(len(self.left_behind()), 1, uri)
            run.send_signal(signal.SIGKILL)
            run.communicate()
            self.assert_nobody_is_left(uri)
            kept = self.recorded("e.part")
            self.assertGreaterEqual(len(kept), 3)
            self.assertLessEqual(kept.items(), {one["id"]: "conforms" for one in good}.items())
            code, _, err = self.check(uri, "--resume", environment=harmless)
            self.assertEqual((code, self.events.read_bytes()), (0, whole), err)
            self.events.unlink()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
