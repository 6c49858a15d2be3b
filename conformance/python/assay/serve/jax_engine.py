"""Any platform that JAX has: HLO text through jaxlib."""

import re

from assay.serve.engine_host import Unsupported, first_line
from assay.serve.languages import Hlo

BITS = re.compile(r"\b[su]1\[")
TILES = re.compile(r"(\b[a-z]\w*\[[^\]]*\]\{[\d,]*):[^}]*\}")


class JaxEngine:
    """Buffers are dense; the layouts inside of programs are the platform's choice."""

    language = Hlo
    dying_refusal = ""
    needs = "it is in the package jax"

    def __init__(self, platform):
        self.platform = platform
        self.name = f"jax:{platform}"
        self.release = ""

    def prepare(self):
        # Imported once, before the fork; clients are made behind it.
        import jax
        from assay.serve import element_arrays
        from jaxlib import _hlo, xla_client
        jax.config.update("jax_enable_x64", True)
        self.jax, self.arrays = jax, element_arrays
        self.hlo, self.client = _hlo, xla_client
        self.release = jax.__version__

    def start(self):
        self.device = self.jax.devices(self.platform)[0]

    def buffer(self, array):
        try:
            return self.jax.device_put(array, self.device)
        except Exception as error:  # a type that the platform does not have
            raise Unsupported(first_line(error)) from None

    def compiled(self, program):
        mlir = self.client._xla.mlir
        if BITS.search(program):
            raise Unsupported("StableHLO, which programs go through, makes pred of s1 and u1")
        try:
            # Buffers are dense, and tiles with * do not survive the way to StableHLO.
            module = self.hlo.hlo_module_from_text(TILES.sub(r"\1}", program))
            proto = module.as_serialized_hlo_module_proto()
            text = mlir.xla_computation_to_mlir_module(self.hlo.XlaComputation(proto))
            return self.device.client.compile_and_load(
                text, [self.device], self.client.CompileOptions())
        except Exception as error:  # jaxlib throws several unrelated types
            if first_line(error).startswith("INTERNAL"):
                raise  # XLA's own assumptions do not hold: a defect, no capability
            raise Unsupported(first_line(error)) from None

    def evaluate(self, program, inputs, results):
        arrays = [self.buffer(self.arrays.array_of(*part)) for part in inputs]
        outcome = self.compiled(program).execute_sharded(arrays)
        leaves = [leaf[0] for leaf in outcome.disassemble_into_single_device_arrays()]
        return [self.arrays.bytes_of(shape, self.jax.device_get(leaf))
                for shape, leaf in zip(results, leaves)]
