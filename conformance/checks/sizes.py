"""Checks sizes: source files of at most 450 lines, vectors of at most 1 MB."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINES = 450
VECTOR_BYTES = 1 << 20
ALL_VECTORS_BYTES = 50 << 20


def main() -> int:
    wrong = []
    for folder in ("interpreter", "backends", "conformance", "generators"):
        for ending in ("*.h", "*.cc", "*.py"):
            for file in sorted((ROOT / folder).rglob(ending)):
                lines = file.read_text().count("\n")
                if lines > LINES:
                    wrong.append(f"{file.relative_to(ROOT)}: {lines} lines")
    vectors = sorted((ROOT / "conformance/vectors").rglob("*.jsonl"))
    for file in vectors:
        if file.stat().st_size > VECTOR_BYTES:
            wrong.append(f"{file.relative_to(ROOT)}: over 1 MB")
    if sum(file.stat().st_size for file in vectors) > ALL_VECTORS_BYTES:
        wrong.append("conformance/vectors: over 50 MB")
    print("\n".join(wrong) or "sizes: fine")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
