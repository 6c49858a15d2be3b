"""Checks that results do not depend on what libraries set the process to.

    machine_state.py ASSAY HOSTILE_MACHINE

The library HOSTILE_MACHINE (conformance/commands/testing) is loaded before the
program, or for its functions: it changes rounding, FTZ, DAZ, x87, MPFR's
exponents and the locale, in every thread, and has few threads or none start.
All commands have to say what they say without it, and all cases; by day, without
ASSAY_CASES=all, those of the tier smoke, whose bits are verified in one mode.
"""

import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
ASSAY, HOSTILE = (str(pathlib.Path(a).resolve()) for a in sys.argv[1:3])
# MXCSR: all traps masked, then rounding and flushing.
MODES = {
    "rounds downward": {"MXCSR": 0x3F80, "X87": 0x077F},
    "rounds upward": {"MXCSR": 0x5F80, "X87": 0x0B7F},
    "rounds toward zero": {"MXCSR": 0x7F80, "X87": 0x0F7F},
    "(FTZ)": {"MXCSR": 0x9F80},
    "(DAZ)": {"MXCSR": 0x1FC0},
    "24 bits in x87": {"X87": 0x007F},
    "MPFR's exponents from -148 to 128": {"EXPONENTS": 1},
}
BY_NIGHT = os.environ.get("ASSAY_CASES") == "all"
ALL = {"MXCSR": 0xDFC0, "X87": 0x087F, "EXPONENTS": 1}  # upward, FTZ, DAZ, 24 bits
PROGRAM = """HloModule m

sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}

ENTRY main {
  x = f32[70000] parameter(0)
  e = f32[70000] exponential(x)
  zero = f32[] constant(0.1)
  s = f32[] reduce(e, zero), dimensions={0}, to_apply=sum
  b = f32[70000] broadcast(s), dimensions={}
  d = f32[70000] divide(e, b)
  w = f64[70000] convert(d)
  l = f64[70000] log(w)
  ROOT r = (f32[70000], f64[70000]) tuple(d, l)
}
"""
SMALL = PROGRAM.replace("70000", "7")
CALL = """HloModule m

ENTRY main {
  a = f32[] parameter(0)
  b = f32[] custom-call(a), custom_call_target="change"
  c = f32[] constant(3)
  ROOT d = f32[] divide(b, c)
}
"""


class MachineState(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.at = pathlib.Path(folder.name)
        cls.said = {}  # what commands say where nothing is changed

    def setUp(self):
        self.large = self.write("large.hlo", PROGRAM)
        self.small = self.write("small.hlo", SMALL)
        self.call = self.write("call.hlo", CALL)

    def write(self, name, text):
        (self.at / name).write_text(text)
        return str(self.at / name)

    def assay(self, *arguments, preload=True, **hostile):
        environment = dict(os.environ)
        environment |= {key if key == "LOCPATH" else f"HOSTILE_{key}": str(value)
                        for key, value in hostile.items()}
        if hostile and preload:
            environment |= {"LD_PRELOAD": HOSTILE,
                            "ASAN_OPTIONS": "verify_asan_link_order=0"}
        return subprocess.run([ASSAY, *map(str, arguments)], capture_output=True,
                              text=True, timeout=600, env=environment, cwd=ROOT)

    def same(self, *arguments, **hostile):
        """Says the same, and ends with the same code; what it warns of."""
        if arguments not in self.said:
            self.said[arguments] = self.assay(*arguments)
        wanted, done = self.said[arguments], self.assay(*arguments, **hostile)
        self.assertEqual((done.returncode, done.stdout),
                         (wanted.returncode, wanted.stdout), (arguments, hostile, done.stderr))
        self.assertEqual(wanted.stderr, "")
        return done.stderr

    def evaluations(self):
        yield "eval", self.small, "-i", "random:1"
        yield "eval", self.small, "-i", "random:1", "--plans", "none"
        yield "eval", self.large, "-i", "random:1", "-t", "3"
        yield "eval", self.small, "-i", "{-88, 1e-40, 0.1, 16777217.0000001, 3, 4, 5}"

    def commands(self):
        yield from self.evaluations()
        yield "bounds", self.small, "-i", "random:1"
        yield "compare", self.small, "-i", "random:1", "-b", "cpu:", "-t", "3"
        yield "explain", self.small, "-i", "random:1", "--element", "%d[3]", "--depth", "4"
        yield "fmt", self.small
        yield "fmt", self.small, "--to", "stablehlo"
        yield "layout", "f32[3,5]{1,0:T(2,2)}"
        yield "list", "--cases", "--filter", "log/*"
        yield "golden", "verify", "conformance/vectors/log.jsonl"
        yield ("check", "conformance/vectors/exponential.jsonl", "conformance/vectors/tanh.jsonl",
               "-f", "exponential/*:tanh/f64/*", "-b", "cpu:", "-j", "3", "-v", "--levels")
        yield "verify-numerics", "--battery", "20"

    def events(self, name, *arguments, **hostile):
        """What was judged of each case, without times."""
        file = self.at / name
        done = self.assay("check", "-o", file, *arguments, **hostile)
        judged = [json.loads(line) for line in file.read_text().splitlines()]
        for event in judged:
            for key in ("seconds", "time", "started", "duration"):
                event.pop(key, None)
        return done, sorted(map(json.dumps, judged))

    def test_no_mode_changes_what_a_command_says(self):
        for words, mode in MODES.items():
            for command in self.evaluations():
                self.assertIn(words, self.same(*command, **mode), command)
        for command in self.commands():
            self.assertIn("upward, takes", self.same(*command, **ALL), command)

    def test_no_mode_changes_a_bit_of_a_case(self):
        for words, mode in (MODES if BY_NIGHT else {"upward, takes": ALL}).items():
            self.assertIn(words, self.same("golden", "verify", **mode))

    def test_no_mode_changes_the_judgement_of_a_case(self):
        cases = ["--tier", "core" if BY_NIGHT else "smoke", "-b", "interpreter:", "-j", "2"]
        wanted = self.events("wanted", *cases)
        self.assertEqual(wanted[0].returncode, 0, wanted[0].stdout)
        for number, mode in enumerate((MODES["rounds toward zero"], ALL)):
            done = self.events(f"events{number}", *cases, **mode)
            self.assertEqual((done[0].returncode, done[0].stdout),
                             (0, wanted[0].stdout))
            self.assertEqual(done[1], wanted[1])
            self.assertIn("the start of a thread", done[0].stderr)

    def test_functions_and_their_library_change_nothing_else(self):
        for words, mode in MODES.items():
            done = self.assay("eval", self.call, "-i", "1", "--custom-calls", HOSTILE,
                              preload=False, **mode)
            self.assertEqual((done.returncode, done.stdout), (0, "f32[] 0.33333334\n"), done)
            self.assertIn(words, done.stderr)
            self.assertIn('the function "change"', done.stderr)
            self.assertIn('loading the library', done.stderr)

    def test_no_locale_changes_what_a_command_says(self):
        # German: a decimal comma, a dot between thousands.
        made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", self.at / "de_DE.UTF-8"],
                              capture_output=True, check=False)
        if made.returncode > 1:
            self.skipTest("localedef makes no locale here")
        for command in self.commands():
            warned = self.same(*command, LOCALE="de_DE.UTF-8", LOCPATH=self.at)
            self.assertEqual(warned, "", command)

    def test_threads_that_do_not_start_are_fewer(self):
        for threads in (0, 2):
            for command in self.commands():
                self.assertEqual(self.same(*command, THREADS=threads), "", command)


if __name__ == "__main__":
    if platform.machine() != "x86_64":
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
