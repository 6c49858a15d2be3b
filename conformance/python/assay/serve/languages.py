"""The languages of programs: which types a text has, and its smallest programs of a type."""

import re


class Hlo:
    """HLO text."""

    name = "hlo"
    TYPE = re.compile(r"\b(pred|token|bf16|[suf]\d+|c64|c128|f\de\dm\d\w*)\[")

    @classmethod
    def types(cls, program):
        return dict.fromkeys(cls.TYPE.findall(program))

    @staticmethod
    def smallest(kind):
        """One for each of some operations that move: an engine may lack any of them."""
        for operation in ("copy(x)", "reverse(x), dimensions={0}", "reshape(x)"):
            yield (f"HloModule smallest\n\nENTRY main {{\n  x = {kind}[2] parameter(0)\n"
                   f"  ROOT r = {kind}[2] {operation}\n}}\n")


class StableHlo:
    """StableHLO text; types have HLO's names outside of it."""

    name = "stablehlo"
    TYPE = re.compile(r"tensor<(?:[\d?]+x)*(complex<f\d+>|\w+)")
    ODD = {"i1": "pred", "complex<f32>": "c64", "complex<f64>": "c128"}

    @classmethod
    def types(cls, program):
        return dict.fromkeys(cls.hlo_type(kind) for kind in cls.TYPE.findall(program))

    @classmethod
    def hlo_type(cls, kind):
        if kind in cls.ODD:
            return cls.ODD[kind]
        if kind[0] == "i":
            return "s" + kind[1:]
        return "u" + kind[2:] if kind[:2] == "ui" else kind.lower()

    @classmethod
    def own_type(cls, kind):
        for own, name in cls.ODD.items():
            if name == kind:
                return own
        if kind[0] in "su":
            return ("ui" if kind[0] == "u" else "i") + kind[1:]
        return kind[0] + kind[1:].upper() if "e" in kind else kind

    @classmethod
    def smallest(cls, kind):
        """One for each of some operations that move: an engine may lack any of them."""
        array = f"tensor<2x{cls.own_type(kind)}>"
        for operation in ("reverse\"(%x) <{dimensions = array<i64: 0>}>",
                          "reshape\"(%x)", "concatenate\"(%x) <{dimension = 0 : i64}>"):
            yield (f"func.func @main(%x: {array}) -> {array} {{\n"
                   f'  %r = "stablehlo.{operation} : ({array}) -> {array}\n'
                   f"  return %r : {array}\n}}\n")
