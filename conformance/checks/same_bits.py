"""Checks that builds and thread counts give the same bits.

    same_bits.py [--all] ASSAY [ASSAY...]

Evaluates programs on the reference with one and two threads of every given
`assay` program and compares the digests of the results. --all adds
efficientnet_predict.hlo, which takes a while.
"""

import os
import pathlib
import subprocess
import sys
import time

PROGRAMS = ["imagenette_predict.hlo"]
SLOW = ["efficientnet_predict.hlo"]
SKIP = 77


def digest(assay: str, program: pathlib.Path, threads: int) -> str:
    begin = time.monotonic()
    said = subprocess.run(
        [assay, "eval", str(program), "--input", "random:0", "--output", "digest",
         "--threads", str(threads)], check=True, capture_output=True, text=True).stdout
    took = time.monotonic() - begin
    print(f"{program.name}, {threads} threads, {took:.1f} s: {said.split()[0][:16]}...")
    return said


def main() -> int:
    arguments = [word for word in sys.argv[1:] if word != "--all"]
    data = pathlib.Path(os.environ.get("ASSAY_DATA", "../shared/data")) / "hlo"
    if not data.is_dir():
        print(f"skipped: no programs in {data}; set ASSAY_DATA")
        return SKIP
    wrong = 0
    for name in PROGRAMS + (SLOW if "--all" in sys.argv else []):
        said = {digest(assay, data / name, threads)
                for assay in arguments for threads in (1, 2)}
        wrong += len(said) != 1
    print("the bits differ" if wrong else "the same bits from all of them")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
