"""The pytest plug-in, run in sessions of its own."""

import importlib.util
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree

import pytest

VECTORS = pathlib.Path(__file__).resolve().parents[3] / "conformance/vectors"
CASES = ["--assay-cases", str(VECTORS / "maximum.jsonl")]
MUTANT = ["--assay-backend", "mutant:drop-nan", "--assay-filter", "maximum/f*/*", *CASES]
DAYS = {"past": "2001-01-01", "future": "2999-12-31"}


def session(folder, *arguments, plugins=(), **environment):
    """The output of a session of pytest, and how it ended."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rA",
               "-p", "assay.pytest_plugin", "--strict-markers"]
    for plugin in plugins:
        command += ["-p", plugin]
    done = subprocess.run(
        [*command, *arguments], cwd=folder, capture_output=True, text=True, timeout=300,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **environment},
        check=False)
    return done.stdout + done.stderr, done.returncode


def waivers(folder, expires, **fields):
    entry = {"cases": "maximum/*", "reason": "NaN is lost", "owner": "me",
             "expires": DAYS[expires], **fields}
    file = folder / "waivers.json"
    file.write_text(json.dumps({"waivers": [entry]}))
    return ["--assay-waivers", str(file)]


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """What `assay check` itself says of these cases: by verdict."""
    events = tmp_path_factory.mktemp("events") / "e.jsonl"
    subprocess.run([os.environ["ASSAY_PROGRAM"], "check", "-b", MUTANT[1], "-f", MUTANT[3],
                    CASES[1], "-o", str(events)], capture_output=True, check=False)
    lines = [json.loads(line) for line in events.read_text().splitlines()]
    found = {}
    for event in lines:
        if event["event"] == "case":
            found.setdefault(event["verdict"], set()).add(event["id"])
    assert found["differs"] and found["conforms"]
    return found


def ids(output, outcome):
    """Those that the summary lists with the outcome."""
    lines = [line.split(" ") for line in output.splitlines()
             if line.startswith(outcome + " ")]
    return {line[1].partition("::")[2] for line in lines}


def test_there_is_a_test_for_each_case(tmp_path, expected):
    output, code = session(tmp_path, *MUTANT)
    assert code == 1
    assert ids(output, "FAILED") == expected["differs"]
    assert ids(output, "PASSED") == expected["conforms"]
    assert "mutant:drop-nan: " in output


def test_the_report_is_the_message(tmp_path):
    output, _ = session(tmp_path, "--assay-backend", "mutant:drop-nan",
                        "--assay-filter", "maximum/f32/values", *CASES)
    assert re.search(r"^differs maximum/f32/values  \(.*maximum.jsonl:10\)$", output, re.M)
    assert "    expected   any quiet NaN\n" in output
    assert re.search("^  reproduce  assay check .*--backend 'mutant:drop-nan'", output, re.M)
    assert "Traceback" not in output and "pytest_cases" not in output


def test_all_reports_are_told_apart(tmp_path, expected):
    junit = tmp_path / "junit.xml"
    session(tmp_path, *MUTANT, f"--junitxml={junit}")
    failures = xml.etree.ElementTree.parse(junit).iter("failure")
    heads = [re.findall(r"^differs (.+?)  \(", failure.text, re.M) for failure in failures]
    assert sorted(heads) == sorted([case] for case in expected["differs"])


def test_marks_choose_operations_and_types(tmp_path):
    cases = ["--assay-backend", "cpu:", "--assay-filter", "all-reduce/f32/*:add/*/values"]
    for name in ("add", "all_reduce"):
        cases += ["--assay-cases", str(VECTORS / f"{name}.jsonl")]
    output, _ = session(tmp_path, *cases, "-m", "assay_op_add and assay_type_s32")
    assert ids(output, "PASSED") == {"add/s32/values"}
    output, _ = session(tmp_path, *cases, "-m", "assay_op_all_reduce", "--collect-only", "-q")
    assert "::all-reduce/f32/" in output and "::add/" not in output


def test_what_is_unsupported_is_skipped(tmp_path):
    worker = VECTORS.parents[1] / "backends" / "process" / "examples" / "worker.py"
    output, code = session(tmp_path, "--assay-backend", f"process:{sys.executable} {worker}",
                           "--assay-cases", str(VECTORS / "cholesky.jsonl"))
    assert code == 0 and "SKIPPED" in output and "unsupported: " in output


def test_waived_failures_are_expected(tmp_path, expected):
    output, code = session(tmp_path, *MUTANT, *waivers(tmp_path, "future"))
    assert code == 0
    assert ids(output, "XFAIL") == expected["differs"]
    assert ids(output, "XPASS") == expected["conforms"]
    count = len(expected["conforms"])
    assert f"contradicted {tmp_path}/waivers.json, waiver 1" in output
    assert f"{count} of {count + len(expected['differs'])} conform" in output


def test_waived_cases_that_conform_fail_strictly(tmp_path, expected):
    output, code = session(tmp_path, *MUTANT, *waivers(tmp_path, "future"),
                           "--assay-strict")
    assert code == 1
    assert ids(output, "FAILED") == expected["conforms"]


@pytest.mark.parametrize("tag, outcome", [("f32-*", "FAILED"), ("no-f32", "PASSED")])
def test_waivers_are_of_backends_with_their_tag(tmp_path, tag, outcome):
    """As assay check has it, too; the worker gives itself the tag f32-alone."""
    worker = VECTORS.parents[1] / "backends" / "process" / "examples" / "worker.py"
    backend, case = f"process:{sys.executable} {worker}", "add/f32/values"
    listed = waivers(tmp_path, "future", cases="add/*", tag=tag)
    output, code = session(tmp_path, "--assay-backend", backend, "--assay-cases",
                           str(VECTORS / "add.jsonl"), "--assay-filter", case, *listed,
                           "--assay-strict")
    assert re.search(f"^{outcome} .*::{case}", output, re.M)
    done = subprocess.run([os.environ["ASSAY_PROGRAM"], "check", str(VECTORS / "add.jsonl"),
                           "-b", backend, "-f", case, "--waivers", listed[1], "--strict"],
                          capture_output=True, text=True, check=False)
    assert (code, done.returncode) == ((1, 1) if outcome == "FAILED" else (0, 0))
    for said in (output, done.stdout):
        assert ("contradicted " in said) == (outcome == "FAILED")


def test_expired_waivers_waive_nothing(tmp_path, expected):
    output, code = session(tmp_path, *MUTANT, *waivers(tmp_path, "past"))
    assert code == 1 and ids(output, "FAILED") == expected["differs"]
    assert "its waiver has expired: " in output
    assert f"expired      {tmp_path}/waivers.json, waiver 1" in output


def test_waivers_without_cases_are_told(tmp_path):
    output, _ = session(tmp_path, *MUTANT, *waivers(tmp_path, "future", cases="add/*"))
    assert f"unused       {tmp_path}/waivers.json, waiver 1" in output
    output, _ = session(tmp_path, *MUTANT, *waivers(tmp_path, "future", engine="cpu:"))
    assert "unused" not in output and "XFAIL" not in output


@pytest.mark.parametrize("arguments, message", [
    (["--assay-backend", "nonsense:"], "usage.backend"),
    (["--assay-backend", "cpu:", "--assay-profile", "nonsense"], "usage.profile"),
    (["--assay-backend", "cpu:", "--assay-waivers", "/nonexistent"], "usage.waivers"),
    (["--assay-backend", "cpu:", "--assay-cases", "/nonexistent"], "file.read")])
def test_usage_errors_are_said(tmp_path, arguments, message):
    output, code = session(tmp_path, *arguments)
    assert code == 4 and message in output and "INTERNALERROR" not in output


def test_a_program_that_is_none_is_said(tmp_path):
    output, code = session(tmp_path, *MUTANT, ASSAY_PROGRAM="/nonexistent")
    assert code == 4 and "/nonexistent" in output and "INTERNALERROR" not in output


def test_other_tests_run_beside_where_they_are_named(tmp_path):
    (tmp_path / "test_mine.py").write_text("def test_mine(): pass\n")
    output, _ = session(tmp_path, *MUTANT, "test_mine.py")
    assert "test_mine" in output and "maximum/f32/values" in output
    output, _ = session(tmp_path, *MUTANT)
    assert "test_mine" not in output and "maximum/f32/values" in output
    output, code = session(tmp_path)
    assert code == 0 and "1 passed" in output and "maximum" not in output


def test_nothing_is_left_behind(tmp_path):
    folder = tmp_path / "temporary"
    folder.mkdir()
    for backend in ([], ["--assay-backend", "nonsense:"], ["--assay-tier", "nonsense"]):
        session(tmp_path, *MUTANT, *backend, TMPDIR=str(folder))
        assert list(folder.iterdir()) == []


def test_an_interrupt_leaves_nothing_behind(tmp_path):
    folder = tmp_path / "temporary"
    folder.mkdir()
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p",
               "assay.pytest_plugin", *CASES, "--assay-backend", "process:sleep 1000"]
    with subprocess.Popen(command, cwd=tmp_path, env={**os.environ, "TMPDIR": str(folder)},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          preexec_fn=lambda: signal.signal(  # noqa: PLW1509
                              signal.SIGINT, signal.default_int_handler)) as child:
        while not list(folder.glob("*/output.txt")):
            assert child.poll() is None
            time.sleep(0.01)
        child.send_signal(signal.SIGINT)
        output, _ = child.communicate(timeout=60)
    assert "KeyboardInterrupt" in output and child.returncode == 2
    assert list(folder.iterdir()) == []


def test_several_processes_share_one_run(tmp_path, expected):
    if importlib.util.find_spec("xdist") is None:
        pytest.skip("there is no pytest-xdist")
    counted = tmp_path / "assay"
    counted.write_text(f'#!/bin/sh\necho run >>"{tmp_path}/runs"\n'
                       f'exec "{os.environ["ASSAY_PROGRAM"]}" "$@"\n')
    counted.chmod(0o755)
    output, code = session(tmp_path, *MUTANT, "-n2", plugins=["xdist"],
                           ASSAY_PROGRAM=str(counted))
    assert code == 1 and ids(output, "FAILED") == expected["differs"]
    assert pathlib.Path(tmp_path / "runs").read_text() == "run\n"
    assert "mutant:drop-nan: " in output


FIXTURE = """
import numpy as np
import pytest

@pytest.mark.parametrize("right", [True, False])
def test_product(assay_check, right):
    x = np.float32(2.0**-120 if not right else 1)
    assay_check(lambda a, b: a * b, x, np.float32(2.0**-20))

@pytest.mark.assay(profile="tight,subnormals=daz+ftz")
def test_flushed(assay_check):
    assay_check(lambda a, b: a * b, np.float32(2.0**-120), np.float32(2.0**-20))

@pytest.mark.assay(platform="nonsense")
def test_platform(assay_check):
    assay_check(lambda a: a, 1)
"""


def test_functions_of_jax_are_judged(tmp_path):
    pytest.importorskip("jax")
    (tmp_path / "test_mine.py").write_text(FIXTURE)
    output, _ = session(tmp_path)
    assert ids(output, "PASSED") == {"test_product[True]", "test_flushed"}
    assert ids(output, "FAILED") == {"test_product[False]", "test_platform"}
    assert "assay.errors.Mismatch: differs" in output


MARKED = """
import pytest
from jax import jit
from jax.numpy import tanh

@pytest.mark.assay({values})
def test_tanh(assay_check):
    assay_check(tanh, 0.5)
"""


@pytest.mark.skipif(importlib.util.find_spec("jax") is None, reason="JAX is not there")
def test_values_of_the_mark_stand_for_its_names(tmp_path):
    file = tmp_path / "test_marked.py"
    for values, right in (('"cpu"', 0), ('"cpu", "no-such-level"', 1), ('"no-such-platform"', 1),
                          ('"cpu", "tight", 0, 0, 60, 7', 1)):
        file.write_text(MARKED.format(values=values))
        output, code = session(tmp_path, str(file))
        assert code == right, output


LINES = """
import runpy, sys
sys.path.insert(0, {folder!r})
import operator
def refuse(a, b):
    raise NotImplementedError("one\u2028two\u0085three")
operator.add = refuse
runpy.run_path({worker!r}, run_name="__main__")
"""


def test_ends_of_lines_that_are_no_newlines_end_no_event(tmp_path):
    worker = VECTORS.parents[1] / "backends/process/examples/worker.py"
    script = tmp_path / "w.py"
    script.write_text(LINES.format(folder=str(worker.parent), worker=str(worker)),
                      encoding="utf-8")
    output, code = session(
        tmp_path, "--assay-backend", f"process:{sys.executable} {script}",
        "--assay-cases", str(VECTORS / "add.jsonl"), "--assay-filter", "add/f32/values")
    assert "INTERNALERROR" not in output and code in (0, 1, 5), output
