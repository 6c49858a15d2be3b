"""Runs a linter over the project's sources: format, tidy or cppcheck.

    lint.py format            clang-format finds nothing to change
    lint.py tidy BUILD        clang-tidy has no warning (compile commands of BUILD);
                              a file that had none is not looked at again before
                              it, a header of it, its flags or the tool change
    lint.py cppcheck BUILD    cppcheck has no finding
"""

import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import re
import shlex
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
    # Whoever writes a message names its parts only.
    "noExplicitConstructor:*/interpreter/message.h",
    # C has no references.
    "passedByValue:*/gpu/kernels/*.inc",
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


def each(command: dict) -> list[dict]:
    """The command for each of the sources that it compiles together."""
    file = pathlib.Path(command["file"])
    if file.parent.name != "Unity":
        return [command]
    return [command | {"file": source, "command": command["command"].replace(str(file), source)}
            for source in re.findall(r'^#include "(.*)"$', file.read_text(), re.M)]


def compiled(build: str) -> list[dict]:
    """The compile commands that clang-tidy looks at: not of tests, nor of the kernels of
    gpu:, which are written so that C of OpenCL takes them."""
    commands = json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
    ours = {str(file) for file in sources("*.cc")}
    return [one for command in commands for one in each(command) if one["file"] in ours
            and not one["file"].endswith(("_test.cc", "_benchmark.cc", "/host_kernels.cc"))]


@functools.cache
def state(file: str) -> str:
    """Of a file of ours the contents, of a system's size and time."""
    path = pathlib.Path(file)
    if path.is_relative_to(ROOT):
        return hashlib.sha256(path.read_bytes()).hexdigest()
    status = path.stat()
    return f"{status.st_size} {status.st_mtime_ns}"


def flags(command: dict) -> list[str]:
    words = shlex.split(command["command"])
    return [word for i, word in enumerate(words)
            if word.startswith(("-D", "-I", "-isystem", "-std="))
            or words[i - 1] == "-isystem"]


def options(command: dict) -> list[str]:
    """The compiler's options, without a precompiled header: clang cannot read
    that of g++; nor does it know all of its warnings."""
    words = shlex.split(command["command"])
    paired = ("-include", "-o", "-c")
    ours = [word for i, word in enumerate(words)
            if word.startswith("-") and word not in (*paired, "-Winvalid-pch")
            or words[i - 1] == "-isystem"]
    return [*ours, "-Wno-unknown-warning-option"]


def key(command: dict, tool: str) -> str:
    """A name for all that clang-tidy's answer depends on; empty where the
    file's headers are not known."""
    words = ["clang++", *flags(command), "-M", command["file"]]
    done = subprocess.run(words, capture_output=True, text=True,
                          cwd=command["directory"])
    if done.returncode != 0:
        return ""
    read = done.stdout.split(":", 1)[1].replace("\\\n", " ").split()
    places = sorted({os.path.normpath(os.path.join(command["directory"], file))
                     for file in read})
    parts = [tool, command["command"], *(f"{file} {state(file)}" for file in places)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def tidy(build: str) -> list[str]:
    clean = pathlib.Path(build) / "tidy"
    clean.mkdir(exist_ok=True)
    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, text=True)
    tool = version.stdout + (ROOT / ".clang-tidy").read_text()

    def look(command: dict) -> str:
        marker = clean / (key(command, tool) or "unknown")
        wanted.add(marker)
        if marker.exists():
            return ""
        found = run(["clang-tidy", "--quiet", command["file"], "--", *options(command)])
        if not found and marker.name != "unknown":
            marker.touch()
        return found

    wanted: set[pathlib.Path] = set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        findings = [output for output in pool.map(look, compiled(build)) if output]
    for marker in set(clean.iterdir()) - wanted:
        marker.unlink()
    return findings


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
