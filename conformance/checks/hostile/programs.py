"""Hostile programs: small texts that ask for more than anybody has.

    programs.py FOLDER

writes them as files. Each asks for endless work, endless memory or endless depth,
and nothing about it is wrong otherwise.
"""

import pathlib
import sys

import operations
from text import iota, module

ADD = """add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] add(a, b) }
"""
GREATER = """greater { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = pred[] compare(a, b), direction=GT }
"""
ALWAYS = """always { s = f32[] parameter(0)
  ROOT r = pred[] constant(true) }
same { ROOT s = f32[] parameter(0) }
"""


def windows():
    for size in (10**6, 10**9, 10**12, 10**15, 2**59):
        for count in (1, 4, 1000):
            low = size // 2
            window = f"window={{size={size} pad={low}_{size - low + count - 1}}}"
            x = iota("x", f"f32[{count}]") + "  z = f32[] constant(0)\n"
            places = 2 * count
            if size * places < 10**10:
                continue  # nothing is hostile about it
            yield module(x + f"  ROOT r = f32[{places}] reduce-window(x, z), {window}, "
                         "to_apply=add", ADD)
        yield module(iota("x", "f32[4]") + "  z = f32[] constant(0)\n" + iota("s", "f32[8]") +
                     f"  ROOT r = f32[4] select-and-scatter(x, s, z), window={{size={size} "
                     f"pad={size // 2}_{size - size // 2 + 3}}}, select=greater, scatter=add",
                     ADD + GREATER)
    for size in (1000, 4000):
        yield module(iota("x", f"f32[1,{size},512]") + iota("k", f"f32[{size},512,512]") +
                     f"  ROOT r = f32[1,{size},512] convolution(x, k), window={{size={size} "
                     f"pad={size // 2}_{size // 2 - 1}}}, dim_labels=b0f_0io->b0f")


def products():
    for n in (3000, 5000, 7000):
        for kind in ("f32", "bf16", "s32", "s8", "f64", "c64"):
            x = iota("x", f"{kind}[{n},{n}]")
            yield module(x + f"  ROOT r = {kind}[{n},{n}] dot(x, x), "
                         "lhs_contracting_dims={1}, rhs_contracting_dims={0}")
    for kind in ("f32", "f64", "c64"):
        for n in (600, 2000):
            x = iota("x", f"{kind}[{n},{n}]")
            yield module(x + f"  ROOT r = {kind}[{n},{n}] cholesky(x)")
            yield module(x + f"  ROOT r = {kind}[{n},{n}] triangular-solve(x, x), left_side=true")


def lines():
    for n in (10**7, 3 * 10**7):
        x = iota("x", f"f32[{n}]")
        yield module(x + f"  ROOT r = f32[{n}] sort(x), dimensions={{0}}, to_apply=greater",
                     GREATER)
        odd = GREATER.replace("a, b)", "b, c)").replace(
            "  ROOT", "  c = f32[] sine(a)\n  ROOT")
        yield module(x + f"  ROOT r = f32[{n}] sort(x), dimensions={{0}}, is_stable=true, "
                     "to_apply=greater", odd)
        yield module(x + f"  ROOT r = (f32[{n}], s32[{n}]) topk(x), k={n}, largest=true")
    for n in (10**6 + 3, 10**7 + 19, 2**22, 10**7):
        for kind in ("c64", "c128"):
            real = "f32" if kind == "c64" else "f64"
            x = iota("a", f"{real}[{n}]") + f"  x = {kind}[{n}] complex(a, a)\n"
            yield module(x + f"  ROOT r = {kind}[{n}] fft(x), fft_type=FFT, fft_length={{{n}}}")


def functions():
    for kind, n in (("f64", 4 * 10**7), ("c64", 10**7), ("c128", 10**7)):
        for name in ("sine", "tanh", "log", "exponential", "cbrt" if kind == "f64" else "sqrt"):
            real = "f64" if kind != "c64" else "f32"
            x = iota("a", f"{real}[{n}]") + ("  x = f64[%d] copy(a)\n" % n if kind == "f64" else
                                             f"  x = {kind}[{n}] complex(a, a)\n")
            yield module(x + f"  ROOT r = {kind}[{n}] {name}(x)")
        if kind != "f64":
            for name in ("atan2", "power"):
                yield module(x + f"  ROOT r = {kind}[{n}] {name}(x, x)")
    for name in ("zeta", "polygamma"):
        yield module(iota("x", "f32[20000000]") + "  ROOT r = f32[20000000] custom-call(x, x), "
                     f'custom_call_target="chlo.{name}"')
    for kind in ("rng_normal", "rng_uniform"):
        yield module("  a = f32[] constant(0)\n  b = f32[] constant(1)\n"
                     f"  ROOT r = f32[40000000] rng(a, b), distribution={kind}")


def loops():
    endless = "  x = f32[] constant(1)\n  ROOT r = f32[] while(x), condition=always, body="
    bodies = {
        "same": "",
        "steps": "steps { s = f32[] parameter(0)\n  a = f32[] sine(s)\n  b = f32[] add(a, s)\n"
                 "  ROOT r = f32[] negate(b) }\n",
        "inner": "inner { s = f32[] parameter(0)\n"
                 "  ROOT r = f32[] while(s), condition=always, body=same }\n",
        "arrays": "arrays { s = f32[] parameter(0)\n  a = f32[1000] broadcast(s), dimensions={}\n"
                  "  b = f32[1000] sine(a)\n  z = f32[] constant(0)\n"
                  "  ROOT r = f32[] reduce(b, z), dimensions={0}, to_apply=add }\n",
        "big": "big { s = f32[] parameter(0)\n  a = f32[3000000] broadcast(s), dimensions={}\n"
               "  b = f32[3000000] sine(a)\n  z = f32[] constant(0)\n"
               "  ROOT r = f32[] reduce(b, z), dimensions={0}, to_apply=add }\n",
        "sorts": "sorts { s = f32[] parameter(0)\n  a = f32[1000] broadcast(s), dimensions={}\n"
                 "  b = f32[1000] sort(a), dimensions={0}, to_apply=greater\n"
                 "  z = f32[] constant(0)\n"
                 "  ROOT r = f32[] reduce(b, z), dimensions={0}, to_apply=add }\n",
        "draws": "draws { s = f32[] parameter(0)\n  ROOT r = f32[] rng(s, s), "
                 "distribution=rng_uniform }\n",
    }
    for name, body in bodies.items():
        regions = ALWAYS + ADD + GREATER + body
        yield module(endless + name, regions)
        call = f"f {{ x = f32[] parameter(0)\n  ROOT r = f32[] while(x), condition=always, " \
               f"body={name} }}\n"
        for n in (1, 3, 1000, 100000):
            yield module(iota("x", f"f32[{n}]") +
                         f"  ROOT r = f32[{n}] map(x), dimensions={{0}}, to_apply=f",
                         regions + call)
        yield module(iota("x", "f32[4]") + "  i = s32[] constant(0)\n"
                     "  ROOT r = f32[4] conditional(i, x, x), branch_computations={g, g}",
                     regions + call + "g { x = f32[4] parameter(0)\n"
                     "  ROOT r = f32[4] map(x), dimensions={0}, to_apply=f }\n")
    fold = "slow { a = f32[] parameter(0)\n  b = f32[] parameter(1)\n" \
           "  ROOT r = f32[] while(a), condition=always, body=same }\n"
    less = "less { a = f32[] parameter(0)\n  b = f32[] parameter(1)\n" \
           "  c = f32[] while(a), condition=always, body=same\n" \
           "  ROOT r = pred[] compare(c, b), direction=LT }\n"
    x = iota("x", "f32[9]") + "  z = f32[] constant(0)\n"
    for regions, entry in (
            (fold, "f32[] reduce(x, z), dimensions={0}, to_apply=slow"),
            (fold, "f32[8] reduce-window(x, z), window={size=2}, to_apply=slow"),
            (less, "f32[9] sort(x), dimensions={0}, to_apply=less"),
            (less, "f32[9] sort(x), dimensions={0}, is_stable=true, to_apply=less")):
        yield module(x + f"  ROOT r = {entry}", ALWAYS + regions)
    for n in (10**7, 10**8):
        yield module(iota("x", f"f32[{n}]") + "  c = f32[] constant(0)\n"
                     f"  ROOT r = (f32[{n}], f32[]) scan(x, c), dimensions={{0}}, num_carries=1, "
                     "to_apply=step", "step { x = f32[] parameter(0)\n  c = f32[] parameter(1)\n"
                     "  s = f32[] add(x, c)\n  t = f32[] sine(s)\n"
                     "  ROOT r = (f32[], f32[]) tuple(t, s) }\n")


def calls():
    for depth in (30, 40, 60):
        for kind in ("call", "map"):
            level = "f0 { x = f32[] parameter(0)\n  ROOT r = f32[] sine(x) }\n"
            for i in range(depth):
                use = "to_apply=f%d" % i + (", dimensions={}" if kind == "map" else "")
                level += (f"f{i + 1} {{ x = f32[] parameter(0)\n  a = f32[] {kind}(x), {use}\n"
                          f"  ROOT r = f32[] {kind}(a), {use} }}\n")
            use = f"to_apply=f{depth}"
            yield module("  x = f32[] constant(1)\n  ROOT r = f32[] call(x), " + use, level)
            yield module(iota("x", "f32[8]") + "  ROOT r = f32[8] map(x), dimensions={0}, " + use,
                         level)
    for depth in (12, 14, 16, 20, 24, 100):
        text = "  t0 = f32[] constant(1)\n"
        for i in range(depth):
            text += f"  t{i + 1} = tuple(t{i}, t{i})\n"
        yield module(text + "  ROOT r = f32[] copy(t0)")


def arrays():
    for n in (3 * 10**9, 4 * 10**9, 10**10, 10**12, 2**62):
        for kind in ("f32", "s4", "c128"):
            yield module(f"  c = {kind}[] constant(1)\n"
                         f"  ROOT r = {kind}[{n}] broadcast(c), dimensions={{}}")
        yield module(f"  c = f32[] constant(1)\n  b = f32[{n}] broadcast(c), dimensions={{}}\n"
                     "  z = f32[] constant(0)\n"
                     "  ROOT r = f32[] reduce(b, z), dimensions={0}, to_apply=add", ADD)
        yield module(iota("x", "f32[2]") + "  z = f32[] constant(0)\n"
                     f"  ROOT r = f32[{n}] pad(x, z), padding=0_{n - 2}")
        yield module(iota("x", "f32[2]") + "  z = f32[] constant(0)\n"
                     f"  ROOT r = f32[{2 + n}] pad(x, z), padding=0_0_{n}")
    for tile in (10**9, 2**40, 2**62):
        yield module(f"  ROOT r = f32[2]{{0:T({tile})}} iota(), iota_dimension=0")
        yield module(f"  ROOT r = f32[2,2]{{1,0:T({tile},{tile})}} iota(), iota_dimension=0")


def values():
    """Many large values that live at the same time."""
    for n in (10**8, 10**9):
        for count in (20, 60):
            text = "".join(iota(f"x{i}", f"f32[{n}]") for i in range(count))
            names = ", ".join(f"x{i}" for i in range(count))
            shape = "(" + ", ".join([f"f32[{n}]"] * count) + ")"
            yield module(text + f"  ROOT r = {shape} tuple({names})")
    for n in (10**8, 10**9, 4 * 10**9):
        yield module(f"  c = s32[{n},1] iota(), iota_dimension=0\n" + iota("x", "f32[10]") +
                     f"  ROOT r = f32[{n}] gather(x, c), offset_dims={{}}, "
                     "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
                     "slice_sizes={1}")
        yield module(iota("x", "f32[10]") + iota("u", f"f32[{n}]") +
                     f"  c = s32[{n},1] iota(), iota_dimension=0\n"
                     "  ROOT r = f32[10] scatter(x, c, u), update_window_dims={}, "
                     "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
                     "index_vector_dim=1, to_apply=add", ADD)


def devices():
    for count in (1000, 65536):
        for n in (10**4, 10**6):
            header = f", replica_count={count}"
            yield module(iota("x", f"f32[{n}]") + f"  ROOT r = f32[{n}] all-reduce(x), "
                         "replica_groups={}, to_apply=add", ADD, header)
            yield module(iota("x", f"f32[{n}]") + f"  ROOT r = f32[{n * count}] all-gather(x), "
                         "replica_groups={}, dimensions={0}", "", header)
            yield module("  x = f32[] constant(1)\n  ROOT r = f32[] while(x), condition=always, "
                         "body=same", ALWAYS, header)
    for count in (2**17, 2**40, 2**62):
        yield module("  ROOT x = f32[] constant(1)", "", f", replica_count={count}")
        yield module(iota("x", "f32[8]") + "  ROOT r = f32[8] all-reduce(x), replica_groups="
                     f"[1,{count}]<=[{count}], to_apply=add", ADD, ", replica_count=8")
        yield module(f"  ROOT x = f32[8] iota(), iota_dimension=0, "
                     f"sharding={{devices=[{count}]<=[{count}]}}")


def texts():
    for count in (10**5, 3 * 10**5):
        yield module("  x0 = f32[] constant(1)\n" + "".join(
            f"  x{i + 1} = f32[] add(x{i}, x{i})\n" for i in range(count)))
        yield module("  ROOT x = f32[] constant(1)", "".join(
            f"f{i} {{ ROOT x = f32[] parameter(0) }}\n" for i in range(count // 2)))
    yield module("  ROOT x = f32[] constant(" + "1" * 10**6 + ")")
    yield module("  ROOT x" + "y" * 10**6 + " = f32[] constant(1)")
    yield module("  ROOT x = f32[" + ",".join(["1"] * 10**5) + "] iota(), iota_dimension=0")
    yield module("  ROOT x = f32[1000,1000] constant({" + ",".join(
        ["{" + ",".join(["1"] * 1000) + "}"] * 1000) + "})")


def attributes():
    """Of StableHLO: long ones, deep ones, and such as a word makes large."""
    deep = 10**5
    for value in ("dense<0> : tensor<100000000xi8>", "dense<1.0> : tensor<8000x8000xf32>",
                  f"array<i64: {', '.join(map(str, range(10**5)))}>",
                  "{a = " * deep + "1 : i32" + "}" * deep, "[" * deep + "]" * deep):
        for operation in ("stablehlo.negate %x {my.attribute = ",
                          "stablehlo.custom_call @target(%x) {backend_config = "):
            kind = "tensor<f32>" if "negate" in operation else "(tensor<f32>) -> tensor<f32>"
            yield ("func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
                   f"  %0 = {operation}{value}}} : {kind}\n  return %0 : tensor<f32>\n}}\n")
    fields = ", ".join(f"a{i} = [0]" for i in range(deep))
    yield ("func.func @main(%x: tensor<1xf32>) -> tensor<f32> {\n"
           "  %0 = \"stablehlo.dot_general\"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<"
           f"lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], {fields}>}}> "
           ": (tensor<1xf32>, tensor<1xf32>) -> tensor<f32>\n  return %0 : tensor<f32>\n}\n")


FAMILIES = (windows, products, lines, functions, loops, calls, arrays, values, devices, texts,
            attributes, *operations.FAMILIES)


def programs():
    """Each with a name: "loops_17"."""
    for family in FAMILIES:
        for number, text in enumerate(family()):
            yield f"{family.__name__}_{number}", text


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in programs():
        (folder / f"{name}.hlo").write_text(text)
