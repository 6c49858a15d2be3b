"""Makes the wheel with scikit-build-core, installs it into a folder and tries it.

Argument: the build folder, from which the library, the programs and the cases
are taken; with --build all is built anew by CMake as `pip install .` does it.
Skipped where $ASSAY_PYTHON, or python3, has no scikit-build-core or no pip.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

from installed import CASES, PACKAGE, ROOT, has, problems, run, stage

PYTHON = os.environ.get("ASSAY_PYTHON") or shutil.which("python3") or sys.executable


def pip(*words: object) -> None:
    # scikit-build-core looks for ninja beside the Python, too.
    path = f"{pathlib.Path(PYTHON).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run([PYTHON, "-m", "pip", *map(str, words)], capture_output=True, text=True,
                          env={**os.environ, "PATH": path}, check=False)
    if done.returncode != 0:
        sys.exit(f"pip {' '.join(map(str, words))}\n{done.stdout}{done.stderr}")


def odd_files(wheel: pathlib.Path) -> list[str]:
    """What else is in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    tops = {name.split("/")[0] for name in names}
    wrong = [f"the wheel has {top}" for top in tops
             if top != "assay" and not top.endswith(".dist-info")]
    return wrong + [f"the wheel has {name}" for name in names
                    if "__pycache__" in name or name.endswith((".a", ".h", ".cc", "_test.py"))]


def plugin_problems(folder: pathlib.Path, elsewhere: pathlib.Path) -> list[str]:
    """Of the plug-in, which pytest finds by the entry point."""
    if not has(PYTHON, "pytest"):
        return []
    said = run(PYTHON, folder, elsewhere, "-m", "pytest", "-q", "--assay-backend", "cpu:",
               "--assay-cases", CASES, "--assay-filter", "add/f32/values")
    return [] if "1 passed" in said else [f"the plug-in says: {said}"]


def make_wheel(folder: pathlib.Path) -> pathlib.Path:
    """The wheel of the tree, or of a copy that has what was built as its files."""
    wheels, project = folder / "wheels", folder / "project"
    settings = ["--no-deps", "--no-build-isolation", "-w", wheels]
    if sys.argv[1] == "--build":
        pip("wheel", ROOT, *settings)
    else:
        stage(pathlib.Path(sys.argv[1]), project / PACKAGE.relative_to(ROOT).parent)
        for name in ("pyproject.toml", "README.md", "LICENSE", "CMakeLists.txt"):
            shutil.copy(ROOT / name, project)
        pip("wheel", project, *settings, "-C", "wheel.cmake=false")
    (wheel,) = wheels.glob("assay-*-py3-none-*.whl")
    return wheel


def main() -> int:
    for module in ("scikit_build_core", "pip"):
        if not has(PYTHON, module):
            print(f"wheel: skipped, {PYTHON} has no {module}")
            return 77
    with tempfile.TemporaryDirectory() as name:
        folder, elsewhere = pathlib.Path(name, "site"), pathlib.Path(name, "elsewhere")
        elsewhere.mkdir()
        wheel = make_wheel(pathlib.Path(name))
        pip("install", "--no-deps", "--target", folder, wheel)
        wrong = odd_files(wheel) + problems(PYTHON, folder, elsewhere)
        wrong += plugin_problems(folder, elsewhere)
        said = subprocess.run([folder / "bin/assay", "--help"], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": str(folder)}, check=False)
        if "explain" not in said.stdout:
            wrong.append(f"the command of the wheel says: {said.stdout}{said.stderr}")
        size = wheel.stat().st_size / 2**20
    print("\n".join(wrong) or f"wheel: {wheel.name}, {size:.0f} MiB, runs elsewhere")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
