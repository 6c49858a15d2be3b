"""IREE's compiler for CPUs, and its runtime."""

from assay.serve import iree_compiler, iree_together
from assay.serve.engine_host import Died, Unsupported, first_line
from assay.serve.languages import StableHlo

FLAGS = ("--iree-llvmcpu-target-cpu=host",
         "--iree-input-demote-f64-to-f32=false")  # or @main takes other types than it says
ELEMENTS = {"pred": "BOOL_8", "bf16": "BFLOAT_16", "f16": "FLOAT_16", "f32": "FLOAT_32",
            "f64": "FLOAT_64", "c64": "COMPLEX_64", "c128": "COMPLEX_128",
            "f8e4m3fn": "FLOAT_8_E4M3_FN", "f8e4m3fnuz": "FLOAT_8_E4M3_FNUZ",
            "f8e5m2": "FLOAT_8_E5M2", "f8e5m2fnuz": "FLOAT_8_E5M2_FNUZ",
            "f8e8m0fnu": "FLOAT_8_E8M0_FNU"}
ELEMENTS |= {f"s{bits}": f"INT_{bits}" for bits in (8, 16, 32, 64)}
ELEMENTS |= {f"u{bits}": f"UINT_{bits}" for bits in (8, 16, 32, 64)}


class IreeEngine:
    """Programs are compiled together where the compiler takes them; any other by itself."""

    batch, pace = 64, 4
    language = StableHlo
    dying_refusal = ""
    needs = "it is in the packages iree-base-compiler and iree-base-runtime"
    # Types of which no case runs (conformance/scoreboard).
    tags = ("no-f4e2m1fn", "no-f6e2m3fn", "no-f6e3m2fn", "no-f8e3m4", "no-f8e4m3",
            "no-f8e4m3b11fnuz", "no-s1", "no-s2", "no-s4", "no-u1", "no-u2", "no-u4")

    def __init__(self, target):
        if target != "llvm-cpu":
            raise ValueError("the target of iree: must be llvm-cpu")
        self.target = target
        self.name = f"iree:{target}"
        self.release = ""

    def prepare(self):
        from importlib import metadata

        from assay.serve import element_arrays
        from iree import runtime
        self.runtime, self.arrays = runtime, element_arrays
        self.compiler = iree_compiler.Compiler(
            ("--iree-input-type=stablehlo", f"--iree-hal-target-backends={self.target}", *FLAGS))
        self.release = metadata.version("iree-base-compiler")

    def start(self):
        self.instance = self.runtime.VmInstance()
        self.device = self.runtime.get_device("local-sync")
        self.hal = self.runtime.create_hal_module(self.instance, self.device)
        self.together = iree_together.Together(self.compiler)
        self.kept = None, None  # the last program compiled by itself, and its module

    def ahead(self, programs):
        """Says what evaluate() gets next."""
        self.together.expect(programs)

    def compiled(self, program):
        outcome = self.compiler.compiled(program)
        if outcome.death:
            raise Died(f"IREE's compiler died: {outcome.death}")
        if outcome.module is None:
            words = first_line(outcome.words)
            if "iree-lld" in words:  # it took the program, and cannot link what it made
                raise RuntimeError(f"an internal error: {words}")
            raise Unsupported(words)
        return outcome.module

    def element(self, shape):
        kind = self.arrays.kind_of(shape)
        element = getattr(self.runtime.HalElementType, ELEMENTS.get(kind, ""), None)
        if element is None:
            raise Unsupported(f"IREE's runtime has no dense buffers of {kind}")
        return element

    def buffer(self, shape, data):
        runtime, array = self.runtime, self.arrays.array_of(shape, data)
        if array.dtype.isbuiltin != 1:  # a type of ml_dtypes
            array = array.view(f"u{array.dtype.itemsize}")
        return self.device.allocator.allocate_buffer_copy(
            memory_type=runtime.MemoryType.DEVICE_LOCAL | runtime.MemoryType.HOST_VISIBLE,
            allowed_usage=runtime.BufferUsage.DEFAULT | runtime.BufferUsage.MAPPING,
            device=self.device, buffer=array, element_type=self.element(shape))

    def evaluate(self, program, inputs, results):
        made = self.together.module_of(program)
        if made:
            try:
                return self.run(*made, inputs, results)
            except Exception:  # what is wrong with it alone decides
                pass
        if self.kept[0] != program:
            self.kept = program, self.compiled(program)
        return self.run(self.kept[1], "main", inputs, results)

    def run(self, module, name, inputs, results):
        runtime = self.runtime
        for shape in results:
            self.element(shape)
        arguments = runtime.VmVariantList(len(inputs))
        for part in inputs:
            arguments.push_ref(self.buffer(*part))
        module = runtime.VmModule.copy_buffer(self.instance, module)
        context = runtime.VmContext(self.instance, modules=[self.hal, module])
        values = runtime.VmVariantList(len(results))
        context.invoke(module.lookup_function(name), arguments, values)
        return [self.bytes_of(shape, values.get_as_object(i, runtime.HalBufferView))
                for i, shape in enumerate(results)]

    def bytes_of(self, shape, view):
        if list(view.shape) != self.arrays.sizes_of(shape) or (
                view.element_type != int(self.element(shape))):
            raise ValueError(f"a result {view} instead of {shape}")
        if view.byte_length == 0 or 0 in view.shape:
            return b""
        return view.map().asarray([view.byte_length], self.arrays.numpy.dtype("u1")).tobytes()
