"""Holds `assay shrink` to small programs that fail as the large ones do.

    shrink.py ASSAY [--all]

Of mutants and cases that catch them, by a wrong value or by an error: what is left
has at most 2 instructions and 8 elements, takes at most 20 seconds of the processor,
fails in the folder's own script as it did and conforms on the reference. By day these
are a few; --all takes every mutant, and three of the cases that catch it.
large_programs.txt has cases of mutants that need more, how much, and the reason; these
are shrunk, too, and must be as large as it says, and no program of the mutant may be
larger. The share of small programs is printed, of each kind of mutants.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
ASSAY = str(pathlib.Path(sys.argv[1]).resolve())
SECONDS = 20
FAILS = 1
CAUGHT = ("differs", "wrong-shape", "rejected-wrongly", "error", "crashed")
# Where a mutant is caught: the few cases, a quarter of them first; arrays that machines
# split; all.
TIERS = [("--tier", "smoke", "--shard", "0/4"), ("--tier", "smoke"),
         ("conformance/vectors/large_parts.jsonl",), ()]
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


def timed(*command):
    """What it prints, its exit code, and the seconds of the processor that it took."""
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        return out.read(), process.returncode, used.ru_utime + used.ru_stime


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
            if event.get("verdict") in CAUGHT:
                found.append((mutant, event["file"], event["id"]))
    return found


def catches(mutant):
    """The first, the middle and the last case that catches it."""
    found = next(filter(None, (caught(mutant, *tier) for tier in TIERS)), [])
    return [found[i] for i in sorted({0, len(found) // 2, len(found) - 1})] if found else []


def shrunk(mutant, file, case, folder):
    return timed(ASSAY, "shrink", file, "-f", case, "-b", mutant, "--shrink-time",
                 str(4 * SECONDS), "-o", str(folder))


def what_is_left(folder, verdict):
    """What is wrong with the folder; "" where nothing is."""
    script = run("sh", str(folder / "reproduce.sh"), cwd="/")
    if script.returncode == 0 or f", 1 {verdict}" not in script.stdout:
        return f"the script ends with {script.returncode}: {script.stdout}"
    reference = run(ASSAY, "check", str(folder / "case.jsonl"), "-b", "interpreter:")
    return ("" if reference.returncode == 0
            else "the reference does not conform: " + reference.stdout)


def judged(row):
    """(mutant, case, instructions, elements, faults) of a case that catches the mutant."""
    with tempfile.TemporaryDirectory() as folder:
        said, code, seconds = shrunk(*row, folder)
        size = SIZE.search(said)
        if code != FAILS or not size:
            wrong, instructions, elements = f"exit code {code}: {said}", 0, 0
        else:
            instructions, elements = map(int, size.groups())
            verdict = said.splitlines()[0].split(":")[0]  # "differs: wrong number"
            wrong = what_is_left(pathlib.Path(folder), verdict)
    if seconds > SECONDS:
        wrong += f"{seconds:.0f} s"
    print(f"{row[0]} {row[2]}: {instructions} instructions, {elements} elements, "
          f"{seconds:.1f} s {wrong}", flush=True)
    return row[0], row[2], instructions, elements, [f"{row}: {wrong}"] if wrong else []


def named():
    """The rows of large_programs.txt: {(mutant, case): (instructions, elements)}."""
    lines = [line.split(None, 4) for line in LARGE.read_text().splitlines()
             if line and not line.startswith("#")]
    return {(name, case): (int(most), int(elements)) for name, case, most, elements, _ in lines}


def is_large(size):
    return size[0] > INSTRUCTIONS or size[1] > ELEMENTS


def most_of(mutant, stated):
    """The most instructions and the most elements that a program of it may have."""
    sizes = [size for (name, _), size in stated.items() if name == mutant]
    return tuple(map(max, zip((INSTRUCTIONS, ELEMENTS), *sizes)))


def other_sizes(results, stated):
    """Where the table and what came differ."""
    faults = []
    for mutant, case, *size, _ in results:
        most = most_of(mutant, stated)
        known = stated.get((mutant, case))
        if known and tuple(size) != known:
            faults.append(f"{mutant} {case}: {size}, but large_programs.txt says {known}")
        elif size[0] > most[0] or size[1] > most[1]:
            faults.append(f"{mutant} {case}: {size}, but {most} are the most with a reason")
    return faults


def told(results, drawn):
    """The faults of all programs; prints the share of small ones among those drawn."""
    for kind in sorted({result[0].split(":")[0] for result in results}):
        own = [result[2:4] for result in results
               if result[0].startswith(kind + ":") and result[:2] in drawn]
        small = sum(not is_large(size) for size in own)
        print(f"{kind}: {small} of {len(own)} programs have at most {INSTRUCTIONS} "
              f"instructions and {ELEMENTS} elements")
    return ([fault for result in results for fault in result[4]]
            + other_sizes(results, named()))


def stated_rows(mutant):
    """The cases of the table, which must catch it; where one does not, without a file."""
    return [row for name, case in named() if name == mutant
            for row in caught(mutant, "-f", case) or [(mutant, "", case)]]


def judged_all(mutant):
    """The results of some cases that catch it and of those of the table, and the former."""
    drawn = catches(mutant)
    return [judged(row) for row in dict.fromkeys([*drawn, *stated_rows(mutant)])], drawn


def main():
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        if "--all" in sys.argv:
            of_mutants = list(pool.map(judged_all, mutants()))
            results = [result for some, _ in of_mutants for result in some]
            rows = [row for _, drawn in of_mutants for row in drawn]
        else:
            results, rows = list(pool.map(judged, FEW)), FEW
    faults = told(results, {(mutant, case) for mutant, _, case in rows})
    for fault in faults:
        print("FAULT", fault)
    print(f"{len(results)} programs, {len(faults)} faults")
    return 1 if faults or not results else 0


if __name__ == "__main__":
    sys.exit(main())
