"""A worker that breaks the rules where an input is f32[2] {777, 777}.

It answers others with what it was given: liar.py FAULT [LAYOUTS [BATCH]]. Each fault is
a function of the answers and the body.
"""

import json
import os
import signal
import struct
import sys
import time

OUT = sys.stdout.buffer


def receive():
    start = sys.stdin.buffer.read(16)
    if len(start) < 16:
        sys.exit()
    _, header, body = struct.unpack("<4sIQ", start)
    return json.loads(sys.stdin.buffer.read(header)), sys.stdin.buffer.read(body)


def frame(header, body=b""):
    text = json.dumps(header).encode()
    return struct.pack("<4sIQ", b"ASSY", len(text), len(body)) + text + body


def put(data):
    OUT.write(data)
    OUT.flush()


def flood(stream):
    while True:
        stream.write(b"x" * 65536)


def fork(answers, body):
    if os.fork() == 0:
        time.sleep(1000)
    os._exit(3)


def ignore_sigterm(answers, body):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(1000)


def late(answers, body):
    time.sleep(3)
    answer(answers, body)


def close_input(answers, body):
    os.close(0)
    answer(answers, body)
    time.sleep(1000)


def close_output(answers, body):
    os.close(1)
    time.sleep(1000)


def answer(answers, body, more=b""):
    put(frame({"type": "answers", "answers": answers}, body) + more)


def lie(**fields):
    """The fault that says this of the result of the marked case."""
    def fault(answers, body):
        answers[body.index(MARK) // len(MARK)]["results"][0].update(fields)
        answer(answers, body)
    return fault


def half(answers, body):
    put(frame({"type": "answers", "answers": answers}, body)[:-1])
    sys.exit(0)


MARK = struct.pack("<2f", 777, 777)
FAULTS = {
    "die": lambda *_: os._exit(7),
    "crash": lambda *_: os.kill(os.getpid(), signal.SIGSEGV),
    "speak": lambda *_: (sys.stderr.write("out of luck\n"), sys.exit(1)),
    "hang": lambda *_: time.sleep(1000),
    "late": late,
    "garbage": lambda *_: put(b"Hello, world\n" * 9),
    "close_output": close_output,
    "close_input": close_input,
    "half": half,
    "huge": lambda *_: put(b"ASSY" + struct.pack("<IQ", 2, 1 << 60)),
    "longer": lie(bytes=800),
    "shape": lie(shape="f32[1]"),
    "fewer": lambda answers, body: answer(answers[1:], body[len(MARK):]),
    "swapped": lambda answers, body: answer(
        [{**answers[-1], "id": answers[-1]["id"] + 1}, *answers[1:]], body),
    "flood_output": lambda *_: flood(OUT),
    "flood_errors": lambda *_: flood(sys.stderr.buffer),
    "more": lambda answers, body: answer(answers, body, b"x" * 100),
    "fork": fork,
    "ignore_sigterm": ignore_sigterm,
    "crowd": lambda answers, body: os._exit(7) if len(answers) > 1 else answer(answers, body),
    "none": answer,
}

receive()
put(frame({"type": "hello", "version": 1, "name": "liar", "program": "hlo",
           "layouts": sys.argv[2] if len(sys.argv) > 2 else "dense",
           "batch": int(sys.argv[3]) if len(sys.argv) > 3 else 1}))
while True:
    header, body = receive()
    results = b""
    for case in header["cases"]:
        end = case["program"] + sum(part["bytes"] for part in case["inputs"])
        results += body[case["program"]:end]
        body = body[end:]
    FAULTS[sys.argv[1] if MARK in results else "none"](
        [{"id": case["id"], "results": case["inputs"]} for case in header["cases"]], results)
