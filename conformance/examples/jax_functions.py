"""Functions of JAX on XLA:CPU and on the reference.

    jax_functions.py ASSAY [--filter TEXT] [--keep FOLDER] [--findings FILE]

Lowers five hundred functions of jax.numpy, jax.lax, jax.nn and
jax.scipy.special to StableHLO text, stores what XLA:CPU computes as .npy, runs
`assay eval` on the text and compares: equal bits, at most LIMIT units in the
last place apart, or different: then `proven` where mpmath shows that the
reference is the nearer one to the function's value, `as written` where the
program gives the reference's bits when jax_steps.py rounds each of its
operations once. Then has JAX parse what `assay fmt --to stablehlo` prints.
--findings writes a table of what is proven, as written or explained. A Python without JAX skips it with one line and exit code 77.
What is expected to differ stands in jax_findings.json with its reason; anything
else that differs makes the exit code 1.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import jax
    import ml_dtypes
    import numpy as np
except ImportError:
    print("jax_functions: skipped, this Python has no JAX")
    sys.exit(77)

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")

from jax._src.interpreters import mlir  # noqa: E402
from jaxlib.mlir import ir  # noqa: E402

from jax_more_cases import cases  # noqa: E402

try:
    import jax_oracles
    import jax_steps
except ImportError:  # no mpmath: what differs stays unproven
    jax_oracles = None

HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 8  # units in the last place of XLA's own approximations
TYPES = {
    "f32": np.float32, "f64": np.float64, "f16": np.float16,
    "bf16": ml_dtypes.bfloat16, "s32": np.int32, "u8": np.uint8,
    "c64": np.complex64, "bool": np.bool_,
}
SPECIAL = (0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.5, 2.0, -2.5,
           100.0, -1e-3, 3.14159265, 1e-30)


def numbers(kind, position, type_):
    """24 values of a kind: special ones, then some of a fixed sequence."""
    state = np.random.RandomState(7 + position)
    values = state.standard_normal(24) * 3
    if kind == "x":
        first = SPECIAL if type_ not in ("s32", "u8") else (
            0, 1, -1, 2, 100, -7, 2147483647, -2147483648)
        values[:len(first)] = np.roll(np.array(first, float), position * 3)
    if kind == "p":
        values = np.abs(values) + 0.125
    if kind == "u":
        values = state.uniform(0.03125, 0.96875, 24)
    if kind == "w":
        values = state.uniform(-1, 1, 24)
    if kind == "i":
        values = state.randint(0, 7, 24)
    if kind == "b":
        values = state.randint(0, 2, 24)
    return values


def argument(kind, position, type_):
    if kind == "k":
        return np.int32(2)
    values = numbers(kind, position, type_).reshape(4, 6)
    if kind == "b":
        return values.astype(bool)
    if type_ in ("s32", "u8"):
        with np.errstate(invalid="ignore"):
            return np.nan_to_num(values, posinf=9, neginf=-9).astype(
                np.int64).astype(TYPES[type_])
    if type_ == "c64":
        other = numbers("w" if kind == "w" else "x", position + 5, "f32")
        return (values + 1j * np.roll(other, 3).reshape(4, 6)).astype(
            np.complex64)
    with np.errstate(over="ignore"):
        return values.astype(TYPES[type_])


def ordered(array):
    """Codes of floats as integers that count the steps between neighbours."""
    width = array.dtype.itemsize
    codes = array.view(f"u{width}").astype(object)
    sign = 1 << (8 * width - 1)
    return np.where(codes >= sign, sign - codes, codes)


def is_float(dtype):
    return dtype.kind == "f" or dtype == ml_dtypes.bfloat16


def distance(a, b):
    """The greatest number of steps between elements; 0: equal bits but for
    NaNs, which are all alike. None: different types or shapes."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return None
    if a.dtype.kind == "c":
        real = np.float32 if a.dtype == np.complex64 else np.float64
        return distance(np.ascontiguousarray(a).view(real),
                        np.ascontiguousarray(b).view(real))
    if a.size == 0 or a.tobytes() == b.tobytes():
        return 0
    if not is_float(a.dtype):
        return float("inf")
    x, y = np.ravel(a), np.ravel(b)
    nan = np.isnan(x.astype(np.float64)), np.isnan(y.astype(np.float64))
    if (nan[0] != nan[1]).any():
        return float("inf")
    x, y = x[~nan[0]], y[~nan[0]]
    steps = np.abs(ordered(x) - ordered(y))
    if ((steps == 0) & (x.view(f"u{x.itemsize}") !=
                        y.view(f"u{y.itemsize}"))).any():
        return max(1, int(max(steps)))  # the zeros
    return int(max(steps, default=0))


PRECISION = {"float16": 11, "bfloat16": 8, "float32": 24, "float64": 53,
             "complex64": 24, "complex128": 53}


def worst_place(a, b):
    """The index at which two results are farthest apart."""
    apart = [distance(x.reshape(1), y.reshape(1))
             for x, y in zip(np.ravel(a), np.ravel(b))]
    return np.unravel_index(int(np.argmax(np.array(apart, float))), a.shape)


def proof(name, arguments, theirs, ours):
    """How far both are from the exact value where they differ most: text, and
    whether the reference is the nearer one. None where that is not known."""
    if jax_oracles is None:
        return None
    at = worst_place(theirs, ours)
    true = jax_oracles.exact(name, [np.asarray(a) for a in arguments], at)
    if true is None:
        return None
    precision = PRECISION[theirs.dtype.name]
    errors = [jax_oracles.error(value[at], true, precision)
              for value in (theirs, ours)]
    place = ",".join(str(int(i)) for i in at)
    return (f"[{place}] XLA {float(errors[0]):.3g} ulp off, "
            f"the reference {float(errors[1]):.3g}", errors[1] <= errors[0])


def is_as_written(lowered, arguments, found):
    """Whether the program's operations, each rounded once, give those bits."""
    if jax_oracles is None:
        return False
    values = jax_steps.results(lowered.compiler_ir("stablehlo"), arguments)
    return values is not None and all(
        distance(np.ascontiguousarray(a), b) == 0
        for a, b in zip(values, found))


def load(file, like):
    array = np.load(file)
    if array.dtype.kind == "V":
        array = array.view(like.dtype)
    return array


def evaluate(assay, folder, program, arguments, expected):
    """What the reference computes, or its message."""
    inputs = []
    for i, value in enumerate(arguments):
        file = folder / f"in{i}.npy"
        value = np.asarray(value)
        np.save(file, value.view("V2")
                if value.dtype == ml_dtypes.bfloat16 else value)
        inputs += ["-i", f"@{file}"]
    for file in folder.glob("[0-9]*.npy"):
        file.unlink()
    run = subprocess.run(
        [assay, "eval", str(program), "-o", str(folder), *inputs],
        capture_output=True, text=True, check=False, timeout=300)
    if run.returncode != 0:
        return (run.stderr.strip().splitlines() or ["no message"])[0]
    return [load(folder / f"{i}.npy", value)
            for i, value in enumerate(expected)]


def printed(assay, program):
    """Why JAX does not read what Assay prints; nothing where it does."""
    run = subprocess.run([assay, "fmt", "--to", "stablehlo", str(program)],
                         capture_output=True, text=True, check=False)
    if run.returncode != 0:
        return run.stderr.strip().splitlines()[0]
    context = mlir.make_ir_context()
    try:
        with context, ir.Location.unknown(context):
            ir.Module.parse(run.stdout, context).operation.verify()
    except ir.MLIRError as error:
        return str(error).replace("\n", " ")[:200]
    return ""


def judge(assay, folder, case):
    """Verdict and detail of one case."""
    name, type_, function, kinds = case
    arguments = [argument(kind, i, type_) for i, kind in enumerate(kinds)]
    lowered = jax.jit(function, keep_unused=True).lower(*arguments)
    program = folder / "program.mlir"
    program.write_text(lowered.as_text())
    results = jax.tree_util.tree_leaves(lowered.compile()(*arguments))
    expected = [np.asarray(value) for value in results]
    for i, value in enumerate(expected):
        np.save(folder / f"xla{i}.npy", value.view("V2")
                if value.dtype == ml_dtypes.bfloat16 else value)
    found = evaluate(assay, folder, program, arguments, expected)
    if isinstance(found, str):
        return "error", found, printed(assay, program)
    steps = [distance(a, b) for a, b in zip(expected, found)]
    worst = float("inf") if None in steps else max(steps, default=0)
    verdict = ("equal" if worst == 0 else
               "close" if worst <= LIMIT else "different")
    detail = f"{worst} ulp"
    if verdict == "different" and None not in steps:
        i = int(np.argmax(steps))
        shown = proof(name, arguments, expected[i], found[i])
        if shown is not None:
            detail += f": {shown[0]}"
            verdict = "proven" if shown[1] else verdict
        if verdict == "different" and is_as_written(lowered, arguments, found):
            verdict = "as written"
            detail += (": each operation rounded once, functions by mpmath, "
                       "gives the reference's bits")
    return verdict, detail, printed(assay, program)


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("assay")
    parser.add_argument("--filter", default="")
    parser.add_argument("--keep", default="")
    parser.add_argument("--findings", default="")
    return parser.parse_args()


def main():
    options = parse_arguments()
    known = json.loads((HERE / "jax_findings.json").read_text())
    verdicts, wrong, unread = collections.Counter(), [], []
    findings = ["| function | apart | why |", "| --- | --- | --- |"]
    with tempfile.TemporaryDirectory() as scratch:
        for case in cases():
            name = f"{case[0]}/{case[1]}"
            if options.filter not in name:
                continue
            folder = pathlib.Path(options.keep or scratch) / name.replace(
                "/", "_")
            folder.mkdir(parents=True, exist_ok=True)
            try:
                verdict, detail, reading = judge(options.assay, folder, case)
            except (TypeError, ValueError, NotImplementedError) as error:
                verdict, reading = "not lowered", ""
                detail = str(error).splitlines()[0][:80]
            reason = known.get(name) or known.get(case[0], "")
            if reason and verdict in ("different", "proven", "error"):
                verdict = "explained"
                detail += f": {reason}"
            verdicts[verdict] += 1
            if verdict in ("proven", "as written", "explained"):
                why = detail.replace(": ", " | ", 1)
                findings.append(f"| {name} | {why} |")
            if verdict in ("different", "error", "not lowered"):
                wrong.append(name)
            if reading:
                unread.append(f"{name}: {reading}")
            print(f"{name:34} {verdict:10} {detail}", flush=True)
    summary = ", ".join(f"{n} {word}" for word, n in verdicts.most_common())
    print(f"\n{summary}")
    print(f"{len(unread)} exported programs that JAX does not read")
    print("\n".join(unread))
    if options.findings:
        title = ["# What differs between XLA:CPU and the reference", "",
                 f"JAX {jax.__version__}: {summary}.", ""]
        pathlib.Path(options.findings).write_text(
            "\n".join(title + findings) + "\n")
    return 1 if wrong or unread else 0


if __name__ == "__main__":
    sys.exit(main())
