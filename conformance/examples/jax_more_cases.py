"""The second half of the list of jax_cases.py: reductions, shapes, products,
jax.nn and jax.scipy.special; and the choice of five hundred."""

import jax.numpy as jnp
import jax.scipy.special as jss
from jax import nn

from jax_cases import ALL, BOOL, F, FC, FI, elementwise, of_lax, part, rows_of

COUNT = 500


def reductions():
    rows = rows_of(
        jnp, "x", FI,
        "max min amax amin argmax argmin nanmax nanmin sort argsort ptp "
        "count_nonzero cumsum")
    rows += rows_of(
        jnp, "w", F,
        "sum prod mean var std median nansum nanmean nanvar nanstd nanprod "
        "nanmedian nancumsum average cumprod trace nanargmax nanargmin")
    rows += rows_of(jnp, "b", BOOL, "all any")
    rows += [
        part("jnp.sum_rows", jnp.sum, "w", types=FC, axis=1),
        part("jnp.mean_rows", jnp.mean, "w", axis=1, keepdims=True),
        part("jnp.var_rows", jnp.var, "w", axis=1, ddof=1),
        part("jnp.quantile", jnp.quantile, "w", q=0.25),
        part("jnp.percentile", jnp.percentile, "w", q=40),
        part("jnp.logsumexp", jss.logsumexp, "w", axis=1),
        part("jnp.linalg.norm", jnp.linalg.norm, "w", axis=1),
        part("jnp.max_rows", jnp.max, "x", types=FI, axis=1),
        part("jnp.diff", jnp.diff, "x", types=FI),
        part("jnp.ediff1d", jnp.ediff1d, "x", types=FI),
        part("jnp.gradient", lambda x: jnp.gradient(x, axis=1), "w"),
        part("jnp.trapezoid", jnp.trapezoid, "w"),
    ]
    return rows


def shapes():
    rows = rows_of(
        jnp, "x", ALL,
        "ravel transpose flip fliplr flipud rot90 atleast_1d atleast_2d "
        "atleast_3d tril triu diagonal squeeze zeros_like ones_like copy "
        "matrix_transpose")
    rows += rows_of(jnp, "xx", ALL, "append")
    rows += [
        part("jnp.reshape", jnp.reshape, "x", types=ALL, shape=(2, 12)),
        part("jnp.roll", jnp.roll, "x", types=ALL, shift=2, axis=1),
        part("jnp.repeat", jnp.repeat, "x", types=ALL, repeats=2, axis=0),
        part("jnp.tile", jnp.tile, "x", types=ALL, reps=(2, 1)),
        part("jnp.moveaxis", jnp.moveaxis, "x", types=ALL, source=0,
             destination=1),
        part("jnp.swapaxes", jnp.swapaxes, "x", types=ALL, axis1=0, axis2=1),
        part("jnp.broadcast_to", jnp.broadcast_to, "x", types=ALL,
             shape=(2, 4, 6)),
        part("jnp.expand_dims", jnp.expand_dims, "x", types=ALL, axis=1),
        part("jnp.pad", jnp.pad, "x", types=ALL, pad_width=1),
        part("jnp.pad_reflect", jnp.pad, "x", types=ALL, pad_width=2,
             mode="reflect"),
        part("jnp.pad_edge", jnp.pad, "x", types=ALL, pad_width=2,
             mode="edge"),
        part("jnp.clip", jnp.clip, "x", types=FI, min=-1, max=1),
        part("jnp.full_like", jnp.full_like, "x", types=ALL, fill_value=2),
        part("jnp.split", lambda x: jnp.split(x, 3, axis=1), "x", types=ALL),
        part("jnp.stack", lambda x, y: jnp.stack([x, y]), "x", "x",
             types=ALL),
        part("jnp.vstack", lambda x, y: jnp.vstack([x, y]), "x", "x",
             types=ALL),
        part("jnp.hstack", lambda x, y: jnp.hstack([x, y]), "x", "x",
             types=ALL),
        part("jnp.concatenate", lambda x, y: jnp.concatenate([x, y]), "x",
             "x", types=ALL),
        part("jnp.where", jnp.where, "b", "x", "x", types=ALL),
        part("jnp.select", lambda b, x, y: jnp.select([b, ~b], [x, y]), "b",
             "x", "x", types=ALL),
        part("jnp.take", lambda x, k: jnp.take(x, k, axis=0), "x", "k",
             types=ALL),
        part("jnp.take_rows", lambda x: jnp.take(x, jnp.array([3, 0, 9]),
                                                 axis=0), "x", types=F),
        part("jnp.take_along_axis",
             lambda x: jnp.take_along_axis(x, jnp.array([[1], [5], [0], [2]]),
                                           1), "x", types=ALL),
        part("jnp.index", lambda x: x[jnp.array([0, -1]), 2:4], "x",
             types=ALL),
        part("jnp.at_set", lambda x: x.at[1, jnp.array([0, 5])].set(3), "x",
             types=ALL),
        part("jnp.at_add", lambda x: x.at[jnp.array([0, 2, 0])].add(x[:3]),
             "w", types=F),
        part("jnp.at_max", lambda x: x.at[:, 1].max(0), "x", types=FI),
        part("jnp.diag", lambda x: jnp.diag(x[0]), "x", types=ALL),
        part("jnp.eye", lambda: jnp.eye(3, 4)),
        part("jnp.arange", lambda: jnp.arange(2, 11, 3)),
        part("jnp.linspace", lambda: jnp.linspace(0.0, 1.0, 7)),
        part("jnp.tri", lambda: jnp.tri(3, 4, 1)),
        part("jnp.meshgrid", lambda x, y: jnp.meshgrid(x[0], y[:, 0]), "x",
             "x", types=ALL),
        part("jnp.searchsorted",
             lambda x, y: jnp.searchsorted(jnp.sort(x[0]), y), "w", "w"),
        part("jnp.digitize",
             lambda x: jnp.digitize(x, jnp.array([-0.5, 0.0, 0.5])), "w"),
        part("jnp.bincount", lambda x: jnp.bincount(x[0], length=8), "i",
             types=("s32",)),
        part("jnp.interp", lambda x: jnp.interp(
            x, jnp.array([-1.0, 0.0, 1.0]), jnp.array([3.0, 1.0, 2.0])), "w",
             types=("f32", "f64")),
        part("jnp.isclose", jnp.isclose, "x", "x"),
        part("jnp.allclose", jnp.allclose, "x", "x"),
        part("jnp.array_equal", jnp.array_equal, "x", "x", types=FI),
        part("jnp.astype_int", lambda x: x.astype(jnp.int8), "x"),
        part("jnp.astype_bool", lambda x: x.astype(bool), "x", types=ALL),
        part("jnp.isin", lambda x: jnp.isin(x, jnp.array([1, 2])), "i",
             types=("s32",)),
        part("jnp.packbits", jnp.packbits, "b", types=BOOL),
        part("jnp.vander", lambda x: jnp.vander(x[0], 4), "w"),
        part("jnp.polyval", lambda x: jnp.polyval(
            jnp.array([1.0, -2.0, 0.5], x.dtype), x), "w"),
        part("jnp.convolve", lambda x, y: jnp.convolve(x[0], y[1]), "w", "w"),
        part("jnp.correlate", lambda x, y: jnp.correlate(x[0], y[1]), "w",
             "w"),
    ]
    return rows


def products():
    rows = rows_of(jnp, "ww", FC, "inner vdot outer kron tensordot")
    rows += [
        part("jnp.dot", lambda x, y: jnp.dot(x, y.T), "w", "w", types=FC),
        part("jnp.matmul", lambda x, y: jnp.matmul(x, y.T), "w", "w",
             types=FC),
        part("jnp.einsum", lambda x, y: jnp.einsum("ij,ij->i", x, y), "w",
             "w", types=FC),
        part("jnp.cross", lambda x, y: jnp.cross(x[:, :3], y[:, 3:]), "w",
             "w"),
        part("jnp.vecdot", jnp.vecdot, "w", "w"),
    ]
    for name in ("fft", "ifft", "fft2", "ifft2"):
        rows.append(part(f"jnp.fft.{name}", getattr(jnp.fft, name), "w",
                         types=("c64",)))
    for name in ("rfft", "rfft2", "hfft", "irfft"):
        rows.append(part(f"jnp.fft.{name}", getattr(jnp.fft, name), "w",
                         types=("f32", "f64")))
    rows += [
        part("jnp.fft.fftshift", jnp.fft.fftshift, "x", types=ALL),
        part("jnp.fft.ifftshift", jnp.fft.ifftshift, "x", types=ALL),
        part("jnp.fft.fftfreq", lambda: jnp.fft.fftfreq(7)),
    ]
    return rows


def networks():
    rows = rows_of(
        nn, "x", F,
        "celu elu gelu hard_sigmoid hard_silu hard_swish hard_tanh "
        "leaky_relu log_sigmoid log_softmax mish relu relu6 selu sigmoid "
        "silu soft_sign softmax softplus sparse_plus sparse_sigmoid "
        "squareplus standardize swish tanh logsumexp")
    rows += [
        part("nn.gelu_exact", nn.gelu, "x", approximate=False),
        part("nn.glu", nn.glu, "x"),
        part("nn.one_hot", lambda x: nn.one_hot(x[0], 5), "i",
             types=("s32",)),
        part("nn.softmax_columns", nn.softmax, "w", axis=0),
        part("nn.dot_product_attention",
             lambda x, y: nn.dot_product_attention(
                 x[None, :, None], y[None, :, None], x[None, :, None]), "w",
             "w"),
    ]
    return rows


def special():
    G = ("f32", "f64")
    rows = rows_of(jss, "x", F,
                   "erf erfc expit i0e i1e log_ndtr ndtr")
    rows += rows_of(jss, "p", G,
                    "digamma gamma gammaln entr i0 i1 loggamma spence "
                    "factorial exp1 gammasgn")
    rows += rows_of(jss, "w", G, "erfinv")
    rows += rows_of(jss, "u", G, "logit ndtri")
    rows += rows_of(jss, "pp", G,
                    "beta betaln gammainc gammaincc kl_div rel_entr xlog1py "
                    "xlogy zeta poch")
    rows += [
        part("special.polygamma", lambda x: jss.polygamma(1, x), "p",
             types=G),
        part("special.multigammaln", lambda x: jss.multigammaln(x + 2, 2),
             "p", types=G),
        part("special.betainc", jss.betainc, "p", "p", "u", types=G),
        part("special.expi", jss.expi, "p", types=G),
        part("special.softmax", lambda x: nn.softmax(x), "x"),
        part("special.comb", lambda x: jss.gammaln(x + 1), "p", types=G),
    ]
    return rows


def cases():
    """(name, type, function, kinds) of the first COUNT: every function once,
    with types that take turns, then again with the next type."""
    rows = (elementwise() + of_lax() + reductions() + shapes() + products() +
            networks() + special())
    chosen = []
    for turn in range(max(len(types) for *_, types in rows)):
        for n, (name, function, kinds, types) in enumerate(rows):
            if turn < len(types):
                type_ = types[(n + turn) % len(types)]
                chosen.append((name, type_, function, kinds))
    return chosen[:COUNT]
