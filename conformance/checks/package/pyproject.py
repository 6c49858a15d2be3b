"""Checks pyproject.toml against the tree, and what CMake installs for the wheel.

Argument: the build folder. A Python without tomllib skips it.
"""

import ast
import pathlib
import re
import sys
import tempfile
from typing import Any

from installed import PACKAGE, ROOT, problems, stage

CMAKE = (ROOT / "CMakeLists.txt").read_text()


def missing_files(settings: dict[str, Any]) -> list[str]:
    project, tool = settings["project"], settings["tool"]["scikit-build"]
    names = [project["readme"], project["license"]["file"],
             tool["metadata"]["version"]["input"], *tool["wheel"]["packages"]]
    return [f"pyproject.toml names {name}, which is not there" for name in names
            if not (ROOT / name).exists()]


def wrong_entry_points(project: dict[str, Any]) -> list[str]:
    """Modules and functions that are not there."""
    wrong = []
    for points in (project["scripts"], *project["entry-points"].values()):
        for name, target in points.items():
            module, _, function = target.partition(":")
            file = (PACKAGE.parent / module.replace(".", "/")).with_suffix(".py")
            tree = ast.parse(file.read_text()) if file.is_file() else None
            defined = {node.name for node in getattr(tree, "body", [])
                       if isinstance(node, ast.FunctionDef)}
            if tree is None or (function and function not in defined):
                wrong.append(f"{name} is {target}, which is not there")
    return wrong


def wrong_version(settings: dict[str, Any]) -> list[str]:
    regex = settings["tool"]["scikit-build"]["metadata"]["version"]["regex"]
    found = re.search(regex, CMAKE)
    stated = re.search(r"^project\(assay VERSION (\S+)", CMAKE, re.M)
    if found and stated and found["value"] == stated[1]:
        return []
    return ["pyproject.toml does not find the version of CMakeLists.txt"]


def wrong_names(settings: dict[str, Any], build: pathlib.Path) -> list[str]:
    """Targets and components that CMake does not know."""
    tool = settings["tool"]["scikit-build"]
    ninja = build / "build.ninja"
    rules = ninja.read_text() if ninja.is_file() else ""
    wrong = [f"CMake has no target {target}" for target in tool["build"]["targets"]
             if rules and not re.search(rf"^build {target}: phony", rules, re.M)
             and not re.search(rf"^build {target}: CXX_EXECUTABLE", rules, re.M)]
    return wrong + [f"CMake installs no component {name}"
                    for name in tool["install"]["components"]
                    if f"COMPONENT {name} " not in CMAKE]


def too_new(least: str) -> list[str]:
    """Modules that the oldest Python cannot read."""
    major, minor = map(int, re.fullmatch(r">=(\d+)\.(\d+)", least).groups())
    wrong = []
    for file in sorted(PACKAGE.rglob("*.py")):
        try:
            ast.parse(file.read_text(), feature_version=(major, minor))
        except SyntaxError as error:
            wrong.append(f"{file}: {error}")
    return wrong


def staged(build: pathlib.Path) -> list[str]:
    """Problems of a package as the wheel has it."""
    with tempfile.TemporaryDirectory() as name:
        folder, elsewhere = pathlib.Path(name, "site"), pathlib.Path(name, "elsewhere")
        elsewhere.mkdir()
        stage(build, folder)
        return problems(sys.executable, folder, elsewhere)


def main() -> int:
    try:
        import tomllib
    except ImportError as error:
        print(f"pyproject: skipped, {error}")
        return 77
    build = pathlib.Path(sys.argv[1])
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wrong = missing_files(settings) + wrong_entry_points(settings["project"])
    wrong += wrong_version(settings) + wrong_names(settings, build)
    wrong += too_new(settings["project"]["requires-python"]) + staged(build)
    print("\n".join(wrong) or "pyproject: its names are there, and the package runs elsewhere")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
