"""What ends a call: work, memory, time, and Ctrl-C."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest

import assay
from programs import ENDLESS, SOFTMAX, unary

HERE = os.path.dirname(os.path.abspath(__file__))
CALLS = {
    "evaluate": assay.evaluate,
    "bounds": assay.bounds,
    "explain": assay.explain,
    "compare": lambda program, *arrays, **limits: assay.compare(
        program, np.int32(0), *arrays, **limits),
    "golden": lambda program, *arrays, **limits: assay.golden(
        program, *arrays, **limits).compare(np.int32(0)),
}


@pytest.mark.parametrize("call", CALLS)
def test_work_ends_every_call(call):
    with pytest.raises(assay.EvaluateError) as caught:
        CALLS[call](ENDLESS, max_work=10**6)
    assert caught.value.rule == "evaluate.work"


@pytest.mark.parametrize("call", CALLS)
def test_time_ends_every_call(call):
    with pytest.raises(assay.TimeoutReached) as caught:
        CALLS[call](ENDLESS, max_work=2**53, timeout=0.05)
    assert caught.value.rule == "system.timeout" and "0.05 seconds" in str(caught.value)


@pytest.mark.parametrize("call", CALLS)
def test_memory_ends_every_call(call):
    program = ("HloModule m\n\nENTRY e {\n  x = s32[1000000] iota(), iota_dimension=0\n"
               "  y = s32[1] slice(x), slice={[0:1]}\n  ROOT r = s32[] reshape(y)\n}\n")
    with pytest.raises(assay.EvaluateError) as caught:
        CALLS[call](program, max_memory=1_000_000)
    assert caught.value.rule == "evaluate.memory"
    assert "at most 1000000" in str(caught.value)
    CALLS[call](program, max_memory=100_000_000)


def test_memory_that_is_free_again_counts_no_more():
    lines = [f"  x{i + 1} = f32[100000] add(x{i}, x{i})" for i in range(100)]
    program = ("HloModule m\n\nENTRY e {\n  x0 = f32[100000] parameter(0)\n"
               + "\n".join(lines) + "\n  ROOT r = f32[100000] negate(x100)\n}\n")
    x = np.zeros(100000, np.float32)
    assert assay.evaluate(program, x, max_memory=2_000_000, threads=2)[0] == 0


def test_the_limits_of_one_call_are_not_those_of_the_next():
    x = np.array([1, 2, 3, 4], np.float32)
    for limits in ({"max_work": 1}, {"max_memory": 1}, {"timeout": 1e-9}):
        try:
            assay.evaluate(SOFTMAX, x, **limits)
        except assay.EvaluateError:
            pass
        assert assay.evaluate(SOFTMAX, x).shape == (4,)


def test_the_work_of_sets_is_counted():
    # Each element costs as much again to compare.
    x = np.linspace(1, 2, 10_000)
    program = unary("tan", "f64[10000]")
    work = 5_000_000
    assay.evaluate(program, x, max_work=work)
    with pytest.raises(assay.EvaluateError) as caught:
        assay.compare(program, np.zeros(10_000), x, max_work=work)
    assert caught.value.rule == "evaluate.work"


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), "1", [1]])
def test_timeouts_are_times(timeout):
    with pytest.raises(assay.EvaluateError) as caught:
        assay.evaluate(SOFTMAX, np.ones(4, np.float32), timeout=timeout)
    assert caught.value.rule == "usage.request"


@pytest.mark.parametrize("limits", [{"max_memory": -1}, {"max_memory": 2**64},
                                    {"max_memory": 1.5}, {"max_work": "1"}])
def test_limits_are_numbers(limits):
    for call in CALLS.values():
        with pytest.raises(assay.EvaluateError) as caught:
            call(SOFTMAX, np.ones(4, np.float32), **limits)
        assert caught.value.rule == "usage.request"


# Each takes more than a minute where nothing stops it.
LONG = """
import sys
import numpy as np
import assay
from assay import library
n = 1100
dot = (f"HloModule m ENTRY e {{ x = f32[{n},{n}] parameter(0) y = f32[{n},{n}] exponential(x) "
       f"ROOT r = f32[{n},{n}] dot(y, x), lhs_contracting_dims={{1}}, "
       "rhs_contracting_dims={0} }")
many = 2_000_000
tan = (f"HloModule m ENTRY e {{ x0 = f64[{many}] parameter(0) "
       + " ".join(f"x{i + 1} = f64[{many}] tan(x{i})" for i in range(1000))
       + f" ROOT r = f64[{many}] negate(x1000) }}")
x = np.full((n, n), 0.5, np.float32)
calls = {
    "bounds": lambda **limits: assay.bounds(dot, x, **limits),
    "compare": lambda **limits: assay.compare(dot, x, x, **limits),
    "evaluate": lambda **limits: assay.evaluate(tan, np.ones(many), **limits),
    "explain": lambda **limits: assay.explain(tan, np.ones(many), **limits),
}
"""
TIMED = LONG + """
try:
    calls[sys.argv[1]](max_work=2**53, timeout=0.5)
except assay.TimeoutReached:
    library.library().assay_finish()
    print("stopped")
"""
INTERRUPTED = LONG + """
print("begins", flush=True)
try:
    calls[sys.argv[1]](max_work=2**53)
except KeyboardInterrupt:
    library.library().assay_finish()
    print("stopped")
"""


def start(code, call):
    path = os.pathsep.join([HERE, os.path.dirname(HERE)])
    return subprocess.Popen([sys.executable, "-c", code, call], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True,
                            env={**os.environ, "PYTHONPATH": path})


def end_of(child):
    """What it says, and how it ends; an error where it does not."""
    try:
        output, errors = child.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        child.kill()
        raise
    return output, errors, child.returncode


@pytest.mark.parametrize("call", ["bounds", "compare", "evaluate", "explain"])
def test_what_ran_into_its_timeout_stops(call):
    with start(TIMED, call) as child:
        assert end_of(child) == ("stopped\n", "", 0)


@pytest.mark.parametrize("call", ["bounds", "compare"])
def test_what_was_interrupted_stops(call):
    with start(INTERRUPTED, call) as child:
        assert child.stdout.readline() == "begins\n"
        with pytest.raises(subprocess.TimeoutExpired):
            child.wait(timeout=0.5)
        child.send_signal(signal.SIGINT)
        assert end_of(child) == ("stopped\n", "", 0)


FORKS = """
import os, sys
import numpy as np
import assay
from programs import ENDLESS, unary
try:
    assay.evaluate(ENDLESS, max_work=2**53, timeout=0.05)
except assay.TimeoutReached:
    pass
child = os.fork()
if child == 0:
    assert assay.evaluate(unary("negate", "f32[]"), np.float32(1)) == -1
    sys.exit(0)
print(os.waitpid(child, 0)[1])
"""


def test_a_forked_child_ends_without_what_its_parent_gave_up():
    done = subprocess.run([sys.executable, "-c", FORKS], cwd=HERE, capture_output=True,
                          text=True, timeout=100, check=True)
    assert done.stdout == "0\n", done.stderr


@pytest.mark.parametrize("timeout", [10**400, "soon", float("nan"), 0])
def test_a_timeout_is_a_number_of_seconds(timeout):
    with pytest.raises(assay.EvaluateError) as caught:
        assay.evaluate(SOFTMAX, np.ones(4, np.float32), timeout=timeout)
    assert caught.value.rule == "usage.request"


def test_numbers_of_numpy_are_limits():
    assay.evaluate(SOFTMAX, np.ones(4, np.float32), max_work=np.int64(10**9),
                   max_memory=np.int32(10**8), timeout=np.float32(60))
