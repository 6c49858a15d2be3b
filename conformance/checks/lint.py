"""Runs a linter over the project's sources: format, tidy or cppcheck.

    lint.py format            clang-format finds nothing to change
    lint.py tidy BUILD        clang-tidy has no warning (compile commands of BUILD)
    lint.py cppcheck BUILD    cppcheck has no finding
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What other tools judge better (-Wshadow, -Wreturn-type), what a common
# signature demands, and C++20 that cppcheck 2.10 cannot read.
NOT_FOR_US = (
    "missingIncludeSystem", "unusedStructMember", "useStlAlgorithm",
    "shadowFunction", "missingReturn", "constParameterCallback", "constParameter",
    "syntaxError", "internalAstError", "arrayIndexThenCheck",
    "useInitializationList", "knownConditionTrueFalse",
)
FOLDERS = ("interpreter", "backends", "conformance")


def sources(*endings: str) -> list[pathlib.Path]:
    return sorted(
        file
        for folder in FOLDERS
        for ending in endings
        for file in (ROOT / folder).rglob(ending)
    )


def run(command: list) -> str:
    done = subprocess.run([str(w) for w in command], capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def in_parallel(commands: list[list]) -> list[str]:
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [output for output in pool.map(run, commands) if output]


def format_() -> list[str]:
    files = sources("*.h", "*.cc")
    return in_parallel([["clang-format", "--dry-run", "-Werror", *files]])


def compiled(build: str) -> list[str]:
    commands = json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
    files = {command["file"] for command in commands}
    wanted = {str(file) for file in sources("*.cc") if "_benchmark" not in file.name}
    return sorted(files & wanted)


def tidy(build: str) -> list[str]:
    return in_parallel([["clang-tidy", "--quiet", "-p", build, file]
                        for file in compiled(build) if not file.endswith("_test.cc")])


def cppcheck(build: str) -> list[str]:
    checks = "warning,style,performance,portability"
    return in_parallel([[
        "cppcheck", f"--enable={checks}", "--error-exitcode=1", "--inline-suppr",
        *(f"--suppress={finding}" for finding in NOT_FOR_US), "--std=c++20", "--language=c++", "-q",
        f"-j{os.cpu_count()}", f"-I{ROOT}",
        *(file for file in sources("*.cc") if "_test.cc" not in file.name)]])


def main() -> int:
    tool, build = sys.argv[1], (sys.argv + [""])[2]
    found = {"format": lambda: format_(), "tidy": lambda: tidy(build),
             "cppcheck": lambda: cppcheck(build)}[tool]()
    print("\n".join(found) or f"{tool}: no findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
