"""A worker that breaks the rules where an input is f32[2] {777, 777}.

It answers others with what it was given: liar.py FAULT [LAYOUTS [BATCH [parts]]], in a
frame for each where it answers in parts. Each fault is a function of the answers and the
body; that of FAULT "named" is the one that the program is called by, as FAULT_die. The
file LIAR_LOG gets a line for each case that it is asked: the first element. FAULTLESS in
the environment makes it keep all rules.
"""

import json
import os
import re
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


def wait_for_all(answers, body):
    """As a worker does that has started others, of which it knows no number."""
    if os.fork() == 0:
        os._exit(0)
    try:
        while True:
            os.wait()
    except ChildProcessError:
        answer(answers, body)


def leave_group(answers, body):
    os.setpgid(0, os.getpgid(os.getppid()))
    time.sleep(1000)


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


def tell_crash(answers, body):
    """As a worker does whose engine has a process of its own."""
    at = body.index(MARK)
    marked = answers[at // len(MARK)]
    del marked["results"]
    marked["crashed"] = "the engine died"
    answer(answers, body[:at] + body[at + len(MARK):])


def half(answers, body):
    put(frame({"type": "answers", "answers": answers}, body)[:-1])
    sys.exit(0)


MARK = struct.pack("<2f", 777, 777)
FAULTS = {
    "die": lambda *_: os._exit(7),
    "crash": lambda *_: os.kill(os.getpid(), signal.SIGSEGV),
    "speak": lambda *_: (sys.stderr.write("out of luck\n"), sys.exit(1)),
    "tell_crash": tell_crash,
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
    "leave_group": leave_group,
    "wait_for_all": wait_for_all,
    "crowd": lambda answers, body: os._exit(7) if together > 1 else answer(answers, body),
    "slow_crowd": lambda answers, body: (time.sleep(1000 if together > 1 else 0),
                                         answer(answers, body)),
    "none": answer,
}

def log(data):
    if "LIAR_LOG" in os.environ:
        with open(os.environ["LIAR_LOG"], "a", encoding="utf-8") as file:
            file.write(f"{struct.unpack_from('<f', data)[0]:g}\n")


def fault_of(programs, data):
    if "FAULTLESS" in os.environ or MARK not in data:
        return "none"
    named = re.search(rb"FAULT_(\w+)", b"".join(programs))
    return named.group(1).decode() if sys.argv[1] == "named" else sys.argv[1]


def run(answers, programs, results):
    data = b"".join(results)
    FAULTS[fault_of(programs, data)](answers, data)


hello, _ = receive()
in_parts = sys.argv[4:] == ["parts"] and hello["parts"]
early = b"ready\n" if sys.argv[1] == "early" else b""
put(frame({"type": "hello", "version": 1, "name": "liar", "program": "hlo",
           "layouts": sys.argv[2] if len(sys.argv) > 2 else "dense",
           "batch": int(sys.argv[3]) if len(sys.argv) > 3 else 1, "parts": in_parts}) + early)
while True:
    header, body = receive()
    together = len(header["cases"])
    programs, results = [], []
    for case in header["cases"]:
        end = case["program"] + sum(part["bytes"] for part in case["inputs"])
        programs.append(body[:case["program"]])
        results.append(body[case["program"]:end])
        body = body[end:]
        log(results[-1])
    answers = [{"id": case["id"], "results": case["inputs"]} for case in header["cases"]]
    step = 1 if in_parts else together
    for k in range(0, together, step):
        run(*(part[k:k + step] for part in (answers, programs, results)))
