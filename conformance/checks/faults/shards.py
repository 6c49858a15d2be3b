"""Checks that shards of a run become the run: assay check --shard, assay merge.

    shards.py ASSAY

Eight processes share the tier smoke; one is killed midway and goes on with
--resume; what merge writes and prints is what one run of all writes and prints,
but for times. Merge refuses what is missing, doubled or of another run, and
files that no run wrote; shards are found in the environment of launchers.
"""

import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
ASSAY = str(pathlib.Path(sys.argv[1]).resolve())
USAGE, INCOMPLETE, NOTHING = 2, 4, 77
SHARDS = 8
BACKEND = "mutant:drop-nan"
LAUNCHERS = re.compile("^(TEST_|GTEST_|SLURM_|JOB_|ASSAY_SHARDS|CI_NODE|OMPI_|PMI_)")
PLAIN = {name: text for name, text in os.environ.items() if not LAUNCHERS.match(name)}
TIME = re.compile(rb'time="[0-9.]*"')
SHAPE = re.compile(r"\w+\[([\d,]*)\] ")


def run(*arguments, **variables):
    return subprocess.run([ASSAY, *map(str, arguments)], cwd=ROOT, env=PLAIN | variables,
                          text=True, capture_output=True)


def work_of(case):
    """The bytes of the program and the elements of the inputs (conformance.md, Shards)."""
    dims = [dims for text in case.get("inputs", []) for dims in SHAPE.findall(text)]
    return len(case.get("hlo", "")) + sum(
        math.prod(map(int, filter(None, own.split(",")))) for own in dims)


class Shards(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.at = pathlib.Path(folder.name)

    def expect(self, done, code, text=""):
        self.assertEqual(done.returncode, code, done.stdout[-2000:] + done.stderr)
        self.assertIn(text, done.stdout + done.stderr)


class Smoke(Shards):
    OPTIONS = ("check", "--tier", "smoke", "-b", BACKEND, "-j", 1)

    def start(self, shard, *options):
        process = subprocess.Popen(
            [ASSAY, *map(str, self.OPTIONS), "--shard", f"{shard}/{SHARDS}", "-o",
             self.at / f"{shard}", *options], cwd=ROOT, env=PLAIN, stdout=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def kill_midway(self, shard):
        process = self.start(shard)
        part = self.at / f"{shard}.part"
        limit = time.monotonic() + 60
        while not part.exists() or part.read_bytes().count(b"\n") < 100:
            self.assertLess(time.monotonic(), limit, "nothing happens")
            self.assertIsNone(process.poll(), "the run was too fast to be killed")
            time.sleep(0.001)
        process.kill()
        process.wait()
        self.assertFalse((self.at / f"{shard}").exists())
        return part.read_bytes().rpartition(b"\n")[0].split(b"\n")[1:]

    def test_the_shards_become_the_whole(self):
        whole = run(*self.OPTIONS, "-o", self.at / "whole", "--junit", self.at / "whole.xml",
                    "--failures", 1000)
        self.expect(whole, 1)
        recorded = self.kill_midway(3)
        others = [self.start(shard) for shard in range(SHARDS) if shard != 3]
        for process in others:
            self.assertIn(process.wait(), (0, 1))
        parts = [self.at / f"{shard}" for shard in range(SHARDS)]
        (self.at / "3").write_bytes((self.at / "3.part").read_bytes().rpartition(b"\n")[0] + b"\n")
        self.expect(run("merge", *parts, "-o", self.at / "early"), INCOMPLETE,
                    "usage.missing_shard")
        self.assertFalse((self.at / "early").exists())
        (self.at / "3").unlink()
        self.assertIn(self.start(3, "--resume").wait(), (0, 1))
        self.assertLess(set(recorded), set((self.at / "3").read_bytes().split(b"\n")))
        # In any order.
        merged = run("merge", *parts[::-1], "-o", self.at / "merged", "--junit",
                     self.at / "merged.xml", "--failures", 1000)
        self.assertEqual((merged.returncode, merged.stdout), (1, whole.stdout), merged.stderr)
        self.assertEqual((self.at / "merged").read_bytes(), (self.at / "whole").read_bytes())
        self.assertEqual(*[TIME.sub(b"", (self.at / name).read_bytes())
                           for name in ("merged.xml", "whole.xml")])
        # What is merged is a run like others.
        self.expect(run(*self.OPTIONS, "-o", self.at / "merged", "--resume"), 1)
        self.expect(run("merge", self.at / "merged"), 1)
        self.assert_fair(parts)

    def assert_fair(self, parts):
        """The shards have as much work, but for that of pages, and their own order."""
        work = {}
        for file in (ROOT / "conformance/vectors").rglob("*.jsonl"):
            for number, line in enumerate(file.read_text().splitlines(), 1):
                work[f"{file.relative_to(ROOT)}:{number}"] = work_of(json.loads(line))
        loads = []
        for part in parts:
            cases = [json.loads(line) for line in part.read_text().splitlines()[1:-1]]
            positions = [case["position"] for case in cases]
            self.assertEqual(positions, sorted(positions))
            places = [re.sub(r"^.*?(conformance/|spec/)", r"\1", case["file"]) + f":{case['line']}"
                      for case in cases]
            loads.append(sum(work.get(place, 0) for place in places))
        self.assertLess(max(loads), 1.05 * min(loads))


class Drawn(Shards):
    """The tier full: cases that are known when they are drawn."""

    COUNT = 1100  # packs of 256 cases, and one that is not full

    def test_the_shards_become_the_whole(self):
        options = ("check", "--tier", "full", "--count", self.COUNT, "-b", "mutant:read-padding",
                   "--failures", 1000)
        whole = run(*options, "-o", self.at / "whole", "--junit", self.at / "whole.xml")
        self.expect(whole, 1)
        parts = [self.at / f"{shard}" for shard in range(3)]
        for shard, part in enumerate(parts):
            self.assertIn(run(*options, "--shard", f"{shard}/3", "-o", part).returncode, (0, 1))
        # One that was stopped goes on.
        lines = parts[1].read_bytes().splitlines(True)
        (self.at / "1.part").write_bytes(b"".join(lines[:100]) + lines[100][:20])
        parts[1].unlink()
        done = run(*options, "--shard", "1/3", "-o", parts[1], "--resume")
        self.assertIn(done.returncode, (0, 1))
        self.assertEqual(parts[1].read_bytes(), b"".join(lines))
        self.expect(run("merge", parts[0], parts[2]), INCOMPLETE, "1 shard of 3 is missing")
        self.expect(run("merge", *parts, parts[2]), USAGE, "usage.doubled_shard")
        merged = run("merge", *parts, "-o", self.at / "merged", "--junit", self.at / "merged.xml",
                     "--failures", 1000)
        self.assertEqual((merged.returncode, merged.stdout), (1, whole.stdout), merged.stderr)
        self.assertEqual((self.at / "merged").read_bytes(), (self.at / "whole").read_bytes())
        self.assertEqual(*[TIME.sub(b"", (self.at / name).read_bytes())
                           for name in ("merged.xml", "whole.xml")])

    def test_shards_of_another_seed_or_number_are_refused(self):
        for name, shard, seed, count in (("0", "0/2", 1, 8), ("1", "1/2", 1, 8),
                                         ("seed", "1/2", 2, 8), ("count", "1/2", 1, 9)):
            done = run("check", "--tier", "full", "--seed", seed, "--count", count, "-b",
                       "interpreter:", "--shard", shard, "-o", self.at / name)
            self.expect(done, 0 if name == "0" else NOTHING)
        self.expect(run("merge", self.at / "0", self.at / "1"), 0, "8 of 8 cases conform")
        for name in ("seed", "count"):
            self.expect(run("merge", self.at / "0", self.at / name), USAGE, "usage.foreign_shard")


class Few(Shards):
    CASES = "conformance/vectors/negate.jsonl"

    def shard(self, index, count, name, *options):
        return run("check", self.CASES, "-b", "interpreter:", "--shard", f"{index}/{count}", "-o",
                   self.at / str(name), *options)

    def setUp(self):
        super().setUp()
        for index in range(3):
            self.expect(self.shard(index, 3, index), 0, f"shard {index}/3 (--shard)\n")
        self.parts = [self.at / str(index) for index in range(3)]

    def merge(self, *names):
        return run("merge", *[self.at / str(name) for name in names])

    def test_missing_doubled_and_foreign_shards_are_refused(self):
        self.expect(self.merge(0, 1, 2), 0, "cases conform")
        self.expect(self.merge(0, 2), INCOMPLETE, "1 shard of 3 is missing, the first is 1/3")
        self.expect(self.merge(0, 1, 2, 1), USAGE, "usage.doubled_shard")
        self.expect(self.merge(0, 1, "none"), 3, "file.read")
        for name, options in (("profile", ("-p", "cr")), ("require", ("--require", "*")),
                              ("levels", ("--levels",)), ("raw", ("--raw",)), ("cases", ("-f", "*/f32/*"))):
            self.shard(2, 3, "other", *options)
            self.expect(self.merge(0, 1, "other"), USAGE, f'one shard has "{name}": ')
        self.shard(2, 4, "other")
        self.expect(self.merge(0, 1, "other"), USAGE, 'one shard has "of": ')

    def test_cases_of_another_shard_are_refused(self):
        lines = [part.read_text().splitlines(True) for part in self.parts]
        (self.at / "0").write_text("".join([*lines[0][:-1], lines[1][1], lines[0][-1]]))
        self.expect(self.merge(0, 1, 2), USAGE, "usage.doubled_shard")
        (self.at / "0").write_text("".join([*lines[0][:1], *lines[0][2:]]))
        self.expect(self.merge(0, 1, 2), INCOMPLETE, "1 case of")

    def test_what_no_run_wrote_is_refused(self):
        old = self.parts[0].read_text()
        lines = old.splitlines(True)
        begin, case = json.loads(lines[0]), json.loads(lines[1])
        changed = [json.dumps(begin | {key: value}) for key, value in (
            ("shard", 3), ("shard", -1), ("shard", 2**64 - 1), ("shard", 1e300), ("of", 0),
            ("of", 2**32), ("cases", -1), ("cases", 2**63), ("cases", "9"), ("levels", 1),
            ("backend", None), ("event", "case"))]
        texts = ["", "\n", "[]\n", "\0\xff", "[" * 10**6, old[1:], *changed]
        cases = [json.dumps(case | {key: value}) for key, value in (
            ("position", -1), ("position", 2**64 - 1), ("position", 0.5), ("line", 2**31),
            ("elements", 2**62), ("worst_ulps", 1e300), ("worst_ulps", -1), ("worst_ulps", 2**64 - 1), ("flaky", 1),
            ("statement", []), ("difference", {"type": "f32[9999999999]"}),
            ("difference", {"leaf": 0, "index": [], "expected": "", "type": "f32[99999999]",
                            "reference": "0", "actual": "0"}))]
        texts += [lines[0] + line + "\n" for line in cases]
        texts += [old + lines[1], old + lines[-1], old[:len(lines[0]) + 20]]
        for text in texts:
            self.parts[0].write_text(text)
            done = self.merge(0, 1, 2)
            self.expect(done, USAGE, "usage.events")
            self.assertLess(len(done.stderr), 1000)
        # A few that are whole but cannot be of this run.
        for key, value in (("cases", 2**40), ("of", 2**32 - 1), ("version", "9"),
                           ("build", "0"), ("manifest", "0")):
            self.parts[0].write_text(json.dumps(begin | {key: value}) + "\n")
            self.expect(self.merge(0, 1, 2), USAGE, "usage.foreign_shard")
            self.expect(self.merge(0, 1, 2), USAGE, f'one shard has "{key}": ')
            self.expect(self.merge(0), INCOMPLETE, "missing")
        self.parts[0].write_text(lines[0] + json.dumps(case | {"position": 2**40}) + "\n")
        self.expect(self.merge(0, 1, 2), USAGE, "usage.foreign_shard")

    def test_an_output_is_no_input(self):
        old = self.parts[0].read_bytes()
        self.expect(run("merge", *self.parts, "-o", self.parts[0]), USAGE, "file.twice")
        self.assertEqual(self.parts[0].read_bytes(), old)

    def test_a_shard_without_cases_is_one(self):
        names = []
        for index in range(4):
            names.append(f"e{index}")
            done = self.shard(index, 4, names[-1], "-f", "negate/f32/values:negate/f16/values")
            self.expect(done, 0 if index < 2 else NOTHING)
        self.expect(self.merge(*names), 0, "2 of 2 cases conform")

    def test_the_environment_of_launchers_is_heard(self):
        marks = {"TEST_SHARD_INDEX": "1", "TEST_TOTAL_SHARDS": "3",
                 "TEST_SHARD_STATUS_FILE": str(self.at / "status")}
        for variables in (
                marks, {"GTEST_SHARD_INDEX": "1", "GTEST_TOTAL_SHARDS": "3"},
                {"SLURM_ARRAY_TASK_ID": "6", "SLURM_ARRAY_TASK_MIN": "5",
                 "SLURM_ARRAY_TASK_COUNT": "3", "PMI_RANK": "0", "PMI_SIZE": "1"},
                {"JOB_COMPLETION_INDEX": "1", "ASSAY_SHARDS": "3"},
                {"CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "3"},
                {"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "3"},
                {"PMI_RANK": "1", "PMI_SIZE": "3"}):
            done = run("check", self.CASES, "-b", "interpreter:", "-o", self.at / "x", **variables)
            self.expect(done, 0, f"shard 1/3 ({next(iter(variables))} and ")
            self.assertEqual((self.at / "x").read_bytes(), self.parts[1].read_bytes())
        self.assertTrue((self.at / "status").exists())

    def test_an_environment_that_says_nothing_clear_is_refused(self):
        for variables in (
                {"TEST_SHARD_INDEX": "1"}, {"GTEST_TOTAL_SHARDS": "3"},
                {"JOB_COMPLETION_INDEX": "0"}, {"CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "3"},
                {"PMI_RANK": "3", "PMI_SIZE": "3"}, {"PMI_RANK": "-1", "PMI_SIZE": "3"},
                {"PMI_RANK": "1x", "PMI_SIZE": "3"}, {"PMI_RANK": "1", "PMI_SIZE": "9" * 1000},
                {"SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_COUNT": "3"},
                {"SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_MIN": "2",
                 "SLURM_ARRAY_TASK_COUNT": "3"},
                {"PMI_RANK": "1", "PMI_SIZE": "3", "CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "3"}):
            done = run("check", self.CASES, "-b", "interpreter:", **variables)
            self.expect(done, USAGE, "usage.shard")
            self.assertLess(len(done.stderr), 1000)
            self.expect(run("check", self.CASES, "-b", "interpreter:", "--shard", "0/1",
                            **variables), 0)
        self.expect(run("check", self.CASES, "-b", "interpreter:", CI_NODE_TOTAL="1"), 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
