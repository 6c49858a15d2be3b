"""Programs in StableHLO, as rows: operands, one operation or a few, the result."""

from __future__ import annotations

from dataclasses import dataclass

from assaygen.arrays import Array
from assaygen.cases import Case, bits, rejected
from assaygen.types import BY_NAME, Type

MLIR = {"pred": "i1", "c64": "complex<f32>", "c128": "complex<f64>", "bf16": "bf16"}


@dataclass
class Text(Case):
    """A case whose program is StableHLO: the field `stablehlo` stands where `hlo` does."""

    def line(self, op: str) -> str:
        return super().line(op).replace('"hlo":', '"stablehlo":', 1)


def element(t: Type) -> str:
    if t.name in MLIR:
        return MLIR[t.name]
    letters = {"s": "i", "u": "ui", "f": "f"}
    return letters[t.name[0]] + t.name[1:].upper()


def tensor(x: Array) -> str:
    """tensor<2x3xf32>."""
    return "tensor<" + "".join(f"{n}x" for n in x.dims) + element(x.type) + ">"


def module(inputs, lines: str, results, head: str = "") -> str:
    """@main of %a, %b, ...; the lines give %r, or %r0, %r1, ..."""
    names = [f"%{chr(97 + k)}" for k in range(len(inputs))]
    given = ", ".join(f"{n}: {tensor(x)}" for n, x in zip(names, inputs))
    forms = ", ".join(map(tensor, results))
    out = ["%r"] if len(results) == 1 else [f"%r{k}" for k in range(len(results))]
    body = "\n".join("  " + line.strip() for line in lines.strip().splitlines())
    back = f"({forms})" if len(results) != 1 else forms
    return (f"{head}func.func @main({given}) -> {back} {{\n{body}\n"
            f"  return {', '.join(out)} : {forms}\n}}\n")


def types_of(*xs: Array) -> dict[str, str]:
    """$A, $B, ... for the types of operands, $R for that of the result."""
    return {f"${chr(65 + k)}": tensor(x) for k, x in enumerate(xs)}


def form(what: str, statement: str, why: str, inputs, lines: str, results, head: str = "",
         nan: str = "any") -> Text:
    for word, text in {**types_of(*inputs), "$R": tensor(results[0])}.items():
        lines = lines.replace(word, text)
    return Text(f"{results[0].type.name}/{what}", statement, module(inputs, lines, results, head),
                [bits(x, nan) for x in results], [why], list(inputs))


def refused(what: str, statement: str, text: str, rule: str, inputs=()) -> Text:
    return Text(f"refused/{what}", statement, text, rejected(rule), ["Refused"], list(inputs))


PRED, S32, S64, F32, C64, U8 = (BY_NAME[n] for n in ("pred", "s32", "s64", "f32", "c64", "u8"))
