"""python3 -m assay.serve ENGINE:PLATFORM"""

import sys

from assay.serve import worker
from assay.serve.iree_engine import IreeEngine
from assay.serve.jax_engine import JaxEngine
from assay.serve.onnx_engine import OnnxEngine
from assay.serve.stablehlo_interpreter import StableHloInterpreter

ENGINES = {"iree": IreeEngine, "jax": JaxEngine, "onnxruntime": OnnxEngine,
           "stablehlo-interpreter": StableHloInterpreter}


def main():
    scheme, colon, rest = (sys.argv[1:] or [""])[0].partition(":")
    if len(sys.argv) != 2 or not colon or scheme not in ENGINES:
        sys.exit(f"usage: python3 -m assay.serve ENGINE:PLATFORM, ENGINE one of {sorted(ENGINES)}")
    try:
        engine = ENGINES[scheme](rest)
    except ValueError as error:
        sys.exit(f"assay.serve: {error}")
    worker.serve(engine)


main()
