#!/usr/bin/env python3
"""Workers of conformance/python/assay/serve, with an engine that does as its case says."""

import functools
import io
import json
import os
import pathlib
import signal
import struct
import subprocess
import sys
import time
import types

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "conformance/python"))

from assay.serve import (  # noqa: E402
    engine_host, entry_layouts, frames, languages, onnx_engine, worker)
from assay.serve.stablehlo_interpreter import StableHloInterpreter  # noqa: E402


class FakeEngine:
    """Returns its first input, but for programs that name a fault."""

    name, release, language, needs = "fake", "1", languages.Hlo, ""
    dying_refusal = "fatal: (no such|.* is not there)"
    batch, pace = 64, 2

    def prepare(self):
        pass

    def start(self):
        self.answered = False
        self.ready = []

    def ahead(self, programs):
        self.ready = programs
        if any("unready" in program for program in programs):
            os._exit(7)

    def evaluate(self, program, inputs, results):
        print("an engine may print")
        if "u4[" in program:
            raise engine_host.Unsupported("no u4")
        if "s4[" in program:
            os.write(2, b"F1125 12:41:10.759887    1990 s4 is fatal\n")
            os.kill(os.getpid(), signal.SIGABRT)
        if "odd" in program:
            os.write(2, b"\nfatal: no such operation\n")
            os.abort()
        if "absent" in program:
            os.write(2, b"fatal: absent is not there\n")
            os.abort()
        if "die" in program:
            os._exit(3)
        if "own_affair" in program:
            raise engine_host.Died("its compiler died")
        if "flood" in program:
            for _ in range(20):
                os.write(2, b"flood\n" * 10000)
            os._exit(4)
        if "worn" in program and self.answered:
            os.kill(os.getpid(), signal.SIGSEGV)  # of what another case did before
        self.answered = True
        if "hang" in program:
            time.sleep(1000)
        if "when_ready" in program:
            return [b"%04d" % len(self.ready)]
        for fault, does in FAULTS.items():
            if fault in program and "FAULTLESS" not in os.environ:
                does()
        if "throw" in program:
            raise ValueError("thrown")
        if "refuse" in program:
            raise engine_host.Unsupported("refused")
        return [inputs[0][1] or b""]


def write_everywhere(data):
    """To each file but the usual ones: one is the pipe for answers."""
    for fd in range(3, 64):
        try:
            os.write(fd, data)
        except OSError:
            pass


def close_everything():
    os.closerange(3, 64)
    time.sleep(1000)


def fork():
    if os.fork() == 0:
        time.sleep(20)  # and holds the pipes
    os._exit(5)


def flood_for_ever(fd):
    while True:
        os.write(fd, b"x" * 65536)


FAULTS = {
    "late": lambda: time.sleep(1.5),
    "garbage": lambda: write_everywhere(b"Hello, world\n" * 9),
    "half": lambda: (write_everywhere(struct.pack("<Q", 100) + b"half"), os._exit(0)),
    "no_pickle": lambda: write_everywhere(struct.pack("<Q", 4) + b"\x80\x04.."),
    "other": lambda: write_everywhere(struct.pack("<Q", 4) + b"I7\n."),  # a pickled 7
    "huge": lambda: write_everywhere(struct.pack("<Q", 1 << 60)),
    "close": close_everything,
    "fork": fork,
    "endless_output": lambda: flood_for_ever(1),
    "endless_errors": lambda: flood_for_ever(2),
    "stubborn": lambda: (signal.signal(signal.SIGTERM, signal.SIG_IGN), time.sleep(1000)),
}


def check(actual, expected, what):
    if actual != expected:
        sys.exit(f"{what}: {actual!r}, but must be {expected!r}")


def frame(header, body=b""):
    text = json.dumps(header).encode()
    return struct.pack("<4sIQ", b"ASSY", len(text), len(body)) + text + body


def run(first, *programs):
    """A run of these programs, each with the input of four bytes."""
    cases = [{"id": first + i, "program": len(program),
              "inputs": [{"shape": "f32[1]", "bytes": 4}],
              "results": [{"shape": "f32[1]", "bytes": 4}]} for i, program in enumerate(programs)]
    return frame({"type": "run", "cases": cases},
                 b"".join(program.encode() + b"%04d" % (first + i)
                          for i, program in enumerate(programs)))


HELLO = frame({"type": "hello", "versions": [1]})
IN_PARTS = frame({"type": "hello", "versions": [1], "parts": True})


def talk(data):
    """What a worker with the fake engine answers, and how it ends."""
    done = subprocess.run([sys.executable, __file__, "--fake"], input=data,
                          capture_output=True, timeout=60, check=False)
    stream, got = io.BytesIO(done.stdout), []
    while (part := frames.receive(stream)) is not None:
        got.append(part)
    return got, done


def check_many_cases():
    programs = ["f32[1] ok"] * 100
    programs[7], programs[50], programs[99] = "f32[1] odd", "f32[1] throw", "f32[1] refuse"
    programs[8] = "f32[1] absent"
    (hello, (header, body)), done = talk(HELLO + run(1, *programs))
    check(done.returncode, 0, "exit code")
    check(hello[0]["name"], "fake", "name")
    answers = header["answers"]
    check([answer["id"] for answer in answers], list(range(1, 101)), "ids")
    check(answers[7]["unsupported"], "the engine died (signal 6): fatal: no such operation",
          "a refusal by death")
    check(answers[8]["unsupported"], "the engine died (signal 6): fatal: absent is not there",
          "another one")
    check(answers[50]["failed"], "ValueError: thrown", "an exception")
    check(answers[99]["unsupported"], "refused", "a refusal")
    check(body, b"".join(b"%04d" % i for i in range(1, 101) if i not in (8, 9, 51, 100)), "bytes")


def check_parts():
    """Each answer has a frame; what is made ready for several is there, and where the engine
    dies of that, each case is as if it were alone."""
    got, done = talk(IN_PARTS + run(1, "f32[1] when_ready", "u4[1] ok", "f32[1] ok", "u4[1] no")
                     + run(5, "f32[1] when_ready", "u4[2] known")
                     + run(7, "f32[1] when_ready unready", "f32[1] throw", "f32[1] ok")
                     + run(10, "f32[1] when_ready"))
    check(done.returncode, 0, "exit code")
    check([got[0][0][field] for field in ("batch", "parts", "pace")], [64, True, 2], "hello")
    check([answer["id"] for header, _ in got[1:] for answer in header["answers"]],
          list(range(1, 11)), "ids")
    check([len(header["answers"]) for header, _ in got[1:]], [1] * 10, "answers of a frame")
    check([body for _, body in got[1:]], [b"0004", b"", b"0003", b"", b"0001", b"", b"0000",
                                          b"", b"0009", b"0000"], "bytes")
    (hello, *_), _ = talk(HELLO)
    check([hello[0][field] for field in ("batch", "parts")], [1, False], "hello without parts")


def check_types():
    (_, (header, _)), _ = talk(HELLO + run(
        1, "u4[1] ok", "s4[1] ok", "s4[2] die", "f32[1] ok", "s4[3] ok"))
    answers = header["answers"]
    check(answers[0]["unsupported"], "u4: no u4", "a type refused")
    fatal = "s4: the engine died (signal 6): s4 is fatal"
    for i in (1, 2, 4):
        check(answers[i]["unsupported"], fatal, "a type it dies of")
    check("results" in answers[3], True, "another type")


def check_death():
    """It is answered, and the next case has a new process, or the same where only a process of
    the engine's own died."""
    for fault, words in (("die", "the engine died (exit code 3) and said nothing"),
                         ("flood", "the engine died (exit code 4): flood"),
                         ("own_affair", "its compiler died")):
        got, done = talk(HELLO + run(1, "f32[1] ok", "f32[1] " + fault, "f32[1] ok"))
        check(done.returncode, 0, fault + " (exit code)")
        (header, body), = got[1:]
        check(header["answers"][1], {"id": 2, "crashed": words}, fault)
        check(body, b"00010003", fault + " (the others)")
    memory = worker.TypeMemory(engine_host.EngineHost(FakeEngine()), languages.Hlo)
    check(memory.ask("own_affair f8"), "own_affair f8: its compiler died", "a type it dies of")
    memory.host.end()
    got, _ = talk(IN_PARTS + run(1, "f32[1] die", "f32[1] own_affair", "f32[1] when_ready",
                                 "f32[1] die", "f32[1] when_ready"))
    check([body for _, body in got[1:]], [b"", b"", b"0004", b"", b"0000"],
          "ready again after a death")


def check_fresh_process():
    """A case that dies behind others is asked again alone; a death of its own stays one."""
    host, part = engine_host.EngineHost(FakeEngine(), seconds=20), [("f32[1]", b"1234")]
    right = ("results", [b"1234"])
    for program in ("f32[1] worn", "f32[1] worn", "f32[1] ok", "f32[1] worn"):
        check(host.evaluate(program, part, ["f32[1]"]), right, program)
    for _ in range(2):
        try:
            sys.exit(f"a death was answered: {host.evaluate('die', part, ['f32[1]'])}")
        except engine_host.Died as death:
            check(str(death), "the engine died (exit code 3) and said nothing", "a death")
    host.seconds = 0.3
    begin = time.monotonic()
    for program in ("ok", "hang"):
        try:
            check(host.evaluate(program, part, ["f32[1]"]), right, "before a hang")
        except engine_host.Silent:
            check(time.monotonic() - begin < 0.6, True, "a hang is not waited for twice")


def check_memory():
    """A type is asked for once; a case that fails for itself takes no type with it."""
    asked = []

    class Host:
        def evaluate(self, program, inputs, results):
            asked.append(program)
            if "u8[" in program:
                raise engine_host.Silent("no answer within 15 s")
            refused = "u4[" in program or "odd" in program or (
                "s4[" in program and "reshape" not in program)
            return ("unsupported", "no") if refused else ("results", [b""])

    host, text = Host(), "u4[1] x"
    memory = worker.TypeMemory(host, languages.Hlo)
    for _ in range(3):
        check(worker.answer(host, memory, text, [], []), ("unsupported", "u4: no"), "u4")
    check(len(asked), 4, "questions about u4")
    for _ in range(2):
        check(worker.answer(host, memory, "s4[1] copy", [], []), ("unsupported", "no"),
              "an operation that a type lacks")
    for _ in range(2):
        try:
            sys.exit(f"silence was answered: {worker.answer(host, memory, 'u8[1] x', [], [])}")
        except engine_host.Silent:
            pass
    check(worker.answer(host, memory, "s4[1] reshape", [], [])[0], "results", "another one")
    check(worker.answer(host, memory, "f32[1] odd", [], [])[0], "unsupported", "an odd case")
    check(worker.answer(host, memory, "f32[1] x", [], [])[0], "results", "another of its type")


def check_languages():
    """Types have the same names in both languages."""
    for kind, own in {"pred": "i1", "s4": "i4", "u64": "ui64", "bf16": "bf16", "f32": "f32",
                      "c64": "complex<f32>", "f8e4m3fn": "f8E4M3FN",
                      "f8e4m3b11fnuz": "f8E4M3B11FNUZ", "f4e2m1fn": "f4E2M1FN"}.items():
        for text in languages.StableHlo.smallest(kind):
            check(f"tensor<2x{own}>" in text, True, own)
            check(list(languages.StableHlo.types(text)), [kind], own)
        for text in languages.Hlo.smallest(kind):
            check(list(languages.Hlo.types(text)), [kind], kind)
    check(list(languages.StableHlo.types("tensor<i1>, tensor<?x0xui8>")), ["pred", "u8"], "ranks")


ENTRY = """HloModule m, entry_computation_layout={(f32[2,3]{1,0}, f32[])->f32[3,2]{1,0}}

f {
  x = f32[4,4]{0,1} parameter(4)
  ROOT r = f32[4,4]{0,1} negate(x)
}

ENTRY main {
  p1 = f32[] parameter(1)
  p0 = f32[2,3]{0,1:T(2,128)(2,1)} parameter(0)
  p2 = pred[5,1,2]{0,2,1} parameter(2)
  p3 = c64[7]{0} parameter(3)
  ROOT r = (f32[3,2]{0,1:T(8,128)}, (f32[0,3]{1,0}, c64[2,2]{0,1})) custom(p0), x={ROOT = (s8[2,2]{0,1})}
}
"""
MAIN = """module @m {
  func.func @main(%arg0: tensor<2x3xf32> loc("p0"), %arg1: tensor<complex<f32>> {a.b = "c, d"}) -> TYPE {
    return %arg0 : tensor<2x3xf32>
"""


def check_layouts():
    """Orders of dimensions are read of HLO's text, and written where StableHLO's has them."""
    parameters, results = entry_layouts.entry_orders(ENTRY)
    check(parameters, {0: [0, 1], 1: None, 2: [0, 2, 1], 3: None}, "orders of parameters")
    check(results, [[0, 1], None, [0, 1]], "orders of results")
    asked = '{mhlo.layout_mode = "{0,1}"'
    for types, orders, wanted in (
            ("tensor<3x2xf32>", [[0, 1]], f"(tensor<3x2xf32> {asked}}})"),
            ('(tensor<i1>, tensor<2x2xcomplex<f64>> {x = 1})', [None, [0, 1]],
             f"(tensor<i1>, tensor<2x2xcomplex<f64>> {asked}, x = 1}})")):
        text = entry_layouts.with_modes(MAIN.replace("TYPE", types), {0: [0, 1]}, orders)
        check(text, MAIN.replace("TYPE", wanted).replace(
            "2x3xf32> loc", f"2x3xf32> {asked}}} loc"), types)
    check(entry_layouts.with_modes(MAIN, {}, [None]), None, "another number of results")
    check(entry_layouts.with_modes("", {}, []), None, "no module")


def check_bounds():
    sys.modules.setdefault("ml_dtypes", types.ModuleType("ml_dtypes"))
    from assay.serve import element_arrays
    part = element_arrays.numpy.arange(1, 7).reshape(2, 3)
    for shape, size in (("s32[<=3,<=4]", 12), ("s32[3,4]", 6), ("s32[<=1,<=4]", 6)):
        whole = element_arrays.within_bounds(shape, part)
        check((whole[:2, :3].tolist(), whole.size), (part.tolist(), size), shape)


def check_nodes():
    """Programs of one operation become nodes of ONNX; others are refused."""
    p0, p1 = "p0 = f32[2,2]{1,0} parameter(0)\n", "p1 = f32[2,2]{0,1} parameter(1)\n"
    root = "ROOT r = f32[2,2]{1,0} "
    for operation, node in {
            "subtract(p1, p0)": ("Sub", [1, 0]),
            "dot(p0, p1), lhs_contracting_dims={1}, rhs_contracting_dims={0}": ("MatMul", [0, 1]),
    }.items():
        check(onnx_engine.node_of(f"ENTRY main {{\n  {p0}  {p1}  {root}{operation}\n}}\n"), node,
              operation)
    for text in (f"{p0}{root}exponential(p0), result_accuracy={{mode=highest}}",
                 f"{p0}{p1}{root}dot(p0, p1), lhs_contracting_dims={{0}}, "
                 "rhs_contracting_dims={0}",
                 f"{p0}ROOT r = f16[2,2] abs(p0)", f"{p0}{root}abs(p1)", p0,
                 f"{p0}a = f32[2,2] abs(p0)\n{root}abs(a)",
                 "p0 = pred[] parameter(0)\nROOT r = pred[] maximum(p0, p0)"):
        try:
            sys.exit(f"{text} is {onnx_engine.node_of(text)}, but must be refused")
        except engine_host.Unsupported:
            pass


def check_codes():
    """Each code of a narrow type comes through StableHLO's interpreter as it went in."""
    interpreter = StableHloInterpreter("")
    try:
        interpreter.prepare()
    except ImportError as error:
        print(f"codes through StableHLO's interpreter are left out: {error}")
        return
    interpreter.start()
    bits = {"s2": 2, "u4": 4, "s4": 4, "f4e2m1fn": 4, "f8e4m3fn": 8, "f8e5m2": 8, "f8e8m0fnu": 8}
    for kind, width in bits.items():
        codes = bytes(range(1 << width))
        # One for all, one by one, and in hexadecimal.
        for data in [*(bytes([code] * 3) for code in codes), codes[:90], codes * 60, b""]:
            shape = f"{kind}[{len(data)}]"
            array = f"tensor<{len(data)}x{languages.StableHlo.own_type(kind)}>"
            text = f"func.func @main(%x: {array}) -> {array} {{ return %x : {array} }}"
            check(interpreter.evaluate(text, [(shape, data)], [shape]), [data], shape)


def check_hang():
    host = engine_host.EngineHost(FakeEngine(), seconds=0.3)
    try:
        host.evaluate("f32[1] hang", [("f32[1]", b"1234")], ["f32[1]"])
        sys.exit("a hang was answered")
    except engine_host.Died as death:
        check(str(death), "no answer within 0.3 s", "a hang")
    check(host.evaluate("ok", [("f32[1]", b"1234")], ["f32[1]"]), ("results", [b"1234"]), "after")
    host.end()


DEATHS = {
    "late": "no answer within 1 s",
    "garbage": "what the engine's process wrote is no answer: it claims 8583909746840200520 bytes",
    "half": "the engine died (exit code 0) and said nothing",
    "no_pickle": "what the engine's process wrote is no answer: UnpicklingError",
    "other": "what the engine's process wrote is no answer: TypeError",
    "huge": "what the engine's process wrote is no answer: it claims 1152921504606846976 bytes",
    "close": "the engine died (signal 9) and said nothing",
    "fork": "the engine died (exit code 5) and said nothing",
    "endless_output": "no answer within 1 s",
    "endless_errors": "no answer within 1 s",
    "stubborn": "no answer within 1 s",
}


def check_faults():
    """Whatever its process does, the engine has died, and a new one answers."""
    for fault, words in DEATHS.items():
        host = engine_host.EngineHost(FakeEngine(), seconds=1)
        begin = time.monotonic()
        try:
            sys.exit(f"{fault}: {host.evaluate(fault, [('f32[1]', b'1234')], ['f32[1]'])}")
        except engine_host.Died as death:
            check(str(death), words, fault)
        check(time.monotonic() - begin < 10, True, fault + " (time)")
        check(host.evaluate("ok", [("f32[1]", b"1234")], ["f32[1]"]), ("results", [b"1234"]),
              "after " + fault)
        host.end()


GARBAGE = {
    "no frame": b"Hello, world, at length",
    "a short start": b"ASSY\x02",
    "a short body": HELLO[:-1],
    "a huge header": struct.pack("<4sIQ", b"ASSY", 1 << 30, 0),
    "a huge body": struct.pack("<4sIQ", b"ASSY", 2, 1 << 60) + b"{}",
    "no JSON": struct.pack("<4sIQ", b"ASSY", 2, 0) + b"{{",
    "a list": struct.pack("<4sIQ", b"ASSY", 2, 0) + b"[]",
    "deep": struct.pack("<4sIQ", b"ASSY", 200000, 0) + b"[" * 200000,
    "a part too long": HELLO + frame({"type": "run", "cases": [{"id": 1, "program": 9}]}),
    "a negative part": HELLO + frame({"type": "run", "cases": [{"id": 1, "program": -1}]}),
    "no cases": HELLO + frame({"type": "run"}),
}


def check_garbage():
    for what, data in GARBAGE.items():
        _, done = talk(data)
        check(done.returncode, 1, what)
        check(done.stderr.startswith(b"assay.serve: "), True, what + " (words)")
        check(b"Traceback" in done.stderr, False, what + " (traceback)")
    got, _ = talk(frame({"type": "hello", "versions": [9]}))
    check(got[0][0], {"type": "hello", "error": "this worker speaks version 1 alone"}, "version 9")
    check(talk(b"")[1].returncode, 0, "no input")


if sys.argv[1:] == ["--fake"]:
    worker.EngineHost = functools.partial(engine_host.EngineHost, seconds=1)
    worker.serve(FakeEngine())
else:
    for test in (check_many_cases, check_parts, check_types, check_death, check_fresh_process, check_memory,
                 check_languages, check_layouts, check_bounds, check_nodes, check_codes,
                 check_hang, check_faults, check_garbage):
        test()
    print("14 groups of checks on workers passed")
