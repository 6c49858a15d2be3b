#!/usr/bin/env python3
"""fingerprints.py ENGINE DATE FILE [RELEASE] | --check ASSAY: how engines sum, as a page.

FILE is that of `assay fingerprint -b ENGINE -o FILE`; what the page needs of it is kept in
fingerprints/. $ASSAY_PYTHON has the engine, where no RELEASE is given.
--check: the page is what the data gives, and cpu: still sums as its data say.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

import make
import pages

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE / "fingerprints"
PARTS = ["products", "operands", "blocks", "additions", "joins", "result"]
KEPT = ["terms", "status", "message", "model", "closest_model", "drawn", "refuted"]
ASKED = ["--op", "dot", "--op", "convolution", "--op", "reduce", "--type", "f32", "--length", "33",
         "--sums", "4096"]


def kept_order(order):
    """An order that has a name needs no tree."""
    return {name: value for name, value in order.items() if name != "tree" or not order["name"]}


def own_models(one):
    """The arrangements of operands that have a model of their own."""
    arranged = one.get("arranged", {})
    return {name: found["own"] for name, found in arranged.items()
            if found != "unsupported" and "own" in found}


def kept_sum(one):
    """What the page needs of the sums of one number of terms."""
    kept = {name: one[name] for name in KEPT if name in one}
    if "order" in one:
        kept["order"] = kept_order(one["order"])
    if "arranged" in one:
        kept["arranged"] = dict(one["arranged"])
        for name, own in own_models(one).items():
            kept["arranged"][name] = {**one["arranged"][name],
                                      "own": {**own, "order": kept_order(own["order"])}}
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


def arrangements(operation):
    """The arrangements that have a model of their own for some number of terms."""
    return sorted({name for one in operation["sums"] for name in own_models(one)}, reverse=True)


def orders(operation, arrangement=None):
    """The orders of all numbers of terms, those with one name together."""
    groups = []
    for one in operation["sums"]:
        own = own_models(one).get(arrangement)
        order = own["order"] if own else one.get("order")
        name = (order["name"] or f"`{order['hash']}`, without a name") if order else "not found"
        if groups and groups[-1][0] == name:
            groups[-1][1].append(one["terms"])
        else:
            groups.append((name, [one["terms"]]))
    return "; ".join(f"{listed(terms)}: {name}" for name, terms in groups)


def all_orders(operation):
    return "; ".join([orders(operation), *(f"of {name}: {orders(operation, name)}"
                                           for name in arrangements(operation))])


def model_words(operation):
    last = operation["sums"][-1]
    words = [listed_parts(last.get("model", {}))]
    for name, own in own_models(last).items():
        words.append(f"of {name}: {listed_parts(own['model'])}")
    return "; ".join(words[:1] + [other for other in words[1:] if not other.endswith(words[0])])


def listed_parts(model):
    return "; ".join(f"{part} {model[part]}" for part in PARTS if part in model)


def row(operation):
    sums = operation["sums"]
    drawn = sum(one.get("drawn", {}).get("equal", 0) for one in sums)
    kind = operation["operands"]
    if operation["result"] != kind:
        kind += f" to {operation['result']}"
    return (f"| {operation['operation']} | {kind} | {operation['status']} | {drawn} | "
            f"{all_orders(operation)} | {pages.cell(model_words(operation))} |")


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
            own = [model["order"] for model in own_models(one).values()]
            for order in [one.get("order", {}), *own]:
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
             "every number of terms; where operands that are transposed are summed in another way, "
             "that has an order and a model of its own.", ""]
    for data in all_data:
        lines += section(data)
    return "\n".join(lines).rstrip("\n") + "\n"


def all_data():
    found = [json.loads(path.read_text()) for path in FOLDER.glob("*.json")]
    return sorted(found, key=lambda data: list(pages.TITLES).index(data["engine"]))


def found_now(assay, backend):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "found.json")
        subprocess.run([assay, "fingerprint", "-b", backend, *ASKED, "-o", str(file)],
                       capture_output=True, check=False)
        return json.loads(file.read_text())["operations"]


def told(one):
    """What must be the same each time: not how much was drawn."""
    own = {name: (model["order"]["hash"], model["model"])
           for name, model in own_models(one).items()}
    return one["status"], one["order"]["hash"], one.get("model"), own


def other_sums(assay, data):
    """Where a backend of this program sums in another way than its data say."""
    stated = {(one["operation"], one["operands"], one["result"]): one["sums"]
              for one in data["operations"]}
    for operation in found_now(assay, data["engine"]):
        name = operation["operation"], operation["operands"], operation["result"]
        now = told(operation["sums"][0])
        then = [told(one) for one in stated[name]
                if one["terms"] == operation["sums"][0]["terms"]]
        if then != [now]:
            yield f"{data['engine']}: {' '.join(name)} is {now} now, but was {then}"


def check(assay):
    data = all_data()
    faults = [fault for one in data if one["engine"].startswith("cpu:")
              for fault in other_sums(assay, one)]
    if not data or (FOLDER / "README.md").read_text() != page(data):
        faults.append("fingerprints/README.md is not what its data gives")
    print("\n".join(faults)
          or f"the fingerprints of {len(data)} engines are what their data give")
    return 1 if faults else 0


def main():
    if sys.argv[1:2] == ["--check"] and len(sys.argv) == 3:
        return check(sys.argv[2])
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
