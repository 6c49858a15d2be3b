"""onnx_worker.py: functions by ONNX Runtime, one request a line on stdin.

As xla_worker.py, but a request names a function of this file and its numbers beside the
inputs.
"""

import sys

from xla_worker import serve

FLOAT, INT64 = 1, 7  # of TensorProto


class Graphs:
    """Makes graphs of one or a few nodes."""

    def __init__(self, onnx):
        self.helper = onnx.helper

    def model(self, nodes, inputs, constants=()):
        helper = self.helper
        graph = helper.make_graph(
            nodes, "row", [helper.make_tensor_value_info(*one) for one in inputs],
            [helper.make_tensor_value_info("r", 0, None)], list(constants))
        graph.output[0].ClearField("type")
        graph.output[0].type.tensor_type.elem_type = self.result
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)

    def made(self, name, numbers):
        self.result = INT64 if name == "argmax" else FLOAT
        return getattr(self, name)(*numbers)

    def matmul(self, m, n, k, *batch):
        node = self.helper.make_node("MatMul", ["a", "b"], ["r"])
        return self.model([node], [("a", FLOAT, [*batch, m, k]), ("b", FLOAT, [*batch, k, n])])

    def softmax(self, *dims):
        node = self.helper.make_node("Softmax", ["a"], ["r"], axis=-1)
        return self.model([node], [("a", FLOAT, dims)])

    def layer_norm(self, rows, length):
        tensor = self.helper.make_tensor
        node = self.helper.make_node("LayerNormalization", ["a", "s"], ["r"], axis=-1)
        return self.model([node], [("a", FLOAT, [rows, length])],
                          [tensor("s", FLOAT, [length], [1.0] * length)])

    def attention(self, *dims):
        make = self.helper.make_node
        nodes = [make("Transpose", ["b"], ["t"], perm=[0, 1, 3, 2]),
                 make("MatMul", ["a", "t"], ["y"]), make("Mul", ["y", "f"], ["x"]),
                 make("Softmax", ["x"], ["p"], axis=-1), make("MatMul", ["p", "c"], ["r"])]
        return self.model(nodes, [(name, FLOAT, dims) for name in "abc"],
                          [self.helper.make_tensor("f", FLOAT, [], [0.125])])

    def cumsum(self, length):
        node = self.helper.make_node("CumSum", ["a", "d"], ["r"])
        return self.model([node], [("a", FLOAT, [length])],
                          [self.helper.make_tensor("d", INT64, [], [0])])

    def argmax(self, rows, length):
        node = self.helper.make_node("ArgMax", ["a"], ["r"], axis=1, keepdims=0)
        return self.model([node], [("a", FLOAT, [rows, length])])

    def gather(self, table, width, count):
        node = self.helper.make_node("Gather", ["a", "i"], ["r"], axis=0)
        return self.model([node], [("a", FLOAT, [table, width]), ("i", 6, [count, 1])])

    def topk(self, length, k):
        node = self.helper.make_node("TopK", ["a", "k"], ["r", "p"])
        return self.model([node], [("a", FLOAT, [length])],
                          [self.helper.make_tensor("k", INT64, [1], [k])])


def main():
    import numpy
    import onnx
    import onnxruntime
    graphs = Graphs(onnx)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = int(sys.argv[1])

    def make(request):
        model = graphs.made(request["function"], request["numbers"])
        session = onnxruntime.InferenceSession(model.SerializeToString(), options,
                                               providers=["CPUExecutionProvider"])
        names = [one.name for one in session.get_inputs()]
        arrays = [numpy.load(file) for file in request["inputs"]]
        binding = session.io_binding()
        for name, array in zip(names, arrays):
            binding.bind_cpu_input(name, array)
        binding.bind_output("r")
        return lambda: session.run_with_iobinding(binding)

    serve(f"ONNX Runtime {onnxruntime.__version__}", make)


if __name__ == "__main__":
    main()
