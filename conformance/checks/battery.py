"""Checks that every build gives the same bits.

    battery.py INPUTS ASSAY [ASSAY...]

Runs the battery of `assay verify-numerics` with every given program, with one
and two threads, and with variables set that numerical libraries listen to.
"""

import os
import subprocess
import sys
import time

# Each with how it is run: threads, and variables that must not matter.
RUNS = [
    ("2", {}),
    ("1", {"OPENBLAS_NUM_THREADS": "1", "OPENBLAS_CORETYPE": "Prescott", "OMP_NUM_THREADS": "3",
           "MKL_NUM_THREADS": "3"}),
]


def battery(assay: str, inputs: str, threads: str, variables: dict[str, str]) -> list[str]:
    begin = time.monotonic()
    said = subprocess.run(
        [assay, "verify-numerics", "--battery", inputs, "-j", threads], check=True,
        capture_output=True, text=True, env={**os.environ, **variables}).stdout.splitlines()
    took = time.monotonic() - begin
    print(f"{assay}, {threads} threads, {took:.0f} s: {said[-1]}", flush=True)
    return said


def main() -> int:
    inputs, programs = sys.argv[1], sys.argv[2:]
    runs = [(program, *run) for program in programs
            for run in (RUNS if program == programs[0] else RUNS[:1])]
    said = [battery(program, inputs, threads, variables) for program, threads, variables in runs]
    wrong = 0
    for lines in zip(*said, strict=True):
        if len(set(lines)) > 1:
            print("different:", *sorted(set(lines)), sep="\n  ")
            wrong += 1
    print(f"battery: {len(said[0])} checksums, {wrong} of them differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
