"""Five hundred functions of JAX with arguments: the list that jax_functions.py
runs. Each row is a name, the function, and the kinds of its arguments.

Kinds: x any float or integer, p a positive float, u in (0, 1), w in (-1, 1),
i a small integer, b a bool, m a 3x3 matrix, v a vector, k an index, c complex.
Arrays have 4 rows and 6 columns where a row says nothing else.
"""

import functools

import jax
import jax.numpy as jnp
import jax.scipy.special as jss
from jax import lax, nn

F = ("f32", "bf16", "f16", "f64")
FC = F + ("c64",)
FI = F + ("s32",)
ALL = F + ("s32", "c64")
INT = ("s32", "u8")
BOOL = ("bool",)


def rows_of(module, kinds, types, names):
    """Rows of functions that are called with their arguments alone."""
    prefix = {jnp: "jnp", lax: "lax", nn: "nn", jss: "special"}[module]
    return [
        (f"{prefix}.{name}", getattr(module, name), kinds, types)
        for name in names.split()
        if hasattr(module, name)
    ]


def part(row_name, function, *kinds, types=F, **options):
    return (row_name, functools.partial(function, **options), kinds, types)


def elementwise():
    rows = rows_of(
        jnp, "x", ALL,
        "abs absolute conj conjugate cos cosh exp exp2 expm1 imag isfinite "
        "isinf isnan log1p negative positive real reciprocal sin sinc sinh "
        "square tan tanh sign sqrt")
    rows += rows_of(
        jnp, "x", F,
        "angle arctan arcsinh cbrt ceil deg2rad degrees fabs floor fix "
        "isneginf isposinf nan_to_num rad2deg radians rint signbit spacing "
        "trunc i0 round")
    rows += rows_of(jnp, "p", F, "log log2 log10 arccosh unwrap")
    rows += rows_of(jnp, "w", F, "arccos arcsin arctanh")
    rows += rows_of(jnp, ("b",), BOOL, "logical_not")
    rows += rows_of(jnp, "x", INT, "bitwise_not invert bitwise_count")
    rows += rows_of(
        jnp, "xx", FI,
        "add subtract multiply maximum minimum equal not_equal less "
        "less_equal greater greater_equal fmax fmin")
    rows += rows_of(
        jnp, "xx", F,
        "divide true_divide floor_divide mod remainder fmod arctan2 copysign "
        "heaviside hypot logaddexp logaddexp2 nextafter")
    rows += rows_of(jnp, "px", F, "power")
    rows += rows_of(jnp, "ii", INT,
                    "bitwise_and bitwise_or bitwise_xor left_shift "
                    "right_shift gcd lcm")
    rows += rows_of(jnp, "bb", BOOL, "logical_and logical_or logical_xor")
    rows += rows_of(jnp, "x", F, "frexp modf")
    return rows


def of_lax():
    rows = rows_of(
        lax, "x", FC,
        "abs cos cosh exp exp2 expm1 log1p neg sin sinh sqrt square tan tanh "
        "logistic rsqrt")
    rows += rows_of(lax, "x", F,
                    "asinh atan cbrt ceil floor round sign is_finite erf erfc "
                    "reciprocal bessel_i0e bessel_i1e")
    rows += rows_of(lax, "p", F, "log acosh lgamma digamma")
    rows += rows_of(lax, "w", F, "asin acos atanh erf_inv")
    rows += rows_of(lax, "i", INT, "bitwise_not clz population_count")
    rows += rows_of(lax, "xx", FI,
                    "add sub mul max min eq ne lt le gt ge")
    rows += rows_of(lax, "xx", F, "div rem atan2 nextafter")
    rows += rows_of(lax, "px", F, "pow")
    rows += rows_of(lax, "pp", F, "igamma igammac zeta")
    rows += rows_of(lax, "ii", INT,
                    "bitwise_and bitwise_or bitwise_xor shift_left "
                    "shift_right_arithmetic shift_right_logical")
    rows += [
        part("lax.integer_pow", lax.integer_pow, "x", y=3),
        part("lax.reduce_precision", lax.reduce_precision, "x",
             types=("f32",), exponent_bits=5, mantissa_bits=7),
        part("lax.cumsum", lax.cumsum, "x", types=FI, axis=1),
        part("lax.cumprod", lax.cumprod, "x", axis=1),
        part("lax.cummax", lax.cummax, "x", types=FI, axis=0),
        part("lax.cummin", lax.cummin, "x", types=FI, axis=0),
        part("lax.cumlogsumexp", lax.cumlogsumexp, "x", axis=1),
        part("lax.sort", lax.sort, "x", types=FI),
        part("lax.top_k", lax.top_k, "x", k=3),
        part("lax.argmax", lax.argmax, "x", types=FI, axis=1,
             index_dtype=jnp.int32),
        part("lax.argmin", lax.argmin, "x", types=FI, axis=1,
             index_dtype=jnp.int32),
        part("lax.rev", lax.rev, "x", types=ALL, dimensions=(0, 1)),
        part("lax.reshape", lax.reshape, "x", types=ALL, new_sizes=(3, 8)),
        part("lax.transpose", lax.transpose, "x", types=ALL,
             permutation=(1, 0)),
        part("lax.broadcast", lax.broadcast, "x", types=ALL, sizes=(2,)),
        part("lax.slice", lax.slice, "x", types=ALL, start_indices=(1, 0),
             limit_indices=(4, 6), strides=(2, 3)),
        part("lax.expand_dims", lax.expand_dims, "x", types=ALL,
             dimensions=(1,)),
        ("lax.clamp", lambda x: lax.clamp(x.dtype.type(-1), x,
                                          x.dtype.type(1)), "x", FI),
        ("lax.pad", lambda x: lax.pad(x, x.dtype.type(7),
                                      ((1, -1, 2), (-2, 3, 0))), "x", ALL),
        ("lax.select", lambda b, x, y: lax.select(b, x, y), "bxx", ALL),
        ("lax.concatenate", lambda x, y: lax.concatenate([x, y], 1), "xx",
         ALL),
        ("lax.dynamic_slice",
         lambda x, k: lax.dynamic_slice(x, (k, k), (2, 2)), "xk", ALL),
        ("lax.dynamic_update_slice",
         lambda x, k: lax.dynamic_update_slice(x, x[:2, :2], (k, k)), "xk",
         ALL),
        ("lax.dynamic_index_in_dim",
         lambda x, k: lax.dynamic_index_in_dim(x, k, 0), "xk", ALL),
        ("lax.while_loop",
         lambda x: lax.while_loop(lambda s: s[0] < 5,
                                  lambda s: (s[0] + 1, s[1] * s[1]),
                                  (0, x))[1], "w", F),
        ("lax.fori_loop",
         lambda x: lax.fori_loop(0, 4, lambda i, s: s + x, x), "x", FI),
        ("lax.scan",
         lambda x: lax.scan(lambda c, r: (c + r, c * r), x[0], x), "w", F),
        ("lax.cond",
         lambda x, k: lax.cond(k > 1, jnp.sin, jnp.negative, x), "xk", F),
        ("lax.switch",
         lambda x, k: lax.switch(k, [jnp.sign, jnp.floor, jnp.abs], x),
         "xk", F),
        ("lax.map", lambda x: lax.map(lambda r: r[::-1], x), "x", ALL),
        ("lax.associative_scan",
         lambda x: lax.associative_scan(jnp.maximum, x), "x", FI),
        ("lax.dot", lambda x, y: lax.dot(x, y.T), "ww", FC),
        ("lax.dot_general",
         lambda x, y: lax.dot_general(x, y, (((0,), (0,)), ((), ()))), "ww",
         FC),
        ("lax.batch_matmul",
         lambda x, y: lax.batch_matmul(x[None], y.T[None]), "ww", F),
        ("lax.conv",
         lambda x, y: lax.conv(x[None, None], y[None, None, :2, :3], (1, 1),
                               "SAME"), "ww", F),
        ("lax.conv_with_general_padding",
         lambda x, y: lax.conv_with_general_padding(
             x[None, None], y[None, None, :2, :3], (2, 1),
             ((1, 2), (0, -1)), (1, 2), (2, 1)), "ww", F),
        ("lax.conv_transpose",
         lambda x, y: lax.conv_transpose(
             x[None, :, :, None], y[:2, :3, None, None], (2, 2), "SAME"),
         "ww", F),
        ("lax.reduce_max", lambda x: lax.reduce_max(x, (0,)), "x", FI),
        ("lax.reduce_min", lambda x: lax.reduce_min(x, (0,)), "x", FI),
        ("lax.reduce_sum", lambda x: lax.reduce_sum(x, (1,)), "w", F),
        ("lax.reduce_and", lambda b: lax.reduce_and(b, (0,)), "b", BOOL),
        ("lax.reduce_or", lambda b: lax.reduce_or(b, (0,)), "b", BOOL),
        ("lax.reduce_window_max",
         lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (2, 3), (1, 2),
                                     "VALID"), "x", F),
        ("lax.reduce_window_sum",
         lambda x: lax.reduce_window(x, 0.0, lax.add, (2, 2), (1, 1),
                                     "SAME"), "w", F),
        ("lax.convert_element_type",
         lambda x: lax.convert_element_type(x, jnp.int32), "x", F),
        ("lax.convert_to_half",
         lambda x: lax.convert_element_type(x, jnp.float16), "x", FI),
        ("lax.bitcast_convert_type",
         lambda x: lax.bitcast_convert_type(x, jnp.uint32), "x", ("f32",)),
        ("lax.iota", lambda: lax.iota(jnp.int32, 7), "", F),
        ("lax.broadcasted_iota",
         lambda: lax.broadcasted_iota(jnp.float32, (2, 3), 1), "", F),
        ("lax.complex", lax.complex, "xx", ("f32", "f64")),
        ("lax.real", lax.real, "x", ("c64",)),
        ("lax.imag", lax.imag, "x", ("c64",)),
        ("lax.conj", lax.conj, "x", ("c64",)),
        ("lax.squeeze", lambda x: lax.squeeze(x[:1], (0,)), "x", ALL),
        ("lax.collapse", lambda x: lax.collapse(x, 0, 2), "x", ALL),
        ("lax.full_like", lambda x: lax.full_like(x, 3), "x", ALL),
        ("lax.betainc", lax.betainc, "ppu", ("f32", "f64")),
        ("lax.random_gamma_grad", lax.random_gamma_grad, "pp",
         ("f32", "f64")),
        ("lax.sort_key_val", lambda x, y: lax.sort_key_val(x, y), "xx", FI),
        ("lax.fft", lambda x: lax.fft(x, "FFT", (6,)), "w", ("c64",)),
        ("lax.optimization_barrier", lax.optimization_barrier, "x", ALL),
    ]
    return rows
