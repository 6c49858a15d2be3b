"""The events of a run of `assay check --levels`, counted."""

import collections
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEVELS = ["exact", "cr", "faithful", "tight", "opencl-full", "xla-exhaustive", "relaxed"]
BROKEN = ("crashed", "error", "rejected-wrongly", "wrong-shape")
FOLDERS = re.compile(r"covering-\w+")
PLACES = [
    (re.compile(r"(explicitly marked illegal).*", re.DOTALL), r"\1"),
    (re.compile(r"^was parsing \d+:\d+: "), ""),
    (re.compile(r"(?:<stdin>|source\.mlir):\d+:\d+: "), ""),
    (re.compile(r"loc\(\"?[^)]*\)+:?"), ""), (re.compile(r"%[\w.-]+"), "%"),
    (re.compile(r"tensor<[^<>]*(?:<[^<>]*>)?>"), "tensor"),
    (re.compile(r"\b[a-z]\w*\[[\d,<=]*\](?:\{[^}]*\})?"), "array"),
    (re.compile(r"\b\d+\b"), "N"), (re.compile(r"\s+"), " "),
]
OF_TYPE = re.compile(r"^(pred|token|bf16|[suf]\d+|c64|c128|f\de\dm\d\w*): ")
MOST_WORDS = 160
COUNTED = ("conforms", "differs", "broken", "unsupported", "level")


def read(path):
    """The first event, and those of the cases in their order."""
    begin, cases = None, []
    for line in pathlib.Path(path).read_text().splitlines():
        event = json.loads(line)
        if event["event"] == "begin":
            begin = event
        elif event["event"] == "case":
            cases.append(event)
    cases.sort(key=lambda event: event["position"])
    return begin, cases


def kind_of(event):
    """The operation and the type of a case."""
    operation, kind, what = event["id"].split("/", 2)
    if FOLDERS.fullmatch(operation):
        operation = re.split(r"[_.]", what)[0]
    return operation, kind


def plain(message):
    """A refusal without what differs from case to case."""
    for pattern, words in PLACES:
        message = pattern.sub(words, message)
    message = message.strip()
    return message if len(message) <= MOST_WORDS else message[:MOST_WORDS - 3] + "..."


def table(cases):
    """Rows of operation, type and what is COUNTED: verdicts, and the rank of the strictest
    level that all cases pass."""
    rows = collections.defaultdict(lambda: dict.fromkeys(COUNTED, 0))
    for event in cases:
        verdict = event["verdict"]
        if verdict in ("refused", "rejected-rightly"):
            continue
        row = rows[kind_of(event)]
        if verdict in BROKEN:
            row["broken"] += 1
        elif verdict in row:
            row[verdict] += 1
        row["level"] = max(row["level"], event.get("level", 0))
    return [[*key, *rows[key].values()] for key in sorted(rows)]


def refusals(cases):
    """For each message what it was given for: operations with their types, or types alone."""
    found = collections.defaultdict(lambda: [0, collections.defaultdict(set)])
    for event in cases:
        if event["verdict"] == "unsupported":
            operation, kind = kind_of(event)
            message = event.get("message", "")
            if match := OF_TYPE.match(message):
                operation, kind, message = "any", match[1], message[match.end():]
            entry = found[plain(message)]
            entry[0] += 1
            entry[1][operation].add(kind)
    return [{"message": message, "cases": count,
             "where": {operation: " ".join(sorted(kinds[operation]))
                       for operation in sorted(kinds)}}
            for message, (count, kinds) in sorted(
                found.items(), key=lambda item: (-item[1][0], item[0]))]


def case_of(event, known={}):
    """The case that an event tells of; None of one from a page, or that is there no more."""
    if not event["file"].endswith(".jsonl"):
        return None
    path = ROOT / event["file"]
    if path not in known:
        known.clear()  # files come one after the other, and are large
        lines = path.read_text().splitlines()[1:]
        known[path] = {line.partition('"id":"')[2].partition('"')[0]: line for line in lines}
    line = known[path].get(event["id"])
    return line and json.loads(line)
