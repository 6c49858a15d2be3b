"""Rejects #include lines that point up the layers (CONTRIBUTING.md)."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
TEST = re.compile(r"_(test|benchmark|fuzz)\.cc$")

# Each layer may include itself and those before it; the longest prefix counts.
LAYERS = [
    ["interpreter/error.", "interpreter/counted."],
    ["interpreter/model/"],
    ["interpreter/numeric/"],
    ["interpreter/op."],
    ["interpreter/text/", "interpreter/"],
    ["interpreter/ops/"],
    ["interpreter/stablehlo/", "interpreter/builder/"],
    ["backends/backend.h"],
    ["backends/"],
    ["conformance/"],
]
CPU_MAY_USE = re.compile(r"interpreter/(model/|error|text/|op\.h)")


def layer(path: str) -> int:
    best, length = -1, -1
    for i, prefixes in enumerate(LAYERS):
        for prefix in prefixes:
            if path.startswith(prefix) and len(prefix) > length:
                best, length = i, len(prefix)
    return best


def problems(file: pathlib.Path) -> list[str]:
    path = file.relative_to(ROOT).as_posix()
    wrong = []
    for target in INCLUDE.findall(file.read_text()):
        if layer(target) > layer(path):
            wrong.append(f"{path} includes {target}, which is above it")
        reference = target.startswith("interpreter/")
        if path.startswith("backends/cpu/") and reference:
            if not CPU_MAY_USE.match(target):
                wrong.append(f"{path} includes {target}: cpu: shares no numbers")
    return wrong


def main() -> int:
    files = [
        file
        for folder in ("interpreter", "backends", "conformance")
        for ending in ("*.h", "*.cc")
        for file in sorted((ROOT / folder).rglob(ending))
        if not TEST.search(file.name)
    ]
    wrong = [line for file in files for line in problems(file)]
    print("\n".join(wrong) or f"layers: {len(files)} files include downward only")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
