"""Checks that the program reads, writes and prints by conformance/files only.

Anything else that opens, renames or prints has its own answers to full disks,
errors of reading, other runs and signals. Tests read their data as they like,
but write by that folder too.
"""

import pathlib
import re
import sys

from layers import ROOT, TEST

FOLDERS = ("interpreter", "backends", "conformance")
THE_ONE_PLACE = "conformance/files/"
NO_CODE = re.compile(r'//[^\n]*|R"\(.*?\)"|"(?:\\.|[^"\\\n])*"|' r"'(?:\\.|[^'\\\n])*'", re.S)
WRITING = re.compile(
    r"\b(?:std::fstream|ofstream|filebuf)\b|\bf(?:d|re)?open\s*\(|\bmkstemp\w*\s*\("
    r"|(?<![\w.>])(?:::\s*)?(?:open|openat|creat)\s*\("
    r"|(?<![\w.>])(?:std|fs|filesystem)?::rename\s*\(|\bresize_file\b|\bcopy_file\b")
# What the program alone must not use; the names of streams too.
READING = re.compile(
    r"\bifstream\b|\bstd::c(?:in|out|err|log)\b|\bstd(?:in|out|err)\b|\bfmt::print\b"
    r"|(?<!\w)f?(?:puts|printf|putchar|putc|fwrite|fread)\s*\(")
ALLOWED = {
    # What stops a fuzzer is printed before it aborts.
    "_fuzz.cc": re.compile(r"\bstderr\b|fprintf"),
    # What /proc says of threads is no file, and not to be had is an answer.
    "/time_limit.cc": re.compile(r"\bifstream\b"),
    # What a library prints before it dies shall not be lost.
    "/assay_abi_worker.cc": re.compile(r"\bstdout\b"),
}


def findings(path: str, text: str) -> list[str]:
    code = NO_CODE.sub(lambda match: "\n" * match.group().count("\n"), text)
    rules = [WRITING] if TEST.search(path) else [WRITING, READING]
    allowed = next((rule for ending, rule in ALLOWED.items() if path.endswith(ending)), None)
    return [
        f"{path}:{number}: {found.group().strip()} belongs into {THE_ONE_PLACE}"
        for number, line in enumerate(code.splitlines(), 1)
        for rule in rules
        for found in rule.finditer(line)
        if not (allowed and allowed.search(found.group()))
    ]


def main() -> int:
    wrong, count = [], 0
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*")):
            path = file.relative_to(ROOT).as_posix()
            if file.suffix not in (".h", ".cc") or path.startswith(THE_ONE_PLACE):
                continue
            count += 1
            wrong += findings(path, file.read_text())
    print("\n".join(wrong) or f"file_access: {count} files open none themselves")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
