"""The rows: programs of HLO, how large indices are, and what ONNX Runtime is asked."""

import dataclasses
import pathlib

ADD = """add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] add(a, b)
}
"""
MAXIMUM = ADD.replace("add", "maximum")
MODELS = ("efficientnet_predict", "imagenette_predict", "vit_predict", "detr_predict")


@dataclasses.dataclass
class Row:
    name: str
    what: str
    text: str
    below: int = 0  # integers of parameters are less
    onnx: str = ""  # the builder in onnx_worker.py
    numbers: tuple[int, ...] = ()  # its arguments
    backend: str = "cpu:"


def entry(body: str, before: str = "") -> str:
    return f"HloModule row\n\n{before}\nENTRY main {{\n{body}}}\n"


def gemm(n: int) -> Row:
    array = f"f32[{n},{n}]"
    return Row(f"sgemm_{n}", f"{n} x {n} x {n}", entry(
        f"  a = {array} parameter(0)\n  b = {array} parameter(1)\n"
        f"  ROOT r = {array} dot(a, b), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}\n"),
        onnx="matmul", numbers=(n, n, n))


def gemm_of_bf16(n: int) -> Row:
    array = f"f32[{n},{n}]"
    halves = array.replace("f32", "bf16")
    return Row(f"bf16_gemm_{n}", f"{n} x {n} x {n}, f32 made bf16 first", entry(
        f"  x = {array} parameter(0)\n  y = {array} parameter(1)\n"
        f"  a = {halves} convert(x)\n  b = {halves} convert(y)\n"
        f"  ROOT r = {array} dot(a, b), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}\n"))


def gemm_of_s8(n: int) -> Row:
    array = f"s8[{n},{n}]"
    return Row(f"int8_gemm_{n}", f"{n} x {n} x {n}, s8 to s32", entry(
        f"  a = {array} parameter(0)\n  b = {array} parameter(1)\n"
        f"  ROOT r = s32[{n},{n}] dot(a, b), lhs_contracting_dims={{1}}, "
        "rhs_contracting_dims={0}\n"))


def convolution(name: str, size: int, features: tuple[int, int], kernel: int, groups: int = 1,
                dilation: int = 1) -> Row:
    into, out = features
    pad = kernel // 2 * dilation
    window = f"size={kernel}x{kernel} pad={pad}_{pad}x{pad}_{pad}"
    if dilation > 1:
        window += f" rhs_dilate={dilation}x{dilation}"
    return Row(f"convolution_{name}", f"{size} x {size}, {into} to {out} features, "
               f"{kernel} x {kernel}", entry(
        f"  x = f32[1,{size},{size},{into}] parameter(0)\n"
        f"  w = f32[{kernel},{kernel},{into // groups},{out}] parameter(1)\n"
        f"  ROOT r = f32[1,{size},{size},{out}] convolution(x, w), window={{{window}}}, "
        f"dim_labels=b01f_01io->b01f, feature_group_count={groups}\n"))


def softmax_lines(array: str, rows: str, dimensions: str, along: int) -> str:
    return f"""  least = f32[] constant(-inf)
  zero = f32[] constant(0)
  m = {rows} reduce(x, least), dimensions={{{along}}}, to_apply=maximum
  mb = {array} broadcast(m), dimensions={{{dimensions}}}
  d = {array} subtract(x, mb)
  e = {array} exponential(d)
  s = {rows} reduce(e, zero), dimensions={{{along}}}, to_apply=add
  sb = {array} broadcast(s), dimensions={{{dimensions}}}
"""


def softmax() -> Row:
    array = "f32[4096,1024]"
    lines = softmax_lines(array, "f32[4096]", "0", 1)
    return Row("softmax", "4096 rows of 1024", entry(
        f"  x = {array} parameter(0)\n{lines}  ROOT r = {array} divide(e, sb)\n", ADD + MAXIMUM),
        onnx="softmax", numbers=(4096, 1024))


def with_fast_math(row: Row) -> Row:
    return dataclasses.replace(row, name=row.name + "_fast_math", what=row.what + ", fast-math=on",
                               backend="cpu:?fast-math=on")


def scalars(array: str, numbers) -> str:
    """b0, b1, ...: arrays of one number each."""
    return "".join(f"  c{i} = f32[] constant({c})\n  b{i} = {array} broadcast(c{i}), dimensions={{}}\n"
                   for i, c in enumerate(numbers))


def gelu() -> Row:
    array = "f32[16777216]"
    return Row("gelu", "64 MB to 64 MB, by erf", entry(f"""  x = {array} parameter(0)
{scalars(array, (0.7071067811865476, 1, 0.5))}  u = {array} multiply(x, b0)
  e = {array} erf(u)
  f = {array} add(e, b1)
  h = {array} multiply(x, b2)
  ROOT r = {array} multiply(h, f)
"""))


def gelu_tanh() -> Row:
    array = "f32[16777216]"
    return Row("gelu_tanh", "64 MB to 64 MB, by tanh", entry(f"""  x = {array} parameter(0)
{scalars(array, (0.044715, 0.7978845608028654, 1, 0.5))}  q = {array} multiply(x, x)
  c = {array} multiply(q, x)
  k = {array} multiply(c, b0)
  s = {array} add(x, k)
  u = {array} multiply(s, b1)
  t = {array} tanh(u)
  f = {array} add(t, b2)
  h = {array} multiply(x, b3)
  ROOT r = {array} multiply(h, f)
"""))


def swish() -> Row:
    array = "f32[16777216]"
    return Row("swish", "64 MB to 64 MB, by logistic", entry(f"""  x = {array} parameter(0)
  l = {array} logistic(x)
  ROOT r = {array} multiply(x, l)
"""))


def softplus() -> Row:
    array = "f32[16777216]"
    return Row("softplus", "64 MB to 64 MB, by log-plus-one", entry(f"""  x = {array} parameter(0)
  e = {array} exponential(x)
  ROOT r = {array} log-plus-one(e)
"""))


def layer_norm() -> Row:
    array, rows = "f32[4096,1024]", "f32[4096]"
    return Row("layer_norm", "4096 rows of 1024", entry(f"""  x = {array} parameter(0)
  zero = f32[] constant(0)
  n = f32[] constant(0.0009765625)
  tiny = f32[] constant(1e-5)
  nb = {rows} broadcast(n), dimensions={{}}
  s = {rows} reduce(x, zero), dimensions={{1}}, to_apply=add
  mean = {rows} multiply(s, nb)
  mb = {array} broadcast(mean), dimensions={{0}}
  d = {array} subtract(x, mb)
  q = {array} multiply(d, d)
  v = {rows} reduce(q, zero), dimensions={{1}}, to_apply=add
  var = {rows} multiply(v, nb)
  tb = {rows} broadcast(tiny), dimensions={{}}
  sum = {rows} add(var, tb)
  i = {rows} rsqrt(sum)
  ib = {array} broadcast(i), dimensions={{0}}
  ROOT r = {array} multiply(d, ib)
""", ADD), onnx="layer_norm", numbers=(4096, 1024))


def attention() -> Row:
    qkv, scores = "f32[8,12,512,64]", "f32[8,12,512,512]"
    lines = softmax_lines(scores, "f32[8,12,512]", "0,1,2", 3)
    batch = "lhs_batch_dims={0,1}, rhs_batch_dims={0,1}"
    return Row("attention", "batch 8, 12 heads, 512 x 64", entry(f"""  q = {qkv} parameter(0)
  k = {qkv} parameter(1)
  v = {qkv} parameter(2)
  eighth = f32[] constant(0.125)
  by = {scores} broadcast(eighth), dimensions={{}}
  y = {scores} dot(q, k), {batch}, lhs_contracting_dims={{3}}, rhs_contracting_dims={{3}}
  x = {scores} multiply(y, by)
{lines}  p = {scores} divide(e, sb)
  ROOT r = {qkv} dot(p, v), {batch}, lhs_contracting_dims={{3}}, rhs_contracting_dims={{2}}
""", ADD + MAXIMUM), onnx="attention", numbers=(8, 12, 512, 64))


def chain() -> Row:
    array = "f32[16777216]"
    lines = scalars(array, (1.5, 0.25, -2, 4, 0.75))
    return Row("chain_of_5", "64 MB to 64 MB", entry(f"""  x = {array} parameter(0)
{lines}  v = {array} multiply(x, b0)
  w = {array} add(v, b1)
  y = {array} maximum(w, b2)
  z = {array} minimum(y, b3)
  ROOT r = {array} subtract(z, b4)
"""))


def cumsum() -> Row:
    return Row("cumsum", "1,000,000", entry("""  x = f32[1000000] parameter(0)
  zero = f32[] constant(0)
  ROOT r = f32[1000000] reduce-window(x, zero), window={size=1000000 pad=999999_0}, to_apply=add
""", ADD), onnx="cumsum", numbers=(1000000,))


ARGMAX = """first {
  x = f32[] parameter(0)
  i = s32[] parameter(1)
  y = f32[] parameter(2)
  j = s32[] parameter(3)
  gt = pred[] compare(x, y), direction=GT
  ne = pred[] compare(x, x), direction=NE
  or = pred[] or(gt, ne)
  a = f32[] select(or, x, y)
  eq = pred[] compare(x, y), direction=EQ
  lt = pred[] compare(i, j), direction=LT
  and = pred[] and(eq, lt)
  or2 = pred[] or(or, and)
  b = s32[] select(or2, i, j)
  ROOT r = (f32[], s32[]) tuple(a, b)
}
"""


def argmax(rows: int, length: int) -> Row:
    array = f"[{rows},{length}]"
    return Row(f"argmax_{rows}", f"{rows} of {length}", entry(f"""  x = f32{array} parameter(0)
  i = s32{array} iota(), iota_dimension=1
  least = f32[] constant(-inf)
  zero = s32[] constant(0)
  t = (f32[{rows}], s32[{rows}]) reduce(x, i, least, zero), dimensions={{1}}, to_apply=first
  ROOT r = s32[{rows}] get-tuple-element(t), index=1
""", ARGMAX), onnx="argmax", numbers=(rows, length))


def gather(name: str, table: int, width: int, count: int) -> Row:
    return Row(f"gather_{name}", f"{count} rows of {width} out of {table}", entry(
        f"""  x = f32[{table},{width}] parameter(0)
  i = s32[{count},1] parameter(1)
  ROOT r = f32[{count},{width}] gather(x, i), offset_dims={{1}}, collapsed_slice_dims={{0}}, \
start_index_map={{0}}, index_vector_dim=1, slice_sizes={{1,{width}}}
"""), below=table, onnx="gather", numbers=(table, width, count))


def scatter_add(table: int, width: int, count: int) -> Row:
    return Row("scatter_add", f"{count} rows of {width} into {table} of 0", entry(
        f"""  zero = f32[] constant(0)
  x = f32[{table},{width}] broadcast(zero), dimensions={{}}
  i = s32[{count},1] parameter(0)
  u = f32[{count},{width}] parameter(1)
  ROOT r = f32[{table},{width}] scatter(x, i, u), update_window_dims={{1}}, \
inserted_window_dims={{0}}, scatter_dims_to_operand_dims={{0}}, index_vector_dim=1, to_apply=add
""", ADD), below=table)


def topk(length: int, k: int) -> Row:
    return Row("topk", f"{k} of {length:,}", entry(
        f"  x = f32[{length}] parameter(0)\n"
        f"  ROOT r = (f32[{k}], s32[{k}]) topk(x), k={k}, largest=true\n"),
        onnx="topk", numbers=(length, k))


def sort(length: int) -> Row:
    return Row("sort", f"{length:,}", entry(
        f"  x = f32[{length}] parameter(0)\n"
        f"  ROOT r = f32[{length}] sort(x), dimensions={{0}}, to_apply=less\n",
        "less {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
        "  ROOT r = pred[] compare(a, b), direction=LT, type=TOTALORDER\n}\n"))


def matmuls(count: int, n: int) -> Row:
    array = f"f32[{count},{n},{n}]"
    return Row("batched_matmul", f"{count} of {n} x {n} x {n}", entry(
        f"  a = {array} parameter(0)\n  b = {array} parameter(1)\n"
        f"  ROOT r = {array} dot(a, b), lhs_batch_dims={{0}}, rhs_batch_dims={{0}}, "
        f"lhs_contracting_dims={{2}}, rhs_contracting_dims={{1}}\n"),
        onnx="matmul", numbers=(n, n, n, count))


def rnn(steps: int, batch: int, width: int) -> Row:
    h, w = f"f32[{batch},{width}]", f"f32[{width},{width}]"
    state = f"(s32[], {h}, {w})"
    return Row("rnn", f"{steps} steps of {batch} x {width}", entry(f"""  h = {h} parameter(0)
  w = {w} parameter(1)
  i = s32[] constant(0)
  s = {state} tuple(i, h, w)
  l = {state} while(s), condition=more, body=step
  ROOT r = {h} get-tuple-element(l), index=1
""", f"""more {{
  s = {state} parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant({steps})
  ROOT r = pred[] compare(i, n), direction=LT
}}

step {{
  s = {state} parameter(0)
  i = s32[] get-tuple-element(s), index=0
  h = {h} get-tuple-element(s), index=1
  w = {w} get-tuple-element(s), index=2
  one = s32[] constant(1)
  next = s32[] add(i, one)
  y = {h} dot(h, w), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}
  t = {h} tanh(y)
  ROOT r = {state} tuple(next, t, w)
}}
"""))


def models(data: pathlib.Path) -> list[Row]:
    found = []
    for name in MODELS:
        file = data / "hlo" / f"{name}.hlo"
        if file.exists():
            found.append(Row(name, "a model", file.read_text()))
    return found


def rows(data: pathlib.Path) -> list[Row]:
    return [
        *models(data), *[gemm(n) for n in (64, 128, 256, 512, 1024, 2048)],
        *[gemm_of_bf16(n) for n in (256, 1024)],
        *[gemm_of_s8(n) for n in (256, 1024)],
        convolution("3x3_56", 56, (64, 64), 3), convolution("3x3_14", 14, (256, 256), 3),
        convolution("1x1_28", 28, (512, 128), 1),
        convolution("depthwise", 112, (64, 64), 3, groups=64),
        convolution("dilated", 56, (64, 64), 3, dilation=2),
        chain(), softmax(), layer_norm(), attention(), matmuls(1024, 16), rnn(100, 32, 256),
        cumsum(), argmax(1, 1000000), argmax(1000, 1000), gather("rows", 50000, 512, 8192),
        gather("elements", 1000000, 1, 1000000), scatter_add(50000, 512, 8192),
        topk(1000000, 100), sort(1000000), gelu(), gelu_tanh(), swish(), softplus(),
        *map(with_fast_math, (softmax(), layer_norm(), attention(), gelu()))]
