"""The snippets of spec/judge_your_backend.md do what the page says."""

import contextlib
import importlib.util
import io
import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = (ROOT / "spec/judge_your_backend.md").read_text()
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```\n(?:\n```\n(.*?)^```\n)?", re.M | re.S)
# What is run, and what is written to a file of the name behind the word.
KINDS = ("python", "sh", "json")
SNIPPETS = [found for found in FENCE.finditer(PAGE) if found[1].split(" ")[0] in KINDS]
HAS_JAX = importlib.util.find_spec("jax") is not None


def names(found):
    return f"line {PAGE.count(chr(10), 0, found.start()) + 1}"


def run_python(text, namespace):
    """What is printed, and what the interpreter would say of an exception."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(text, namespace)  # noqa: S102
        except AssertionError as error:
            kind = type(error)
            print(f"{kind.__module__}.{kind.__qualname__}: {error}")
    return out.getvalue()


def run_shell(text, folder):
    bin_folder = folder / "bin"
    bin_folder.mkdir(exist_ok=True)
    pytest_command = bin_folder / "pytest"
    pytest_command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pytest "$@"\n')
    pytest_command.chmod(0o755)
    environment = {**os.environ, "COLUMNS": "80", "PYTEST_ADDOPTS": "-p no:cacheprovider",
                   "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
                   "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["sh", "-c", text], cwd=folder, env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300,
                          check=False)
    return done.stdout


def needs_jax(found):
    return re.search(r"\b(jax|jnp)\b", f"{found[1]}\n{found[2]}") is not None


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What each snippet says, run in a tree as a clone that was built is."""
    folder = tmp_path_factory.mktemp("clone")
    for name in ("backends", "conformance", "spec"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "build").mkdir()
    (folder / "build/release").symlink_to(pathlib.Path(os.environ["ASSAY_PROGRAM"]).parent)
    namespace = {}
    results = {}
    for found in SNIPPETS:
        kind, _, name = found[1].partition(" ")
        if kind == "json" or name.endswith(".py"):
            (folder / name).write_text(found[2])
        elif needs_jax(found) and not HAS_JAX:
            continue
        elif kind == "python":
            results[names(found)] = run_python(found[2], namespace)
        else:
            results[names(found)] = run_shell(found[2], folder)
    return results


@pytest.mark.parametrize(
    "found", [found for found in SNIPPETS if found[3] is not None], ids=names)
def test_says_what_the_page_says(found, said):
    if needs_jax(found) and not HAS_JAX:
        pytest.skip("the snippet needs jax")
    lines = iter(said[names(found)].splitlines())
    # Lines of the page stand there in order; pytest says more around them.
    for line in found[3].splitlines():
        assert line in lines, f"{line!r} is not said:\n{said[names(found)]}"


def test_the_page_has_snippets_of_all_kinds():
    kinds = {found[1].split(" ")[0] for found in SNIPPETS}
    assert kinds == set(KINDS)
