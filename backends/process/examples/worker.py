"""A worker: adds, subtracts, multiplies and negates arrays of f32 (spec/protocol.md)."""

import array
import json
import operator
import re
import struct
import sys

LINE = re.compile(r"(ROOT )?%(\S+) = (\w+)\[(\S*)\]\S* ([a-z-]+)\((.*?)\)")
RULES = {"add": operator.add, "subtract": operator.sub,
         "multiply": operator.mul, "negate": operator.neg}


def receive():
    """The header of a frame; its body is next on standard input."""
    start = sys.stdin.buffer.read(16)
    if len(start) < 16:
        sys.exit()
    return json.loads(sys.stdin.buffer.read(struct.unpack("<4sIQ", start)[1]))


def send(header, body=b""):
    text = json.dumps(header).encode()
    sys.stdout.buffer.write(struct.pack("<4sIQ", b"ASSY", len(text), len(body)) + text + body)
    sys.stdout.buffer.flush()


def evaluate(program, inputs):
    """The bytes of the result; LookupError where it is too much for this worker."""
    values = {}
    for root, name, kind, dims, op, operands in LINE.findall(program.split("ENTRY ")[1]):
        if kind != "f32":
            raise LookupError(kind)
        if op == "parameter":
            values[name] = array.array("f", inputs[int(operands)])
            continue
        rule = RULES[op]
        lists = [values["".join(word.split("%")[1:])] for word in operands.split(", ")]
        # Doubles hold enough bits for the second rounding to be right.
        values[name] = array.array("f", map(rule, *lists))
        if root:
            return values[name].tobytes()
    raise LookupError("the form of the program")


receive()
send({"type": "hello", "version": 1, "name": "example", "batch": 64,
      "program": "hlo", "layouts": "dense", "tags": ["f32-alone"]})
while True:
    answers, results = [], b""
    for case in receive()["cases"]:
        sizes = [case["program"], *(part["bytes"] for part in case["inputs"])]
        parts = [sys.stdin.buffer.read(size) for size in sizes]
        try:
            results += evaluate(parts[0].decode(), parts[1:])
            answers.append({"id": case["id"], "results": case["results"]})
        except LookupError as error:
            answers.append({"id": case["id"], "unsupported": str(error)})
    send({"type": "answers", "answers": answers}, results)
