#!/usr/bin/env python3
"""How assay.serve makes one module of IREE's compiler of several programs."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "conformance/python"))

from assay.serve import iree_together  # noqa: E402


def check(actual, expected, what):
    if actual != expected:
        sys.exit(f"{what}: {actual!r}, but must be {expected!r}")


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
    text, names = iree_together.joined([PROGRAM, PROGRAM])
    check(names, ["main.of.0", "main.of.1"], "entries")
    for i in range(2):
        for part in (f'@"main.of.{i}"(%', f'private @"ma.of.{i}"(', f'= @"ma.of.{i}"}}'):
            check(text.count(part), 1, part)
    check(text.count("module"), 1, "modules")
    for old, new in (("replicas = 1", "replicas = 2"), ("= 1 : i32, ", "= 12 : i32, "),
                     ("func.call", "stablehlo.custom_call"), ('"ma"', '"m\\61"'),
                     ("func.func private", "func.func nested"), ("\n}\n", "\n}")):
        check(iree_together.functions_of(PROGRAM.replace(old, new), ""), None, new)


class Some(iree_together.Together):
    """A compiler that refuses what has "bad" and says how often it was asked."""

    def __init__(self):
        self.asked = 0

    def converts(self, program):
        return "odd" not in program

    def compiled(self, text):
        self.asked += 1
        return None if "bad" in text else text.encode()


def check_halves():
    """What the compiler refuses is looked for, and left alone."""
    programs = [PROGRAM.replace('@"m"', f'@"m{i}"').replace('"ma"', f'"ma{i}"') for i in range(8)]
    some = Some()
    made = some.modules([*programs, PROGRAM.replace('"ma"', '"odd"'), programs[0]])
    check((list(made), some.asked, len(set(made.values()))), (programs, 1, 8), "all together")
    bad = PROGRAM.replace('"ma"', '"bad"')
    made = some.modules([*programs[:3], bad, *programs[3:7]])
    check(sorted(made), sorted([*programs[:2], *programs[3:7]]), "all but the bad one's half")
    check((some.modules([bad, bad]), some.modules([])), ({}, {}), "one, and none")


check_names()
check_halves()
print("programs are joined as they must be")
