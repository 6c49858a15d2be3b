"""Prints the table of the benchmark rows that StableHLO's speed is known for.

    figures.py BUILD    runs the benchmarks of BUILD, about a minute
"""

import json
import pathlib
import subprocess
import sys

FLAGS = ("--benchmark_format=json", "--benchmark_min_time=0.2")


def rows(program: pathlib.Path) -> list[dict]:
    done = subprocess.run([program, *FLAGS], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=True)
    return [row for row in json.loads(done.stdout)["benchmarks"]
            if "stablehlo_x" in row]


def cells(row: dict) -> tuple[str, ...]:
    unit = next(name for name in row if name.startswith("ns/"))
    ratios = [f"{row[name]:.2f} {name[3:]}" for name in row if name.startswith("of_")]
    name = row["name"].removeprefix("run/").replace("ElementType::k", "")
    return (name, f"{row[unit]:.2f} {unit}", ", ".join(ratios),
            f"{row['stablehlo_x']:.0f}")


def main() -> int:
    programs = sorted(pathlib.Path(sys.argv[1]).glob("interpreter/*_benchmark"))
    print("| row | time | times as long as | StableHLO's is times as long |\n|---|---|---|---|")
    for program in programs:
        for row in rows(program):
            print("| " + " | ".join(cells(row)) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
