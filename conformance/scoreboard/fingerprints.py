#!/usr/bin/env python3
"""fingerprints.py ENGINE DATE FILE [RELEASE] | --check: how engines sum, as a page.

FILE is that of `assay fingerprint -b ENGINE -o FILE`; what the page needs of it is kept in
fingerprints/. $ASSAY_PYTHON has the engine, where no RELEASE is given.
--check: the page is what the data gives.
"""

import json
import os
import pathlib
import sys

import make
import pages

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE / "fingerprints"
PARTS = ["products", "operands", "blocks", "additions", "joins", "result"]
KEPT = ["terms", "status", "message", "model", "closest_model", "drawn", "refuted"]


def kept_sum(one):
    """What the page needs of the sums of one number of terms."""
    kept = {name: one[name] for name in KEPT if name in one}
    if "order" in one:
        order = dict(one["order"])
        if order["name"]:
            del order["tree"]
        kept["order"] = order
    if "probes" in one:
        kept["specials"] = [case for case in one["probes"]["specials"]
                            if case["wanted"] not in ("", case["found"])]
    return kept


def kept(found, date, release):
    operations = [{**operation, "sums": [kept_sum(one) for one in operation["sums"]]}
                  for operation in found["operations"]]
    return {"engine": found["backend"], "release": release, "date": date,
            "operations": operations}


def listed(numbers):
    return ", ".join(map(str, numbers))


def orders(operation):
    """The orders of all numbers of terms, those with one name together."""
    groups = []
    for one in operation["sums"]:
        order = one.get("order")
        name = (order["name"] or f"`{order['hash']}`, without a name") if order else "not found"
        if groups and groups[-1][0] == name:
            groups[-1][1].append(one["terms"])
        else:
            groups.append((name, [one["terms"]]))
    return "; ".join(f"{listed(terms)}: {name}" for name, terms in groups)


def model_words(operation):
    model = operation["sums"][-1].get("model", {})
    return "; ".join(f"{part} {model[part]}" for part in PARTS if part in model)


def row(operation):
    sums = operation["sums"]
    drawn = sum(one.get("drawn", {}).get("equal", 0) for one in sums)
    kind = operation["operands"]
    if operation["result"] != kind:
        kind += f" to {operation['result']}"
    return (f"| {operation['operation']} | {kind} | {operation['status']} | {drawn} | "
            f"{orders(operation)} | {pages.cell(model_words(operation))} |")


def refutation(operation, one):
    """Why sums of a number of terms are not explained."""
    words = [f"* {operation['operation']} of {operation['operands']}, {one['terms']} terms: "
             f"{pages.cell(one.get('message') or one['status'])}."]
    if "refuted" in one:
        told = one["refuted"]
        zero = {f"{operation['operands']}:{'0' * len(told['a'][0].split(':')[1])}"}
        factors = zip(told["a"], told.get("b", [""] * len(told["a"])))
        terms = [f"{place}: {a}{' * ' * bool(b)}{b}" for place, (a, b) in enumerate(factors)
                 if a not in zero]
        words.append(f"  Of the terms {'; '.join(terms[:8])}"
                     f"{f' and {len(terms) - 8} more' if len(terms) > 8 else ''} (others 0) it "
                     f"gives {told['backend']}, and the closest model {told['model']}.")
    return words


def specials(data):
    """Cases in which the engine gives another value than is wanted."""
    found = {}
    for operation in data["operations"]:
        for one in operation["sums"]:
            for case in one.get("specials", []):
                words = f"{case['case']}: {case['found']} instead of {case['wanted']}"
                found.setdefault(words, {})[f"{operation['operation']} of "
                                            f"{operation['operands']}"] = None
    return [f"* {words} ({', '.join(where)})." for words, where in found.items()]


def trees(data):
    """The orders without a name, once each."""
    found = {}
    for operation in data["operations"]:
        for one in operation["sums"]:
            order = one.get("order", {})
            if "tree" in order:
                found[order["hash"]] = order["tree"]
    return [f"* `{name}`: `{tree}`" for name, tree in sorted(found.items()) if len(tree) < 500]


def section(data):
    supported = [one for one in data["operations"] if one["status"] != "unsupported"]
    explained = sum(one["status"] == "explained" for one in supported)
    others = [f"{one['operation']} of {one['operands']}" for one in data["operations"]
              if one["status"] == "unsupported"]
    lines = [f"## {pages.TITLES[data['engine']]}", "",
             f"{data['release']}, run on {data['date']} by `assay fingerprint -b "
             f"{data['engine']}`: {explained} of {len(supported)} explained bit for bit"
             + (f"; unsupported: {', '.join(others)}." if others else "."), "",
             "| operation | type | | drawn sums that are equal | terms: order | how |",
             "|---|---|---|---:|---|---|", *map(row, supported), ""]
    wrong = [line for operation in supported for one in operation["sums"]
             if one["status"] != "explained" for line in refutation(operation, one)]
    for head, found in (("Not explained:", wrong), ("Special cases:", specials(data)),
                        ("Orders without a name:", trees(data))):
        if found:
            lines += [head, "", *found, ""]
    return lines


def page(all_data):
    lines = ["# How engines sum", "",
             "Generated by `./dev engines`; not to be edited. What each part means says "
             "[spec/fingerprint.md](../../../spec/fingerprint.md); a model is that of the largest "
             "number of terms. *Explained* is what gives the bits of every sum that was drawn, of "
             "every number of terms.", ""]
    for data in all_data:
        lines += section(data)
    return "\n".join(lines).rstrip("\n") + "\n"


def all_data():
    found = [json.loads(path.read_text()) for path in FOLDER.glob("*.json")]
    return sorted(found, key=lambda data: list(pages.TITLES).index(data["engine"]))


def check():
    data = all_data()
    if not data or (FOLDER / "README.md").read_text() != page(data):
        print("fingerprints/README.md is not what its data gives")
        return 1
    print(f"the fingerprints of {len(data)} engines are what their data give")
    return 0


def main():
    if sys.argv[1:] == ["--check"]:
        return check()
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    engine, date, file, *given = sys.argv[1:]
    found = json.loads(pathlib.Path(file).read_text())
    if found["backend"] != engine:
        sys.exit(f"{file} is of {found['backend']}, but must be of {engine}")
    number = given[0] if given else make.release_of(os.environ["ASSAY_PYTHON"], engine)
    release = f"{pages.PACKAGES[engine]} {number}"
    name = pages.name_of(engine)
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.json").write_text(make.text_of(kept(found, date, release)))
    (FOLDER / "README.md").write_text(page(all_data()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
