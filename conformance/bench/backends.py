#!/usr/bin/env python3
"""backends.py BUILD [ROW...]: times of cpu: beside others, row by row; see README.md.

Without rows all are measured, and the page cpu.md is written anew. $ASSAY_PYTHON or
$JAX_PYTHON has JAX and ONNX Runtime; $ASSAY_DATA has the models.
"""

import datetime
import json
import os
import pathlib
import re
import subprocess
import sys

import numpy

import rows
import type_rows

HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 1.0  # of runs that are timed, for each row and engine
PARAMETER = re.compile(r"= (\w+)\[([\d,]*)\]\S* parameter\((\d+)\)")
TIME = re.compile(r"([\d.]+) (ns|us|ms|s)\b")
MEMORY = re.compile(r"peak memory ([\d.]+) MiB of the whole process, ([\d.]+) MiB before")
BOUND = re.compile(r"live ranges need (\d+)")
DEVICES = re.compile(r", (num_partitions|replica_count)=\d+")
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
TYPES = {"f32": numpy.float32, "s32": numpy.int32, "u32": numpy.uint32, "s8": numpy.int8}


class Worker:
    """An engine in a process of its own; None answers where it is missing."""

    def __init__(self, python, script, module, *arguments):
        self.release = ""
        found = python and subprocess.run([python, "-c", f"import {module}"],
                                          capture_output=True).returncode == 0
        if not found:
            return
        self.process = subprocess.Popen(
            [python, HERE / script, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self.release = self.process.stdout.readline().strip()

    def ask(self, request):
        if not self.release:
            return None
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"{self.release} ended in the middle of a row, but must answer it")
        return json.loads(line)


def seconds(text):
    number, unit = TIME.search(text).groups()
    return float(number) * UNITS[unit]


def values(kind, dims, place, row):
    """The same numbers on each run; a model's weights are small."""
    source = numpy.random.default_rng(place)
    if kind != "f32":
        return source.integers(0, row.below or 100, dims).astype(TYPES[kind])
    numbers = source.standard_normal(dims, numpy.float32)
    return abs(numbers) * numpy.float32(0.1) if row.what == "a model" else numbers


def inputs_of(row, text, folder):
    entry = text[text.index("\nENTRY"):]
    files = []
    for kind, dims, place in sorted(PARAMETER.findall(entry), key=lambda one: int(one[2])):
        file = folder / f"{row.name}_{place}.npy"
        shape = [int(d) for d in dims.split(",") if d]
        numpy.save(file, values(kind, shape, int(place), row))
        files.append(str(file))
    return files


def run_cpu(assay, program, backend, files, repeat):
    """Seconds to compile and to run, and by how many bytes the process grew."""
    given = [word for file in files for word in ("-i", f"@{file}")]
    done = subprocess.run([assay, "run", program, "-b", backend, "-o", "none", "--in-a-row",
                           "--repeat", str(repeat), "--timeout", "600", *given],
                          capture_output=True, text=True)
    line = next((line for line in (done.stderr + done.stdout).splitlines()
                 if "later run" in line), None)
    if line is None:
        sys.exit(f"{program}: {done.stderr.strip()}")
    peak, before = MEMORY.search(line).groups()
    return (seconds(line[line.index("compile"):]), seconds(line[line.index("median"):]),
            (float(peak) - float(before)) * 2**20)


def measure_cpu(assay, program, backend, files):
    _, median, _ = run_cpu(assay, program, backend, files, 4)
    repeat = min(200, max(4, int(SECONDS / median)))
    return run_cpu(assay, program, backend, files, repeat + 1)


def bound_of(assay, program):
    """Bytes that the values of a run need, beside its arguments."""
    done = subprocess.run([assay, "compile", program, "-b", "cpu:", "--explain"],
                          capture_output=True, text=True)
    found = BOUND.search(done.stdout)
    if found is None:
        sys.exit(f"{program}: {done.stderr.strip()}")
    return int(found.group(1))


def rivals_of(build, name):
    """Times of libraries that are called directly, and of plain loops, by name."""
    program = build / "backends/cpu_rivals_benchmark"
    if not program.exists():
        return {}
    done = subprocess.run([program, f"--benchmark_filter=^{name}/", "--benchmark_format=json",
                           f"--benchmark_min_time={SECONDS}"], capture_output=True, text=True)
    if not done.stdout.strip():
        return {}
    unit = {row["name"].split("/")[1]: row["real_time"] * UNITS[row["time_unit"]]
            for row in json.loads(done.stdout)["benchmarks"]}
    return unit


class Measurement:
    def __init__(self, build, folder, xla, onnx):
        self.assay, self.build, self.folder = build / "assay", build, folder
        self.xla, self.onnx = xla, onnx

    def of(self, row):
        text = DEVICES.sub("", row.text)
        program = self.folder / f"{row.name}.hlo"
        program.write_text(text)
        files = inputs_of(row, text, self.folder)
        request = {"program": str(program), "inputs": files, "seconds": SECONDS}
        compiled, median, grown = measure_cpu(self.assay, program, row.backend, files)
        found = {"row": row, "compile": compiled, "median": median, "others": {}}
        if row.what == "a model":
            found["grown"] = grown
            found["arguments"] = sum(os.path.getsize(file) for file in files)
            found["bound"] = bound_of(self.assay, program)
        found["xla"] = self.xla.ask(request)
        if row.onnx:
            asked = {**request, "function": row.onnx, "numbers": row.numbers}
            found["onnx"] = self.onnx.ask(asked)
        found["others"] = rivals_of(self.build, row.name)
        for file in files:
            os.remove(file)
        return found


def time_text(value):
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"


def ratio(own, other):
    """How many times as long as the other one: a loss is told in bold."""
    text = f"{own / other:.2f}" if own > other / 100 else f"{own / other:.4f}"
    return f"**{text}**" if own > other else text


def beside(found, answer):
    if answer is None:
        return "–"
    if "error" in answer:
        return "fails"
    return f"{ratio(found['median'], answer['median'])} of {time_text(answer['median'])}"


def cells(found, engines):
    row = found["row"]
    result = [f"`{row.name}`", row.what, time_text(found["median"])]
    for name, _ in engines:
        result.append(beside(found, found.get(name)))
    others = [f"{ratio(found['median'], time)} of {name}'s {time_text(time)}"
              for name, time in sorted(found["others"].items())]
    result.append("; ".join(others) or "–")
    result.append(time_text(found["compile"]))
    xla = found.get("xla")
    if xla is not None:
        result.append(ratio(found["compile"], xla["compile"]) if "compile" in xla else "–")
    return "| " + " | ".join(result) + " |"


def machine():
    words = pathlib.Path("/proc/cpuinfo").read_text()
    model = re.search(r"model name\s*: (.*)", words)
    sets = [name for name in ("avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_tile")
            if re.search(rf"\b{name}\b", words)]
    load = os.getloadavg()[0]
    return (f"{model.group(1) if model else 'a processor'} ({', '.join(sets) or 'no avx2'}), "
            f"{len(os.sched_getaffinity(0))} cores, load {load:.1f} at the end")


def memory_cells(found):
    """What a run takes beside what it is given: `assay run` copies its arguments."""
    mib = 2**20
    own = max(0, found["grown"] - found["arguments"])
    arguments, bound = found["arguments"], found["bound"]
    return (f"| `{found['row'].name}` | {arguments / mib:.1f} | {bound / mib:.1f} | "
            f"{own / mib:.1f} | {own / bound:.2f} | "
            f"{(own + arguments) / (bound + arguments):.2f} |")


def memory_table(all_found):
    models = [found for found in all_found if "bound" in found]
    return [
        "## Memory", "",
        "What the process of `assay run` grows by, all threads and kept blocks included, beside "
        "the live-range bound of `assay compile --explain`: what the values of the plan need at "
        "once. In MiB.", "",
        "| row | arguments | bound | run | times the bound | with arguments |",
        "|---|---|---|---|---|---|", *map(memory_cells, models), ""] if models else []


def page(all_found, engines):
    names = "".join(f" {release} |" for _, release in engines)
    compiles = " times XLA:CPU's |" if engines and engines[0][0] == "xla" else ""
    head = f"| row | what | `cpu:` |{names} called directly | to compile |{compiles}"
    return "\n".join([
        "# How fast cpu: is", "",
        "Generated by `./dev bench backends`; do not edit.", "",
        f"Measured on {datetime.date.today()}: {machine()}. Medians of real time, all cores. "
        "A ratio says how many times as long `cpu:` takes as the other; a loss, above 1, is "
        "in bold. Of a model the sizes are those of its file.", "",
        head, "|" + "---|" * (head.count("|") - 1),
        *[cells(found, engines) for found in all_found], "", *memory_table(all_found)])


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    chosen = sys.argv[2:]
    folder = build / "bench"
    folder.mkdir(exist_ok=True)
    python = os.environ.get("JAX_PYTHON") or os.environ.get("ASSAY_PYTHON")
    cores = str(len(os.sched_getaffinity(0)))
    xla = Worker(python, "xla_worker.py", "jax")
    onnx = Worker(os.environ.get("ASSAY_PYTHON") or python, "onnx_worker.py",
                  "onnx, onnxruntime", cores)
    engines = [(name, worker.release)
               for name, worker in (("xla", xla), ("onnx", onnx)) if worker.release]
    measurement = Measurement(build, folder, xla, onnx)
    known = [*rows.rows(pathlib.Path(os.environ.get("ASSAY_DATA", "../shared/data"))),
             *type_rows.type_rows()]
    wrong = [name for name in chosen if name not in {row.name for row in known}]
    if wrong:
        sys.exit(f"there is no row {wrong[0]}, but rows are " +
                 ", ".join(row.name for row in known))
    all_found = []
    for row in known:
        if chosen and row.name not in chosen:
            continue
        all_found.append(measurement.of(row))
        print(cells(all_found[-1], engines), flush=True)
        if "bound" in all_found[-1]:
            print(memory_cells(all_found[-1]), flush=True)
    if not chosen:
        (HERE / "cpu.md").write_text(page(all_found, engines))


if __name__ == "__main__":
    main()
