"""Where an engine is wrong by the oracle, one of each kind, with the smallest program."""

import collections

import runs
import smallest
from oracle import judge, symptoms
from oracle.formats import FORMATS, LeftOpen, Unknown
from oracle.programs import Array, literal, parse, written

MOST_TEXT = 12000  # of a program with its inputs, on a page and in its data


def quiet_nan(kind):
    f = FORMATS[kind]
    if f.special == "ieee":
        return ((1 << f.exponent) - 1) << f.mantissa | 1 << (f.mantissa - 1)
    return f.sign if f.special == "fnuz" else f.last + 1


def result_kind(text, leaf=0):
    entry = parse(text)["ENTRY"]
    return entry.instructions[entry.root].shape.leaf(leaf).kind


def root_of(text):
    """The operation of a program of one, beside constants; nothing of others."""
    entry = parse(text)["ENTRY"]
    several = sum(one.operation not in ("parameter", "constant")
                  for one in entry.instructions.values()) > 1
    return "" if several else entry.instructions[entry.root].operation


def operands_at(text, inputs, index):
    """The types and codes that the element at an index is made of, in programs all of whose
    arrays have its sizes."""
    arrays = [literal(one) for one in inputs]
    sizes = {array.shape.sizes for array in arrays if array.shape.sizes}
    if len(sizes) != 1 or len(index) != len(next(iter(sizes))):
        return []
    return [(array.shape.kind, array.at(index) if array.shape.sizes else array.codes[0])
            for array in arrays]


def asked(text, inputs, index, actual, reference, leaf=0):
    """The answers for what came, and for what the reference gives; symptom of the first."""
    got, ours = judge.judge(text, inputs, index, [actual, reference], leaf)
    kind = result_kind(text, leaf)
    word = symptoms.symptom(kind, judge.bits_of(kind, actual), got.code,
                            operands_at(text, inputs, index))
    return got, ours, word


def text_size(case):
    return len(case["hlo"]) + sum(map(len, case["inputs"]))


class Groups:
    """Cases that go wrong alike: an operation, a type and a symptom."""

    def __init__(self):
        self.wrong = collections.defaultdict(list)
        self.open = collections.defaultdict(list)
        self.ours = []

    def add(self, event):
        operation, kind = runs.kind_of(event)
        case = runs.case_of(event)
        if case is None or "hlo" not in case:
            return self.open[(operation, kind, "a program of a page, or in StableHLO")].append(
                (event, case))
        if event["verdict"] in runs.BROKEN:
            return self.add_broken(operation, kind, event, case)
        difference = event["difference"]
        try:
            operation = root_of(case["hlo"]) or operation
            got, ours, word = asked(case["hlo"], case["inputs"], difference["index"],
                                    difference["actual"], difference["reference"],
                                    difference["leaf"])
        except Unknown as unknown:
            return self.open[(operation, kind, str(unknown))].append((event, case))
        if not ours.right:
            self.ours.append(event["id"])
        if got.right:
            word = "lies between the bound of the suite and that of the oracle"
            return self.open[(operation, kind, word)].append((event, case))
        return self.wrong[(operation, kind, word)].append((event, case))

    def add_broken(self, operation, kind, event, case):
        """A death or an internal error of a program that has a value is one of the wrong."""
        message = event.get("message", "")
        if event["verdict"] == "crashed":
            word = "ends its process" if "died" in message else "does not answer in time"
        elif "INTERNAL" in message or "internal error" in message:
            word = "breaks off with an internal error"
        else:
            word = "fails: " + runs.plain(message)
        if word.startswith(("does not", "fails")):
            return self.open[(operation, kind, word)].append((event, case))
        try:
            operation = root_of(case["hlo"]) or operation
            right_of_broken(case["hlo"], case["inputs"], word)
        except Unknown as unknown:
            return self.open[(operation, kind, f"{word}; {unknown}")].append((event, case))
        return self.wrong[(operation, kind, word)].append((event, case))


def broken_index(program, inputs):
    entry = parse(program)["ENTRY"]
    sizes = entry.instructions[entry.root].shape.leaf(0).sizes
    if 0 in sizes:
        raise Unknown("a result without elements")
    return [0] * len(sizes) if sizes else []


def right_of_broken(program, inputs, word):
    """What an element is that the engine gave nothing for."""
    index = smallest.place_of_death(program, inputs) or broken_index(program, inputs)
    try:
        return judge.judge(program, inputs, index, [judge.zero_of(result_kind(program))])[0].words
    except LeftOpen as unknown:
        if word != "ends its process":
            raise
        return f"any number, but a number ({unknown})"


def found_in(groups, assay, backend):
    """A finding for each group of wrong answers."""
    findings, tries = [], []
    for (operation, kind, word), members in sorted(groups.wrong.items()):
        event, case = min(members, key=lambda one: (text_size(one[1]), one[0]["id"]))
        finding = {"operation": operation, "type": kind, "symptom": word,
                   "cases": len(members), "id": event["id"], "program": case["hlo"],
                   "inputs": case["inputs"]}
        if event["verdict"] in runs.BROKEN:
            finding["message"] = words_of_death(event["message"])
            finding["right"] = right_of_broken(case["hlo"], case["inputs"], word)
            index = smallest.place_of_death(case["hlo"], case["inputs"])
        else:
            difference = event["difference"]
            index = tuple(difference["index"])
            got, _, _ = asked(case["hlo"], case["inputs"], difference["index"],
                              difference["actual"], difference["reference"],
                              difference["leaf"])
            finding |= {"leaf": difference["leaf"]} if difference["leaf"] else {}
            finding |= {"index": list(index), "got": difference["actual"],
                        "reference": difference["reference"], "right": got.words}
        findings.append(finding)
        if index is not None:
            tries += [(finding, program, inputs) for program, inputs in smallest.smaller(
                case["hlo"], case["inputs"], index)]
    make_smaller(tries, assay, backend)
    return [finding for finding in findings
            if len(finding["program"]) + sum(map(len, finding["inputs"])) <= MOST_TEXT]


def words_of_death(message):
    return message.partition("its last words: ")[2].removeprefix("assay.serve: ").strip() or (
        message.strip())


def expectation(finding, program, inputs):
    """What the oracle says of every element, as a case has it."""
    if "message" in finding:
        return {"unspecified": "whether it is answered counts"}
    entry = parse(program)["ENTRY"]
    shape = entry.instructions[entry.root].shape
    (answer,) = judge.judge(program, inputs, [0] * len(shape.sizes), [finding["got"]])
    code = quiet_nan(shape.kind) if answer.code is None else answer.code
    count = smallest.ROW if shape.sizes else 1
    return {"bits": written(Array(shape, [code] * count))}


def make_smaller(tries, assay, backend):
    """Findings get the first of their smaller programs that shows them, too."""
    cases = []
    for finding, program, inputs in tries:
        cases.append((program, inputs, expectation(finding, program, inputs)))
    if not cases:
        return
    events = smallest.judged(assay, backend, cases)
    for number, (finding, program, inputs) in enumerate(tries):
        if not finding.get("smaller") and shows(events[number], finding, program, inputs):
            finding |= {"program": program, "inputs": inputs, "smaller": True}


def shows(event, finding, program, inputs):
    if "message" in finding:
        if event["verdict"] not in runs.BROKEN:
            return False
        finding["message"] = words_of_death(event["message"])
        finding["right"] = right_of_broken(program, inputs, finding["symptom"])
        return True
    if event["verdict"] != "differs":
        return False
    difference = event["difference"]
    try:
        got, ours, word = asked(program, inputs, difference["index"], difference["actual"],
                                difference["reference"])
    except Unknown:
        return False
    if got.right or not ours.right or word != finding["symptom"]:
        return False
    finding |= {"index": difference["index"], "got": difference["actual"],
                "reference": difference["reference"], "right": got.words}
    return True


def left_open(groups):
    return [{"operation": operation, "type": kind, "why": why, "cases": len(members),
             "id": min(event["id"] for event, _ in members)}
            for (operation, kind, why), members in sorted(groups.open.items())]


def of_run(cases, assay, backend):
    """(findings, what is left open, cases in which our own value is wrong)."""
    groups = Groups()
    for event in cases:
        if event["verdict"] == "differs" or event["verdict"] in runs.BROKEN:
            groups.add(event)
    return found_in(groups, assay, backend), left_open(groups), groups.ours
