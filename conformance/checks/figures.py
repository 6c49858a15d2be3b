"""Prints tables of benchmark rows, for README files.

    figures.py BUILD              those that StableHLO's speed is known for
    figures.py BUILD functions    those of correctly rounded functions
    figures.py BUILD operations   every operation, the slowest first

Runs the benchmarks of BUILD, one to three minutes.
"""

import json
import pathlib
import subprocess
import sys

FLAGS = ("--benchmark_format=json", "--benchmark_min_time=0.2")


def rows(program: pathlib.Path) -> list[dict]:
    done = subprocess.run([program, *FLAGS], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=True)
    return json.loads(done.stdout)["benchmarks"]


def cells(row: dict) -> tuple[str, ...]:
    unit = next(name for name in row if name.startswith("ns/"))
    ratios = [f"{row[name]:.2f} {name[3:]}" for name in row if name.startswith("of_")]
    name = row["name"].removeprefix("run/").replace("ElementType::k", "")
    return (name, f"{row[unit]:.2f} {unit}", ", ".join(ratios),
            f"{row['stablehlo_x']:.0f}")


def beside_stablehlo(build: pathlib.Path) -> None:
    print("| row | time | times as long as | StableHLO's is times as long |\n|---|---|---|---|")
    for program in sorted(build.glob("interpreter/*_benchmark")):
        for row in rows(program):
            if "stablehlo_x" in row:
                print("| " + " | ".join(cells(row)) + " |")


def nanoseconds(row: dict) -> float:
    return row["ns/cell"] if "ns/cell" in row else row["ns/element"]


def operations(build: pathlib.Path) -> None:
    print("| row | ns | per | times as long as | the definition is times as long "
          "| ns a unit of work |")
    print("|---|---|---|---|---|---|")
    found = rows(build / "interpreter/operations_benchmark")
    for row in sorted(found, key=nanoseconds, reverse=True):
        unit = next(name for name in row if name.startswith("ns/"))
        loop = next(name for name in row if name.startswith("of_"))
        print(f"| {row['name']} | {row[unit]:.2f} | {unit[3:]} | {row[loop]:.2f} {loop[3:]} "
              f"| {row['gain_over_definition']:.0f} | {row['ns_a_unit']:.1f} |")


def timing(row: dict | None) -> str:
    if row is None:
        return ""
    time = row["ns/element"]
    text = f"{time:.2f}" if time < 10 else f"{time:.0f}"
    return f"{text} ({row['mpfr_x']:.0f})" if "mpfr_x" in row else text


def functions(build: pathlib.Path) -> None:
    found = {}
    for program in ("numeric_functions", "double", "special"):
        for row in rows(build / f"interpreter/{program}_benchmark"):
            name, _, kind = row["name"].partition("/")
            if kind in ("f32", "f16", "bf16", ""):
                found.setdefault(name, {})[kind or "f64"] = row
    kinds = ("f32", "f16", "bf16", "f64")
    print("| ns per element (MPFR's are times as many) | " + " | ".join(kinds) + " |")
    print("|---" * (len(kinds) + 1) + "|")
    for name, row in found.items():
        print(f"| {name} | " + " | ".join(timing(row.get(kind)) for kind in kinds) + " |")


def main() -> int:
    build = pathlib.Path(sys.argv[1])
    tables = {"functions": functions, "operations": operations}
    tables.get("".join(sys.argv[2:]), beside_stablehlo)(build)
    return 0


if __name__ == "__main__":
    sys.exit(main())
