"""Holds `assay shrink` to small programs that fail as the large ones do.

    shrink.py ASSAY [--all]

Of mutants and cases that catch them: what is left has at most 2 instructions and
8 elements, takes at most 20 seconds of the processor, fails in the folder's own
script and conforms on the reference. By day these are a few; --all takes every
mutant, and three of the cases that catch it. large_programs.txt has the mutants that
need more, with the reason; it must say what came of them, and of no other one. The
share of small programs is printed.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
ASSAY = str(pathlib.Path(sys.argv[1]).resolve())
SECONDS = 20
DIFFERS = 1
LARGE = pathlib.Path(__file__).with_name("large_programs.txt")
INSTRUCTIONS, ELEMENTS = 2, 8
SIZE = re.compile(r"^(\d+) instructions? and (\d+) elements? in the largest array", re.M)
# A mutant, a file of cases and a case that catches it: values, where elements come
# from, regions, attributes, layouts, several instructions.
FEW = [
    ("mutant:drop-nan", "conformance/vectors/maximum.jsonl",
     "maximum/f32/values"),
    ("mutant:saturate-add", "conformance/vectors/covering_folds/s4.jsonl",
     "covering-folds/s4/scan_33_rank5_down_packed_tiled_tail"),
    ("mutant:swap-layout", "conformance/vectors/abs.jsonl",
     "abs/f32/layout_1"),
    ("mutant:keep-counter", "conformance/vectors/rng_bit_generator.jsonl",
     "rng-bit-generator/u8/three_fry_1"),
    ("mutant:truncate-add", "conformance/vectors/sequences.jsonl",
     "sequences/f16/sum_less_terms"),
    ("mutant:skip-last", "conformance/vectors/sequences.jsonl",
     "sequences/u8/drawn_053.folded"),
    ("mutant:other-triangle", "conformance/vectors/triangular_solve.jsonl",
     "triangular-solve/bf16/cancels"),
    ("mutant:ignore-interior", "conformance/vectors/pad.jsonl",
     "pad/f32/layout_3"),
    ("mutant:lose-zero-sign", "conformance/vectors/sequences.jsonl",
     "sequences/f64/negated_twice"),
    ("mutant:transpose-index", "conformance/vectors/covering_movement/u16.jsonl",
     "covering-movement/u16/gather_t8_128_2_1_t128_tiles2_specials"),
    ("mutant:truncate-convert", "conformance/vectors/regressions.jsonl",
     "regressions/f32/28_there_and_back"),
    ("mutant:flush-subnormals", "conformance/vectors/multiply.jsonl",
     "multiply/f64/mixed_f64_f16"),
    ("mutant:dense-slice", "conformance/vectors/covering_movement/bf16.jsonl",
     "covering-movement/bf16/slice_tail_permuted_tiled_grain_walls"),
    ("mutant:skip-last", "conformance/vectors/dynamic_sizes.jsonl",
     "dynamic-sizes/s32/reshape_inferred"),
    ("mutant:swap-operands", "conformance/vectors/rng_get_and_update_state.jsonl",
     "rng-get-and-update-state/u64/by_9223372036854775807"),
]


def run(*command, cwd=ROOT):
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False,
                          env={**os.environ, "ASSAY": ASSAY, "ASSAY_ROOT": str(ROOT)})


def mutants():
    listed = run(ASSAY, "list", "--backends").stdout.split()
    return [name for name in listed if name.startswith(("mutant:", "tpu-mutant:"))]


def caught(mutant, *tier):
    """The cases that catch it: (mutant, file, id)."""
    with tempfile.TemporaryDirectory() as folder:
        events = pathlib.Path(folder, "events.jsonl")
        run(ASSAY, "check", "-b", mutant, "-o", str(events), "-j", "1", *tier)
        found = []
        for line in events.read_text().splitlines():
            event = json.loads(line)
            if event.get("verdict") == "differs":
                found.append((mutant, event["file"], event["id"]))
    return found


def catches(mutant):
    """The first, the middle and the last case that catches it, of the few cases or else of
    all."""
    found = caught(mutant, "--tier", "smoke") or caught(mutant)
    return [found[i] for i in sorted({0, len(found) // 2, len(found) - 1})] if found else []


def processor():
    return sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def shrink(mutant, file, case, folder):
    return run(ASSAY, "shrink", file, "-f", case, "-b", mutant, "--shrink-time", str(4 * SECONDS),
               "-o", str(folder))


def wrong_with(mutant, file, case, folder):
    """(what is wrong, instructions, elements) of a case that catches the mutant."""
    done = shrink(mutant, file, case, folder)
    size = SIZE.search(done.stdout)
    if done.returncode != DIFFERS or not size:
        return f"exit code {done.returncode}: {done.stdout}{done.stderr}", 0, 0
    instructions, elements = map(int, size.groups())
    script = run("sh", str(folder / "reproduce.sh"), cwd="/")
    if script.returncode != DIFFERS or "1 differs" not in script.stdout:
        return f"the script ends with {script.returncode}: {script.stdout}", instructions, elements
    reference = run(ASSAY, "check", str(folder / "case.jsonl"), "-b", "interpreter:")
    if reference.returncode != 0:
        return "the reference does not conform: " + reference.stdout, instructions, elements
    return "", instructions, elements


def judged(row, folder):
    before = processor()
    wrong, instructions, elements = wrong_with(*row, folder)
    seconds = processor() - before
    print(f"{row[0]} {row[2]}: {instructions} instructions, {elements} elements, "
          f"{seconds:.1f} s {wrong}", flush=True)
    return wrong, instructions, elements, seconds


def named():
    """The mutants of large_programs.txt: {name: (instructions, elements)}."""
    lines = [line.split(None, 3) for line in LARGE.read_text().splitlines()
             if line and not line.startswith("#")]
    return {name: (int(most), int(elements)) for name, most, elements, _ in lines}


def largest(sizes):
    """The most instructions and elements of each mutant: {name: (instructions, elements)}."""
    most = {}
    for name, instructions, elements in sizes:
        before = most.get(name, (0, 0))
        most[name] = (max(before[0], instructions), max(before[1], elements))
    return most


def is_large(size):
    return size[0] > INSTRUCTIONS or size[1] > ELEMENTS


def other_sizes(most, stated):
    """Where the table and what came differ, of mutants that were asked."""
    faults = []
    for name, size in sorted(most.items()):
        words = f"{size[0]} instructions, {size[1]} elements"
        if name in stated and size != stated[name]:
            faults.append(f"{name}: {words}, but large_programs.txt says {stated[name]}")
        if name not in stated and is_large(size):
            faults.append(f"{name}: {words}, and large_programs.txt has no reason for it")
    return faults


def check(rows):
    faults, sizes = [], []
    with tempfile.TemporaryDirectory() as folder:
        for number, row in enumerate(rows):
            wrong, instructions, elements, seconds = judged(row, pathlib.Path(folder, str(number)))
            sizes.append((row[0], instructions, elements))
            for condition, fault in ((wrong, wrong), (seconds > SECONDS, f"{seconds:.0f} s")):
                if condition:
                    faults.append(f"{row}: {fault}")
    small = sum(not is_large(size[1:]) for size in sizes)
    print(f"{small} of {len(sizes)} programs have at most {INSTRUCTIONS} instructions and "
          f"{ELEMENTS} elements")
    return faults + other_sizes(largest(sizes), named())


def main():
    if "--all" in sys.argv:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            rows = [row for some in pool.map(catches, mutants()) for row in some]
    else:
        rows = FEW
    faults = check(rows)
    for fault in faults:
        print("FAULT", fault)
    print(f"{len(rows)} programs, {len(faults)} faults")
    return 1 if faults or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
