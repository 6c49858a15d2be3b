"""Rejects #include lines that point up the layers, and circles (CONTRIBUTING.md).

Every folder with C++ is a layer; a .h and its .cc are one unit.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
TEST = re.compile(r"(_(test|benchmark|fuzz)\.cc$)|/testing/|/corpora/|/consumer/|/fuzz/")

# A folder may include itself and those above it in this list; a file that is
# named here stands for itself.
LAYERS = """
interpreter/counted
interpreter/shortened
interpreter/nearest
interpreter/message
interpreter/error
interpreter/arithmetic_state
interpreter/model
interpreter/numeric/format
interpreter/numeric/random
interpreter/numeric/exact
interpreter/numeric/real
interpreter/numeric/special
interpreter/numeric/f64
interpreter/numeric/f32
interpreter/numeric/complex
interpreter/numeric
interpreter/rules
interpreter/rules/sizes
interpreter/rules/dimensions
interpreter/rules/attributes
interpreter/rules/devices
interpreter/text/scan
interpreter/text/grammar
interpreter/text/module
interpreter/text
interpreter/run
interpreter/definition/numbers
interpreter/definition/functions
interpreter/definition
interpreter/plans/elementwise
interpreter/plans/movement
interpreter/plans/region
interpreter/plans/fold
interpreter/plans/contraction/contraction
interpreter/plans/contraction/blocks
interpreter/plans/contraction
interpreter/plans/updates
interpreter/plans/sort
interpreter/plans/fourier
interpreter/plans/linear
interpreter/plans/random
interpreter/devices
interpreter/foreign
interpreter/ops
interpreter/ops/functions
interpreter/sized
interpreter/evaluate
interpreter/verify
interpreter/builder
interpreter/stablehlo
interpreter/stablehlo/read/attributes
interpreter/stablehlo/read
interpreter/stablehlo/import/importer
interpreter/stablehlo/import/operations
interpreter/stablehlo/import/devices
interpreter/stablehlo/import/calls
interpreter/stablehlo/import
interpreter/stablehlo/export
backends
backends/devices
backends/cpu/threads
backends/cpu/arrays
backends/cpu/kernels
backends/cpu/kernels/moves
backends/cpu/kernels/folds
backends/cpu/kernels/products
backends/cpu/kernels/other_products
backends/cpu/kernels/lanes
backends/cpu/kernels/features
backends/cpu/kernels/tiles
backends/cpu/kernels/sorting
backends/cpu/kernels/transforms
backends/cpu/routines/regions
backends/cpu/routines/products
backends/cpu/routines
backends/cpu/functions/linear
backends/cpu/functions/random
backends/cpu/functions/fourier
backends/cpu/functions/normalization
backends/cpu/functions/sequences
backends/cpu/functions/mixed
backends/cpu/functions/complex
backends/cpu/functions/math_functions
backends/cpu/functions/special
backends/cpu/functions
backends/cpu/sizes
backends/cpu/devices
backends/cpu/graph
backends/cpu/plan/block
backends/cpu/plan/steps
backends/cpu/plan/memory
backends/cpu/plan
backends/cpu
backends/gpu/kernels
backends/gpu/device
backends/gpu/program
backends/gpu/operations/orders
backends/gpu/operations
backends/gpu/operations/folds
backends/gpu/operations/fourier
backends/gpu/run
backends/gpu
backends/tpu/generations
backends/tpu/memory
backends/tpu/machine
backends/tpu/counts
backends/tpu/program
backends/tpu/blocks
backends/tpu/operations/contraction
backends/tpu/operations/fills
backends/tpu/operations/parts
backends/tpu/operations/sizes
backends/tpu/operations/bits
backends/tpu/operations
backends/tpu/operations/updates
backends/tpu/operations/calls
backends/tpu/devices
backends/tpu/run
backends/tpu
backends/interpreter
backends/mutant
backends/process
backends/abi/assay_backend
backends/abi/worker
backends/abi
backends/registry
conformance/files
conformance/files/process
conformance/jobs
conformance/levels
conformance/literals
conformance/sets
conformance/case
conformance/expect/linear
conformance/expect/order
conformance/expect/sums
conformance/expect
conformance/certify/array
conformance/certify/image
conformance/certify/rules
conformance/certify/devices
conformance/certify
conformance/judge
conformance/translation
conformance/waivers
conformance/golden
conformance/report
conformance/cache
conformance/merge
conformance/report_pages
conformance/report_pages/history
conformance/layout
conformance/random
conformance/tiers
conformance/numerics
conformance/sweep/points
conformance/sweep
conformance/sweep/recorded
conformance/fingerprint
conformance/pages
conformance/explain/recording
conformance/explain/values
conformance/explain/story
conformance/explain/rules
conformance/explain
conformance/shrink
conformance/audit
conformance/commands/options
conformance/commands/verified_program
conformance/commands/results
conformance/commands/compiling
conformance/commands/shrinking
conformance/commands/auditing
conformance/commands/fingerprinting
conformance/commands/before_after
conformance/commands/comparison
conformance/commands
conformance/commands/command_line
conformance/commands/main
conformance/python/library
conformance/fuzz
"""
RANK = {
    name: i
    for i, line in enumerate(LAYERS.split("\n"))
    for name in line.split()
}
CPU_MAY_USE = re.compile(
    r"interpreter/(model/|error|counted|message|text/"
    r"|rules/((op|callee|reducer|shape_rules|sizes/fitting|dimensions/ragged_dimension)\.h|devices/))")


def unit(path: str) -> str:
    return path.rsplit(".", 1)[0]


def layer(path: str) -> str | None:
    """The entry of LAYERS that the file belongs to."""
    if unit(path) in RANK:
        return unit(path)
    folder = path.rsplit("/", 1)[0]
    return folder if folder in RANK else None


def sources() -> list[pathlib.Path]:
    return [
        file
        for top in ("interpreter", "backends", "conformance")
        for ending in ("*.h", "*.cc")
        for file in sorted((ROOT / top).rglob(ending))
        if not TEST.search(file.relative_to(ROOT).as_posix())
    ]


def climbs(path: str, targets: list[str]) -> list[str]:
    own = layer(path)
    if own is None:
        return [f"{path}: its folder is no layer (conformance/checks/layers.py)"]
    wrong = []
    for target in targets:
        other = layer(target)
        if other is not None and RANK[other] > RANK[own]:
            wrong.append(f"{path} includes {target}, which is above it")
        reference = target.startswith("interpreter/")
        if path.startswith("backends/cpu/") and reference:
            if not CPU_MAY_USE.match(target):
                wrong.append(f"{path} includes {target}: cpu: shares no numbers")
    return wrong


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The sets of units that include each other (Tarjan's algorithm)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found = []

    def visit(v: str) -> None:
        index[v] = low[v] = len(index)
        stack.append(v)
        for w in graph.get(v, ()):
            if w not in index:
                visit(w)
                low[v] = min(low[v], low[w])
            elif w in stack:
                low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            at = stack.index(v)
            found.append(sorted(stack[at:]))
            del stack[at:]

    sys.setrecursionlimit(10000)
    for v in graph:
        if v not in index:
            visit(v)
    return [members for members in found if len(members) > 1]


def main() -> int:
    files = sources()
    wrong, graph = [], {}
    for file in files:
        path = file.relative_to(ROOT).as_posix()
        targets = INCLUDE.findall(file.read_text())
        wrong += climbs(path, targets)
        graph.setdefault(unit(path), set()).update(
            unit(target) for target in targets if unit(target) != unit(path))
    wrong += ["a circle: " + ", ".join(members) for members in circles(graph)]
    print("\n".join(wrong) or
          f"layers: {len(files)} files include downward only, without circles")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
