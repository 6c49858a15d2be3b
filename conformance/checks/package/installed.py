"""What a package outside of the source tree must do."""

import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "conformance/python/assay"
EVALUATE = """
import pathlib
import assay
from assay import library, program
print(assay.evaluate("HloModule m ENTRY e { ROOT x = s32[] constant(7) }"))
for path in (library.library_path(), program.program_path(), pathlib.Path(assay.__file__)):
    print(path)
"""
CASES = ROOT / "conformance/vectors/add.jsonl"
# Whose modules an engine needs that no Python has.
ENGINE = ["-b", "jax:nonexistent", "-f", "add/f32/values"]


def run(python: str, folder: pathlib.Path, elsewhere: pathlib.Path, *words: object,
        ok: tuple[int, ...] = (0,)) -> str:
    """What the Python says that finds its packages in the folder."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("ASSAY_", "PYTEST_"))}
    done = subprocess.run([python, *map(str, words)], cwd=elsewhere, capture_output=True,
                          text=True, env={**kept, "PYTHONPATH": str(folder)}, check=False)
    if done.returncode not in ok:
        sys.exit(f"{' '.join(map(str, words))}: exit code {done.returncode}\n"
                 f"{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def stage(build: pathlib.Path, folder: pathlib.Path) -> None:
    """Makes the package in the folder as the wheel has it, from what is built."""
    words = ["cmake", "--install", build, "--component", "wheel", "--prefix", folder / "assay"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    shutil.copytree(PACKAGE, folder / "assay", dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns("__pycache__"))


def has(python: str, module: str) -> bool:
    done = subprocess.run([python, "-c", f"import {module}"], capture_output=True, check=False)
    return done.returncode == 0


def lacking(folder: pathlib.Path) -> list[str]:
    """Files of the tree that the package in the folder does not have."""
    package = folder / "assay"
    data = package / "share/assay"
    wanted = [package / path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py")]
    wanted += [package / name for name in ("py.typed", "libassay.so", "bin/assay",
                                           "bin/assay_abi_worker")]
    for part in ("spec", "conformance/vectors"):
        for ending in ("md", "json", "jsonl", "txt"):
            wanted += [data / path.relative_to(ROOT) for path in (ROOT / part).rglob(f"*.{ending}")
                       if part == "spec" or ending in ("jsonl", "txt")]
    return [f"{path} is missing" for path in wanted if not path.is_file()]


def problems(python: str, folder: pathlib.Path, elsewhere: pathlib.Path) -> list[str]:
    """Of the package `assay` in the folder, used from another one."""
    wrong = lacking(folder)
    call = "from assay.program import main; main()"
    said = run(python, folder, elsewhere, "-c", call, "check", "-b", "cpu:", "-f",
               "add/f32/values:pad/page/*")
    if " cases conform" not in said or "cpu: 0 of" in said:
        wrong.append(f"assay check finds no cases: {said}")
    said = run(python, folder, elsewhere, "-c", call, "check", CASES, *ENGINE,
               ok=tuple(range(78)))
    if "usage.backend" in said:
        wrong.append(f"assay check does not find its engines: {said}")
    if has(python, "numpy"):
        first, *paths = run(python, folder, elsewhere, "-c", EVALUATE).split()
        if first != "7":
            wrong.append(f"7 is {first} for the package")
        wrong += [f"{path} is not of the package" for path in paths
                  if not path.startswith(str(folder))]
    return wrong
