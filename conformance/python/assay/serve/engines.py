"""The engines by their names."""

from assay.serve.iree_engine import IreeEngine
from assay.serve.jax_engine import JaxEngine
from assay.serve.onnx_engine import OnnxEngine
from assay.serve.stablehlo_interpreter import StableHloInterpreter

ENGINES = {"iree": IreeEngine, "jax": JaxEngine, "onnxruntime": OnnxEngine,
           "stablehlo-interpreter": StableHloInterpreter}


def engine_of(name):
    """That of ENGINE:PLATFORM. ValueError where there is none."""
    scheme, colon, rest = name.partition(":")
    if not colon or scheme not in ENGINES:
        raise ValueError(f"an engine is ENGINE:PLATFORM, ENGINE one of {sorted(ENGINES)}")
    return ENGINES[scheme](rest)
