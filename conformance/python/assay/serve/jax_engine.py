"""Any platform that JAX has: HLO text through jaxlib."""

import re

from assay.serve.engine_host import Unsupported

SHAPE = re.compile(r"([a-z]\w*)\[([\d,]*)\]")
BITS = re.compile(r"\b[su]1\[")
NARROW = {"s2": 3, "u2": 3, "s4": 15, "u4": 15, "f4e2m1fn": 15}
NUMPY = {"pred": "bool", "bf16": "bfloat16", "c64": "complex64", "c128": "complex128",
         "f16": "float16", "f32": "float32", "f64": "float64"}


class JaxEngine:
    """Buffers are dense; the layouts inside of programs are the platform's choice."""

    program = "hlo"
    needs = "it is in the package jax"

    def __init__(self, platform):
        self.platform = platform
        self.name = f"jax:{platform}"
        self.release = ""

    def prepare(self):
        # Imported once, before the fork; clients are made behind it.
        import jax
        import ml_dtypes
        import numpy
        from jaxlib import _hlo, xla_client
        jax.config.update("jax_enable_x64", True)
        self.jax, self.types, self.numpy = jax, ml_dtypes, numpy
        self.hlo, self.client = _hlo, xla_client
        self.release = jax.__version__

    def start(self):
        self.device = self.jax.devices(self.platform)[0]

    def dtype(self, kind):
        """The type of NumPy or ml_dtypes of that name."""
        name = NUMPY.get(kind, kind)
        if name[:1] in "su" and name[1:].isdigit():
            name = ("int" if name[0] == "s" else "uint") + name[1:]
        elif name[:2] in ("f4", "f6", "f8"):
            name = "float" + name[1:].replace("e", "_e", 1)
        found = getattr(self.types, name, None) or getattr(self.numpy, name, None)
        if found is None:
            raise Unsupported(f"NumPy has no type {kind}")
        return self.numpy.dtype(found)

    def array(self, shape, data):
        match = SHAPE.match(shape)
        if match is None:
            raise Unsupported(f"a parameter {shape}")
        dtype = self.dtype(match[1])
        sizes = [int(size) for size in match[2].split(",") if size]
        if data is None:
            return self.numpy.zeros(sizes, dtype)
        return self.numpy.frombuffer(data, dtype).reshape(sizes)

    def buffer(self, array):
        try:
            return self.jax.device_put(array, self.device)
        except Exception as error:  # a type that the platform does not have
            raise Unsupported(str(error).strip().split("\n")[0]) from None

    def compiled(self, program):
        mlir = self.client._xla.mlir
        if BITS.search(program):
            raise Unsupported("StableHLO, which programs go through, makes pred of s1 and u1")
        try:
            module = self.hlo.hlo_module_from_text(program)
            proto = module.as_serialized_hlo_module_proto()
            text = mlir.xla_computation_to_mlir_module(self.hlo.XlaComputation(proto))
            return self.device.client.compile_and_load(
                text, [self.device], self.client.CompileOptions())
        except Exception as error:  # jaxlib throws several unrelated types
            raise Unsupported(str(error).strip().split("\n")[0]) from None

    def evaluate(self, program, inputs, results):
        arrays = [self.buffer(self.array(*part)) for part in inputs]
        outcome = self.compiled(program).execute_sharded(arrays)
        leaves = [leaf[0] for leaf in outcome.disassemble_into_single_device_arrays()]
        return [self.bytes_of(shape, self.numpy.asarray(leaf))
                for shape, leaf in zip(results, leaves)]

    def bytes_of(self, shape, array):
        data = array.tobytes()
        mask = NARROW.get(shape.split("[")[0])
        if mask is None:
            return data
        return (self.numpy.frombuffer(data, "uint8") & mask).tobytes()
