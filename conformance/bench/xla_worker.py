"""xla_worker.py: programs by jaxlib's XLA:CPU, one request a line on stdin.

A request is {"program": FILE, "inputs": [FILE.npy], "seconds": S}; an answer is
{"compile": seconds, "median": seconds}, or {"error": text}. The first line of the output is
the release.
"""

import json
import statistics
import sys
import time


def run(program, seconds):
    """Times of the later runs, for about so many seconds, at least three."""
    program()
    times = []
    end = time.perf_counter() + seconds
    while len(times) < 3 or (time.perf_counter() < end and len(times) < 200):
        begin = time.perf_counter()
        program()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def answer(make, request):
    try:
        begin = time.perf_counter()
        program = make(request)
        compiled = time.perf_counter() - begin
        return {"compile": compiled, "median": run(program, request["seconds"])}
    except Exception as error:  # the libraries throw several unrelated types
        return {"error": str(error).split("\n")[0]}


def serve(release, make):
    print(release, flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(make, json.loads(line))), flush=True)


def main():
    import jax
    import numpy
    from jaxlib import _hlo, xla_client
    device = jax.devices("cpu")[0]
    mlir = xla_client._xla.mlir

    def make(request):
        with open(request["program"]) as file:
            module = _hlo.hlo_module_from_text(file.read())
        computation = _hlo.XlaComputation(module.as_serialized_hlo_module_proto())
        program = device.client.compile_and_load(
            mlir.xla_computation_to_mlir_module(computation), [device],
            xla_client.CompileOptions())
        arrays = [jax.device_put(numpy.load(file), device) for file in request["inputs"]]

        def call():
            for leaf in program.execute_sharded(arrays).disassemble_into_single_device_arrays():
                leaf[0].block_until_ready()
        return call

    serve(f"jaxlib {jax.__version__}", make)


if __name__ == "__main__":
    main()
