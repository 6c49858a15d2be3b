"""Does `assay compare` find a wrong pass, and raise no false alarm?

    xla_miscompilations.py ASSAY

Dumps the programs of xla_programs.py, with and without large constants,
and compares each with what XLA made of it: all must agree. Then puts each of
the miscompilations below into the optimised text of its program: each must be
found, and the instruction named that is wrong. A Python without JAX skips with
one line and exit code 77.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

from xla_programs import PROGRAMS

HERE = pathlib.Path(__file__).resolve().parent


class Wrong:
    """A change of the line of one instruction; `named` are the instructions
    of which one must be named."""

    def __init__(self, kind, program, instruction, change, named=None,
                 inputs=("random:1",)):
        self.kind, self.program, self.instruction = kind, program, instruction
        self.change, self.inputs = change, inputs
        self.named = named or {instruction}


def swap(line):
    return re.sub(r"\((%[\w.\-]+), (%[\w.\-]+)\)", r"(\2, \1)", line, count=1)


def replace(old, new):
    return lambda line: line.replace(old, new, 1)


def shifted_sum(line):
    """A sum as that of x + 4096, less what was added."""
    head, rest = line.split("reduce(", 1)
    operand, rest = rest.split(",", 1)
    name = re.search(r"%([\w.\-]+) =", head).group(1)
    shape = re.search(r"= (f32\[\d+\])", head).group(1)
    many = "f32[4,8]"
    return "\n".join([
        "  %far = f32[] constant(4096)",
        f"  %fars = {many} broadcast(%far), dimensions={{}}",
        f"  %shifted = {many} add({operand}, %fars)",
        f"  %total = {shape} reduce(%shifted,{rest}",
        "  %back = f32[] constant(32768)",
        f"  %backs = {shape} broadcast(%back), dimensions={{}}",
        f"  {'ROOT ' if 'ROOT' in head else ''}%{name} = {shape} "
        "subtract(%total, %backs)"])


def flushed(line):
    """A product whose subnormal values are zero."""
    head, rest = line.split(" = ", 1)
    root = "ROOT " if "ROOT" in head else ""
    name = head.split("%")[1]
    shape = rest.split("{")[0]
    return "\n".join([
        f"  %{name}.kept = {rest}",
        f"  %{name}.size = {shape} abs(%{name}.kept)",
        "  %tiny = f32[] constant(1.17549435e-38)",
        f"  %tinies = {shape} broadcast(%tiny), dimensions={{}}",
        f"  %{name}.low = {shape.replace('f32', 'pred')} "
        f"compare(%{name}.size, %tinies), direction=LT",
        "  %none = f32[] constant(0)",
        f"  %nones = {shape} broadcast(%none), dimensions={{}}",
        f"  {root}%{name} = {shape} select(%{name}.low, %nones, "
        f"%{name}.kept)"])


def narrowed(line):
    """A product of a sum that went through bf16."""
    return "\n".join(["  %low = bf16[16]{0} convert(%add.3)",
                      "  %wide = f32[16]{0} convert(%low)",
                      line.replace("%add.3,", "%wide,", 1)])


def without_unused(text):
    """The text without instructions that nothing uses any more."""
    while True:
        lines = text.splitlines()
        kept = [line for line in lines if not (
            (found := re.match(r"  %([\w.\-]+) = ", line))
            and " parameter(" not in line
            and len(re.findall(rf"%{re.escape(found.group(1))}(?![\w.\-])",
                               text)) == 1)]
        if len(kept) == len(lines):
            return text
        text = "\n".join(kept) + "\n"


def line_of(name, text):
    return re.search(rf"^ +(ROOT )?%{re.escape(name)} = .*$", text, re.M)


SMALL = ("8xf32=1e-20 2e-20 3e-20 4e-20 5e-20 6e-20 7e-20 8e-20",)
MISCOMPILATIONS = (
    Wrong("swapped operands", "softmax", "sub.0", swap),
    Wrong("swapped operands", "layer_norm", "sub.0", swap),
    Wrong("swapped operands", "newton", "div.2", swap),
    Wrong("swapped operands", "gradient", "sub.4", swap),
    Wrong("swapped operands", "rotate", "concatenate.0", swap),
    Wrong("dropped convert", "quantize", "multiply.1",
          replace("%convert_element_type.0", "%floor.0"),
          inputs=("16xf32=1 2 -3 4 5 6 -7 8 9 10 -11 12 13 14 15 16",)),
    Wrong("dropped rounding", "clip", "multiply.1",
          replace("%round.2", "%mul.0")),
    Wrong("wrong slice", "lstm_cell", "split.3",
          replace("[4:8]", "[5:9]")),
    Wrong("wrong slice", "rotate", "split.0",
          replace("[4:8]", "[3:7]")),
    Wrong("reassociated sum", "softmax", "reduce_sum.0", shifted_sum,
          {"shifted", "total", "reduce_sum.0"}),
    Wrong("reassociated sum", "log_sum", "reduce_sum.0", shifted_sum,
          {"shifted", "total", "reduce_sum.0"}),
    Wrong("flushed subnormals", "square", "mul.1", flushed,
          {"mul.1", "mul.1.low"}, SMALL),
    Wrong("other operation", "gelu", "add.2", replace("add(", "subtract(")),
    Wrong("other operation", "attention", "multiply.2",
          replace("multiply(", "add(")),
    Wrong("other operation", "pool", "reduce_window_max.0",
          replace("size=2x2 stride=2x2",
                  "size=1x2 stride=2x2 pad=0_-1x0_0")),
    Wrong("other direction", "integers", "ne.6",
          replace("direction=NE", "direction=EQ")),
    Wrong("wrong constant", "gelu", "constant.3",
          replace("0.044715", "0.44715"),
          {"constant.3", "mul.6", "mul.5"}),
    Wrong("wrong constant", "layer_norm", "constant.6",
          replace("1e-05", "0.1"), {"constant.6", "broadcast.16", "add.3"}),
    Wrong("wrong padding", "cumulative", "reduce_window_sum.2",
          replace("pad=0_0x7_0", "pad=0_0x0_7")),
    # Before, what is summed up is negated: the sum is the first that differs,
    # and the quotient the last place where the negation may stand.
    Wrong("lost negation", "gradient", "div.3",
          replace("%negate.1", "%reduce_sum.8"), {"reduce_sum.8", "div.3"}),
    Wrong("wrong index", "recurrence", "bitcast_add_fusion",
          replace("%copy.4", "%wrapped_add"),
          {"bitcast_add_fusion", "dynamic_slice.3"}),
    Wrong("wrong shift", "integers", "shift_left.0",
          replace("shift-left(", "shift-right-logical(")),
    Wrong("wrong dimension", "attention", "sub.1",
          replace("dimensions={0}", "dimensions={1}")),
    Wrong("lost accumulation", "scatter", "add.2",
          replace("add(%scatter-add.2, %scatter-add.3)",
                  "copy(%scatter-add.3)"), {"add.2", "scatter-add.0"},
          ("random:1", "3xs32=1 1 2", "random:3")),
    Wrong("exchanged branches", "branch", "cond.1.clone",
          replace("{%region_0.1, %region_1.2}", "{%region_1.2, %region_0.1}"),
          inputs=("s32=5", "random:1")),
    Wrong("a round too few", "newton", "constant.6",
          replace("constant(5)", "constant(4)"), {"constant.6", "lt.0"},
          ("8xf32=1e6 2e5 3e7 4e6 5e5 6e6 7e7 8e6",)),
    Wrong("narrowed too early", "polynomial", "mul.1", narrowed,
          {"low", "wide"}),
    Wrong("wrong initial value", "cumulative", "constant.2",
          replace("constant(0)", "constant(1)"),
          {"constant.2", "reduce_window_sum.2"}),
    # Its transposition would mend it, too.
    Wrong("transposed kernel", "convolve", "convolution",
          replace("01io", "10io"), {"convolution", "transpose.4"}),
    Wrong("wrong transposition", "convolve", "transpose.4",
          replace("dimensions={2,3,1,0}", "dimensions={3,2,1,0}")),
    Wrong("another operand", "lstm_cell", "tanh.1",
          replace("%split.1", "%split.2")),
    Wrong("lost bound", "clip", "clamp.1",
          replace("clamp(%max.4, %multiply.1, %min.4)",
                  "minimum(%multiply.1, %min.4)"),
          inputs=("16xf32=1 2 0.1 -1 0.2 0.3 0.5 0.7 1 1.1 1.2 1.3 2 3 -2 -3",)),
    # A copy hands on; what has it is named.
    Wrong("lost wrap of indices", "take", "select_n.6",
          replace("select(%lt.2, %add.2, %param_1.5)", "copy(%param_1.5)"),
          {"select_n.6", "bitcast.5"}, ("random:1", "5xs32=1 -2 7 -8 0")),
    # The fusion hands the index on to a slice and to an update.
    Wrong("wrong index", "recurrence", "bitcast_dynamic-update-slice_fusion",
          replace("%copy.4", "%constant.10"),
          {"dynamic_slice.2", "dynamic_update_slice.2"}),
    Wrong("lost scaling", "polynomial", "multiply.1",
          replace("multiply(%mul.0, %broadcast.2)", "copy(%mul.0)")),
    Wrong("reversed order", "sort", "lt_to.1",
          replace("direction=LT", "direction=GT"), {"lt_to.1", "sort.0"}),
    Wrong("exchanged results", "variance", "tuple.1", swap),
)


def compare(assay, *arguments):
    done = subprocess.run([assay, "compare", *map(str, arguments)], text=True,
                          capture_output=True, timeout=600)
    return done.returncode, done.stdout + done.stderr


def dump(folder, *flags):
    done = subprocess.run([sys.executable, str(HERE / "xla_programs.py"),
                           str(folder), *flags], text=True, capture_output=True)
    if done.returncode == 77:
        print(done.stdout, end="")
        sys.exit(77)
    done.check_returncode()


def named(output):
    """The instruction of the text after that is named."""
    found = re.search(r"no longer agrees:\n[^\n]*?: (?:ROOT )?%([\w.\-]+) =",
                      output)
    return found.group(1) if found else None


def false_alarms(assay, folder, *options):
    code, output = compare(assay, "--dump", folder, *options)
    last = output.rstrip().splitlines()[-1]
    print(f"unharmed, {' '.join(options) or 'all constants'}: {last}")
    everything = f"{len(PROGRAMS)} of {len(PROGRAMS)} modules agree"
    return code != 0 or not last.startswith(everything)


def is_named(assay, folder, wrong):
    before = next(folder.glob(f"*.jit_{wrong.program}.before_opt*.txt"))
    after = next(folder.glob(f"*.jit_{wrong.program}.cpu_after_opt*ns.txt"))
    text = after.read_text()
    line = line_of(wrong.instruction, text)
    changed = wrong.change(line.group())
    if changed == line.group():
        raise ValueError(f"{wrong.program}: nothing is changed in {changed}")
    harmed = folder / "harmed.txt"
    harmed.write_text(without_unused(
        text[:line.start()] + changed + text[line.end():]))
    inputs = [x for value in wrong.inputs for x in ("--input", value)]
    code, output = compare(assay, "--before", before, "--after", harmed, *inputs)
    good = code == 1 and named(output) in wrong.named
    print(f"{'named' if good else 'found' if code == 1 else 'MISSED'}: "
          f"{wrong.kind}, %{wrong.instruction} of {wrong.program}")
    if not good:
        print(output)
    return good, code == 1


def main():
    assay = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        elided = pathlib.Path(name) / "elided"
        whole = pathlib.Path(name) / "whole"
        dump(elided)
        dump(whole, "--large-constants")
        bad = false_alarms(assay, elided, "--elided", "random:1")
        bad += false_alarms(assay, whole)
        done = [is_named(assay, whole, w) for w in MISCOMPILATIONS]
    print(f"of {len(done)} miscompilations {sum(found for _, found in done)} "
          f"are found, {sum(good for good, _ in done)} named")
    return 1 if bad or not all(good for good, _ in done) else 0


if __name__ == "__main__":
    sys.exit(main())
