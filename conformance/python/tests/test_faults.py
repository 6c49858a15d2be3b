"""What goes wrong: errors with their places, limits, signals, threads."""

import concurrent.futures
import ctypes
import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import assay
from assay import library
from programs import ENDLESS, SOFTMAX, binary

X = np.array([1, 2, 3, 4], np.float32)


def run(code, **environment):
    return subprocess.run([sys.executable, "-c", code], capture_output=True,
                          text=True, timeout=120, check=False,
                          env={**os.environ, **environment})


def test_a_rule_is_named_with_place_and_caret():
    program = SOFTMAX.replace("divide(e, b)", "divide(e, s)")
    with pytest.raises(assay.VerifyError) as caught:
        assay.evaluate(program, X)
    error = caught.value
    assert (error.rule, error.line, error.column) == ("divide.C1", 15, 8)
    assert error.excerpt.splitlines()[1].strip() == "^"
    assert str(error).startswith("15:8: divide.C1: ")


@pytest.mark.parametrize("program", ["", "\0", "HloModule", "func.func @main(",
                                     b"\xff\xfe", "HloModule m \ud800", "(" * 100000])
def test_what_is_no_program_is_said(program):
    with pytest.raises(assay.ParseError) as caught:
        assay.evaluate(program)
    assert caught.value.rule and caught.value.message


@pytest.mark.parametrize("arrays", [(), (X, X), (X[:3],), (X.astype(np.float64),)])
def test_arrays_must_be_those_of_the_parameters(arrays):
    for call in (assay.evaluate, assay.bounds,
                 lambda p, *a: assay.compare(p, X, *a)):
        with pytest.raises(assay.EvaluateError, match="evaluate.arguments"):
            call(SOFTMAX, *arrays)


@pytest.mark.parametrize("value", [np.array(["a"]), np.array([object()]),
                                   np.longdouble(1), np.zeros(1, "V2")])
def test_other_dtypes_are_refused(value):
    with pytest.raises(TypeError, match="it must be that of an element type"):
        assay.evaluate(SOFTMAX, value)


def test_profiles_and_limits_are_checked():
    with pytest.raises(assay.Error) as caught:
        assay.bounds(SOFTMAX, X, profile="nonsense")
    assert caught.value.rule == "usage.profile"
    for limits in ({"threads": 0}, {"threads": 65}, {"max_work": -1},
                   {"max_work": 2**64}, {"max_work": 0.5}):
        with pytest.raises(assay.EvaluateError) as caught:
            assay.evaluate(SOFTMAX, X, **limits)
        assert caught.value.rule == "usage.request"


def test_endless_programs_end():
    for call in (assay.evaluate, assay.bounds):
        with pytest.raises(assay.EvaluateError, match="evaluate.work"):
            call(ENDLESS, max_work=10**7)


@pytest.mark.parametrize("part", [
    {"type": "f32", "dims": [3]}, {"type": "f32", "dims": [2**62, 2**62]},
    {"type": "f32", "dims": [-1]}, {"type": "f32", "dims": 4}, {"type": "f32"},
    {"type": "f32", "dims": [1.5]}, {"type": "f32", "dims": [2**64]},
    {"type": "tuple", "dims": []}, {"type": 3, "dims": []}, 5, None])
def test_requests_that_lie_are_refused(part, monkeypatch):
    monkeypatch.setattr(library.arrays, "describe", lambda array: part)
    with pytest.raises(assay.EvaluateError) as caught:
        assay.evaluate(SOFTMAX, X)
    assert caught.value.rule == "usage.request"


@pytest.mark.parametrize("text", [b"", b"[]", b"{", b'{"operation":"no"}',
                                  b'{"operation":7}', b"[" * 100000,
                                  b'{"operation":"evaluate","inputs":[1,2,3]}',
                                  b'{"operation":"evaluate","inputs":7}'])
@pytest.mark.parametrize("count", [0, 1])
def test_texts_that_are_no_request_are_refused(text, count):
    loaded = library.library()
    array = (library._Array * 1)()
    call = loaded.assay_start(text, len(text), array, count)
    while not loaded.assay_wait(call, 0.1):
        pass
    answer = json.loads(loaded.assay_answer(call))
    assert answer["error"]["rule"] == "usage.request"
    beyond = loaded.assay_array(call, 2**63)
    assert beyond.data is None and beyond.bytes == 0
    loaded.assay_release(call)


def test_many_threads_ask_at_once():
    expected = assay.evaluate(SOFTMAX, X).tobytes()
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        results = pool.map(lambda _: assay.evaluate(SOFTMAX, X).tobytes(), range(200))
    assert set(results) == {expected}


@pytest.mark.parametrize("mode", [0x400, 0x800, 0xc00])
def test_the_callers_rounding_changes_nothing(mode):
    libm = ctypes.CDLL("libm.so.6")
    expected = np.float32(1) / np.float32(3)
    (leaf,) = assay.bounds(binary("divide", "f32[]"), np.float32(1), np.float32(3),
                           profile="faithful")
    bounds = (leaf.low, leaf.high)
    try:
        assert libm.fesetround(mode) == 0
        arguments = (binary("divide", "f32[]"), np.float32(1), np.float32(3))
        result = assay.evaluate(*arguments)
        (leaf,) = assay.bounds(*arguments, profile="faithful")
    finally:
        libm.fesetround(0)
    assert result == expected
    assert (leaf.low, leaf.high) == bounds


INTERRUPTED = """
import assay, sys
from programs import ENDLESS
print("begins", flush=True)
try:
    assay.{call}(ENDLESS, max_work=2**53)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize("call", ["evaluate", "bounds"])
def test_an_interrupt_is_answered(call):
    here = os.path.dirname(os.path.abspath(__file__))
    path = os.pathsep.join([here, os.path.dirname(here)])
    with subprocess.Popen(
            [sys.executable, "-c", INTERRUPTED.format(call=call)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": path}) as child:
        assert child.stdout.readline() == "begins\n"
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        output, errors = child.communicate(timeout=60)
    assert (output, errors, child.returncode) == ("interrupted\n", "", 0)


def test_too_little_memory_is_an_error():
    done = run("""
import resource, assay
assay.evaluate("HloModule a ENTRY e { ROOT x = f32[] constant(1) }")
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (256 << 20),) * 2)
program = "HloModule a ENTRY e { ROOT x = f32[268435456] iota(), iota_dimension=0 }"
try:
    assay.evaluate(program)
except assay.EvaluateError as error:
    print(error.rule)
print(assay.evaluate("HloModule a ENTRY e { ROOT x = f32[] constant(1) }"))
""")
    rule, one = done.stdout.splitlines()
    assert rule in ("evaluate.memory", "system.memory") and one == "1.0", done.stderr


def test_import_needs_nothing():
    done = run("""
import sys
for name in ("numpy", "ml_dtypes", "jax"):
    sys.modules[name] = None
import assay
print(sorted(name for name in sys.modules if name.startswith("assay")))
print(assay.Error.__name__, "evaluate" in dir(assay), hasattr(assay, "nonsense"))
""", ASSAY_LIBRARY="/nonexistent")
    assert done.stdout.splitlines() == ["['assay', 'assay.errors']", "Error True False"]


@pytest.mark.parametrize("path", ["/nonexistent", "libm.so.6", __file__])
def test_a_library_that_is_none_is_said(path):
    done = run("import assay\ntry:\n  assay.evaluate('')\n"
               "except ImportError as error:\n  print(error)\n", ASSAY_LIBRARY=path)
    assert f"{path} is no library of Assay: " in done.stdout, done.stderr


def test_exits_while_calls_are_abandoned():
    here = os.path.dirname(os.path.abspath(__file__))
    path = os.pathsep.join([here, os.path.dirname(here)])
    done = run("""
from assay import library
from programs import ENDLESS
loaded = library.library()
text = b'{"operation":"evaluate","max_work":9007199254740992}'
for i in range(8):
    source = ENDLESS.encode()
    array = (library._Array * 1)(library._Array(
        library.ctypes.cast(library.ctypes.c_char_p(source), library.ctypes.c_void_p), len(source)))
    call = loaded.assay_start(text, len(text), array, 1)
    assert not loaded.assay_wait(call, 0.05)
    loaded.assay_release(call)
print("ends")
""", PYTHONPATH=path)
    assert (done.stdout, done.stderr, done.returncode) == ("ends\n", "", 0)
