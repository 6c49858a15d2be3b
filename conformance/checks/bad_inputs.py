"""Runs every command on inputs that are wrong, and looks at what it says.

Each has an exit code, the label of a rule, a place where there is a text, and
the value that is wrong. No line is long, and none holds the words of a library.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]
ASSAY = pathlib.Path(sys.argv[1]).resolve()
ADD = ROOT / "conformance/vectors/add.jsonl"
LONGEST = 600
LIBRARY = re.compile(
    r"json\.exception|std::|basic_string|filesystem error|bad_alloc|vector::|"
    r"\bnlohmann|CLI::|internal error|terminate called")
HINT = "Run with --help"

PROGRAM = """HloModule m

ENTRY main {
  x = f32[2] parameter(0)
  ROOT r = f32[2] negate(x)
}
"""
HEADER = '{"generator":"g","command":"c","notes":{"A":"n"},"do_not_edit":true}'
CASE = ('{"id":"a/b/c","statement":"s","why":["A"],"hlo":"HloModule m\\n","inputs":[],'
        '"expect":SETS,"source":"exact"}')
LONG = "9" * 1_000_000


def program(line: str, root: str = "ROOT r = f32[2] negate(x)") -> str:
    return f"HloModule m\n\nENTRY main {{\n  {line}\n  {root}\n}}\n"


def case(sets: str) -> str:
    return f"{HEADER}\n{CASE.replace('SETS', sets)}\n"


FILES = {
    "ok.hlo": PROGRAM,
    "spaces.hlo": PROGRAM.replace("(x)", "( x)"),
    "tile.hlo": program("x = f32[2]{0:T(*)} parameter(0)"),
    "order.hlo": program("x = f32[2]{1} parameter(0)"),
    "size.hlo": program("x = f32[2]{0:E(3)} parameter(0)"),
    "split.hlo": program("x = f32[2]{0:SC(5:1)} parameter(0)"),
    "gap.hlo": program("x = f32[2] parameter(3)"),
    "undefined.hlo": program("x = f32[2] parameter(0)", "ROOT r = f32[2] negate(y)"),
    "range.hlo": program("x = s8[] constant(300)", "ROOT r = s8[] negate(x)"),
    "long_number.hlo": program(f"x = s64[] constant({LONG})", "ROOT r = s64[] negate(x)"),
    "long_size.hlo": program(f"x = s64[{LONG}] parameter(0)"),
    "long_name.hlo": program("x = f32[2] parameter(0)", f"ROOT r = f32[2] negate(a{LONG})"),
    "long_opcode.hlo": program("x = f32[2] parameter(0)", f"ROOT r = f32[2] a{LONG}(x)"),
    "long_attribute.hlo": program("x = f32[2] parameter(0)",
                                  f"ROOT r = f32[2] negate(x), a{LONG}=1"),
    "long_tuple.hlo": program("x = f32[2] parameter(0)",
                              f"ROOT r = f32[2] negate(t)").replace(
        "  ROOT", f"  t = tuple({', '.join(['x'] * 5000)})\n  ROOT"),
    "long_line.hlo": "HloModule m\n" + " " * 1_000_000 + "foo bar\n",
    "large.hlo": program("x = f64[4000000000] constant(0)", "ROOT r = f64[4000000000] negate(x)"),
    "binary.hlo": "HloModule m\n\nENTRY \x01\x02 {\n",
    "empty.hlo": "",
    "s1.hlo": program("x = s1[2] parameter(0)", "ROOT r = s1[2] negate(x)"),
    "result.mlir": "func.func @main(%x: tensor<2xf32>) -> tensor<3xf32> {\n"
                   "  return %x : tensor<2xf32>\n}\n",
    "results.mlir": "func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {\n"
                    "  return %x : tensor<2xf32>\n}\n",
    "sized.mlir": "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
                  "  return %x : tensor<?xf32>\n}\n",
    "two.mlir": "// -----\n".join(["func.func @main() -> tensor<f32> {\n"
                                "  %0 = stablehlo.constant dense<1.0> : tensor<f32>\n"
                                "  return %0 : tensor<f32>\n}\n"] * 2),
    "long_name.mlir": f"func.func @main() {{\n  return %a{LONG} : tensor<2xf32>\n}}\n",
    "long_number.mlir": "func.func @main() {\n"
                        f"  %0 = stablehlo.constant dense<{LONG}> : tensor<i32>\n  return\n}}\n",
    "no_array.npy": "hello, this is text\n",
    "version.npy": "\x93NUMPY\x09\x00\x76\x00{}",
    "short.npy": "\x93NUMPY\x01\x00\x76\x00{}",
    "empty.jsonl": "",
    "garbage.jsonl": "garbage\n",
    "header.jsonl": HEADER.replace("true", "false") + "\n",
    "unfinished.jsonl": f'{HEADER}\n{{"id":"a/b\n',
    "number.jsonl": f'{HEADER}\n{{"id":1e99999}}\n',
    "long.jsonl": f'{HEADER}\n{{"id":"{LONG}"}}\n',
    "bounds.jsonl": case('[{"interval":"s8[] 00","low":"s8[] 02","high":"s8[] 01"}]'),
    "misspelt.jsonl": case('"reference"').replace("exact", "reference").replace(
        "HloModule m", "HloModule m\\nENTRY e {\\n  x = f32[] parameter(0)\\n"
        "  ROOT r = f32[] negat(x)\\n}"),
    "label.jsonl": case('{"rejected":"nothing"}'),
    "long_set.jsonl": case('[{"bits":"u8[] 00","nan":1}]').replace('"s"', f'"{LONG}"'),
    "digits.jsonl": case('[{"bits":"f32[2] 00000000 00000"}]'),
    "field.jsonl": case("[]").replace("expect", "expects"),
    "lacking.jsonl": case("[]").replace(',"source":"exact"', ""),
    "programs.jsonl": case("[]").replace('"inputs"', '"stablehlo":"m","inputs"'),
}


@dataclass
class Bad:
    """A command line, and what must be said of it."""

    arguments: str | list[str]
    code: int
    label: str  # "" where no rule is broken
    said: tuple[str, ...] = ()  # places and values
    caret: bool = False

    def words(self) -> list[str]:
        return self.arguments.split() if isinstance(self.arguments, str) else self.arguments


def on(file: str, label: str, *said: str, place: str = "", command: str = "eval") -> list[Bad]:
    """The program is refused, with a caret."""
    extra = [f"{file}:{place}:"] if place else []
    return [Bad(f"{command} {file}", 1, label, (*extra, *said), caret=True)]


TABLE = [
    # the command line
    Bad("frob", 2, "usage.command", ('"frob"', "bounds", "verify-numerics")),
    Bad([], 2, "usage.command", ("no command", "bounds")),
    Bad(["a" * 100000], 2, "usage.command", ("aaa...",)),
    Bad("eval", 2, "usage.option", ("FILE",)),
    Bad("eval ok.hlo --frob", 2, "usage.option", ("--frob",)),
    Bad("chekc", 2, "usage.command", ('"chekc"', "did you mean check?")),
    Bad("eval ok.hlo --inptu {1,2}", 2, "usage.option", ("--inptu", "did you mean --input?")),
    Bad("eval ok.hlo --max-steps 3", 2, "usage.option", ("--max-steps", "mean --max-work?")),
    Bad("eval ok.hlo two.mlir", 2, "usage.option", ("one argument too many, two.mlir",)),
    Bad(["eval", "ok.hlo", "--" + LONG[:100000]], 2, "usage.option", ("--999",)),
    Bad("eval ok.hlo -j", 2, "usage.option", ("--jobs has no value",)),
    Bad("eval ok.hlo -j 0", 2, "usage.option", ("--jobs", "is 0", "1 to 256")),
    Bad("eval ok.hlo -t x", 2, "usage.option", ("--jobs", "is x", "1 to 256")),
    Bad(["eval", "ok.hlo", "-t", LONG[:100000]], 2, "usage.option", ("--jobs", "999...")),
    *(Bad(f"{command} ok.hlo --failures {number}", 2, "usage.option", ("--failures", number))
      for command, number in (("compare", "0"), ("merge", "-1"))),
    Bad("check --tier smoek", 2, "usage.option", ("smoek", "did you mean smoke?")),
    Bad("fmt ok.hlo --to hol", 2, "usage.option", ("hol", "did you mean hlo?")),
    Bad("eval ok.hlo -i {1,2} --plans foo", 2, "evaluate.plans", ('"foo"', "-fold")),
    Bad("explain ok.hlo --depth 0", 2, "usage.option", ("--depth", "is 0", "from 1")),
    Bad("explain ok.hlo --depth 99999999999", 2, "usage.option", ("--depth", "99999999999")),
    Bad("explain ok.hlo --terms -1", 2, "usage.option", ("--terms", "is -1", "from 0")),
    Bad("explain two.mlir", 2, "input.programs", ("2 programs",)),
    Bad("eval two.mlir -o folder/", 2, "input.programs", ("2 programs",)),
    Bad("explain ok.hlo --run 0", 2, "usage.option", ("--run", "is 0")),
    Bad("check --failures -1", 2, "usage.option", ("--failures", "is -1")),
    Bad("check --jobs 0", 2, "usage.option", ("--jobs", "is 0", "1 to 256")),
    Bad("check --tier full --shard 3", 2, "usage.shard", ('"3"', "I/N")),
    Bad("check --tier full --shard 2/2", 2, "usage.shard", ('"2/2"', "I/N")),
    Bad("check --filter add/f32/* --require subtract/*", 2, "usage.require", ("subtract/*",)),
    Bad("check --resume", 2, "usage.resume", ("--output",)),
    Bad("compare --before ok.hlo", 2, "usage.compare", ("--after",)),
    Bad("compare --dump . ok.hlo", 2, "usage.compare", ("several kinds",)),
    Bad("compare --before ok.hlo --after ok.hlo --shrink 1", 2, "usage.compare", ("--shrink", "FILE")),
    Bad("compare ok.hlo --shrink -1", 2, "usage.option", ("--shrink", "is -1")),
    Bad("shrink no_such.hlo", 2, "usage.case", ("no_such.hlo", "must name one")),
    Bad("shrink ok.hlo --backend foo:", 2, "usage.backend", ('"foo:"',)),
    Bad("shrink ok.hlo --profile foo -i {1,2}", 2, "usage.profile", ('"foo"',)),
    Bad("shrink ok.hlo --candidates -1", 2, "usage.option", ("--candidates", "is -1")),
    Bad("shrink ok.hlo --shrink-time x", 2, "usage.option", ("--shrink-time", "is x")),
    Bad("shrink two.mlir", 2, "input.programs", ("2 programs",)),
    Bad("check --shrink-time 5", 2, "usage.option", ("--shrink-time", "--shrink")),
    Bad("check --candidates 5", 2, "usage.option", ("--candidates", "--shrink")),
    Bad("compare ok.hlo --shrink-to x", 2, "usage.option", ("--shrink-to", "--shrink")),
    Bad("check --strict", 2, "usage.option", ("--strict", "--waivers")),
    Bad("check --today 2027-01-31", 2, "usage.option", ("--today", "--waivers")),
    Bad("check --seed 7", 2, "usage.option", ("--seed", "core", "--tier layouts or --tier full")),
    Bad("check --tier smoke --count 7", 2, "usage.option", ("--count", "smoke", "--tier layouts or --tier full")),
    Bad("run ok.hlo --profile tight", 2, "usage.option", ("--profile", "--judge")),
    Bad("bounds ok.hlo --timeout 5", 2, "usage.option", ("--timeout", "--backend")),
    Bad("explain ok.hlo -b tpu: --all", 2, "usage.option", ("--all", "tpu:")),
    Bad("fmt --check ok.hlo -o x.hlo", 2, "usage.option", ("--output", "--check")),
    Bad("shrink ok.hlo -i {1}", 2, "input.value", ("f32[2]",)),
    Bad("check --tier smoke cases.jsonl", 2, "usage.tier", ("smoke", "files")),
    Bad(["check", "--profile", ""], 2, "usage.profile", ('""', "tight")),
    Bad("check --profile foo", 2, "usage.profile", ('"foo"', "tight")),
    Bad("check --profile tight,foo=bar", 2, "usage.profile", ('"foo"', "subnormals")),
    Bad("check --profile tight,nan=bar", 2, "usage.profile", ('"bar"', "canonical")),
    Bad("check --profile tight,nan", 2, "usage.profile", ('"nan"', "AXIS=CHOICE")),
    Bad("check --backend cpi:", 2, "usage.backend", ('"cpi:"', "did you mean cpu:?")),
    Bad(f"check {ADD} --filter nothing*", 2, "usage.filter", ("nothing*",)),
    Bad(f"check {ADD} --filter mutliply/f32/*", 2, "usage.filter", ("mutliply", "did you mean multiply?")),
    Bad(f"check {ADD} --filter add/f23/*", 2, "usage.filter", ("add/f23/*", "did you mean f32?")),
    Bad(f"golden verify {ADD} --filter nothing*", 2, "usage.filter", ("nothing",)),
    Bad("golden verify --max-work 5", 2, "usage.golden", ("--max-work", "golden make alone")),
    Bad("golden draw --count 10 --filter nothing*", 2, "usage.filter", ("nothing",)),
    Bad("verify-numerics --filter nothing", 2, "usage.function", ("nothing",)),
    Bad("spec mutliply", 2, "usage.page", ("mutliply", "did you mean multiply?")),
    Bad("check --backend foo:", 2, "usage.backend", ('"foo:"', "interpreter:")),
    Bad("check --backend abi:", 2, "usage.backend", ('"abi:"', "abi:LIB.so")),
    Bad("check --backend abi:no.so", 2, "usage.backend", ('"no.so"', "shared library")),
    *(Bad(f"check --backend {engine}:threads={number}", 2, "usage.backend", (number, "1 to 64"))
      for engine in ("interpreter", "cpu") for number in ("0", "65", "-1", "2x", "99999999999")),
    Bad("compare ok.hlo --backend foo: -i {1,2}", 2, "usage.backend", ('"foo:"',)),
    Bad("bounds ok.hlo --backend foo: -i {1,2}", 2, "usage.backend", ('"foo:"',)),
    Bad("bounds ok.hlo --profile foo -i {1,2}", 2, "usage.profile", ('"foo"',)),
    Bad("compare ok.hlo -i {1,2} -f mutliply/*", 2, "usage.filter", ("did you mean multiply?",)),
    Bad("help", 2, "usage.command", ('"help"', "did you mean --help?")),
    Bad("check --timeout 0", 2, "usage.option", ("is 0", "from 0.001 to 31622400 (")),
    Bad("check -p tigth", 2, "usage.profile", ('"tigth"', "did you mean tight?")),
    Bad("check -p tight,subnormal=ftz", 2, "usage.profile", ("did you mean subnormals?",)),
    Bad("golden frob", 2, "usage.option", ("frob", "verify")),
    Bad("golden blses", 2, "usage.option", ("blses", "did you mean bless?")),
    Bad("spec frob", 2, "usage.page", ('"frob"',)),
    Bad("verify-numerics --function foo", 2, "usage.function", ('"foo"', "exp")),
    Bad("verify-numerics --function epx", 2, "usage.function", ("did you mean exp?",)),
    Bad("verify-numerics --write d --blocks 1", 2, "usage.option", ("--blocks 1", "4096")),
    Bad("verify-numerics --function exp --blocks 1 --no-rival --hard 0", 3, "numerics.nothing",
        ("exp",)),
    *(Bad(f"list {which} --filter nothing", 2, "usage.filter", ("nothing",))
      for which in ("", "--cases", "--types")),
    Bad("list --filter mutliply", 2, "usage.filter", ("did you mean multiply?",)),
    Bad("golden bless -", 3, "file.read", (".jsonl",)),
    # layouts
    Bad(["layout", "f32[2]", "--at", "x"], 2, "layout.at", ('"x"', "number")),
    Bad(["layout", "f32[2]", "--at", LONG[:100000]], 2, "layout.at", ("999...",)),
    Bad(["layout", "f32[2]", "--at", "5"], 2, "layout.at", ("{5}", "f32[2]")),
    Bad(["layout", "f32[2]", "--offset", "x"], 2, "layout.offset", ('"x"',)),
    Bad(["layout", "f32["], 2, "text.syntax", ("SHAPE:1:5:",), True),
    Bad(["layout", "f32[2,2]{0,0}"], 2, "layout.C1", ("SHAPE:1:9:", "{0,0}"), True),
    Bad(["layout", "f32[2]{0:T(0)}"], 2, "layout.C2", ("SHAPE:1:7:", "T(0)"), True),
    Bad(["layout", "f32[2]{0:T(*)}"], 2, "layout.C3", ("SHAPE:1:7:", "*"), True),
    Bad(["layout", "f32[2]{0:E(3)}"], 2, "layout.C4", ("SHAPE:1:7:", "3 bits"), True),
    Bad(["layout", "f32[2]{0:L(0)}"], 2, "layout.C5", ("SHAPE:1:7:", "is 0"), True),
    Bad(["layout", "f32[2]{0:D(S)}"], 2, "layout.C6", ("SHAPE:1:7:", "D(S)"), True),
    Bad(["layout", "f32[2]{0:SC(5:1)}"], 2, "layout.C7", ("SHAPE:1:7:", "dimension 5"), True),
    Bad(["layout", f"f32[{LONG[:100000]}]"], 2, "text.range", ("SHAPE:1:5:", "999..."), True),
    # programs
    *on("tile.hlo", "layout.C3", "*", place="4:3"),
    *on("order.hlo", "layout.C1", "{1}", "1 dimension", place="4:13"),
    *on("size.hlo", "layout.C4", "3 bits", place="4:3"),
    *on("split.hlo", "layout.C7", "dimension 5", place="4:3"),
    *on("gap.hlo", "text.parameters", "parameter 0", "{3}"),
    *on("undefined.hlo", "text.undefined", "'y'", place="5:26"),
    *on("range.hlo", "text.range", "300", "s8", place="4:21"),
    *on("long_number.hlo", "text.range", "999..."),
    *on("long_size.hlo", "text.range", "999..."),
    *on("long_name.hlo", "text.undefined", "a99"),
    *on("long_opcode.hlo", "text.opcode", "a99"),
    *on("long_attribute.hlo", "text.attribute-unknown", "a99"),
    *on("long_tuple.hlo", "negate.C1", "(f32[2], "),
    *on("long_line.hlo", "text.syntax", "'bar'", place="2:1000005"),
    *on("large.hlo", "literal.size", "4000000000 elements", "16 GiB"),
    *on("binary.hlo", "text.syntax", "'?'"),
    *on("empty.hlo", "text.syntax", "the end of the text"),
    *on("result.mlir", "stablehlo.types", "f32[2]", "f32[3]", place="2:3"),
    *on("results.mlir", "stablehlo.types", "1 value", "2", place="2:3"),
    *on("long_name.mlir", "stablehlo.name", "a99"),
    *on("long_number.mlir", "stablehlo.range", "999..."),
    *on("undefined.hlo", "text.undefined", "'y'", place="5:26", command="fmt"),
    *on("tile.hlo", "layout.C3", "*", place="4:3", command="fmt --check"),
    *on("tile.hlo", "layout.C3", "*", place="4:3", command="bounds"),
    *on("tile.hlo", "layout.C3", "*", place="4:3", command="compare"),
    *on("tile.hlo", "layout.C3", "*", place="4:3", command="explain"),
    *on("s1.hlo", "stablehlo.export", "s1[2]", "%x", place="4:3", command="fmt --to stablehlo"),
    Bad("fmt --check spaces.hlo", 1, "", ("spaces.hlo", "canonical")),
    # what is asked of a program
    Bad("explain ok.hlo -i {1,2} -e %q", 2, "explain.name", ("%q",)),
    Bad("explain ok.hlo -i {1,2} -e %r[7]", 2, "explain.index", ("[7]", "f32[2]"), True),
    Bad("explain ok.hlo -i {1,2} -e %r[x]", 2, "explain.element", ("%r[x]",)),
    Bad("explain ok.hlo -i {1,2} --run 2", 2, "explain.run", ("1 time", "run 2"), True),
    Bad("explain ok.hlo -i {1,2} --device 1", 2, "explain.device", ("replica 1", "1 replica")),
    # inputs
    Bad("eval ok.hlo", 2, "input.count", ("1 parameter", "0 inputs")),
    Bad(["eval", "ok.hlo", "-i", ""], 2, "input.value", ("parameter 0", "0 characters", "f32[2]")),
    Bad("eval ok.hlo -i {1,2,3}", 2, "input.value", ("parameter 0", "f32[2]", "column 5")),
    Bad("eval ok.hlo -i {1,x}", 2, "input.value", ("parameter 0", "'x'", "column 4")),
    Bad("eval ok.hlo -i f32[3]{1,2,3}", 2, "input.shape", ("f32[3]", "f32[2]")),
    Bad("eval ok.hlo -i 3xf32=1", 2, "input.shape", ("3xf32", "f32[2]")),
    Bad(["eval", "ok.hlo", "-i", "2xf32=1 2 3"], 2, "input.value", ("3 elements", "2")),
    Bad(["eval", "ok.hlo", "-i", "2xf32=[1 2"], 2, "input.value", ("brackets", "[1 2")),
    Bad(["eval", "ok.hlo", "-i", "2xf32=1 " + LONG[:100000]], 2, "input.value", ("999...",)),
    Bad("eval ok.hlo -i random:x", 2, "input.seed", ('"x"',)),
    Bad("eval ok.hlo -i dense<[1,x]>", 2, "input.value", ("parameter 0", "column")),
    Bad("eval sized.mlir -i dense<[1,x]>", 2, "input.value", ("column",)),
    Bad("eval ok.hlo -i @missing.npy", 3, "file.read", ("missing.npy",)),
    Bad("eval ok.hlo -i @no_array.npy", 2, "npy.header", ("no_array.npy", "68 65", "93 4e")),
    Bad("eval ok.hlo -i @version.npy", 2, "npy.header", ("version.npy", "9", "1, 2 or 3")),
    Bad("eval ok.hlo -i @short.npy", 2, "npy.header", ("short.npy", "12 bytes", "128")),
    Bad("eval sized.mlir -i @no_array.npy", 2, "npy.header", ("no_array.npy",)),
    # files
    Bad("eval missing.hlo", 3, "file.read", ("missing.hlo",)),
    Bad("eval .", 3, "file.read", ("directory",)),
    Bad("fmt missing.hlo", 3, "file.read", ("missing.hlo",)),
    Bad("check missing.jsonl", 3, "file.read", ("missing.jsonl",)),
    Bad("check ok.hlo", 3, "vectors.json", ("ok.hlo:1:1:", "Hlo"), True),
    Bad("check ok.hlo --filter *", 3, "vectors.json", ("ok.hlo:1:1:",), True),
    Bad("golden verify ok.hlo", 3, "file.read", (".jsonl",)),
    Bad("golden bless misspelt.jsonl", 1, "text.opcode",
        ("misspelt.jsonl:2: a/b/c: ", "line 4, column 18", "'negat'"), True),
    *(Bad(f"{command} {file}.jsonl", 3, label, (f"{file}.jsonl{place}: ", *said), bool(place))
      for command in ("check", "golden verify", "golden bless")
      for file, label, place, said in (
          ("empty", "vectors.header", "", ()),
          ("garbage", "vectors.json", ":1:1", ("garbage",)),
          ("header", "vectors.header", ":1:64", ("do_not_edit",)),
          ("unfinished", "vectors.json", ":2:11", ("ends",)),
          ("number", "vectors.json", ":2:7", ("number",)),
          ("long", "vectors.case", ":2:7", ("999...",)),
          ("long_set", "vectors.case", ":2:1000110", ('"nan"',)),
          ("bounds", "vectors.case", ":2:115", ("2 ", "1 ")),
          ("digits", "vectors.literal", ":2:112", ('"00000"', "8 hexadecimal digits")),
          ("field", "vectors.case", ":2:77", ('"expects"',)),
          ("lacking", "vectors.case", ":2:1", ('"source"',)),
          ("programs", "vectors.case", ":2:1", ("both", '"hlo"', '"stablehlo"')),
          ("label", "vectors.case", ":2:98", ("nothing",)))),
]


def shown(bad: Bad) -> str:
    return "assay " + " ".join(word[:40] for word in bad.words())


def check(bad: Bad, folder: str) -> list[str]:
    # The proofs find no checksums there.
    root = folder if "verify-numerics" in bad.words() else str(ROOT)
    done = subprocess.run([ASSAY, *bad.words()], cwd=folder, capture_output=True, timeout=120,
                          env={"ASSAY_ROOT": root, "PATH": "/bin", "HOME": folder})
    text = (done.stderr + done.stdout).decode(errors="replace")
    errors = done.stderr.decode(errors="replace")
    wrong = []
    if done.returncode != bad.code:
        wrong.append(f"exit code {done.returncode}, not {bad.code}")
    if bad.label and not re.search(rf"(^|: )error: {re.escape(bad.label)}: ", errors, re.M):
        wrong.append(f"no error: {bad.label}:")
    wrong += [f"does not say {piece}" for piece in bad.said if piece not in errors]
    if bad.caret and not re.search(r"^ *\^$", errors, re.M):
        wrong.append("no caret")
    if not bad.caret and len(errors.splitlines()) > 1:
        wrong.append("more than one line")
    wrong += [f"a line of {len(line)} characters" for line in text.splitlines()
              if len(line) > LONGEST]
    wrong += [f"the words of a library: {found}" for found in LIBRARY.findall(text)]
    if errors.startswith(":") or HINT in errors:
        wrong.append("begins or ends like another program's")
    return [f"{shown(bad)}: {what}\n    {errors[:LONGEST]}" for what in wrong]


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            data = text.encode("latin-1") if name.endswith(".npy") else text.encode()
            pathlib.Path(folder, name).write_bytes(data)
        wrong = [line for bad in TABLE for line in check(bad, folder)]
    print("\n".join(wrong) or f"bad_inputs: {len(TABLE)} are refused in good words")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
