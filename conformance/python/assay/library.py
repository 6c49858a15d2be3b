"""Calls of the shared library (conformance/python/library/assay_library.h)."""

from __future__ import annotations

import atexit
import ctypes
import functools
import json
import numbers
import operator
import os
import pathlib
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Optional, TypeVar, Union

import numpy as np

from assay import arrays
from assay.errors import EvaluateError, TimeoutReached, error_of

VERSION = 1
NAME = "libassay.so"
HERE = pathlib.Path(__file__).resolve().parent
WAIT_SECONDS = 0.1  # how soon Ctrl-C is answered

Result = TypeVar("Result")
Program = Union[str, bytes, "os.PathLike[str]", Any]


class Limits(NamedTuple):
    """What a call may use. 0 and None: as much as the library allows itself."""

    max_work: int = 0  # about so many nanoseconds of one core
    max_memory: int = 0  # bytes of the arrays that it makes
    timeout: Optional[float] = None  # seconds

    def deadline(self) -> float:
        if self.timeout is None:
            return float("inf")
        try:
            seconds = float(self.timeout) if isinstance(self.timeout, numbers.Real) else 0
        except OverflowError:
            seconds = 0
        if not seconds > 0:
            raise EvaluateError("usage.request", f"timeout is {str(self.timeout)[:40]}, but "
                                "it must be a number of seconds above 0")
        return time.monotonic() + seconds

    def counts(self) -> dict[str, int]:
        """Those that the library is told; integers of NumPy's types as Python's. What is no
        integer it refuses itself."""
        return {name: operator.index(value) if hasattr(value, "__index__") else value
                for name, value in (("max_work", self.max_work),
                                    ("max_memory", self.max_memory))}


NO_LIMITS = Limits()


class _Array(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("bytes", ctypes.c_uint64)]


_SIGNATURES = {
    "assay_version": (ctypes.c_int32, []),
    "assay_start": (ctypes.c_void_p, [ctypes.c_char_p, ctypes.c_uint64,
                                      ctypes.POINTER(_Array), ctypes.c_uint64]),
    "assay_wait": (ctypes.c_int32, [ctypes.c_void_p, ctypes.c_double]),
    "assay_answer": (ctypes.c_char_p, [ctypes.c_void_p]),
    "assay_array": (_Array, [ctypes.c_void_p, ctypes.c_uint64]),
    "assay_release": (None, [ctypes.c_void_p]),
    "assay_finish": (None, []),
}


def library_path() -> pathlib.Path:
    """$ASSAY_LIBRARY, else that of the package, else that of the source tree."""
    named = os.environ.get("ASSAY_LIBRARY")
    if named:
        return pathlib.Path(named)
    places = [HERE / NAME, HERE.parents[2] / "build" / "release" / NAME]
    for place in places:
        if place.is_file():
            return place
    raise ImportError(
        f"{NAME} is neither at {places[0]} nor at {places[1]}: build it with "
        "`./dev python`, or set ASSAY_LIBRARY to its path")


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    path = library_path()
    try:
        loaded = ctypes.CDLL(str(path))
        for name, (result, arguments) in _SIGNATURES.items():
            function = getattr(loaded, name)
            function.restype = result
            function.argtypes = arguments
    except (OSError, AttributeError) as error:
        raise ImportError(f"{path} is no library of Assay: {error}") from error
    if loaded.assay_version() != VERSION:
        raise ImportError(f"{path} has version {loaded.assay_version()} of the "
                          f"interface, but this package needs version {VERSION}")
    atexit.register(loaded.assay_finish)
    return loaded


def program_bytes(program: Program) -> bytes:
    """The text of a program: itself, of a file, or what jax.stages.Lowered has."""
    if isinstance(program, bytes):
        return program
    if isinstance(program, os.PathLike):
        return pathlib.Path(program).read_bytes()
    if hasattr(program, "as_text"):
        program = program.as_text()
    if not isinstance(program, str):
        raise TypeError(f"the program is {type(program).__name__}, but it must "
                        "be a text, a path, or have as_text()")
    return program.encode("utf-8", "surrogatepass")


class Answer:
    """What the library said: `json`, and its arrays one after the other."""

    def __init__(self, loaded: ctypes.CDLL, call: int) -> None:
        self.json: dict[str, Any] = json.loads(loaded.assay_answer(call))
        if "error" in self.json:
            raise error_of(self.json["error"])
        self._loaded, self._call, self._next = loaded, call, 0

    def take(self, part: dict[str, Any]) -> np.ndarray:
        """A copy of the next array, which is of that type and size."""
        array = self._loaded.assay_array(self._call, self._next)
        self._next += 1
        return arrays.from_memory(part, array.data, array.bytes)


def _wait(loaded: ctypes.CDLL, started: int, limits: Limits,
          deadline: float) -> None:
    """Until the call has ended. Ctrl-C is answered in between."""
    while True:
        left = deadline - time.monotonic()
        if loaded.assay_wait(started, min(WAIT_SECONDS, left)):
            return
        if left <= 0:
            raise TimeoutReached(
                "system.timeout", f"the call has not ended after {limits.timeout} "
                "seconds, but it must within its timeout")


def call(request: dict[str, Any], program: Program,
         read: Callable[[Answer], Result], inputs: Sequence[Any],
         results: Sequence[Any] = (), limits: Limits = NO_LIMITS) -> Result:
    """read(answer) of what the library answers; its errors are raised."""
    deadline = limits.deadline()
    parts = [arrays.to_array(value) for value in (*inputs, *results)]
    described = [arrays.describe(part) for part in parts]
    request = {**request, **limits.counts(), "inputs": described[:len(inputs)],
               "results": described[len(inputs):]}
    text = json.dumps(request).encode()
    source = program_bytes(program)
    passed = (_Array * (1 + len(parts)))()
    passed[0] = _Array(ctypes.cast(ctypes.c_char_p(source), ctypes.c_void_p),
                       len(source))
    for i, part in enumerate(parts):
        passed[i + 1] = _Array(part.ctypes.data, part.nbytes)
    loaded = library()
    started = loaded.assay_start(text, len(text), passed, len(passed))
    if not started:
        raise EvaluateError("system.memory", "there is not enough memory")
    try:
        _wait(loaded, started, limits, deadline)
        return read(Answer(loaded, started))
    finally:
        loaded.assay_release(started)
