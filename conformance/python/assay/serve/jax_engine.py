"""Any platform that JAX has: HLO text through jaxlib."""

import re

from assay.serve import entry_layouts
from assay.serve.engine_host import Unsupported, first_line
from assay.serve.languages import Hlo

BITS = re.compile(r"\b[su]1\[")
TILES = re.compile(r"(\b[a-z]\w*\[[^\]]*\]\{[\d,]*):[^}]*\}")
OWN = "custom element sizes on non-sub-byte"  # which XLA's passes set and no program does
EARLY = "seen during layout assignment"  # bitcast is an operation of XLA's own passes
TRANSPOSED = ("HloModule transposed\n\nENTRY main {\n  x = s32[2,3]{0,1} parameter(0)\n"
              "  ROOT r = s32[2,3]{1,0} copy(x)\n}\n")


class JaxEngine:
    """The entry has the orders of dimensions of the program, without tiles; the layouts
    inside are the platform's choice."""

    language = Hlo
    dying_refusal = ""
    needs = "it is in the package jax"
    # Types of which no case runs (conformance/scoreboard); of a GPU that is not known.
    tags_of_platforms = {"cpu": ("no-f6e2m3fn", "no-f6e3m2fn", "no-s1", "no-u1")}

    def __init__(self, platform):
        self.platform = platform
        self.name = f"jax:{platform}"
        self.tags = self.tags_of_platforms.get(platform, ())
        self.release = ""

    def prepare(self):
        # Imported once, before the fork; clients are made behind it.
        import jax
        from assay.serve import element_arrays
        from jax.experimental import layout
        from jaxlib import _hlo, xla_client
        jax.config.update("jax_enable_x64", True)
        self.jax, self.layout, self.arrays = jax, layout, element_arrays
        self.hlo, self.client = _hlo, xla_client
        self.release = jax.__version__

    def start(self):
        self.device = self.jax.devices(self.platform)[0]
        self.kept = None, None  # the last program, and it compiled
        self.takes_bytes = True
        self.takes_bytes = self.reads_orders()

    def reads_orders(self):
        """Whether bytes in another order are taken as the program has it, which spares a
        program that transposes them; not all clients look at the layouts of buffers."""
        array = self.arrays.numpy.arange(6, dtype="int32").reshape(2, 3)
        try:
            (data,) = self.evaluate(TRANSPOSED, [("s32[2,3]", array.tobytes())], ["s32[2,3]"])
        except Exception:  # such a client says so in its own way
            return False
        return data == array.tobytes()

    def buffer(self, array, order):
        try:
            if order is None:
                return self.jax.device_put(array, self.device)
            if self.takes_bytes:
                moved = self.arrays.numpy.ascontiguousarray(array.transpose(order[::-1]))
                return self.jax.device_put(moved.reshape(array.shape), self.device)
            place = self.jax.sharding.SingleDeviceSharding(self.device)
            return self.jax.device_put(array, self.layout.Format(
                self.layout.Layout(tuple(order[::-1])), place))
        except Exception as error:  # a type or layout that the platform does not have
            raise Unsupported(first_line(error)) from None

    def compiled(self, program, parameters, results):
        mlir = self.client._xla.mlir
        if BITS.search(program):
            raise Unsupported("StableHLO, which programs go through, makes pred of s1 and u1")
        try:
            # Tiles with * do not survive the way to StableHLO.
            module = self.hlo.hlo_module_from_text(TILES.sub(r"\1}", program))
            proto = module.as_serialized_hlo_module_proto()
            text = mlir.xla_computation_to_mlir_module(self.hlo.XlaComputation(proto))
            if any([*parameters.values(), *results]):
                text = entry_layouts.with_modes(text, parameters, results)
                if text is None:
                    raise Unsupported("a layout of a parameter or result that is no array")
            return self.device.client.compile_and_load(
                text, [self.device], self.client.CompileOptions())
        except Unsupported:
            raise
        except Exception as error:  # jaxlib throws several unrelated types
            words = first_line(error)
            if OWN in words or (words.startswith("INTERNAL") and EARLY not in words):
                raise  # XLA's own assumptions do not hold: a defect, no capability
            raise Unsupported(words) from None

    def evaluate(self, program, inputs, results):
        parameters, orders = entry_layouts.entry_orders(program)
        arrays = [self.buffer(self.arrays.array_of(*part), parameters.get(i))
                  for i, part in enumerate(inputs)]
        if self.kept[0] != program:
            self.kept = program, self.compiled(program, parameters, orders)
        outcome = self.kept[1].execute_sharded(arrays)
        leaves = [leaf[0] for leaf in outcome.disassemble_into_single_device_arrays()]
        arrays = [self.arrays.within_bounds(shape, self.jax.device_get(leaf))
                  for shape, leaf in zip(results, leaves)]
        return list(map(self.arrays.bytes_of, results, arrays))
