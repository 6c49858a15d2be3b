"""What a lowered program gives where every operation is rounded once: sums,
products and quotients as IEEE 754 has them, functions by mpmath at 60 digits.
No multiplication is fused with an addition, and nothing is approximated. Knows
the operations that functions of jax.scipy.special are made of; anything else
is a KeyError."""

import math
import operator

import mpmath as mp
import numpy as np

mp.mp.dps = 60

PRECISION = {"float32": 24, "float64": 53}
TYPES = {"f32": np.float32, "f64": np.float64, "i1": np.bool_, "i32": np.int32,
         "i64": np.int64}
COMPARE = {"EQ": operator.eq, "NE": operator.ne, "LT": operator.lt,
           "LE": operator.le, "GT": operator.gt, "GE": operator.ge}


def rounded(value, dtype):
    """An mpf in a float type, once; beyond its normal numbers a ValueError."""
    if mp.isinf(value) or mp.isnan(value) or value == 0:
        return dtype.type(float(value))
    with mp.workprec(PRECISION[dtype.name]):
        nearest = +value
    info = np.finfo(dtype)
    if not float(info.tiny) <= abs(nearest) <= float(info.max):
        raise ValueError("no normal number")
    return dtype.type(float(nearest))


def function(exact, special):
    """An element-wise function; `special` says what `exact` cannot."""
    def apply(x):
        def one(v):
            known = special(float(v))
            value = exact(mp.mpf(float(v))) if known is None else mp.mpf(known)
            return rounded(value, x.dtype)
        return np.array([one(v) for v in x.ravel()], x.dtype).reshape(x.shape)
    return apply


def logarithm_special(x):
    if math.isnan(x) or x < 0:
        return math.nan
    return {0: -math.inf, math.inf: math.inf}.get(x)


def exponential_special(x):
    if math.isnan(x):
        return math.nan
    return {math.inf: math.inf, -math.inf: 0}.get(x)


def gamma_special(x):
    if math.isinf(x) or (x <= 0 and x == math.floor(x)):
        return math.inf
    return math.nan if math.isnan(x) else None


def digamma_special(x):
    if math.isnan(x) or math.isinf(x) or (x <= 0 and x == math.floor(x)):
        return math.inf if x == math.inf else math.nan
    return None


def remainder(x, y):
    return np.fmod(x, y)


UNARY = {
    "stablehlo.abs": np.abs, "stablehlo.negate": operator.neg,
    "stablehlo.not": np.logical_not, "stablehlo.sign": np.sign,
    "stablehlo.sqrt": np.sqrt,
    "stablehlo.log": function(mp.log, logarithm_special),
    "stablehlo.log_plus_one": function(
        mp.log1p, lambda x: logarithm_special(x + 1) if x < -0.5 or
        not math.isfinite(x) else None),
    "stablehlo.exponential": function(mp.exp, exponential_special),
    "chlo.lgamma": function(lambda x: mp.re(mp.loggamma(x)), gamma_special),
    "chlo.digamma": function(mp.digamma, digamma_special),
}
BINARY = {
    "stablehlo.add": operator.add, "stablehlo.subtract": operator.sub,
    "stablehlo.multiply": operator.mul, "stablehlo.and": operator.and_,
    "stablehlo.or": operator.or_, "stablehlo.remainder": remainder,
    "stablehlo.maximum": np.maximum, "stablehlo.minimum": np.minimum,
}


def shape_of(value):
    return tuple(value.type.shape)


def type_of(value):
    return TYPES[str(value.type.element_type)]


def divide(x, y):
    """Of integers towards zero; no division by zero."""
    if x.dtype.kind == "f":
        return x / y
    return np.sign(x) * np.sign(y) * (np.abs(x) // np.abs(y))


def broadcast(op, x):
    shape = shape_of(op.results[0])
    dims = list(op.attributes["broadcast_dimensions"])
    sizes = [1] * len(shape)
    for size, d in zip(x.shape, dims):
        sizes[d] = size
    return np.broadcast_to(x.reshape(sizes), shape)


def sliced(op, x):
    ranges = zip(*(list(op.attributes[name]) for name in (
        "start_indices", "limit_indices", "strides")))
    return x[tuple(slice(*each) for each in ranges)]


def word(attribute):
    return str(attribute).rstrip(">").split()[-1]


class Program:
    """Functions by their names."""

    def __init__(self, module):
        self.functions = {f.name.value: f for f in module.body.operations}

    def call(self, name, arguments):
        return self.block(self.functions[name].regions[0].blocks[0],
                          arguments, {})

    def block(self, block, arguments, outer):
        values = dict(outer)
        values.update(zip(block.arguments, arguments))
        for op in block.operations:
            operands = [values[o] for o in op.operands]
            if op.operation.name in ("func.return", "stablehlo.return"):
                return operands
            values.update(zip(op.results, self.results(op, operands, values)))
        raise KeyError("no return")

    def results(self, op, operands, values):
        name = op.operation.name
        if name == "func.call":
            return self.call(op.attributes["callee"].value, operands)
        if name == "stablehlo.while":
            return self.loop(op, operands, values)
        with np.errstate(all="ignore"):
            return [self.value(op, name, operands, values)]

    def loop(self, op, state, values):
        condition, body = (region.blocks[0] for region in op.regions)
        while self.block(condition, state, values)[0]:
            state = self.block(body, state, values)
        return state

    def value(self, op, name, x, values):
        if name in UNARY:
            return UNARY[name](x[0])
        if name in BINARY:
            return BINARY[name](*x)
        if name == "stablehlo.constant":
            return np.array(op.attributes["value"]).astype(
                type_of(op.results[0]))
        if name == "stablehlo.compare":
            return COMPARE[word(op.attributes["comparison_direction"])](*x)
        if name == "stablehlo.reduce":
            return self.reduced(op, *x, values)
        simple = {
            "stablehlo.divide": lambda: divide(*x),
            "stablehlo.select": lambda: np.where(*x).astype(x[1].dtype),
            "stablehlo.convert": lambda: x[0].astype(type_of(op.results[0])),
            "stablehlo.broadcast_in_dim": lambda: broadcast(op, x[0]),
            "stablehlo.reshape": lambda: x[0].reshape(shape_of(op.results[0])),
            "stablehlo.slice": lambda: sliced(op, x[0]),
        }
        return simple[name]()

    def reduced(self, op, x, start, values):
        """Of all dimensions, in any order: for truth values."""
        if x.dtype != np.bool_ or shape_of(op.results[0]):
            raise KeyError("a sum depends on its order")
        total = start
        for element in x.ravel():
            total = self.block(op.regions[0].blocks[0],
                               [total, np.array(element)], values)[0]
        return total


def results(module, arguments):
    """Of @main, as arrays; None where an operation is not known or a step
    leaves the normal numbers."""
    try:
        return Program(module).call("main",
                                    [np.asarray(a) for a in arguments])
    except (KeyError, ValueError):
        return None
