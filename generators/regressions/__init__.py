"""regressions: public reports of wrong numbers, as cases (spec/conformance.md).

An id holds the number of its report: regressions/f32/25_divide_by_itself. The
reports are known by their threads; inputs that a thread only describes are
chosen here so that the described fault shows. Expected values are computed
anew, by integers, fractions and mpmath.
"""

from regressions import arithmetic, draws, folds, functions, solves, transforms

REPORTS = {
    1: "tensorflow#55390: tanh beyond 1 for operands from 7 to 8",
    2: "jax#14717, stablehlo#1238: erf beyond 1",
    3: "openxla/xla#41122: erf of one element differs from that of two",
    4: "jax#39707: log1p of f64 is 129 ulp off near -0.414",
    5: "jax#19573: complex log1p overflows in a square",
    6: "jax#7004: complex log1p cancels near zero",
    7: "jax#19753: the imaginary part of a complex sine vanishes",
    8: "tensorflow#116944: a complex sine overflows on the way",
    9: "openxla/xla#8553, jax#19398, functional_algorithms#38: complex asinh and asin at branch "
       "cuts and for huge operands",
    10: "functional_algorithms#46, stablehlo#2681: complex log over- and underflows in a square",
    11: "stablehlo#2682: complex exp overflows with its real part's exponential",
    12: "tensorflow#25052: erf and lgamma of half precision are NaN for large operands",
    13: "tensorflow#121629: erf_inv in its tail",
    14: "jax#38607: erfcx is 0 because a subnormal factor is flushed",
    15: "jax#37670, jax#37762: functions take subnormal operands for zeros",
    16: "jax#4042, jax#16200: arithmetic and comparisons take subnormal operands for zeros",
    17: "jax#24280: sorting takes subnormal keys for zeros",
    18: "openxla/xla#21461: the maximum of a parameter drops NaN, that of a constant does not",
    19: "tensorflow#116992, openxla/xla#49174: maximum drops NaN",
    20: "openxla/xla#5544: the maximum of 8193 negative zeros is the init value",
    21: "jax#3193: argmin and argmax of NaN lie outside of the array",
    22: "jax#6443: NaNs and zeros in the wrong order",
    23: "openxla/xla#44705: atan2 of two equal operands is folded to NaN",
    24: "jax#276, jax#469, jax#545: what fast-math flags assume away",
    25: "openxla/xla#37181, openxla/xla#46400: x/x is not 1, by way of a reciprocal",
    26: "openxla/xla#40844: 1/sqrt(x) is rewritten as rsqrt(x)",
    27: "openxla/xla#14478, openxla/xla#14074: pow and products of roots are rewritten wrongly",
    28: "openxla/xla#41605, jax#23007, openxla/xla#10687: conversions to bf16 and back are elided",
    29: "openxla/xla#17324, ml_dtypes#260: conversion to 8 bits rounds twice, or past the end",
    30: "tensorflow#126212, tensorflow#59702, mlx#4038: NaN and what is out of range become "
        "different integers",
    31: "pytorch#37743, pytorch#24861, jax#40028: remainders of huge quotients, and their zeros",
    32: "mlx#4157, tt-metal#55318, tensorflow#115507: sine of huge angles",
    33: "jax#10692, jax#16898: integer powers with large and negative exponents",
    34: "ml_dtypes#63, mlx#3909, candle#3718, jax#585: long sums stop growing",
    35: "jax#1856, jax#9973, jax#14022, jax#16349, pytorch#79270, tensorflow#127346: dots of f32 "
        "round their operands",
    36: "triton#11217, triton#11584: bf16 products are truncated, or made of raw bits",
    37: "jax#13979, jax#13224: triangular solves of large batches",
    38: "jax#21002, jax#23827, jax#2952, jax#2874, pytorch#154496: errors of FFT",
    39: "MIOpen#2492, rocm-libraries#3508, jax#15976: convolution algorithms that lose precision",
    40: "jax#27702, jax#19616, jax#14003, jax#4548: biased and empty ranges of random numbers",
    41: "openxla/xla#4491, jax#16836: an index of u8 is clamped as if it were signed",
    42: "onnx#6220, onnx#5456: casts to 8 bits with wrong references",
}
# Of functions whose cases are those of the operation.
ELSEWHERE = {
    13: "erf_inv is a function of custom-calls, chlo.erf_inv: custom_call.jsonl has its cases",
}
WHY = {f"Report{n:02}": text for n, text in REPORTS.items() if n not in ELSEWHERE}


def cases():
    for part in (functions, arithmetic, folds, transforms, solves, draws):
        yield from part.cases()
