"""Runs the files of conformance/examples/golden as ctest, pytest and GitHub would.

    golden_examples.py ASSAY CMAKE LIBRARY

The golden file is what `assay golden make` writes of the program beside it. A
backend that conforms passes, and a mutant fails.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import yaml
except ImportError:
    yaml = None
try:
    import numpy  # noqa: F401
    import pytest
except ImportError:
    pytest = None

ROOT = pathlib.Path(__file__).resolve().parents[3]
ASSAY, CMAKE, LIBRARY = (pathlib.Path(path).resolve() for path in sys.argv[1:4])
EXAMPLES = ROOT / "conformance/examples/golden"
MUTANT = "mutant:skip-last"
MAKE = ["assay", "golden", "make", "step.hlo", "--input", "random:1", "--input", "random:2"]


class GoldenExamples(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.at = pathlib.Path(folder.name) / "golden"
        shutil.copytree(EXAMPLES, self.at)
        (self.at / "bin").mkdir()
        (self.at / "bin/assay").symlink_to(ASSAY)
        kept = {name: text for name, text in os.environ.items()
                if not name.startswith(("ASSAY_", "GITHUB_", "PYTEST_", "GIT_"))}
        self.plain = kept | {
            "PATH": f"{self.at / 'bin'}:{os.environ['PATH']}", "ASSAY_ROOT": str(ROOT),
            "ASSAY_PROGRAM": str(ASSAY), "ASSAY_LIBRARY": str(LIBRARY),
            "PYTHONPATH": str(ROOT / "conformance/python"), "PYTHONDONTWRITEBYTECODE": "1",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

    def run_here(self, *command, **variables):
        return subprocess.run([str(word) for word in command], cwd=self.at, text=True,
                              env=self.plain | variables, capture_output=True, check=False)

    def expect(self, done, code):
        self.assertEqual(done.returncode, code, done.stdout[-2000:] + done.stderr)

    def test_the_file_is_what_the_readme_makes(self):
        self.assertIn(" ".join(MAKE), (EXAMPLES / "README.md").read_text())
        done = self.run_here(*MAKE)
        self.expect(done, 0)
        self.assertEqual(done.stdout, (EXAMPLES / "golden.jsonl").read_text())

    def test_ctest(self):
        for backend, code in (("cpu:", 0), (MUTANT, 8)):
            self.expect(self.run_here(CMAKE, "-S", "ctest", "-B", "build", f"-DASSAY={ASSAY}",
                                      f"-DASSAY_BACKEND={backend}"), 0)
            done = self.run_here(CMAKE.parent / "ctest", "--test-dir", "build")
            self.expect(done, code)
            self.assertRegex(done.stdout, r"golden_verify \.+ +Passed")

    @unittest.skipIf(pytest is None, "NumPy or pytest is not installed")
    def test_pytest(self):
        python = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        done = self.run_here(*python)
        self.expect(done, 0)
        self.assertIn("2 passed", done.stdout)
        self.expect(self.run_here(*python, "--assay-backend", MUTANT), 1)

    def git(self, *arguments):
        self.expect(self.run_here("git", "-c", "user.name=a", "-c", "user.email=a@b.example",
                                  *arguments), 0)

    @unittest.skipIf(yaml is None or shutil.which("git") is None, "needs python3-yaml and git")
    def test_github(self):
        workflow = yaml.safe_load((self.at / "github.yml").read_text())
        steps = {step["name"]: step["run"] for step in workflow["jobs"]["golden"]["steps"]
                 if "run" in step}
        summary = self.at / "summary"
        given = workflow["env"] | {"GITHUB_STEP_SUMMARY": str(summary)}
        bash = ["bash", "-e", "-c"]
        self.expect(self.run_here(*bash, steps["check"], **given), 0)
        self.assertIn("<testsuites", (self.at / "golden.xml").read_text())
        self.expect(self.run_here(*bash, steps["check"], **given | {"ASSAY_BACKEND": MUTANT}), 1)
        self.git("init", "-q")
        self.git("add", "golden.jsonl")
        self.git("commit", "-q", "-m", "before")
        lines = (self.at / "golden.jsonl").read_text().splitlines(keepends=True)
        (self.at / "golden.jsonl").write_text("".join(lines[:-1]))
        self.git("commit", "-q", "-a", "-m", "after")
        self.expect(self.run_here(*bash, steps["diff"], **given), 0)
        self.assertEqual(summary.read_text(),
                         "golden/step/random_2: case: it is gone\n1 difference\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
