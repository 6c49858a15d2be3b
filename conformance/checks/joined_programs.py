#!/usr/bin/env python3
"""How assay.serve makes one module of IREE's compiler of several programs."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "conformance/python"))

from assay.serve import iree_compiler, iree_together  # noqa: E402


def check(actual, expected, what):
    if actual != expected:
        sys.exit(f"{what}: {str(actual)[:2000]}, but must be {str(expected)[:2000]}")


PROGRAM = """module @"m" attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f32>) -> (tensor<f32>) {
    %0 = "func.call"(%arg0) <{callee = @"ma"}> : (tensor<f32>) -> (tensor<f32>)
    "func.return"(%0) : (tensor<f32>) -> ()
  }
  func.func private @"ma"(%arg0: tensor<f32>) -> (tensor<f32>) {
    "func.return"(%arg0) : (tensor<f32>) -> ()
  }
}
"""


def check_names():
    """Functions get names of their own; a program of which that is not sure stays alone."""
    text, names, lines = iree_together.joined([PROGRAM, PROGRAM])
    check(names, ["main.of.0", "main.of.1"], "entries")
    check([text.splitlines()[line - 1].split("(")[0] for line in lines],
          [f'  func.func public @"{name}"' for name in names], "first lines")
    for i in range(2):
        for part in (f'@"main.of.{i}"(%', f'private @"ma.of.{i}"(', f'= @"ma.of.{i}"}}'):
            check(text.count(part), 1, part)
    check(text.count("module"), 1, "modules")
    for old, new in (("replicas = 1", "replicas = 2"), ("= 1 : i32, ", "= 12 : i32, "),
                     ("func.call", "stablehlo.custom_call"), ('"ma"', '"m\\61"'),
                     ("func.func private", "func.func nested"), ("\n}\n", "\n}")):
        check(iree_together.functions_of(PROGRAM.replace(old, new), ""), None, new)


class SomeCompiler:
    """Refuses what has "bad" at its place, what has "odd" without one, and dies of "fatal"; its
    linker finds no symbol "unknown". It says how often it was asked."""

    def __init__(self):
        self.asked = 0

    def compiled(self, text, seconds):
        self.asked += 1
        if "fatal" in text:
            return iree_compiler.Outcome(None, "", "signal 11")
        if "odd" in text:
            return iree_compiler.Outcome(None, "an error without a place")
        unknown = re.search(r'"unknown\.of\.(\d+)"', text)
        if unknown:
            return iree_compiler.Outcome(
                None, "iree-lld: error: undefined symbol: unknown\n>>> referenced by -:6\n"
                f">>>         a-1.o:(main.of.{unknown[1]}_dispatch_0_f64)")
        bad = [f'loc("source.mlir":{line}:10): error: it is bad'
               for line, words in enumerate(text.splitlines(), 1) if "bad" in words]
        return iree_compiler.Outcome(None if bad else text.encode(), "\n".join(bad))


def numbered(count):
    return [PROGRAM.replace('@"m"', f'@"m{i}"').replace('"ma"', f'"ma{i}"')
            for i in range(count)]


def check_culprits():
    """What the compiler refuses or dies of is looked for, and left alone."""
    programs = numbered(8)
    for name, asked, made in (("ma", 1, [*programs, "culprit"]), ("bad", 2, programs),
                              ("unknown", 2, programs),
                              # The neighbour of what is halved last stays alone, too.
                              ("odd", 5, [*programs[:2], *programs[3:]]),
                              ("fatal", 5, [*programs[:2], *programs[3:]])):
        compiler = SomeCompiler()
        culprit = PROGRAM.replace('"ma"', f'"{name}"')
        found = iree_together.Together(compiler).modules([*programs[:3], culprit, *programs[3:]])
        made = [culprit if one == "culprit" else one for one in made]
        check(sorted(found), sorted(made), name)
        check(compiler.asked, asked, f"{name} (compilations)")
    together = iree_together.Together(SomeCompiler())
    check((together.modules(programs[:1]), together.modules([])), ({}, {}), "one, and none")


def check_groups():
    """Programs are compiled when the first of them is asked for, and none is twice."""
    compiler, programs = SomeCompiler(), numbered(40)
    together = iree_together.Together(compiler)
    together.expect([*programs, PROGRAM.replace("= 1 : i32, ", "= 2 : i32, "), programs[0]])
    check(compiler.asked, 0, "nothing yet")
    check([together.module_of(one)[1] for one in programs],
          [f"main.of.{i % 16}" for i in range(40)], "names")
    check(compiler.asked, 3, "modules")
    check(together.module_of("another"), None, "what was not told")
    together.pace(3, 16)
    check(together.most, 8, "a slow compiler gets fewer")
    for _ in range(3):
        together.pace(0.1, 8)
    check(together.most, 16, "a fast one gets more")


check_names()
check_culprits()
check_groups()
print("programs are joined as they must be")
