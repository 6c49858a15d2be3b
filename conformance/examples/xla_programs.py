"""Thirty-one programs of JAX as XLA dumps them before and after its passes.

    xla_programs.py DIR [--all-passes] [--large-constants]

Compiles each for XLA:CPU with --xla_dump_to=DIR: what `assay compare --dump
DIR` judges. A Python without JAX skips with one line and exit code 77.
"""

import os
import sys

FLAGS = ["--xla_dump_hlo_as_text"]
if __name__ == "__main__":
    if "--all-passes" in sys.argv:
        FLAGS.append("--xla_dump_hlo_pass_re=.*")
    if "--large-constants" in sys.argv:
        FLAGS.append("--xla_dump_large_constants")
    os.environ["XLA_FLAGS"] = " ".join(
        [f"--xla_dump_to={sys.argv[1]}", *FLAGS])
os.environ["JAX_PLATFORMS"] = "cpu"

try:
    import jax
    import jax.numpy as jnp
    import numpy as np
except ImportError:
    print("xla_programs: skipped, this Python has no JAX")
    sys.exit(77)

F32 = np.float32
WEIGHTS = np.linspace(-1, 1, 8 * 16, dtype=F32).reshape(8, 16)


def shaped(*sizes, dtype=F32):
    return jax.ShapeDtypeStruct(sizes, dtype)


def layer_norm(x, gain, bias):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * gain + bias


def attention(q, k, v):
    return jax.nn.softmax(q @ k.T / np.sqrt(q.shape[-1]).astype(F32)) @ v


def perceptron(x, w, b, u):
    return jax.nn.relu(x @ w + b) @ u


def loss(w, x, y):
    return -(jax.nn.log_softmax(jnp.tanh(x @ w)) * y).sum(-1).mean()


def lstm_cell(x, h, c, w):
    i, f, g, o = jnp.split(jnp.concatenate([x, h], -1) @ w, 4, -1)
    c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
    return jax.nn.sigmoid(o) * jnp.tanh(c), c


def convolve(x, kernel):
    return jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME")


def rotate(x, angle):
    a, b = jnp.split(x, 2, -1)
    c, s = jnp.cos(angle), jnp.sin(angle)
    return jnp.concatenate([a * c - b * s, a * s + b * c], -1)


def newton(x):
    return jax.lax.fori_loop(0, 5, lambda _, y: 0.5 * (y + x / y), x)


def in_bf16(x, w):
    y = x.astype(jnp.bfloat16) @ w.astype(jnp.bfloat16)
    return (y * y + y).astype(F32)


def recurrence(x):
    return jax.lax.scan(lambda s, v: (0.9 * s + v, s * v),
                        jnp.zeros(x.shape[1:], x.dtype), x)


PROGRAMS = {
    "softmax": (jax.nn.softmax, shaped(4, 8)),
    "layer_norm": (layer_norm, shaped(4, 8), shaped(8), shaped(8)),
    "attention": (attention, shaped(6, 8), shaped(6, 8), shaped(6, 8)),
    "perceptron": (perceptron, shaped(4, 8), shaped(8, 16), shaped(16),
                   shaped(16, 4)),
    "gradient": (jax.grad(loss), shaped(8, 5), shaped(4, 8), shaped(4, 5)),
    "gelu": (jax.nn.gelu, shaped(4, 8)),
    "silu": (jax.nn.silu, shaped(4, 8)),
    "lstm_cell": (lstm_cell, shaped(2, 4), shaped(2, 4), shaped(2, 4),
                  shaped(8, 16)),
    "convolve": (convolve, shaped(1, 3, 6, 6), shaped(4, 3, 3, 3)),
    "pool": (lambda x: jax.lax.reduce_window(
        x, -jnp.inf, jax.lax.max, (2, 2), (2, 2), "VALID"), shaped(6, 6)),
    "rotate": (rotate, shaped(4, 8), shaped(4, 4)),
    "newton": (newton, shaped(8)),
    "in_bf16": (in_bf16, shaped(4, 8), shaped(8, 4)),
    "recurrence": (recurrence, shaped(5, 4)),
    "cumulative": (lambda x: jnp.cumsum(x, -1), shaped(4, 8)),
    "sort": (lambda x: jnp.sort(x, -1), shaped(4, 8)),
    "arg_max": (lambda x: jnp.argmax(x, -1), shaped(4, 8)),
    "one_hot": (lambda i: jax.nn.one_hot(i, 8) * 2, shaped(4, dtype=np.int32)),
    "take": (lambda x, i: jnp.take(x, i, axis=0), shaped(8, 4),
             shaped(5, dtype=np.int32)),
    "scatter": (lambda x, i, u: x.at[i].add(u), shaped(8, 4),
                shaped(3, dtype=np.int32), shaped(3, 4)),
    "weights": (lambda x: jnp.sin(x @ WEIGHTS), shaped(4, 8)),
    "normal": (lambda: jax.random.normal(jax.random.key(3), (16,)),),
    "polynomial": (lambda x: ((3 * x + 2) * x - 1) * x / 3, shaped(16)),
    "log_sum": (lambda x: jax.nn.logsumexp(x, -1), shaped(4, 8)),
    "variance": (lambda x: (x.var(0), x.std(0)), shaped(8, 4)),
    "clip": (lambda x: jnp.clip(jnp.round(x * 16) / 16, 0.25, 1.25),
             shaped(16)),
    "branch": (lambda p, x: jax.lax.cond(p > 3, jnp.sin, jnp.cos, x),
               shaped(dtype=np.int32), shaped(8)),
    "square": (lambda x: x * x * 3, shaped(8)),
    "outer": (lambda x, y: jnp.einsum("bi,bj->bij", x, y).sum(0), shaped(3, 4),
              shaped(3, 5)),
    "integers": (lambda x, y: (x * y - x // 3) ^ (y << 2),
                 shaped(16, dtype=np.int32), shaped(16, dtype=np.int32)),
    "quantize": (lambda x: (jnp.floor(x * 50).astype(np.int8)).astype(F32) / 50,
                 shaped(16)),
}


def compile_all():
    for name, (function, *arguments) in PROGRAMS.items():
        def program(*args, run=function):
            return run(*args)
        program.__name__ = name
        jax.jit(program).lower(*arguments).compile()


if __name__ == "__main__":
    compile_all()
