#!/usr/bin/env python3
"""Workers of conformance/python/assay/serve, with an engine that does as its case says."""

import io
import json
import os
import pathlib
import signal
import struct
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "conformance/python"))

from assay.serve import engine_host, frames, worker  # noqa: E402


class FakeEngine:
    """Returns its first input, but for programs that name a fault."""

    name, release, program, needs = "fake", "1", "hlo", ""

    def prepare(self):
        pass

    def start(self):
        self.starts = os.getpid()

    def evaluate(self, program, inputs, results):
        print("an engine may print")
        if "u4[" in program:
            raise engine_host.Unsupported("no u4")
        if "s4[" in program:
            os.write(2, b"F1125 12:41:10.759887    1990 s4 is fatal\n")
            os.kill(os.getpid(), signal.SIGABRT)
        if "die" in program:
            os._exit(3)
        if "hang" in program:
            time.sleep(1000)
        if "throw" in program:
            raise ValueError("thrown")
        if "refuse" in program:
            raise engine_host.Unsupported("refused")
        return [inputs[0][1] or b""]


def check(actual, expected, what):
    if actual != expected:
        sys.exit(f"{what}: {actual!r}, but must be {expected!r}")


def frame(header, body=b""):
    text = json.dumps(header).encode()
    return struct.pack("<4sIQ", b"ASSY", len(text), len(body)) + text + body


def run(first, *programs):
    """A run of these programs, each with the input of four bytes."""
    cases = [{"id": first + i, "program": len(program),
              "inputs": [{"shape": "f32[1]", "bytes": 4}],
              "results": [{"shape": "f32[1]", "bytes": 4}]} for i, program in enumerate(programs)]
    return frame({"type": "run", "cases": cases},
                 b"".join(program.encode() + b"%04d" % (first + i)
                          for i, program in enumerate(programs)))


HELLO = frame({"type": "hello", "versions": [1]})


def talk(data):
    """What a worker with the fake engine answers, and how it ends."""
    done = subprocess.run([sys.executable, __file__, "--fake"], input=data,
                          capture_output=True, timeout=60, check=False)
    stream, got = io.BytesIO(done.stdout), []
    while (part := frames.receive(stream)) is not None:
        got.append(part)
    return got, done


def check_many_cases():
    programs = ["f32[1] ok"] * 100
    programs[7], programs[50], programs[99] = "f32[1] die", "f32[1] throw", "f32[1] refuse"
    (hello, (header, body)), done = talk(HELLO + run(1, *programs))
    check(done.returncode, 0, "exit code")
    check(hello[0]["name"], "fake", "name")
    answers = header["answers"]
    check([answer["id"] for answer in answers], list(range(1, 101)), "ids")
    check(answers[7]["failed"], "the engine died (exit code 3): ", "a death")
    check(answers[50]["failed"], "ValueError: thrown", "an exception")
    check(answers[99]["unsupported"], "refused", "a refusal")
    check(body, b"".join(b"%04d" % i for i in range(1, 101) if i not in (8, 51, 100)), "bytes")


def check_types():
    (_, (header, _)), _ = talk(HELLO + run(
        1, "u4[1] ok", "s4[1] ok", "s4[2] die", "f32[1] ok", "s4[3] ok"))
    answers = header["answers"]
    check(answers[0]["unsupported"], "u4: no u4", "a type refused")
    fatal = "s4: the engine died (signal 6): s4 is fatal"
    for i in (1, 2, 4):
        check(answers[i]["unsupported"], fatal, "a type it dies of")
    check("results" in answers[3], True, "another type")


def check_memory():
    """A type is asked for once; a case that fails for itself takes no type with it."""
    asked = []

    class Host:
        def evaluate(self, program, inputs, results):
            asked.append(program)
            return ("unsupported", "no") if "u4[" in program or "odd" in program else (
                "results", [b""])

    host, text = Host(), "u4[1] x"
    memory = worker.TypeMemory(host)
    for _ in range(3):
        check(worker.answer(host, memory, text, [], []), ("unsupported", "u4: no"), "u4")
    check(len(asked), 2, "questions about u4")
    check(worker.answer(host, memory, "f32[1] odd", [], [])[0], "unsupported", "an odd case")
    check(worker.answer(host, memory, "f32[1] x", [], [])[0], "results", "another of its type")


def check_hang():
    host = engine_host.EngineHost(FakeEngine(), seconds=0.3)
    try:
        host.evaluate("f32[1] hang", [("f32[1]", b"1234")], ["f32[1]"])
        sys.exit("a hang was answered")
    except engine_host.Died as death:
        check(str(death), "no answer within 0.3 s", "a hang")
    check(host.evaluate("ok", [("f32[1]", b"1234")], ["f32[1]"]), ("results", [b"1234"]), "after")
    host.end()


GARBAGE = {
    "no frame": b"Hello, world, at length",
    "a short start": b"ASSY\x02",
    "a short body": HELLO[:-1],
    "a huge header": struct.pack("<4sIQ", b"ASSY", 1 << 30, 0),
    "a huge body": struct.pack("<4sIQ", b"ASSY", 2, 1 << 60) + b"{}",
    "no JSON": struct.pack("<4sIQ", b"ASSY", 2, 0) + b"{{",
    "a list": struct.pack("<4sIQ", b"ASSY", 2, 0) + b"[]",
    "deep": struct.pack("<4sIQ", b"ASSY", 200000, 0) + b"[" * 200000,
    "a part too long": HELLO + frame({"type": "run", "cases": [{"id": 1, "program": 9}]}),
    "a negative part": HELLO + frame({"type": "run", "cases": [{"id": 1, "program": -1}]}),
    "no cases": HELLO + frame({"type": "run"}),
}


def check_garbage():
    for what, data in GARBAGE.items():
        _, done = talk(data)
        check(done.returncode, 1, what)
        check(done.stderr.startswith(b"assay.serve: "), True, what + " (words)")
        check(b"Traceback" in done.stderr, False, what + " (traceback)")
    got, _ = talk(frame({"type": "hello", "versions": [9]}))
    check(got[0][0], {"type": "hello", "error": "this worker speaks version 1 alone"}, "version 9")
    check(talk(b"")[1].returncode, 0, "no input")


if sys.argv[1:] == ["--fake"]:
    worker.serve(FakeEngine())
else:
    for test in (check_many_cases, check_types, check_memory, check_hang, check_garbage):
        test()
    print("5 groups of checks on workers passed")
