"""Checks that a night spread over many runs is one night: checks/stages.sh.

    night.py

In a repository of its own with a table of three stages. What passed is kept with
the commit and a digest of its files, and is open again when they change; what
failed, or ran on files that differ from the commit, is not kept.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

STAGES = pathlib.Path(__file__).resolve().parents[1] / "stages.sh"
DEV = """set -euo pipefail
say() { printf '== %s\\n' "$*"; }
. STAGES
fails() { false; echo went on; }
edits() { echo edited >>b.h; }
stages() { cat <<'TABLE'
day   code   *.cc echo one; echo $PWD/two
night bad    .    fails; echo after
night late   *.h  edits
TABLE
}
test_by_night "$@"
"""


class Night(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.at = pathlib.Path(folder.name)
        self.results = self.at / "conformance/nightly"
        self.results.mkdir(parents=True)
        for name, text in {"a.cc": "a", "b.h": "b", ".gitignore": "build/\n",
                           "dev": DEV.replace("STAGES", str(STAGES))}.items():
            (self.at / name).write_text(text)
        self.git("init", "--quiet")
        self.commit()

    def git(self, *arguments):
        who = {f"GIT_{role}_{what}": "night@example.com"
               for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        done = subprocess.run(["git", *arguments], cwd=self.at, check=True, text=True,
                              capture_output=True, env=os.environ | who)
        return done.stdout.strip()

    def commit(self):
        self.git("add", ".")
        self.git("commit", "--quiet", "-m", "Change something")

    def night(self, *arguments):
        return subprocess.run(["bash", "dev", *arguments], cwd=self.at, text=True,
                              capture_output=True)

    def states(self):
        rows = self.night("--list").stdout.splitlines()
        return {row.split()[0]: row.split()[1] for row in rows}

    def test_what_passed_is_kept_until_its_files_change(self):
        self.assertEqual(self.night("code").returncode, 0)
        first, *rest = (self.results / "code.txt").read_text().splitlines()
        self.assertIn(f"commit {self.git('rev-parse', '--short=12', 'HEAD')}, files ", first)
        self.assertEqual(rest[:3], ["== stage code", "one", "two"])
        self.commit()
        self.assertIn("has passed with these files", self.night("code").stdout)
        (self.at / "b.h").write_text("other")
        self.commit()
        self.assertEqual(self.states()["code"], "passed")
        (self.at / "a.cc").write_text("other")
        self.commit()
        self.assertEqual(self.states(), {"code": "behind", "bad": "open", "late": "open"})
        self.assertIn("== stage code passed", self.night("code").stdout)

    def test_what_fails_ends_the_night_and_is_not_kept(self):
        done = self.night()
        self.assertNotEqual(done.returncode, 0)
        self.assertNotIn("went on", done.stdout)
        self.assertNotIn("after", done.stdout)
        self.assertNotIn("stage late", done.stdout)
        self.assertEqual(self.states(), {"code": "passed", "bad": "open", "late": "open"})

    def test_what_ran_on_other_files_is_not_kept(self):
        self.assertIn("stage late is not remembered", self.night("late").stdout)
        self.assertIn("stage code is not remembered", self.night("code").stdout)
        self.assertEqual(set(self.states().values()), {"open"})

    def test_a_misspelt_stage_runs_nothing(self):
        done = self.night("code", "cod")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no stage is called 'cod'", done.stderr)
        self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    if not shutil.which("git"):
        print("skipped: git is missing")
        sys.exit(77)
    unittest.main()
