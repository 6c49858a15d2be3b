"""Checks assay check --cache: it saves time, and changes nothing else.

    cache.py ASSAY FAULTY_CALLS LIBRARY

A worker that notes what it is asked shows what was found. Whatever is changed in
it, in the cases, in the options or in the files of the cache, a run with a cache
writes and prints what one without does. The library FAULTY_CALLS fills the disk;
LIBRARY is one for abi:.
"""

import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
ASSAY, FAULTY, LIBRARY = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:4])
EXAMPLE = (ROOT / "backends/process/examples/worker.py").read_text()
RULES = re.compile(r"^RULES = \{.*?\}\n", re.M | re.S)
TIME = re.compile(rb'time="[0-9.]*"')
KEPT = ("conforms", "unsupported")
USAGE, BROKEN = 2, 3
# Python takes a module that changes within a second for the one before.
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"


class Cache(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.at = pathlib.Path(folder.name)
        self.at.chmod(0o755)
        (self.at / "engine").mkdir()
        (self.at / "asked").touch()
        self.write_worker()
        lines = (ROOT / "conformance/vectors/add.jsonl").read_text().splitlines()
        self.head, cases = lines[0], [json.loads(line) for line in lines[1:]]
        self.cases = [case for case in cases if case["id"].startswith(("add/f32/", "add/f64/"))]
        self.write_cases(self.cases)
        self.backend = f"process:{sys.executable} {self.at / 'engine/worker.py'}"

    def write_worker(self, rules="RULES = {'add': operator.add}"):
        """The example of a worker, in two modules, which notes each case."""
        text, count = RULES.subn("from rules import RULES\n", EXAMPLE)
        note = f"    open({str(self.at / 'asked')!r}, 'a').write('x')\n"
        text = text.replace("    values = {}\n", note + "    values = {}\n")
        self.assertEqual((count, text.count(note)), (1, 1))
        (self.at / "engine/worker.py").write_text(text)
        (self.at / "engine/rules.py").write_text(f"import operator\n{rules}\n")

    def write_cases(self, cases):
        (self.at / "cases.jsonl").write_text("\n".join(
            [self.head, *(json.dumps(case, separators=(",", ":")) for case in cases), ""]))

    def command(self, *options, backend=None, name="e"):
        return [ASSAY, "check", self.at / "cases.jsonl", "-b", backend or self.backend, "-j", "1",
                "-o", self.at / name, "--junit", self.at / f"{name}.xml", *map(str, options)]

    def check(self, *options, backend=None, cwd=ROOT, user=None, **variables):
        """What a run prints and writes; its events and its report are kept."""
        for name in ("e", "e.xml"):
            (self.at / name).unlink(missing_ok=True)
        before = (self.at / "asked").stat().st_size
        done = subprocess.run(self.command(*options, backend=backend), cwd=cwd, text=True,
                              user=user, env=os.environ | variables, capture_output=True)
        done.asked = (self.at / "asked").stat().st_size - before
        done.events, done.xml = [file.read_bytes() if file.exists() else b""
                                 for file in (self.at / "e", self.at / "e.xml")]
        found = re.search(r"the cache had (\d+) of (\d+) result", done.stderr)
        done.found = int(found.group(1)) if found else None
        return done

    def cached(self, *options, **more):
        return self.check("--cache", self.at / "cache", *options, **more)

    def files(self):
        return sorted((self.at / "cache").glob("*.results"))

    def assert_same(self, done, plain, message=None):
        self.assertEqual((done.returncode, done.stdout), (plain.returncode, plain.stdout),
                         (message, done.stderr))
        self.assertEqual(done.events, plain.events, message)
        self.assertEqual(TIME.sub(b"", done.xml), TIME.sub(b"", plain.xml), message)

    @staticmethod
    def kept(done):
        return sum(json.loads(line)["verdict"] in KEPT for line in done.events.splitlines()[1:-1])


class SavesTime(Cache):
    def test_a_run_with_a_cache_is_one_without(self):
        for options in ((), ("--levels", "-v"), ("-p", "cr")):
            plain, cold, warm = self.check(*options), self.cached(*options), self.cached(*options)
            self.assert_same(cold, plain, options)
            self.assert_same(warm, plain, options)
            self.assertEqual((plain.found, cold.found, warm.found), (None, 0, self.kept(plain)))
            self.assertGreater(cold.asked, 20)
            self.assertEqual(warm.asked, 0, options)

    def test_what_is_required_is_missing_all_the_same(self):
        self.cached()
        plain, done = [check("--require", "add/f64/*") for check in (self.check, self.cached)]
        self.assert_same(done, plain)
        self.assertGreater(json.loads(plain.events.splitlines()[-1])["verdicts"]["missing"], 0)
        self.assertEqual(done.asked, 0)

    def test_what_does_not_go_well_is_asked_again(self):
        self.write_worker("RULES = {'add': lambda a, b: a + b if a == a else 7.0}")
        plain = self.check()
        self.assertEqual(plain.returncode, 1)
        for found in (0, self.kept(plain), self.kept(plain)):
            done = self.cached()
            self.assert_same(done, plain)
            self.assertEqual(done.found, found)
        self.assertGreater(done.asked, 0)

    def test_engines_in_this_process_and_libraries(self):
        library = self.at / "lib.so"
        shutil.copy(LIBRARY, library)
        for backend in ("cpu:", "mutant:truncate-add", f"abi:{library}"):
            plain = self.check(backend=backend)
            for found in (0, self.kept(plain)):
                done = self.cached(backend=backend)
                self.assert_same(done, plain)
                self.assertEqual(done.found, found, backend)
        library.write_bytes(library.read_bytes() + b"\n")
        self.assertEqual(self.cached(backend=f"abi:{library}").found, 0)

    def test_shards_and_options_that_change_nothing_share(self):
        for shard in range(3):
            self.cached("--shard", f"{shard}/3")
        plain = self.check()
        for options, variables in (((), {}), (("-v",), {}), (("--failures", 0), {}),
                                   ((), {"GITHUB_RUN_ID": "8", "PWD": "/", "SLURM_JOB_ID": "2"})):
            done = self.cached(*options, **variables)
            self.assertEqual((done.asked, done.found), (0, self.kept(plain)), options)
            self.assertEqual(done.events, plain.events)
        self.assertEqual(len(self.files()), 1)


class Changes(Cache):
    """What a result depends on is in its name."""

    def test_another_engine_is_asked(self):
        plain = self.cached()
        engine, rules = self.at / "engine", (self.at / "engine/rules.py").read_text()
        worker = (engine / "worker.py").read_text()
        (self.at / "modules").mkdir()
        (self.at / "modules/unused.py").write_text("")
        changes = (
            lambda: (engine / "rules.py").write_text(rules + "\n"),
            lambda: (engine / "worker.py").write_text(worker + "\n"),
            lambda: (engine / "other.py").write_text(""),
            lambda: (engine / "package").mkdir(),
            lambda: (engine / "package/part.py").write_text(""),
            lambda: (engine / "package/__init__.py").write_text(""),
        )
        for number, change in enumerate(changes):
            change()
            if number != 3:  # an empty folder is no package yet
                self.assertEqual(self.cached().found, 0, number)
        for variables in ({"XLA_FLAGS": "--a"}, {"PYTHONPATH": str(self.at / "modules")},
                          {"LC_ALL": "C"}):
            self.assertEqual(self.cached(**variables).found, 0, variables)
        (self.at / "modules/unused.py").write_text("1")
        self.assertEqual(self.cached(PYTHONPATH=str(self.at / "modules")).found, 0)
        self.assertEqual(self.cached(cwd=self.at).found, 0)
        # As it was: all is there still.
        shutil.rmtree(engine / "package")
        (engine / "other.py").unlink()
        self.write_worker()
        done = self.cached()
        self.assert_same(done, plain)
        self.assertEqual(done.asked, 0)

    def test_installed_packages_are_part_of_a_python(self):
        packages = self.at / "venv/lib/python3/site-packages"
        for folder in (self.at / "venv/bin", packages / "x-1.dist-info", self.at / "edited"):
            folder.mkdir(parents=True)
        python = self.at / "venv/bin/python3"
        python.symlink_to(sys.executable)
        backend = f"process:{python} {self.at / 'engine/worker.py'}"
        changes = ((packages / "x-1.dist-info/RECORD", "x.py,sha256=0,1\n"),
                   (packages / "x.py", ""), (packages / "y.pth", f"\n{self.at / 'edited'}\n"),
                   (self.at / "edited/z.py", "1"))
        for file, text in changes:
            self.cached(backend=backend)
            file.write_text(text)
            self.assertEqual(self.cached(backend=backend).found, 0, file)
        (packages / "data.txt").write_text("")
        self.assertGreater(self.cached(backend=backend).found, 0)

    def test_a_script_around_the_engine_is_part_of_it(self):
        script = self.at / "run.sh"
        script.write_text(f'exec "{sys.executable}" "{self.at}/engine/worker.py"\n')
        for text, found in (("", False), ("", True), ("#\n", False)):
            script.write_text(script.read_text() + text)
            done = self.cached(backend=f"process:sh {script}")
            self.assertEqual(done.found > 0, found)

    def test_notes_that_an_engine_maps_are_no_part_of_it(self):
        self.write_worker("import mmap, tempfile\nnotes = tempfile.NamedTemporaryFile()\n"
                          "notes.write(b'x' * 9)\nnotes.flush()\n"
                          "shared = mmap.mmap(notes.fileno(), 9)\nRULES = {'add': operator.add}")
        all_found = self.kept(self.cached())
        self.assertEqual(self.cached().found, all_found)

    def test_what_became_wrong_is_found(self):
        self.cached()
        self.write_worker("RULES = {'add': operator.sub}")
        done = self.cached()
        self.assertEqual(done.returncode, 1)
        self.assert_same(done, self.check())

    def test_other_options_ask_again(self):
        self.cached()
        for options in (("-p", "cr"), ("--levels",), ("--timeout", "59"), ("--max-memory", "1GB")):
            self.assertEqual(self.cached(*options).found, 0, options)

    def test_a_changed_case_is_asked_again(self):
        all_found = self.kept(self.cached())
        number = next(i for i, case in enumerate(self.cases) if case["id"] == "add/f32/values")
        case = self.cases[number]
        for field, change in (("inputs", lambda old: old[::-1]),
                              ("statement", lambda old: old + "!"),
                              ("hlo", lambda old: old.replace("add(", "subtract(")),
                              ("expect", lambda old: [{"bits": old[0]["bits"].replace(
                                  "3f800000", "3f800001")}, *old[1:]])):
            self.cases[number] = case | {field: change(case[field])}
            self.write_cases(self.cases)
            self.assertTrue(self.cases[number] != case, field)
            plain, done = self.check(), self.cached()
            self.assert_same(done, plain, field)
            self.assertEqual(done.found, all_found - 1, field)
            self.assertEqual(done.returncode, int(field == "expect"), field)
        self.write_cases([case, *self.cases[:number], *self.cases[number + 1:]])
        self.assertEqual(self.cached().found, all_found)  # where it stands is not in it

    def test_an_engine_that_changes_while_it_runs_is_not_kept(self):
        rules = self.at / "engine/rules.py"
        self.write_worker(f"RULES = {{'add': operator.add}}\nopen({str(rules)!r}, 'a').write('#')")
        done = self.cached()
        self.assertIn("has changed, but it must stay while the run goes on", done.stderr)
        self.assert_same(done, self.check())
        self.assertEqual(self.files()[0].read_bytes(), b"")

    def test_an_engine_that_does_not_start_is_none(self):
        backend = f"process:startup=5 {sys.executable} -c 1"
        done = self.cached(backend=backend)
        self.assertIn("left out, which costs time only: ended with the exit code 0", done.stderr)
        self.assertEqual((done.returncode, done.found), (BROKEN, None))


class Damage(Cache):
    """Files of the cache that no run wrote so."""

    def setUp(self):
        super().setUp()
        self.plain = self.check()
        self.cached()
        (self.file,) = self.files()
        self.whole = self.file.read_bytes()
        self.assertEqual(self.whole.count(b"\n"), self.kept(self.plain))

    def assert_healed(self, message):
        """The same comes out, and the next run finds all."""
        done = self.cached()
        self.assert_same(done, self.plain, message)
        healed = self.cached()
        self.assertEqual((healed.found, healed.asked), (self.kept(self.plain), 0), message)
        return done

    def test_changed_bytes(self):
        chance = random.Random(16)
        for number in range(3):
            bytes_ = bytearray(self.whole)
            for _ in range(3):
                bytes_[chance.randrange(len(bytes_))] ^= 1 << chance.randrange(8)
            self.file.write_bytes(bytes_)
            self.assertLess(self.assert_healed(number).found, self.kept(self.plain))
        for cut in (70, len(self.whole) - 3):
            self.file.write_bytes(self.whole[:cut])
            self.assert_healed(cut)

    def test_other_contents(self):
        lines = self.whole.split(b"\n")[1:]
        unsupported = next(line for line in lines if b" [false," in line)
        conforming = next(line for line in lines if b" [true," in line)
        key = slice(65, 129)
        crossed = unsupported[:65] + conforming[key] + unsupported[129:]
        for text in (b"", b"\n" * 1000, b"\0" * 100000, b"[" * 10**6,
                     b"x" * 64 + b" " + b"y" * 64 + b" 1", self.whole * 2,
                     b"\n".join(lines[::-1]), crossed, self.whole + b"\n" + crossed,
                     self.whole.replace(b"[false,", b"[true,"),
                     self.whole.replace(b"[true,", b"[false,")):
            self.file.write_bytes(text)
            self.assert_same(self.cached(), self.plain, text[:100])
        self.assert_healed("the last one")

    def test_a_file_of_another_engine(self):
        self.write_worker("RULES = {'add': operator.sub}")
        plain = self.check()
        self.cached()
        (other,) = [file for file in self.files() if file != self.file]
        for text in (self.whole, self.whole + other.read_bytes()):
            other.write_bytes(text)
            self.assert_same(self.cached(), plain)

    def test_what_is_no_file(self):
        self.file.unlink()
        for make in (lambda: self.file.mkdir(), lambda: os.mkfifo(self.file),
                     lambda: self.file.symlink_to("/dev/zero"),
                     lambda: self.file.symlink_to("none"),
                     lambda: self.file.symlink_to(self.at / "cases.jsonl")):
            make()
            done = self.cached()
            self.assert_same(done, self.plain)
            self.assertIn("is left out, which costs time only", done.stderr)
            self.assertEqual(done.found, 0)
            self.file.rmdir() if self.file.is_dir() else self.file.unlink()
        for folder in (self.at / "cases.jsonl", "/dev/null/x", "/proc/none", "x" * 5000):
            done = self.check("--cache", folder)
            self.assert_same(done, self.plain)
            self.assertIn("is left out, which costs time only", done.stderr)

    def test_a_folder_that_cannot_be_written(self):
        self.file.write_bytes(self.whole[:len(self.whole) // 2])
        half = self.file.read_bytes()
        self.file.chmod(0o444)
        (self.at / "cache").chmod(0o555)
        self.addCleanup((self.at / "cache").chmod, 0o755)
        self.at.chmod(0o777)
        (self.at / "asked").chmod(0o666)
        user = 65534 if os.geteuid() == 0 else None
        done = self.cached(user=user)
        self.assert_same(done, self.plain)
        self.assertIn("Permission denied", done.stderr)
        self.assertGreater(done.found, 0)
        self.assertEqual(self.file.read_bytes(), half)

    def test_an_output_is_no_cache(self):
        command = self.command("--cache", self.at / "cache")
        command[command.index("-o") + 1] = self.file
        done = subprocess.run(command, cwd=ROOT, text=True, capture_output=True)
        self.assertEqual(done.returncode, USAGE, done.stderr)
        self.assertEqual(self.file.read_bytes(), self.whole)


class Runs(Cache):
    """The disk is full, several runs share the folder, a run is killed."""

    def faulty(self, **fault):
        # The variables are in the name of the results: there from the beginning.
        return {"LD_PRELOAD": FAULTY} | {f"FAULTY_{key.upper()}": str(text)
                                         for key, text in fault.items()}

    def test_a_full_disk_is_a_warning(self):
        plain = self.check()
        for after in (0, 1):
            done = self.cached(**self.faulty(call="write", errno=28, file=".results", after=after))
            self.assert_same(done, plain)
            self.assertEqual("No space left" in done.stderr, after == 0, done.stderr)
        small = self.faulty(file=".results", size=7)
        for found in (0, self.kept(plain)):
            done = self.cached(**small)
            self.assert_same(done, plain)
            self.assertEqual(done.found, found)

    def test_runs_at_the_same_time(self):
        plain = self.check()
        runs = [subprocess.Popen(self.command("--cache", self.at / "cache", name=f"r{number}"),
                                 cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                for number in range(4)]
        for number, run in enumerate(runs):
            self.assertEqual(run.wait(), plain.returncode)
            self.assertEqual((self.at / f"r{number}").read_bytes(), plain.events)
        done = self.cached()
        self.assert_same(done, plain)
        self.assertEqual((done.asked, done.found), (0, self.kept(plain)))

    def test_a_run_that_is_killed(self):
        plain = self.check()
        slow = f"import time\nRULES = {{'add': lambda a, b: (time.sleep(0.002), a + b)[1]}}"
        self.write_worker(slow)
        run = subprocess.Popen(self.command("--cache", self.at / "cache"), cwd=ROOT,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        limit = time.monotonic() + 60
        while not any(file.stat().st_size for file in self.files()):
            self.assertLess(time.monotonic(), limit, "nothing is kept")
            self.assertIsNone(run.poll(), "the run was too fast to be killed")
            time.sleep(0.01)
        run.send_signal(signal.SIGKILL)
        run.wait()
        (self.at / "e.part").unlink(missing_ok=True)
        done = self.cached()
        self.assertEqual(done.events, plain.events)
        self.assertGreater(done.found, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
