"""Programs of one element, or of a row of equal ones, out of element-wise cases."""

import json
import os
import pathlib
import subprocess
import tempfile

from oracle.formats import Unknown
from oracle.programs import Array, Shape, literal, parse, written

ROW = 16
HEADER = {"generator": "conformance/scoreboard/smallest.py", "command": "./dev engines",
          "notes": {"Smallest": "an element of a case"}, "do_not_edit": True}


def element_wise(text, inputs):
    """The root of a program of one operation, all of whose arrays have its sizes."""
    computations = parse(text)
    entry = computations["ENTRY"]
    root = entry.instructions[entry.root]
    others = [one for name, one in entry.instructions.items() if name != entry.root]
    if len(computations) > 1 or not root.operands or any(
            one.operation != "parameter" or one.shape.sizes != root.shape.sizes
            for one in others) or root.shape.kind == "tuple" or root.operation in (
                "concatenate", "reverse", "transpose", "reshape", "parameter", "sort", "reduce",
                "reduce-window", "select-and-scatter", "scatter", "gather", "convolution",
                "dot", "slice", "fft", "cholesky", "broadcast", "pad", "topk"):
        return None
    return entry, root


def smaller(text, inputs, index):
    """(program, inputs) of one element, and of a row of it; none of other programs."""
    try:
        found = element_wise(text, inputs)
        arrays = [literal(one) for one in inputs]
    except Unknown:
        return []
    if found is None:
        return []
    entry, root = found
    attributes = "".join(f", {name}={value}" for name, value in root.attributes.items()
                         if name != "metadata")
    programs = []
    for sizes in ((), (ROW,)):
        lines, values = [], []
        count = ROW if sizes else 1
        for number, array in enumerate(arrays):
            small = Array(Shape(array.shape.kind, sizes), [array.at(index)] * count)
            dims = ",".join(map(str, sizes))
            lines.append(f"  p{number} = {array.shape.kind}[{dims}] parameter({number})\n")
            values.append(written(small))
        operands = ", ".join(f"p{entry.instructions[name].text}" for name in root.operands)
        lines.append(f"  ROOT r = {root.shape.kind}[{dims}] {root.operation}({operands})"
                     f"{attributes}\n")
        programs.append(("HloModule m\n\nENTRY main {\n" + "".join(lines) + "}\n", values))
    return programs


def place_of_death(text, inputs):
    """An index whose element may have ended the process: a division by zero, or the first."""
    try:
        found = element_wise(text, inputs)
    except Unknown:
        return None
    if found is None or 0 in found[1].shape.sizes:
        return None
    last = literal(inputs[-1])
    sizes = last.shape.sizes
    place = next((at for at, code in enumerate(last.codes) if code == 0), 0) if (
        len(inputs) == 2) else 0
    index = []
    for size in reversed(sizes):
        index.append(place % size)
        place //= size
    return tuple(reversed(index))


def judged(assay, backend, cases):
    """The events of cases (program, inputs, expectation) by their numbers."""
    with tempfile.TemporaryDirectory() as folder:
        path, events = pathlib.Path(folder, "small.jsonl"), pathlib.Path(folder, "events.jsonl")
        lines = [json.dumps(HEADER)]
        for number, (program, inputs, expect) in enumerate(cases):
            lines.append(json.dumps({
                "id": f"smallest/any/{number}", "statement": "an element of a case",
                "why": ["Smallest"], "hlo": program, "inputs": inputs, "expect": [expect],
                "source": "exact"}, separators=(",", ":")))
        path.write_text("\n".join(lines) + "\n")
        done = subprocess.run([assay, "check", "-b", backend, str(path), "-o", str(events)],
                              capture_output=True, text=True, check=False, env=os.environ)
        if not events.exists():
            raise RuntimeError(f"assay check ended with {done.returncode}: {done.stderr}")
        found = {}
        for line in events.read_text().splitlines():
            event = json.loads(line)
            if event["event"] == "case":
                found[int(event["id"].rsplit("/", 1)[1])] = event
        return found
