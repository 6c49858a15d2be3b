"""StableHLO's reference interpreter, which jaxlib has."""

import math
import re

from assay.serve.engine_host import Unsupported, first_line
from assay.serve.languages import StableHlo

DENSE = re.compile(r'dense<(.*)> : tensor<', re.DOTALL)
MARKS = re.compile(r"[\[\]()\s]")


class StableHloInterpreter:
    """Programs are parsed by MLIR and evaluated operation by operation."""

    language = StableHlo
    dying_refusal = ("LLVM ERROR: (Unsupported|.* (is unsupported|not supported) at the moment|"
                     ".* is only supported when run via)")
    name = "stablehlo-interpreter:"
    needs = "it is in the package jaxlib"
    # Types of which no case runs (conformance/scoreboard).
    tags = ("no-s1", "no-u1")

    def __init__(self, rest):
        if rest:
            raise ValueError("stablehlo-interpreter: has no platforms")
        self.release = ""

    def prepare(self):
        import jaxlib
        from assay.serve import element_arrays
        from jaxlib.mlir import ir
        from jaxlib.mlir._mlir_libs import _jax_mlir_ext
        from jaxlib.mlir.dialects import chlo, stablehlo
        self.arrays, self.ir, self.extension = element_arrays, ir, _jax_mlir_ext
        self.chlo, self.stablehlo = chlo, stablehlo
        self.release = f"jaxlib {jaxlib.__version__}"

    def start(self):
        registry = self.ir.DialectRegistry()
        self.extension.register_dialects(registry)
        self.context = self.ir.Context()
        self.context.append_dialect_registry(registry)
        self.context.load_all_available_dialects()
        self.stablehlo.register_dialect(self.context)
        self.chlo.register_dialect(self.context)

    def module(self, program):
        try:
            return self.ir.Module.parse(program, self.context)
        except self.ir.MLIRError as error:
            raise Unsupported(first_line(error)) from None

    def constants(self, module, inputs):
        """The inputs as attributes of the types that @main has for them."""
        main = next(op for op in module.body.operations
                    if self.ir.StringAttr(op.attributes["sym_name"]).value == "main")
        types = main.attributes["function_type"].value.inputs
        if len(types) != len(inputs):
            raise Unsupported("a parameter that is no array")
        return [self.constant(kind, *part) for kind, part in zip(types, inputs)]

    def constant(self, kind, shape, data):
        array = self.arrays.array_of(shape, data)
        if array.dtype.isbuiltin != 1:  # a type of ml_dtypes
            sign = "i" if self.arrays.kind_of(shape)[0] == "s" else "u"
            array = array.view(f"{sign}{array.dtype.itemsize}")
        return self.ir.DenseElementsAttr.get(array, type=kind, context=self.context)

    def evaluate(self, program, inputs, results):
        if any(shape[:4] in ("c64[", "c128") for shape in results):
            raise Unsupported("jaxlib cannot hand complex results of the interpreter to Python")
        module = self.module(program)
        constants = self.constants(module, inputs)
        values = self.stablehlo.eval_module(module, constants)
        return [self.bytes_of(shape, value) for shape, value in zip(results, values)]

    def bytes_of(self, shape, value):
        kind = self.arrays.dtype(self.arrays.kind_of(shape))
        if kind.isbuiltin == 1 and kind.kind != "c":
            return self.arrays.numpy.asarray(value).tobytes()
        # Types that have no buffers in Python are printed, and exactly.
        return self.arrays.bytes_of(shape, printed_array(
            DENSE.search(str(value))[1], kind, math.prod(value.type.shape), self.arrays.numpy))


def printed_array(text, kind, count, numpy):
    """The bytes of that many numbers: all in hexadecimal, or one by one, or one for all."""
    if text.startswith('"0x'):
        codes = numpy.frombuffer(bytes.fromhex(text[3:-1]), "u1")
        return numpy.tile(codes, count * kind.itemsize // len(codes))
    words = [word for word in MARKS.sub("", text).split(",") if word]
    part = numpy.dtype(f"f{kind.itemsize // 2}") if kind.kind == "c" else kind
    codes = [code_of(word, part, numpy) for word in words]
    if not codes:
        return numpy.zeros(0, "u1")
    return numpy.tile(numpy.concatenate(codes), count * kind.itemsize // (
        len(codes) * part.itemsize))


def code_of(word, kind, numpy):
    """The bytes of a number: decimal, or 0x and its bits."""
    if word.startswith("0x"):
        return numpy.frombuffer(int(word, 16).to_bytes(kind.itemsize, "little"), "u1")
    exact = int(word) if re.fullmatch(r"-?\d+", word) else float(word)
    return numpy.array([exact]).astype(kind).view("u1")
