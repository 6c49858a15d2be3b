"""Fills a folder with seeds for a libFuzzer target: the examples of spec/."""

import hashlib
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^\s*```(hlo|mlir)[^\n]*\n(.*?)^\s*```", re.M | re.S)


INPUTS = [
    "2x2xf32=1 2 3 4",
    "2x2xf32=[[1 2][3 4]]",
    "3xi8=0xff 1 -2",
    "{ {1, 2}, {3, nan(0x400001)} }",
    "f32[2,2] {{1, 2}, {3, -inf}}",
    "2xc64=(1,2) (3,4)",
    "({1, 2}, 7)",
    "true",
]


def npy(descr: str, shape: str, size: int) -> bytes:
    head = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n"
    return b"\x93NUMPY\x01\x00" + bytes([len(head), 0]) + head.encode() + bytes(size)


def examples(language: str) -> list[bytes]:
    pages = sorted((ROOT / "spec").rglob("*.md"))
    return [
        body.split("\n---")[0].encode()
        for page in pages
        for fence, body in FENCE.findall(page.read_text())
        if fence == language
    ]


def stablehlo_files() -> list[bytes]:
    folder = pathlib.Path(os.environ.get("ASSAY_DATA", ROOT / "../shared/data"))
    files = sorted((folder / "stablehlo").rglob("*.mlir"))
    return [f.read_bytes() for f in files if f.stat().st_size < 3000]


def seeds(target: str) -> list[bytes]:
    if target.startswith("case"):
        lines = []
        for file in sorted((ROOT / "conformance/vectors").glob("*.jsonl")):
            lines += file.read_bytes().splitlines()[:3]
        return [line for line in lines if len(line) < 4000]
    if target.startswith("parser"):
        return examples("hlo")
    if target.startswith("parse"):
        return examples("mlir") + stablehlo_files()
    if target.startswith("npy"):
        return [npy("<f4", "(2, 3)", 24), npy("<V1", "(5,)", 5), npy(">c16", "()", 16)]
    if target.startswith("inputs"):
        return [line.encode() for line in INPUTS]
    return []


def main() -> None:
    folder = pathlib.Path(sys.argv[2])
    for seed in seeds(sys.argv[1]):
        (folder / hashlib.sha1(seed).hexdigest()).write_bytes(seed)


if __name__ == "__main__":
    main()
