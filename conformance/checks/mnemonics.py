"""Checks that only tables and operations name operations.

No mnemonic of an operation ("pad") stands as a string outside the operations
and the tables of texts, builders, backends and random programs: code elsewhere
asks the operation, so that a new one is its page, its file and its generator.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
OPS = ROOT / "interpreter" / "ops"
FOLDERS = ("interpreter", "conformance")
# Who may name operations: tables from other languages' words, and programs that
# are written.
TABLES = re.compile(
    r"interpreter/(ops|text|stablehlo|builder)/|conformance/(random|numerics)/"
    r"|conformance/(translation/xla_calls|shrink/jax_line|fingerprint/summed_operation)\.cc"
    r"|_(test|benchmark|fuzz)\.cc$|/testing/|/corpora/")
# Words that name something else there: a command, an attribute, a type, what is
# counted.
WORDS = {
    "conformance/commands/command_line/command_line.cc": {"compare"},
    "conformance/commands/command_line/fingerprint_command.cc": {
        "convolution", "dot", "reduce", "reduce-window"},
    "conformance/commands/run_list.cc": {"complex"},
    "conformance/literals/inputs.cc": {"parameter"},
    "conformance/translation/elided.cc": {"constant"},
    "conformance/translation/judge_translation.cc": {"parameter"},
    "interpreter/model/element_type.cc": {"tuple"},
    "interpreter/plans/elementwise/elementwise.cc": {"complex"},
    "interpreter/plans/updates/select_and_scatter.cc": {"scatter", "select"},
    "interpreter/rules/devices/parallel_programs.cc": {"infeed"},
    "interpreter/rules/plan_set.cc": {"sort"},
    "interpreter/run/evaluator.cc": {"parameter"},
    "interpreter/verify/verify_computation.cc": {"parameter"},
    "interpreter/verify/verify_module.cc": {"parameter"},
}
COMMENT = re.compile(r"//[^\n]*")
STRING = re.compile(r'"([a-z][a-z0-9-]*)"')


def mnemonics() -> set[str]:
    return {file.stem.replace("_", "-") for file in OPS.glob("*.cc")}


def sources() -> list[pathlib.Path]:
    return [
        file
        for folder in FOLDERS
        for file in sorted((ROOT / folder).rglob("*"))
        if file.suffix in (".cc", ".h")
        and not TABLES.search(str(file.relative_to(ROOT)))
    ]


def findings(file: pathlib.Path, names: set[str]) -> list[str]:
    place = str(file.relative_to(ROOT))
    allowed = WORDS.get(place, set())
    text = COMMENT.sub("", file.read_text())
    return [
        f"{place}:{text.count(chr(10), 0, word.start()) + 1}: names the operation "
        f'"{word[1]}"; ask the instruction\'s op instead'
        for word in STRING.finditer(text)
        if word[1] in names - allowed
    ]


def main() -> int:
    names = mnemonics()
    found = [line for file in sources() for line in findings(file, names)]
    print("\n".join(found) or f"mnemonics: {len(names)}, all where they belong")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
