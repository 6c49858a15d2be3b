"""ONNX Runtime on the CPU: programs of one operation that ONNX has, too."""

import re

from assay.serve.engine_host import Unsupported, first_line
from assay.serve.languages import Hlo

LINE = re.compile(r"(ROOT )?(\S+) = (\w+\[[\d,]*\])(?:\{[^}]*\})? ([\w-]+)\(([^()]*)\)(.*)")
NODES = {"abs": "Abs", "add": "Add", "ceil": "Ceil", "copy": "Identity", "cosine": "Cos",
         "divide": "Div", "erf": "Erf", "exponential": "Exp", "floor": "Floor", "log": "Log",
         "logistic": "Sigmoid", "maximum": "Max", "minimum": "Min", "multiply": "Mul",
         "negate": "Neg", "power": "Pow", "round-nearest-even": "Round", "sine": "Sin",
         "sqrt": "Sqrt", "subtract": "Sub", "tan": "Tan", "tanh": "Tanh"}
LOGICAL = {"and": "And", "or": "Or", "xor": "Xor", "not": "Not"}
MATRICES = {2: ", lhs_contracting_dims={1}, rhs_contracting_dims={0}",
            1: ", lhs_contracting_dims={0}, rhs_contracting_dims={0}"}
OPSET, FORMAT = 21, 10


def node_of(program):
    """The type of the node of ONNX for a program, and the numbers of the parameters it takes."""
    parameters, node = {}, None
    for line in program.splitlines():
        line = line.strip()
        if line in ("", "}") or line.startswith(("HloModule", "ENTRY")):
            continue
        match = LINE.fullmatch(line)
        if match is None or node:
            raise Unsupported("programs of one operation are handed to ONNX Runtime, no others")
        root, name, shape, opcode, operands, attributes = match.groups()
        if opcode == "parameter" and not root:
            parameters[name] = (int(operands), shape)
            continue
        names = operands.split(", ")
        if not root or any(operand not in parameters for operand in names):
            raise Unsupported("programs of one operation are handed to ONNX Runtime, no others")
        shapes = [parameters[operand][1] for operand in names]
        node = node_type(opcode, shapes, shape, attributes)
        numbers = [parameters[operand][0] for operand in names]
    if node is None:
        raise Unsupported("a program without an operation")
    return node, numbers


def node_type(opcode, operands, result, attributes):
    kind = result.split("[")[0]
    if any(operand.split("[")[0] != kind for operand in operands):
        raise Unsupported("nodes of ONNX have operands of the result's type")
    if opcode == "dot":
        ranks = {operand.count(",") + 1 for operand in operands if "[]" not in operand}
        if len(ranks) == 1 and attributes == MATRICES.get(ranks.pop()):
            return "MatMul"
    elif not attributes:
        if opcode in LOGICAL:
            return ("" if kind == "pred" else "Bitwise") + LOGICAL[opcode]
        # Arithmetic of pred is another in HLO than what ONNX has for bool: none.
        if opcode in NODES and (kind != "pred" or opcode == "copy"):
            return NODES[opcode]
    with_such = " with such attributes" if attributes else ""
    raise Unsupported(f"{opcode}{with_such} is not handed to ONNX Runtime")


class OnnxEngine:
    """A model of one node for each program; types are those of NumPy."""

    language = Hlo
    dying_refusal = ""
    name = "onnxruntime:"
    needs = "it is in the packages onnxruntime and onnx"
    # Types of which no case runs (conformance/scoreboard).
    tags = ("no-bf16", "no-c128", "no-c64", "no-f4e2m1fn", "no-f6e2m3fn", "no-f6e3m2fn",
            "no-f8e3m4", "no-f8e4m3", "no-f8e4m3b11fnuz", "no-f8e4m3fn", "no-f8e4m3fnuz",
            "no-f8e5m2", "no-f8e5m2fnuz", "no-f8e8m0fnu", "no-s1", "no-s2", "no-s4", "no-u1",
            "no-u2", "no-u4")

    def __init__(self, rest):
        if rest:
            raise ValueError("onnxruntime: has no platforms")
        self.release = ""

    def prepare(self):
        import onnx
        import onnxruntime
        from assay.serve import element_arrays
        self.onnx, self.runtime, self.arrays = onnx, onnxruntime, element_arrays
        self.release = onnxruntime.__version__

    def start(self):
        self.options = self.runtime.SessionOptions()
        self.options.intra_op_num_threads = 1
        self.options.log_severity_level = 4

    def value(self, name, shape):
        kind = self.arrays.dtype(self.arrays.kind_of(shape))
        if kind.isbuiltin != 1 or kind.kind == "c":
            raise Unsupported("ONNX Runtime takes arrays of NumPy's real types alone")
        helper = self.onnx.helper
        return helper.make_tensor_value_info(
            name, helper.np_dtype_to_tensor_dtype(kind), self.arrays.sizes_of(shape))

    def session(self, node, numbers, inputs, results):
        helper = self.onnx.helper
        graph = helper.make_graph(
            [helper.make_node(node, [f"p{number}" for number in numbers], ["r"])], "one",
            [self.value(f"p{i}", shape) for i, (shape, _) in enumerate(inputs)],
            [self.value("r", results[0])])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)],
                                  ir_version=FORMAT)
        try:
            return self.runtime.InferenceSession(
                model.SerializeToString(), self.options, providers=["CPUExecutionProvider"])
        except Exception as error:  # several types without a common one
            raise Unsupported(first_line(error)) from None

    def evaluate(self, program, inputs, results):
        session = self.session(*node_of(program), inputs, results)
        arrays = {f"p{i}": self.arrays.array_of(*part) for i, part in enumerate(inputs)}
        (array,) = session.run(["r"], arrays)
        if list(array.shape) != self.arrays.sizes_of(results[0]):
            raise ValueError(f"a result of the sizes {list(array.shape)} instead of {results[0]}")
        return [array.tobytes()]
