"""Checks that no recursion follows the depth of an input to the end of a stack.

    depth.py ASSAY

Programs, values and files that are nested deep: every command does what it is
asked, or says by which rule it does not, on a stack of 1 MB and on the default
one.
"""

import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

ASSAY = str(pathlib.Path(sys.argv[1]).resolve())
MOST = 64  # regions in regions, and computations that bounds follows
# Sanitizers take many times the stack.
IS_SANITIZED = b"__asan_init" in pathlib.Path(ASSAY).read_bytes()
STACKS = [None] if IS_SANITIZED else [1 << 20, None]
EVERY = (["eval"], ["eval", "--plans", "none"], ["bounds"], ["compare"],
         ["compare", "-b", "cpu:"], ["explain", "--depth", "100"])
RUNS = {
    "call": "call(p), to_apply=c{i}",
    "fusion": "fusion(p), kind=kLoop, calls=c{i}",
    "conditional": "conditional(t, p, p), true_computation=c{i}, false_computation=c{i}",
    "while": "while(p), condition=small, body=c{i}",
}
# What applies a region of two parameters to b, which is [p], and q, once: each
# time more would double what the regions within it cost.
APPLIES = {
    "reduce": "reduce(b, q), dimensions={{0}}, to_apply=c{i}",
    "reduce-window": "reduce-window(b, q), window={{size=1}}, to_apply=c{i}",
    "scatter": "scatter(b, k, q), update_window_dims={{}}, inserted_window_dims={{0}}, "
               "scatter_dims_to_operand_dims={{0}}, index_vector_dim=0, to_apply=c{i}",
    "map": "map(b, b), dimensions={{0}}, to_apply=c{i}",
    "all-reduce": "all-reduce(b), replica_groups={{}}, to_apply=c{i}",
}
HEAD = "HloModule m\n\n"


def running(kind, levels):
    """Computations that run each other, `levels` of them."""
    lines = [HEAD, "small { x = f32[] parameter(0) n = f32[] constant(100) "
                   "ROOT r = pred[] compare(x, n), direction=LT }\n",
             "c0 { p = f32[] parameter(0) n = f32[] constant(200) ROOT r = f32[] add(p, n) }\n"]
    for i in range(levels):
        name = "ENTRY main" if i == levels - 1 else f"c{i + 1}"
        t = "t = pred[] constant(true) " if kind == "conditional" else ""
        lines.append(f"{name} {{ p = f32[] parameter(0) {t}"
                     f"ROOT r = f32[] {RUNS[kind].format(i=i)} }}\n")
    return "".join(lines)


def applying(kind, levels):
    """Regions that are applied to elements in each other."""
    lines = [HEAD, "c0 { p = f32[] parameter(0) q = f32[] parameter(1) "
                   "ROOT r = f32[] add(p, q) }\n"]
    shape = "f32[]" if kind == "reduce" else "f32[1]"
    for i in range(levels):
        name = "ENTRY main" if i == levels - 1 else f"c{i + 1}"
        q = "constant(1)" if i == levels - 1 else "parameter(1)"
        lines.append(
            f"{name} {{ p = f32[] parameter(0) q = f32[] {q} "
            f"b = f32[1] broadcast(p), dimensions={{}} k = s32[1] constant({{0}}) "
            f"a = {shape} {APPLIES[kind].format(i=i)} ROOT r = f32[] reshape(a) }}\n")
    return "".join(lines)


def running_an_applying(runs, levels):
    """Loops in each other, around regions that are applied in each other."""
    lines = [applying("scatter", levels).replace("ENTRY main", "d0"),
             "two { x = f32[] parameter(0) n = f32[] constant(2) "
             "ROOT r = pred[] compare(x, n), direction=EQ }\n"]
    for i in range(1, runs + 1):
        name = "ENTRY main" if i == runs else f"d{i}"
        lines.append(f"{name} {{ p = f32[] parameter(0) "
                     f"ROOT r = f32[] while(p), condition=two, body=d{i - 1} }}\n")
    return "".join(lines)


def chain(length):
    """Instructions that each use the one before."""
    lines = [f"  x{i} = f32[] negate(x{i - 1})\n" for i in range(1, length)]
    return (HEAD + "ENTRY main {\n  x0 = f32[] parameter(0)\n" + "".join(lines) +
            f"  ROOT r = f32[] negate(x{length - 1})\n}}\n")


def sorting(length):
    """A comparator of two long chains."""
    lines = ["c { a = f32[] parameter(0) b = f32[] parameter(1)\n"]
    for side in "ab":
        lines += [f"{side}{i} = f32[] negate({side}{i - 1 if i else ''})\n"
                  for i in range(length)]
    lines.append(f"ROOT r = pred[] compare(a{length - 1}, b{length - 1}), direction=LT }}\n"
                 "ENTRY main { x = f32[4] parameter(0)\n"
                 "ROOT r = f32[4] sort(x), dimensions={0}, to_apply=c }\n")
    return HEAD + "".join(lines)


def reducing_by_calls(levels):
    """A reducer that is a call of a call ..."""
    lines = [HEAD, "c0 { p = f32[] parameter(0) q = f32[] parameter(1) "
                   "ROOT r = f32[] add(p, q) }\n"]
    lines += [f"c{i} {{ p = f32[] parameter(0) q = f32[] parameter(1) "
              f"ROOT r = f32[] call(p, q), to_apply=c{i - 1} }}\n" for i in range(1, levels)]
    lines.append(f"ENTRY main {{ x = f32[4] parameter(0) z = f32[] constant(0) "
                 f"ROOT r = f32[] reduce(x, z), dimensions={{0}}, to_apply=c{levels - 1} }}\n")
    return "".join(lines)


def entry(line):
    return HEAD + "ENTRY main {\n  " + line + "\n}\n"


class Depth(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.at = pathlib.Path(folder.name)

    def write(self, text, name="p.hlo"):
        (self.at / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(self.at / name)

    def said(self, *arguments, codes=(0, 1)):
        """What the command says on every stack; it ends by itself."""
        errors = set()
        for stack in STACKS:
            def limit(stack=stack):
                if stack:
                    resource.setrlimit(resource.RLIMIT_STACK, (stack, stack))
            done = subprocess.run([ASSAY, *arguments], capture_output=True, timeout=300,
                                  preexec_fn=limit, stdin=subprocess.DEVNULL)
            self.assertIn(done.returncode, codes, (arguments, stack, done.stderr[-500:]))
            self.assertNotIn(b"internal error", done.stderr, arguments)
            errors.add((done.returncode, done.stderr[:2000].decode(errors="replace")))
        self.assertEqual(len(errors), 1, errors)
        return errors.pop()

    def test_regions_in_regions(self):
        for kind in APPLIES:
            deepest = self.write(applying(kind, MOST), f"{kind}.hlo")
            deeper = self.write(applying(kind, MOST + 1), f"{kind}_deeper.hlo")
            deep = self.write(applying(kind, 3000), f"{kind}_deep.hlo")
            for command in (*EVERY, ["fmt"], ["fmt", "--to", "stablehlo"]):
                inputs = [] if command[0] == "fmt" else ["-i", "2"]
                with self.subTest(kind=kind, command=command):
                    code, error = self.said(*command, deepest, *inputs)
                    self.assertNotIn("evaluate.depth", error)
                    for file in (deeper, deep):
                        code, error = self.said(*command, file, *inputs)
                        self.assertEqual(code, 1)
                        self.assertIn("error: evaluate.depth: regions are nested", error)

    def test_computations_that_run_each_other(self):
        for kind in RUNS:
            deepest = self.write(running(kind, MOST), f"{kind}.hlo")
            deeper = self.write(running(kind, MOST + 1), f"{kind}_deeper.hlo")
            deep = self.write(running(kind, 6000), f"{kind}_deep.hlo")
            for command in (*EVERY, ["fmt"], ["fmt", "--to", "stablehlo"]):
                inputs = [] if command[0] == "fmt" else ["-i", "2"]
                with self.subTest(kind=kind, command=command):
                    self.assertEqual(self.said(*command, deepest, *inputs), (0, ""))
                    for file in (deeper, deep):
                        code, error = self.said(*command, file, *inputs)
                        self.assertEqual(code, 1 if command == ["bounds"] else 0)
                        self.assertEqual("evaluate.depth" in error, command == ["bounds"])

    def test_both(self):
        file = self.write(running_an_applying(MOST, MOST))
        for command in EVERY:
            self.assertEqual(self.said(*command, file, "-i", "2")[0], 0, command)

    def test_long_programs(self):
        file = self.write(chain(30_000))
        for command in (*EVERY, ["fmt"]):
            inputs = [] if command[0] == "fmt" else ["-i", "2"]
            self.assertEqual(self.said(*command, file, *inputs)[0], 0)
        for depth in (101, 1000000):
            code, error = self.said("explain", file, "-i", "2", "--depth", str(depth), codes=(2,))
            self.assertIn(f"explain.depth: --depth is {depth}", error)
        file = self.write(sorting(20_000))
        for command in (*EVERY, ["fmt"]):
            inputs = [] if command[0] == "fmt" else ["-i", "{3, 1, 4, 2}"]
            self.assertEqual(self.said(*command, file, *inputs)[0], 0)
        file = self.write(reducing_by_calls(20_000))
        for command in (*EVERY, ["fmt"]):
            inputs = [] if command[0] == "fmt" else ["-i", "{3, 1, 4, 2}"]
            self.assertEqual(self.said(*command, file, *inputs)[0], 0)

    def test_texts(self):
        deep = 100_000
        for line in (
            "ROOT x = f32[2]" + "{0:P(f32[2]" * deep,
            "ROOT x = " + "(" * deep,
            "ROOT x = f32[2] constant(" + "{" * deep,
            "ROOT x = f32[] " + "negate(f32[] " * deep,
            "ROOT x = f32[2] constant({1, 2}), sharding=" + "{" * deep,
            "ROOT x = f32[2] constant({1, 2}), origin={" + "(" * deep,
            "ROOT x = f32[2] constant({1, 2}), backend_config=" + '{"a":' * deep,
        ):
            file = self.write(entry(line))
            for command in (["eval"], ["fmt"]):
                self.assertEqual(self.said(*command, file)[0], 1, line[:60])

    def test_configurations(self):
        deep = 100_000
        for value in ("[" * deep + "]" * deep, '{"a":' * deep + "1" + "}" * deep):
            for target in ("check.expect_almost_eq", "interpreter.run_parallel", "Sharding"):
                file = self.write(entry(
                    "x = f32[2] constant({1, 2})\n  ROOT r = f32[2] custom-call(x), "
                    f'custom_call_target="{target}", backend_config={{"a":{value}}}'))
                for command in (["eval"], ["fmt"], ["fmt", "--to", "stablehlo"]):
                    self.said(*command, file)

    def test_inputs(self):
        file = self.write(entry("ROOT x = f32[2] parameter(0)"))
        for value in ("{" * 20_000, "(" * 20_000, "(" * 20_000 + "f32[]" + ")" * 20_000):
            self.said("eval", file, "-i", value, codes=(1, 2))
        for header in ("(" * 60_000, "{'descr': '<f4', 'fortran_order': False, 'shape': " +
                       "(" * 60_000, "{" * 60_000):
            npy = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()
            self.said("eval", file, "-i", "@" + self.write(npy, "a.npy"), codes=(2,))

    def test_files_of_cases(self):
        for line in ("[" * 100_000, '{"a":' * 100_000, '{"a":[' + "[" * 50_000 + "]" * 50_000 + "]}"):
            file = self.write(line + "\n", "cases.jsonl")
            for command in (["check"], ["golden", "verify"]):
                self.said(*command, file, codes=(1, 2, 3))

    def test_stablehlo(self):
        deep = 20_000
        functions = "".join(
            f"func.func private @f{i}(%a: tensor<f32>) -> tensor<f32> {{\n"
            f"  %0 = func.call @f{i - 1}(%a) : (tensor<f32>) -> tensor<f32>\n"
            "  return %0 : tensor<f32>\n}\n" for i in range(1, deep))
        file = self.write(
            "func.func private @f0(%a: tensor<f32>) -> tensor<f32> {\n"
            "  return %a : tensor<f32>\n}\n" + functions +
            "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n"
            f"  %0 = func.call @f{deep - 1}(%a) : (tensor<f32>) -> tensor<f32>\n"
            "  return %0 : tensor<f32>\n}\n", "calls.mlir")
        for command in (["eval", "-i", "1"], ["fmt"], ["fmt", "--to", "hlo"], ["bounds", "-i", "1"]):
            self.said(command[0], file, *command[1:])
        for text in ("func.func @main() attributes {a = " + "[" * deep,
                     "func.func @main() attributes {a = " + "{a = " * deep,
                     "func.func @main(%a: " + "tuple<" * deep,
                     "func.func @main(%a: tensor<2xf32, " + "tensor<2xf32, " * deep,
                     "func.func @main() {\n" + '"stablehlo.case"() ({\n' * deep,
                     "func.func @main() loc(" + "callsite(" * deep):
            file = self.write(text, "deep.mlir")
            self.assertEqual(self.said("eval", file)[0], 1, text[:60])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
