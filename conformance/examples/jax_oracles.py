"""Exact values, by mpmath at 60 digits, of functions of jax_cases.py on which
XLA:CPU and the reference differ. Each takes the arguments and the index of an
element of the (first) result; numbers are mpf or mpc."""

import mpmath as mp

mp.mp.dps = 60


def number(value):
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, complex):
        return mp.mpc(value.real, value.imag)
    return mp.mpf(float(value))


def pointwise(function):
    """Of functions of the elements at one place."""
    return lambda arguments, at: function(*(number(a[at]) for a in arguments))


def total(products):
    return mp.fsum(products)


def dot_rows(x, y, at):
    """Of x with y transposed."""
    i, j = at[-2:]
    return total(number(a) * number(b) for a, b in zip(x[i], y[j]))


def dot_columns(x, y, at):
    return total(number(a) * number(b) for a, b in zip(x[:, at[0]],
                                                       y[:, at[1]]))


def running_sum(x, at):
    return total(number(v) for v in x.ravel()[:at[0] + 1])


def convolution(x, y, at):
    """Of one channel with a window of 2 by 3, low padding 0 and 1."""
    i, j = at[2:]
    return total(
        number(x[i + a, j + b - 1]) * number(y[a, b])
        for a in range(2) for b in range(3)
        if i + a < x.shape[0] and 0 <= j + b - 1 < x.shape[1])


def transform(sign, axes, scale=True):
    """The discrete Fourier transform over the last one or two dimensions."""
    def value(arguments, at):
        x = arguments[0]
        rows = range(x.shape[0]) if axes == 2 else [at[0]]
        columns, count = range(x.shape[1]), x.shape[1]
        terms = []
        for a in rows:
            for b in columns:
                turn = mp.mpf(at[1] * b) / x.shape[1]
                if axes == 2:
                    turn += mp.mpf(at[0] * a) / x.shape[0]
                terms.append(number(x[a, b]) * mp.expjpi(2 * sign * turn))
        if axes == 2:
            count *= x.shape[0]
        return total(terms) / (count if sign > 0 and scale else 1)
    return value


def hermitian(arguments, at):
    """hfft of n values: the transform of 2n - 2 values with their mirror."""
    row = [number(v) for v in arguments[0][at[0]]]
    row += [mp.conj(v) for v in row[-2:0:-1]]
    return mp.re(total(v * mp.expjpi(-2 * mp.mpf(at[1] * b) / len(row))
                       for b, v in enumerate(row)))


def log_beta(a, b):
    return mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)


def gamma_derivative(a, x):
    """Of a sample x of the gamma distribution in its parameter: -dP/da over
    the density."""
    cumulated = lambda v: mp.gammainc(v, 0, x, regularized=True)
    return -mp.diff(cumulated, a) / (x ** (a - 1) * mp.exp(-x) / mp.gamma(a))


ORACLES = {
    "cosh": pointwise(mp.cosh),
    "sinh": pointwise(mp.sinh),
    "tan": pointwise(mp.tan),
    "lgamma": pointwise(mp.loggamma),
    "gammaln": pointwise(mp.loggamma),
    "loggamma": pointwise(mp.loggamma),
    "comb": pointwise(lambda x: mp.loggamma(x + 1)),
    "digamma": pointwise(mp.digamma),
    "gamma": pointwise(mp.gamma),
    "factorial": pointwise(lambda x: mp.gamma(x + 1)),
    "exp1": pointwise(mp.e1),
    "beta": pointwise(lambda a, b: mp.exp(log_beta(a, b))),
    "betaln": pointwise(log_beta),
    "betainc": pointwise(
        lambda a, b, x: mp.betainc(a, b, 0, x, regularized=True)),
    "gammainc": pointwise(
        lambda a, x: mp.gammainc(a, 0, x, regularized=True)),
    "gammaincc": pointwise(
        lambda a, x: mp.gammainc(a, x, mp.inf, regularized=True)),
    "kl_div": pointwise(lambda x, y: x * mp.log(x / y) - x + y),
    "poch": pointwise(lambda z, m: mp.gamma(z + m) / mp.gamma(z)),
    "polygamma": pointwise(lambda x: mp.psi(1, x)),
    "multigammaln": pointwise(
        lambda x: mp.log(mp.pi) / 2 + mp.loggamma(x + 2) +
        mp.loggamma(x + mp.mpf(3) / 2)),
    "random_gamma_grad": pointwise(gamma_derivative),
    "polyval": pointwise(lambda x: x * x - 2 * x + mp.mpf(1) / 2),
    "dot": lambda arguments, at: dot_rows(*arguments, at),
    "inner": lambda arguments, at: dot_rows(*arguments, at),
    "matmul": lambda arguments, at: dot_rows(*arguments, at),
    "batch_matmul": lambda arguments, at: dot_rows(*arguments, at),
    "dot_general": lambda arguments, at: dot_columns(*arguments, at),
    "nancumsum": lambda arguments, at: running_sum(*arguments, at),
    "cumsum": lambda arguments, at: running_sum(*arguments, at),
    "conv": lambda arguments, at: convolution(*arguments, at),
    "fft": transform(-1, 1),
    "ifft": transform(1, 1),
    "fft2": transform(-1, 2),
    "ifft2": transform(1, 2),
    "rfft2": transform(-1, 2),
    "hfft": hermitian,
}


def exact(name, arguments, at):
    """The value of the function of that row at one element; None where no
    oracle is known."""
    oracle = ORACLES.get(name.rsplit(".", 1)[-1])
    return None if oracle is None else oracle(arguments, at)


def error(value, true, precision):
    """How far a value of `precision` bits is from the true one, in units in
    the last place of the true one; the worse part of a complex number."""
    value = number(value)
    if isinstance(value, mp.mpc) or isinstance(true, mp.mpc):
        value, true = mp.mpc(value), mp.mpc(true)
        return max(error(value.real, true.real, precision),
                   error(value.imag, true.imag, precision))
    if not mp.isfinite(value):
        return mp.inf
    if true == 0:
        return mp.mpf(0) if value == 0 else mp.inf
    exponent = mp.floor(mp.log(abs(true), 2))
    return abs(value - true) / mp.mpf(2) ** (exponent - precision + 1)
