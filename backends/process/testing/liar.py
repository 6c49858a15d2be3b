"""A worker that breaks the rules in the second of its cases: liar.py FAULT.

It answers others with what it was given. Each fault is a function.
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


def fork(answer):
    if os.fork() == 0:
        time.sleep(1000)
    os._exit(3)


def ignore_sigterm(answer):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(1000)


def late(answer):
    time.sleep(3)
    put(answer)


def close_input(answer):
    os.close(0)
    put(answer)
    time.sleep(1000)


def close_output(answer):
    os.close(1)
    time.sleep(1000)


FAULTS = {
    "die": lambda answer: os._exit(7),
    "crash": lambda answer: os.kill(os.getpid(), signal.SIGSEGV),
    "speak": lambda answer: (sys.stderr.write("out of luck\n"), sys.exit(1)),
    "hang": lambda answer: time.sleep(1000),
    "late": late,
    "garbage": lambda answer: put(b"Hello, world\n" * 9),
    "close_output": close_output,
    "close_input": close_input,
    "half": lambda answer: (put(answer[:-1]), sys.exit(0)),
    "huge": lambda answer: put(b"ASSY" + struct.pack("<IQ", 2, 1 << 60)),
    "longer": lambda answer: put(frame({"type": "answers", "answers": [
        {"id": 2, "results": [{"shape": "f32[2]", "bytes": 800}]}]}, b"12345678")),
    "shape": lambda answer: put(frame({"type": "answers", "answers": [
        {"id": 2, "results": [{"shape": "f32[1]", "bytes": 8}]}]}, b"12345678")),
    "flood_output": lambda answer: flood(OUT),
    "flood_errors": lambda answer: flood(sys.stderr.buffer),
    "more": lambda answer: put(answer + b"x" * 100),
    "fork": fork,
    "ignore_sigterm": ignore_sigterm,
    "none": put,
}

receive()
put(frame({"type": "hello", "version": 1, "name": "liar", "program": "hlo",
           "layouts": sys.argv[2] if len(sys.argv) > 2 else "dense"}))
while True:
    header, body = receive()
    case = header["cases"][0]
    answer = frame({"type": "answers", "answers": [
        {"id": case["id"], "results": case["inputs"]}]}, body[case["program"]:])
    FAULTS[sys.argv[1] if case["id"] == 2 else "none"](answer)
