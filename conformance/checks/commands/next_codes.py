"""Whether the levels tell a result from the number beside it: `mutant:next-code`, whose finite
floats are all one code too far from zero.

next_codes.py ASSAY [--tier smoke]

On `exact` nothing conforms that has another number, but for random numbers, and on `cr` nothing
but those and what is summed, transformed, solved or normalised (spec/conformance.md, Levels).
"""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import tempfile

DRAWN = {"rng", "seeds", "stablehlo/f32/rng_normal", "stablehlo/f32/rng_uniform"}
SUMMED = {
    "all-reduce", "all-reduce-done", "all-reduce-start", "batch-norm-grad", "batch-norm-inference",
    "batch-norm-training", "cholesky", "convolution", "covering-folds", "covering-linear", "dot",
    "fft", "ragged-dot", "reduce", "reduce-scatter", "reduce-window", "regressions", "scaled-dot",
    "scatter", "select-and-scatter", "sequences", "stablehlo", "triangular-solve"}
LEVELS = {"exact": DRAWN, "cr": DRAWN | SUMMED}


def events(assay: str, level: str, options: list[str]) -> list[dict]:
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "events.jsonl")
        run = subprocess.run([assay, "check", "-b", "mutant:next-code", "-p", level, "-o", file,
                              *options], capture_output=True, text=True, check=False)
        if run.returncode not in (0, 1):
            sys.exit(f"check ends with {run.returncode}: {run.stdout[-2000:]}{run.stderr}")
        return [event for event in map(json.loads, file.read_text().splitlines())
                if "verdict" in event]


def main() -> int:
    assay, *options = sys.argv[1:]
    failed = False
    for level, free in LEVELS.items():
        judged = events(assay, level, options)
        other = [e for e in judged if e.get("worst_ulps")]
        passed = [e["id"] for e in other if e["verdict"] == "conforms"]
        wrong = [case for case in passed if not free & {case, case.split("/")[0]}]
        for case in wrong[:10]:
            print(f"{case} conforms on {level}, though its numbers are others")
        print(f"next_codes: {level}: {len(other)} cases have other numbers, "
              f"{len(passed)} conform")
        failed |= bool(wrong) or not other
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
