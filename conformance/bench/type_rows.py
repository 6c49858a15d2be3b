"""Rows of other types than f32, and of operations that have kernels of their own: what one
type and one form is as fast as says nothing of another. Operands of types that NumPy has not
are made of f32 or s32 first.
"""

from rows import Row, entry

MILLIONS = 4 << 20


def made(kind: str, dims: str, names: str) -> str:
    """Parameters as arrays of the type."""
    own = {"s64": "s32", "s32": "s32", "s8": "s8"}.get(kind, "f32")
    lines = ""
    for place, name in enumerate(names):
        if own == kind:
            lines += f"  {name} = {kind}{dims} parameter({place})\n"
            continue
        lines += f"  {name}p = {own}{dims} parameter({place})\n"
        if kind != "c64":
            lines += f"  {name} = {kind}{dims} convert({name}p)\n"
        else:
            lines += f"  {name} = c64{dims} complex({name}p, {name}p)\n"
    return lines


def region(name: str, kind: str) -> str:
    operation = "compare" if name == "ge" else name
    result, suffix = ("pred", ", direction=GE") if name == "ge" else (kind, "")
    return (f"{name} {{\n  a = {kind}[] parameter(0)\n  b = {kind}[] parameter(1)\n"
            f"  ROOT r = {result}[] {operation}(a, b){suffix}\n}}\n")


def chain(kind: str) -> Row:
    dims = f"[{MILLIONS}]"
    array = kind + dims
    return Row(f"chain_{kind}", f"5 operations on {MILLIONS:,}", entry(
        made(kind, dims, "xy") + f"""  a = {array} multiply(x, y)
  b = {array} add(a, x)
  c = {array} maximum(b, y)
  d = {array} subtract(c, x)
  l = pred{dims} compare(d, y), direction=LT
  ROOT r = {array} select(l, d, a)
"""))


def function(name: str) -> Row:
    dims = f"[{MILLIONS}]"
    return Row(f"{name}_f64", f"of {MILLIONS:,}", entry(
        made("f64", dims, "x") + f"  ROOT r = f64{dims} {name}(x)\n"))


def dot(kind: str, n: int) -> Row:
    dims = f"[{n},{n}]"
    return Row(f"dot_{kind}", f"{n} x {n} x {n}", entry(
        made(kind, dims, "xy") + f"  ROOT r = {kind}{dims} dot(x, y), "
        "lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"))


def pad() -> Row:
    return Row("pad", "1000 x 1000", entry(
        "  x = f32[1000,1000] parameter(0)\n  z = f32[] constant(0)\n"
        "  ROOT r = f32[1010,1012] pad(x, z), padding=4_6x5_7\n"))


def transpose(kind: str) -> Row:
    dims = "[2048,2048]"
    return Row(f"transpose_{kind}", "2048 x 2048", entry(
        made(kind, dims, "x") + f"  ROOT r = {kind}{dims} transpose(x), dimensions={{1,0}}\n"))


def reduce_apart(kind: str) -> Row:
    dims = "[32,64,28,28]"
    return Row(f"reduce_apart_{kind}", "over batches and places, features between", entry(
        made(kind, dims, "x") + f"  z = {kind}[] constant(0)\n"
        f"  ROOT r = {kind}[64] reduce(x, z), dimensions={{0,2,3}}, to_apply=maximum\n",
        region("maximum", kind)))


def max_pool(kind: str) -> Row:
    return Row(f"max_pool_{kind}", "8 x 64 features of 112 x 112, 3 x 3", entry(
        made(kind, "[8,64,112,112]", "x") + f"  z = {kind}[] constant(0)\n"
        f"  ROOT r = {kind}[8,64,56,56] reduce-window(x, z), "
        "window={size=1x1x3x3 stride=1x1x2x2 pad=0_0x0_0x1_0x1_0}, to_apply=maximum\n",
        region("maximum", kind)))


def max_pool_gradient() -> Row:
    return Row("max_pool_gradient", "8 of 56 x 56 x 64, 2 x 2", entry(
        "  x = f32[8,56,56,64] parameter(0)\n  s = f32[8,28,28,64] parameter(1)\n"
        "  z = f32[] constant(0)\n  ROOT r = f32[8,56,56,64] select-and-scatter(x, s, z), "
        "window={size=1x2x2x1 stride=1x2x2x1}, select=ge, scatter=add\n",
        region("ge", "f32") + region("add", "f32")))


def running_sum(kind: str, length: int) -> Row:
    dims = f"[{length}]"
    return Row(f"cumsum_{kind}", f"{length:,}", entry(
        made(kind, dims, "x") + f"  z = {kind}[] constant(0)\n"
        f"  ROOT r = {kind}{dims} reduce-window(x, z), "
        f"window={{size={length} pad={length - 1}_0}}, to_apply=add\n", region("add", kind)))


def convolution(kind: str) -> Row:
    return Row(f"convolution_{kind}", "28 x 28 x 64, 3 x 3 x 64", entry(
        made(kind, "[1,28,28,64]", "x")
        + made(kind, "[3,3,64,64]", "w").replace("parameter(0)", "parameter(1)")
        + f"  ROOT r = {kind}[1,28,28,64] convolution(x, w), "
        "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f\n"))


def transform(name: str, operand: str, result: str, lengths: str) -> Row:
    return Row(name.lower() + "_" + lengths.replace(",", "x"), f"c64{operand} to {result}", entry(
        made("c64", operand, "x") + f"  ROOT r = {result} fft(x), "
        f"fft_type={name}, fft_length={{{lengths}}}\n"))


def transforms() -> list[Row]:
    return [transform("FFT", "[64,1024]", "c64[64,1024]", "1024"),
            transform("FFT", "[64,1009]", "c64[64,1009]", "1009"),
            transform("IFFT", "[512,512]", "c64[512,512]", "512,512"),
            transform("IRFFT", "[64,513]", "f32[64,1024]", "1024")]


def batch_norm() -> Row:
    return Row("batch_norm_training", "32 x 64 features of 28 x 28", entry(
        "  x = f32[32,64,28,28] parameter(0)\n  s = f32[64] parameter(1)\n"
        "  o = f32[64] parameter(2)\n  ROOT r = (f32[32,64,28,28], f32[64], f32[64]) "
        "batch-norm-training(x, s, o), epsilon=0.001, feature_index=1\n"))


def triangular_solve() -> Row:
    return Row("triangular_solve", "256 x 256, 64 sides", entry(
        "  x = f32[256,256] parameter(0)\n  y = f32[256,64] parameter(1)\n"
        "  ROOT r = f32[256,64] triangular-solve(x, y), left_side=true, lower=true, "
        "unit_diagonal=true, transpose_a=NO_TRANSPOSE\n"))


def cholesky() -> Row:
    return Row("cholesky", "of x times its transpose, 256 x 256", entry(
        "  x = f32[256,256] parameter(0)\n  y = f32[256,256] dot(x, x), "
        "lhs_contracting_dims={1}, rhs_contracting_dims={1}\n"
        "  ROOT r = f32[256,256] cholesky(y), lower=true\n"))


def bits(name: str, operands: str) -> Row:
    dims = f"[{MILLIONS}]"
    return Row(f"{name}_s32", f"of {MILLIONS:,}", entry(
        made("s32", dims, operands)
        + f"  ROOT r = s32{dims} {name}({', '.join(operands)})\n"))


def counting() -> Row:
    return Row("iota", "added to 2048 x 2048", entry(
        "  x = f32[2048,2048] parameter(0)\n"
        "  i = f32[2048,2048] iota(), iota_dimension=1\n"
        "  ROOT r = f32[2048,2048] add(x, i)\n"))


def type_rows() -> list[Row]:
    return [*map(chain, ("f64", "bf16", "f16", "s64", "s8")),
            *map(function, ("exponential", "log", "tanh", "logistic")),
            *[dot(kind, 512) for kind in ("f64", "s32", "c64")],
            pad(), *map(transpose, ("f32", "bf16")), *map(reduce_apart, ("f32", "s32")),
            *map(max_pool, ("f32", "s8")), max_pool_gradient(), running_sum("bf16", 262144),
            convolution("f64"), *transforms(), batch_norm(), triangular_solve(), cholesky(),
            bits("shift-left", "xy"), bits("popcnt", "x"), counting()]
