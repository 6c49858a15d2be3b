"""Fills a folder with seeds for a libFuzzer target: the examples of spec/."""

import hashlib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^\s*```hlo[^\n]*\n(.*?)^\s*```", re.M | re.S)


def seeds(target: str) -> list[bytes]:
    if target.startswith("case"):
        lines = []
        for file in sorted((ROOT / "conformance/vectors").glob("*.jsonl")):
            lines += file.read_bytes().splitlines()[:3]
        return [line for line in lines if len(line) < 4000]
    if target.startswith("parser"):
        pages = sorted((ROOT / "spec").rglob("*.md"))
        return [
            body.split("\n---")[0].encode()
            for page in pages
            for body in FENCE.findall(page.read_text())
        ]
    return []


def main() -> None:
    folder = pathlib.Path(sys.argv[2])
    for seed in seeds(sys.argv[1]):
        (folder / hashlib.sha1(seed).hexdigest()).write_bytes(seed)


if __name__ == "__main__":
    main()
