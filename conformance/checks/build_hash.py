"""Checks what names a build: the hash of its sources, and of nothing else.

    build_hash.py CMAKE ASSAY

Computed a second time here, it is what the program writes into its events; it
does not depend on the folder, nor on tests, and it does on every other source.
"""

import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CMAKE, ASSAY = sys.argv[1], str(pathlib.Path(sys.argv[2]).resolve())
SCRIPT = "conformance/hash_sources.cmake"
TEST = re.compile(r"_(test|benchmark|fuzz)\.cc$|/testing/|^conformance/(checks|fuzz)/")
SOURCE = re.compile(
    r"(interpreter|backends)/.*\.(cc|h|txt)|conformance/.*\.(cc|h)|CMakeLists\.txt"
    r"|conformance/(.*/)?CMakeLists\.txt|conformance/levels/.*\.json"
    r"|conformance/python/assay/.*\.py")


def sources() -> list[str]:
    folders = [ROOT / "CMakeLists.txt", *(
        file for folder in ("interpreter", "backends", "conformance")
        for file in (ROOT / folder).rglob("*") if file.is_file())]
    names = [file.relative_to(ROOT).as_posix() for file in folders]
    return sorted(name for name in names if SOURCE.fullmatch(name) and not TEST.search(name))


def hash_by_cmake(root: pathlib.Path) -> str:
    output = root / "out.cc"
    subprocess.run([CMAKE, "-D", f"ROOT={root}", "-D", f"OUTPUT={output}", "-P", ROOT / SCRIPT],
                   check=True, capture_output=True)
    return re.findall(r'"([0-9a-f]{64})"', output.read_text())[0]


class BuildHash(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.at = pathlib.Path(folder.name)

    def copy(self, name: str) -> pathlib.Path:
        root = self.at / name
        for source in sources():
            (root / source).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / source, root / source)
        return root

    def test_it_is_of_the_sources_of_this_program(self):
        names = sources()
        self.assertGreater(len(names), 500)
        text = "".join(f"{hashlib.sha256((ROOT / name).read_bytes()).hexdigest()} {name}\n"
                       for name in names)
        events = self.at / "events"
        subprocess.run([ASSAY, "check", "conformance/vectors/negate.jsonl", "-b", "interpreter:",
                        "-o", events], cwd=ROOT, check=True, capture_output=True)
        begin = json.loads(events.read_text().splitlines()[0])
        self.assertEqual(begin["build"], hashlib.sha256(text.encode()).hexdigest())

    def test_it_depends_on_every_source_alone(self):
        first, second = self.copy("a"), self.copy("another folder, with $odd name")
        hash_of_all = hash_by_cmake(first)
        self.assertEqual(hash_by_cmake(second), hash_of_all)
        for name in ("interpreter/x_test.cc", "backends/testing/x.cc", "conformance/checks/x.h",
                     "build/release/x.cc", "conformance/python/assay/x.pyc", "spec/x.txt"):
            (first / name).parent.mkdir(parents=True, exist_ok=True)
            (first / name).write_text("x")
        self.assertEqual(hash_by_cmake(first), hash_of_all)
        for name in ("interpreter/error.h", "backends/cpu/cpu_backend.cc", "CMakeLists.txt",
                     "conformance/python/assay/serve/worker.py"):
            old = (first / name).read_bytes()
            (first / name).write_bytes(old + b"\n")
            self.assertNotEqual(hash_by_cmake(first), hash_of_all, name)
            (first / name).write_bytes(old)
        (first / "interpreter/error.h").rename(first / "interpreter/mistake.h")
        self.assertNotEqual(hash_by_cmake(first), hash_of_all)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
