#!/usr/bin/env python3
"""check.py findings | pages | oracle: what the scoreboard says is asked again; no engine is needed.

findings: the oracle calls each number of an engine wrong, and that of the reference right.
pages: each page is what its data gives. oracle: it agrees with the vectors' own values.
"""

import json
import pathlib
import re
import sys

import findings
import make
import pages
import runs
from oracle import judge
from oracle.formats import PARTS, Unknown
from oracle.programs import literal

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[0] / "python"))

from assay.serve import engines  # noqa: E402

OF_ARRAYS = re.compile(r"pred|bf16|[suf]\d+|c64|c128|f\de\dm\d\w*")
LEAST = 50
# What the suite must have found: engine, operations, types, symptom.
KNOWN = [
    ("jax:cpu", {"maximum", "minimum", "reduce"}, "loses a NaN"),
    ("jax:cpu", None, "flushes subnormal numbers"),
    ("onnxruntime:", {"logistic"}, "is another number"),
    ("onnxruntime:", {"tanh"}, "is too far off"),
    ("stablehlo-interpreter:", {"divide"}, "ends its process"),
]
# Operations of which all cases are asked, beside the smoke tier: their windows and indices
# have many attributes.
WHOLE = {"convolution", "gather", "reduce_window", "scatter", "select_and_scatter", "sort", "topk"}
AGREED = 7000  # elements that the oracle must have known


def all_data():
    return [json.loads(path.read_text()) for path in sorted((HERE / "data").glob("*.json"))]


def check_finding(one):
    """What is wrong with a finding; nothing where it is confirmed."""
    if "message" in one:
        right = findings.right_of_broken(one["program"], one["inputs"], one["symptom"])
        return "" if right == one["right"] else f"right is {right}, not {one['right']}"
    got, ours, word = findings.asked(one["program"], one["inputs"], one["index"], one["got"],
                                     one["reference"], one.get("leaf", 0))
    if got.right:
        return f"{one['got']} is right"
    if not ours.right:
        return f"the reference gives {one['reference']}, but right is {ours.words}"
    if word != one["symptom"]:
        return f"it {word}, and not: {one['symptom']}"
    return "" if got.words == one["right"] else f"right is {got.words}, not {one['right']}"


def check_findings():
    wrong, count = [], 0
    for data in all_data():
        for one in data["findings"]:
            what = check_finding(one)
            count += "message" not in one
            if what:
                wrong.append(f"{data['engine']}: {one['id']}: {what}")
    if count < LEAST:
        wrong.append(f"{count} numbers of engines are wrong, but at least {LEAST} must be")
    for engine, operations, symptom in KNOWN:
        if not any(data["engine"] == engine and one["symptom"] == symptom and (
                operations is None or one["operation"] in operations)
                for data in all_data() for one in data["findings"]):
            wrong.append(f"{engine}: no finding of {operations or 'any'} that {symptom}")
    return wrong, f"the oracle confirms {count} wrong numbers"


def missing_types(data):
    """The types of arrays of which no case of the engine has a result."""
    with_result = {kind for _, kind, conforms, differs, *_ in data["table"]
                   if conforms or differs}
    kinds = {kind for _, kind, *_ in data["table"] if OF_ARRAYS.fullmatch(kind)}
    return kinds - with_result


def check_tags(data):
    """What is wrong with the tags that the worker of an engine gives itself."""
    engine = engines.engine_of(data["engine"])
    said = set(getattr(engine, "tags", ()))
    found = {f"no-{kind}" for kind in missing_types(data)}
    return [] if not said and data["engine"] == "jax:cuda" or said == found else [
        f"{data['engine']} says {sorted(said)}, but by its data it has {sorted(found)}"]


def check_pages():
    wrong = [fault for data in all_data() for fault in check_tags(data)]
    for data in all_data():
        name = pages.name_of(data["engine"])
        path = HERE / f"{name}.md"
        if not path.exists() or path.read_text() != pages.page(data):
            wrong.append(f"{path.name} is not what data/{name}.json gives")
        if (HERE / "data" / f"{name}.json").read_text() != make.text_of(data):
            wrong.append(f"data/{name}.json is not as make.py writes it")
        row = f"| [{pages.TITLES[data['engine']]}]({name}.md) |"
        if pages.summary(data) not in (HERE / "README.md").read_text().splitlines():
            wrong.append(f"README.md has no line {pages.summary(data)!r}, or another one for {row}")
    names = {pages.name_of(data["engine"]) for data in all_data()} | {"README"}
    wrong += [f"{path.name} has no data" for path in sorted(HERE.glob("*.md"))
              if path.stem not in names]
    return wrong, f"{len(names) - 1} pages are what their data give"


def elements_of(array):
    """A few of an array: their indices and bits."""
    for place in sorted({0, len(array.codes) // 2, len(array.codes) - 1}):
        index, rest = [], place
        for size in reversed(array.shape.sizes):
            index.append(rest % size)
            rest //= size
        code = array.codes[place]
        yield index[::-1], ":".join(f"{part:x}" for part in (
            code if array.shape.kind in PARTS else [code]))


def stated_leaves(case):
    """The values that a case states, by the numbers of its results."""
    if "hlo" not in case or not isinstance(case["expect"], list):
        return
    for leaf, stated in enumerate(case["expect"]):
        text = isinstance(stated, dict) and (stated.get("bits") or stated.get("interval"))
        if text:
            yield leaf, text


def ask_of(case, leaf, text):
    """How many elements of a result the oracle knows, and what it says against them."""
    known, wrong = 0, []
    try:
        array = literal(text)
        for index, bits in elements_of(array) if array.codes else ():
            (answer,) = judge.judge(case["hlo"], case["inputs"], index, [bits], leaf)
            known += 1
            if not answer.right:
                wrong.append(f"{case['id']} {leaf} {index}: {bits}, right is {answer.words}")
    except Unknown:
        pass
    return known, wrong


def check_oracle():
    wrong, known = [], 0
    chosen = set((runs.ROOT / "conformance/vectors/smoke.txt").read_text().split())
    for path in sorted((runs.ROOT / "conformance/vectors").glob("*.jsonl")):
        for line in path.read_text().splitlines()[1:]:
            if path.stem not in WHOLE and (
                    line.partition('"id":"')[2].partition('"')[0] not in chosen):
                continue
            case = json.loads(line)
            for leaf, text in stated_leaves(case):
                count, against = ask_of(case, leaf, text)
                known, wrong = known + count, wrong + against
    if known < AGREED:
        wrong.append(f"the oracle knew {known} elements, but must know {AGREED}")
    return wrong, f"the oracle agrees with {known} elements of the vectors"


def main():
    checks = {"findings": check_findings, "pages": check_pages, "oracle": check_oracle}
    if len(sys.argv) != 2 or sys.argv[1] not in checks:
        sys.exit(__doc__)
    wrong, said = checks[sys.argv[1]]()
    print("\n".join(wrong) or said)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
