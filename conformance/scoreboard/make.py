#!/usr/bin/env python3
"""make.py ASSAY ENGINE DATE EVENTS[=SAMPLE]...: the data and the page of an engine.

EVENTS are those of `assay check -b ENGINE --levels -o EVENTS`, SAMPLE are the flags and files
with which it ran beside these. A case of several runs is that of the first. $ASSAY_PYTHON
has the engine.
"""

import json
import os
import pathlib
import subprocess
import sys

import findings
import pages
import runs

HERE = pathlib.Path(__file__).resolve().parent
RELEASE = """import sys
sys.path.insert(0, sys.argv[1])
from assay.serve.engines import engine_of
engine = engine_of(sys.argv[2])
engine.prepare()
print(engine.release)
"""


def release_of(python, engine):
    package = HERE.parent / "python"
    done = subprocess.run([python, "-c", RELEASE, str(package), engine], capture_output=True,
                          text=True, check=True)
    return done.stdout.splitlines()[-1]


def cases_of(engine, files):
    """Each case once, in the order of positions in the first run that has it."""
    known = {}
    for file in files:
        begin, cases = runs.read(file)
        if begin["backend"] != engine:
            sys.exit(f"{file} is of {begin['backend']}, but must be of {engine}")
        for event in cases:
            known.setdefault(event["id"], event)
    return sorted(known.values(), key=lambda event: (event["file"], event["id"]))


def data_of(assay, engine, files, date, samples, release):
    cases = cases_of(engine, files)
    found, left_open, ours = findings.of_run(cases, assay, engine)
    if ours:
        sys.exit(f"the oracle contradicts the reference: {ours}")
    verdicts = {}
    for event in cases:
        verdicts[event["verdict"]] = verdicts.get(event["verdict"], 0) + 1
    return {"engine": engine, "release": release, "date": date, "samples": samples,
            "cases": len(cases), "verdicts": dict(sorted(verdicts.items())),
            "table": runs.table(cases),
            "refusals": runs.refusals(cases), "findings": found, "open": left_open}


def text_of(data):
    """JSON with a line for each field, and for each entry of the long ones."""
    fields = []
    for name, value in data.items():
        text = json.dumps(value, ensure_ascii=False)
        if isinstance(value, list):
            entries = ",\n".join(json.dumps(one, ensure_ascii=False) for one in value)
            text = f"[\n{entries}\n]" if value else "[]"
        fields.append(f"{json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(fields) + "\n}\n"


def with_row(text, mark, row):
    """The README with the row of an engine in place of the one that it has."""
    lines = text.splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("| [") and mark in line)
    return "\n".join([*lines[:at], row, *lines[at + 1:]]) + "\n"


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    assay, engine, date, *events = sys.argv[1:]
    files, _, samples = zip(*(one.partition("=") for one in events))
    release = release_of(os.environ["ASSAY_PYTHON"], engine)
    data = data_of(assay, engine, files, date, list(samples), release)
    name = pages.name_of(engine)
    (HERE / "data" / f"{name}.json").write_text(text_of(data))
    (HERE / f"{name}.md").write_text(pages.page(data))
    readme = HERE / "README.md"
    readme.write_text(with_row(readme.read_text(), f"({name}.md)", pages.summary(data)))
    print(f"{engine}: {len(data['findings'])} findings, {len(data['open'])} kinds left open")


if __name__ == "__main__":
    main()
