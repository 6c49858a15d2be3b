"""Hostile programs of operations that have work of their own, and StableHLO's."""

from text import iota, module


def normalisations():
    for kind, n in (("f32", 10**8), ("f64", 5 * 10**7)):
        for feature, size in ((0, n // 100), (1, 100)):
            x = iota("x", f"{kind}[{n // 100},100]") + iota("v", f"{kind}[{size}]")
            result = f"({kind}[{n // 100},100], {kind}[{size}], {kind}[{size}])"
            rest = f"epsilon=0.001, feature_index={feature}"
            yield module(x + f"  ROOT r = {result} batch-norm-training(x, v, v), {rest}")
            yield module(x + f"  ROOT r = {result} batch-norm-grad(x, v, v, v, x), {rest}")
            yield module(x + f"  ROOT r = {kind}[{n // 100},100] "
                         f"batch-norm-inference(x, v, v, v, v), {rest}")


def contractions():
    for groups in (1, 16, 64):
        x = iota("x", "f32[4,64,64,1024]") + iota("k", f"f32[3,3,{1024 // groups},2048]")
        yield module(x + "  ROOT r = f32[4,64,64,2048] convolution(x, k), window={size=3x3 "
                     f"pad=1_1x1_1}}, dim_labels=b01f_01io->b01f, feature_group_count={groups}")
    yield module(iota("x", "f32[2048,64,64,4]") + iota("k", "f32[64,64,4,1024]") +
                 "  ROOT r = f32[8,1,1,1024] convolution(x, k), window={size=64x64}, "
                 "dim_labels=b01f_01io->b01f, batch_group_count=256")
    for kind in ("f32", "f64", "c64"):
        yield module(iota("a", f"{kind}[6000,2000]") + iota("b", f"{kind}[4,2000,3000]") +
                     iota("s", "s32[4]") + f"  ROOT r = {kind}[6000,3000] ragged-dot(a, b, s), "
                     "lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, "
                     "rhs_group_dims={0}")
    yield module("  o = f8e4m3fn[] constant(1)\n  e = f8e8m0fnu[] constant(1)\n"
                 "  a = f8e4m3fn[4096,4096] broadcast(o), dimensions={}\n"
                 "  s = f8e8m0fnu[4096,128] broadcast(e), dimensions={}\n"
                 "  t = f8e8m0fnu[128,4096] broadcast(e), dimensions={}\n"
                 "  ROOT r = f32[4096,4096] scaled-dot(a, a, s, t), lhs_contracting_dims={1}, "
                 "rhs_contracting_dims={0}")


def transforms():
    lengths = (1_000_003, 2**31 - 1, 999_999_937 * 3, 2**62, 2**63 - 1)
    for n in lengths:
        half = n // 2 + 1
        yield module("  c = c64[] constant((1, 2))\n"
                     f"  x = c64[{half}] broadcast(c), dimensions={{}}\n"
                     f"  ROOT r = f32[{n}] fft(x), fft_type=IRFFT, fft_length={{{n}}}")
    for n in lengths[:3]:
        yield module(iota("x", f"f32[{n}]") +
                     f"  ROOT r = c64[{n // 2 + 1}] fft(x), fft_type=RFFT, fft_length={{{n}}}")
    for batch, n in ((2 * 10**6, 7), (10**5, 97), (2000, 4099)):
        yield module(iota("a", f"f64[{batch},{n}]") + f"  x = c128[{batch},{n}] complex(a, a)\n"
                     f"  ROOT r = c128[{batch},{n}] fft(x), fft_type=FFT, fft_length={{{n}}}")
    for n in (211, 1009):
        yield module(iota("a", f"f32[{n},{n},8]") + f"  x = c64[{n},{n},8] complex(a, a)\n"
                     f"  ROOT r = c64[{n},{n},8] fft(x), fft_type=FFT, fft_length={{{n},{n},8}}")


def drawings():
    for algorithm in ("rng_three_fry", "rng_philox"):
        for kind, n in (("u32", 10**9), ("f64", 10**8), ("u8", 2**40)):
            yield module("  s = u64[2] constant({1, 2})\n  ROOT r = (u64[2], "
                         f"{kind}[{n}]) rng-bit-generator(s), algorithm={algorithm}")
    for kind in ("s8", "bf16", "f8e5m2"):
        yield module(iota("x", "f32[20000000]") + iota("y", "u32[20000000]") +
                     f"  ROOT r = {kind}[20000000] stochastic-convert(x, y)")


def updates():
    turn = ("turn { s = (s32[], f32[N]) parameter(0)\n"
            "  i = s32[] get-tuple-element(s), index=0\n"
            "  x = f32[N] get-tuple-element(s), index=1\n  one = s32[] constant(1)\n"
            "  next = s32[] add(i, one)\n  BODY\n"
            "  ROOT r = (s32[], f32[N]) tuple(next, y) }\n"
            "more { s = (s32[], f32[N]) parameter(0)\n  ROOT r = pred[] constant(true) }\n"
            "put { a = f32[] parameter(0)\n  ROOT b = f32[] parameter(1) }\n")
    bodies = (
        "u = f32[1] constant({1})\n  y = f32[N] dynamic-update-slice(x, u, i)",
        "u = f32[N] reverse(x), dimensions={0}\n  y = f32[N] dynamic-update-slice(u, x, i)",
        "u = f32[1] dynamic-slice(x, i), dynamic_slice_sizes={1}\n"
        "  y = f32[N] dynamic-update-slice(x, u, i)",
        "c = s32[1] reshape(i)\n  u = f32[] constant(1)\n"
        "  y = f32[N] scatter(x, c, u), update_window_dims={}, inserted_window_dims={0}, "
        "scatter_dims_to_operand_dims={0}, index_vector_dim=0, to_apply=put",
        "c = s32[N] iota(), iota_dimension=0\n"
        "  d = s32[N,1] reshape(c)\n  y = f32[N] gather(x, d), offset_dims={}, "
        "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}",
    )
    for body in bodies:
        for n in (10, 10**6):
            yield module("  zero = s32[] constant(0)\n" + iota("x", f"f32[{n}]") +
                         f"  t = (s32[], f32[{n}]) tuple(zero, x)\n"
                         f"  ROOT r = (s32[], f32[{n}]) while(t), condition=more, body=turn",
                         turn.replace("BODY", body).replace("N", str(n)))


def variadic():
    for count in (2, 8, 32):
        names = range(count)
        left = "".join(f"  a{i} = f32[] parameter({i})\n" for i in names)
        right = "".join(f"  b{i} = f32[] parameter({count + i})\n" for i in names)
        sums = "".join(f"  c{i} = f32[] add(a{i}, b{count - 1 - i})\n" for i in names)
        scalars = ", ".join(["f32[]"] * count)
        fold = (f"fold {{\n{left}{right}{sums}  ROOT r = ({scalars}) "
                f"tuple({', '.join(f'c{i}' for i in names)}) }}\n")
        n = 4 * 10**7
        entry = iota("x", f"f32[{n}]") + "  z = f32[] constant(0)\n"
        operands = ", ".join(["x"] * count + ["z"] * count)
        yield module(entry + f"  ROOT r = ({scalars}) reduce({operands}), dimensions={{0}}, "
                     "to_apply=fold", fold)
        arrays = ", ".join([f"f32[{n}]"] * count)
        yield module(entry + f"  ROOT r = ({arrays}) reduce-window({operands}), "
                     "window={size=1000 pad=999_0}, to_apply=fold", fold)


def main_of(body):
    """A function without parameters, in which %x is a number."""
    return ("  func.func @main() -> tensor<f32> {\n"
            "    %x = stablehlo.constant dense<1.0> : tensor<f32>\n"
            f"{body}    return %r : tensor<f32>\n  }}\n")


def stablehlo():
    kind = "tensor<f32>"
    levels = "".join(
        f"  func.func private @f{i + 1}(%x: {kind}) -> {kind} {{\n"
        f"    %a = func.call @f{i}(%x) : ({kind}) -> {kind}\n"
        f"    %r = func.call @f{i}(%a) : ({kind}) -> {kind}\n    return %r : {kind}\n  }}\n"
        for i in range(50))
    last = (f"  func.func private @f0(%x: {kind}) -> {kind} {{\n"
            f"    %r = stablehlo.sine %x : {kind}\n    return %r : {kind}\n  }}\n")
    call = f"    %r = func.call @f50(%x) : ({kind}) -> {kind}\n"
    yield "module {\n" + last + levels + main_of(call) + "}\n"
    endless = (f"    %r = stablehlo.while(%s = %x) : {kind}\n     cond {{\n"
               "      %c = stablehlo.constant dense<true> : tensor<i1>\n"
               "      stablehlo.return %c : tensor<i1>\n    } do {\n"
               f"      stablehlo.return %s : {kind}\n    }}\n")
    yield "module {\n" + main_of(endless) + "}\n"
    for n in (10**6, 10**9, 2**62):
        big = f"tensor<{n}xf32>"
        yield ("module {\n  func.func @main() -> " + big + " {\n"
               f"    %r = stablehlo.constant dense<1.0> : {big}\n"
               f"    %s = stablehlo.cosine %r : {big}\n    return %s : {big}\n  }}\n}}\n")


FAMILIES = (normalisations, contractions, transforms, drawings, updates, variadic, stablehlo)
