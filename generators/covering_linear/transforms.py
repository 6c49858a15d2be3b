"""Transforms, decompositions and draws over arrays in every class of layouts."""

from __future__ import annotations

import itertools
from fractions import Fraction

from assaygen import arrays, types, values
from assaygen.arrays import Array
from assaygen.cases import Case, bits
from assaygen.covering.pairs import rows
from assaygen.program import Program
from assaygen.streams import Stream
from covering_folds import common
from covering_folds.common import EVERY, named_types
from ops import cholesky, fft, rng_bit_generator, triangular_solve
from ops.triangular_solve import TRANSPOSES, Solve

SOLVED = named_types("f32 f64 f16 bf16 c64 c128")


def laid_again(case: Case, name: str) -> Case:
    """The case with its result in another layout."""
    program = case.program
    assert isinstance(program, Program)
    head, rest = program.lines[-1].split(" = ", 1)
    form, instruction = rest.split(" ", 1)
    t, dims = form.split("{")[0].rstrip("]").split("[")
    sizes = tuple(int(n) for n in dims.split(",") if n)
    program.result = common.shape(types.BY_NAME[t], sizes, name)
    program.lines[-1] = f"{head} = {program.result} {instruction}"
    return case


# Name -> (dimensions, lengths); the last dimension of IRFFT is a half spectrum.
LENGTHS = {
    "one": ((1,), (1,)), "two": ((2,), (2,)), "seven": ((7,), (7,)), "eight": ((8,), (8,)),
    "prime": ((31,), (31,)), "tile": ((2, 33), (33,)), "rows": ((9, 8), (8,)),
    "matrix": ((3, 8), (3, 8)), "rank4": ((2, 1, 2, 5), (2, 5)), "cube": ((2, 3, 4), (2, 3, 4)),
    "many": ((9, 2, 3), (3,)), "none": ((0, 4), (4,)), "sixty": ((60,), (60,)),
    "rank5": ((2, 1, 1, 2, 5), (2, 5)), "rank6": ((1, 2, 1, 2, 2, 3), (2, 2, 3)),
    "grain": ((8192, 8), (8,)),
}
FURTHER = ["rank5", "rank6", "grain"]  # few cases each
NUMBERS = ["near_one", "whole", "zeros", "spike", "large", "tiny"]


def numbers(t, name: str, stream: Stream):
    """A function that draws parts."""
    if name == "near_one":
        return fft.near_one(t, stream)
    if name == "whole":
        return fft.small_integer(t, stream)
    if name == "zeros":
        return lambda: 0
    if name == "seldom":
        return lambda: types.encode(t, values.number(3)) if stream.below(4096) == 0 else 0
    if name == "spike":
        return lambda: types.encode(t, values.number(1 << 20)) if stream.below(8) == 0 else 0
    power = 40 if name == "large" else -60
    one = t.bias + power << t.mantissa
    return lambda: one + stream.below(1 << t.mantissa) | (t.sign_mask if stream.bits(1) else 0)


def fft_operand(row) -> tuple:
    kind, (dims, lengths) = row["kind"], LENGTHS[row["lengths"]]
    t = row["type"] if kind == "RFFT" else types.C64 if row["type"] is types.F32 else fft.C128
    return t, (*dims[:-1], lengths[-1] // 2 + 1) if kind == "IRFFT" else dims


def fft_fits(row) -> bool:
    return common.fits(row["operand"], *fft_operand(row))


def bins_fit(row) -> bool:
    return common.fits(row["result"], types.F64, LENGTHS[row["lengths"]][0])


def transforms():
    factors = {"lengths": [name for name in LENGTHS if name not in FURTHER],
               "operand": EVERY, "result": EVERY,
               "kind": list(fft.KINDS), "type": [types.F32, types.F64], "values": NUMBERS}
    further = common.turns(lengths=FURTHER, values=["near_one", "whole", "seldom"],
                           operand=["nested", "combining", "permuted_tiled", "tail"],
                           result=["permuted", "t8_128", "default"], type=[types.F32],
                           kind=["FFT", "IRFFT", "RFFT", "RFFT", "IFFT"])
    for row in rows(factors, [fft_fits, bins_fit], "fft") + further:
        dims, lengths = LENGTHS[row["lengths"]]
        what = common.named(row["values"], row["lengths"], row["operand"], row["result"])
        stream = Stream("covering", "fft", row["type"].name, row["kind"], what)
        operand = fft.operand_of(row["kind"], row["type"], dims, lengths,
                                 numbers(row["type"], row["values"], stream))
        case = fft.case(row["kind"], what, common.laid(operand, row["operand"]), lengths, "Layout")
        name, found = case.what.split("/")
        case.what = f"{name}/fft_{found}"
        case.statement = f"{row['kind']} of {row['values'].replace('_', ' ')}, {list(dims)}"
        yield laid_again(case, row["result"])


# Name -> (batch, rows).
MATRICES = {"none": ((), 0), "one": ((), 1), "two": ((3,), 2), "five": ((), 5),
            "batch": ((2, 2), 3), "eight": ((), 8), "nine": ((), 9),
            "empty": ((0,), 3), "rank5": ((1, 2, 1), 4), "rank6": ((1, 2, 1, 1), 3),
            "edge": ((129,), 2), "page": ((4097,), 1), "grain": ((65537,), 1)}
LARGE = ["edge", "page", "grain"]  # of small matrices, most of which are equal
PAIRED = [name for name in MATRICES if name not in ("rank6", *LARGE)]


def matrix_fits(row) -> bool:
    batch, n = MATRICES[row["matrix"]]
    return common.fits(row["operand"], row["type"], (*batch, n, n))


def factor_fits(row) -> bool:
    batch, n = MATRICES[row["matrix"]]
    return common.fits(row["result"], row["type"], (*batch, n, n))


EASY = [[(Fraction(4), 0), (Fraction(2), 0)], [(Fraction(2), 0), (Fraction(5), 0)]]


def factors_of_matrices():
    factors = {"type": SOLVED, "operand": EVERY, "result": EVERY, "matrix": PAIRED,
               "lower": [False, True]}
    further = common.turns(type=named_types("bf16 f32 f64 f16"), lower=[True, False],
                           matrix=["rank6", *LARGE],
                           operand=["nested", "permuted", "combining", "t8_128"],
                           result=["permuted", "tail", "t2_128", "default"])
    for row in rows(factors, [matrix_fits, factor_fits], "cholesky") + further:
        t, (batch, n) = row["type"], MATRICES[row["matrix"]]
        what = common.named("cholesky", row["matrix"], "lower" if row["lower"] else "upper",
                            row["operand"], row["result"])
        stream = Stream("covering", t.name, what)
        count = len(list(Array(t, batch, ()).indices()))
        found = [cholesky.definite(t, n, stream, Fraction(n, 2))
                 for _ in range(count if row["matrix"] not in LARGE else 16)]
        if row["matrix"] in LARGE:
            found = common.quiet(t, count, found, [row[:n] for row in EASY[:n]], stream)
        operand = cholesky.as_array(t, found, batch, n, row["lower"])
        case = cholesky.case(what, common.laid(operand, row["operand"]), row["lower"], ["Layout"],
                             f"{list(batch)} matrices of {n} rows")
        yield laid_again(case, row["result"])


def narrow():
    """Elements of few bits without room between them, of which few matrices fit."""
    for t, name in itertools.product(named_types("f4e2m1fn f6e3m2fn"), ("packed", "packed_tiled")):
        rows_ = cholesky.rows_of(t, cholesky.NARROW["whole"])
        yield laid_again(cholesky.case(f"cholesky_whole_{name}", common.laid(rows_, name), True,
                                       ["Layout"], "a matrix of 2 rows"), name)
        a, b = triangular_solve.lower(t, *triangular_solve.NARROW["whole"])
        solve = Solve(True, True, "NO_TRANSPOSE", False)
        yield laid_again(triangular_solve.one(
            solve, common.laid(a, name), common.laid(b, name), f"triangular-solve_whole_{name}",
            "a system of 2 unknowns", ["Layout"]), name)


def sides_fit(row) -> bool:
    batch, n = MATRICES[row["matrix"]]
    return common.fits(row["side"], row["type"], (*batch, n, n))


def systems():
    factors = {"type": SOLVED, "operand": EVERY, "side": EVERY, "result": EVERY,
               "matrix": PAIRED, "transpose": list(TRANSPOSES), "left": [True, False],
               "lower": [True, False], "unit": [False, True], "sides": [1, 0, 2, 9]}
    further = common.turns(type=named_types("f32 f16"), left=[True, False], lower=[False, True],
                           matrix=["rank6"], unit=[False], transpose=["NO_TRANSPOSE", "ADJOINT"],
                           sides=[2, 3], operand=["nested", "permuted"],
                           side=["tail", "combining"], result=["permuted", "t8_128_2_1"])
    chosen = rows(factors, [matrix_fits, factor_fits, sides_fit], "triangular-solve")
    for row in chosen + further:
        t, (batch, n) = row["type"], MATRICES[row["matrix"]]
        solve = Solve(row["left"], row["lower"], row["transpose"], row["unit"])
        what = common.named("triangular-solve", row["matrix"], row["sides"],
                            "left" if row["left"] else "right",
                            "lower" if row["lower"] else "upper", row["transpose"].lower(),
                            "unit" if row["unit"] else "any", row["operand"], row["side"],
                            row["result"])
        stream = Stream("covering", t.name, what)
        a, b = triangular_solve.operands(t, solve, batch, n, row["sides"], stream)
        case = triangular_solve.one(
            solve, common.laid(a, row["operand"]), common.laid(b, row["side"]), what,
            f"{list(batch)} systems of {n} unknowns", ["Layout"])
        yield laid_again(case, row["result"])


DRAWN = {"scalar": (), "one": (1,), "odd": (13,), "tile": (129,), "matrix": (9, 7), "even": (6, 3),
         "rank3": (3, 5, 2), "rank6": (1, 3, 1, 2, 3, 1), "empty": (3, 0), "piece": (513,),
         "rank4": (2, 3, 1, 5), "rank5": (1, 3, 2, 1, 3), "page": (17, 241), "grain": (257, 256)}
FURTHER_DRAWN = ["rank4", "rank5", "page", "grain"]  # few cases each
STATES = {"low": (3, 5), "carry": (9, (1 << 64) - 2), "three": (77, (1 << 64) - 1, 9)}


def drawn_fits(row) -> bool:
    return common.fits(row["result"], row["type"], DRAWN[row["shape"]])


def state_fits(row) -> bool:
    return (common.fits(row["state"], types.BY_NAME["u64"], (2,))
            and (row["words"] != "three" or row["algorithm"] == "rng_philox"))


def draws():
    """The bits, in every class of layouts, and the state."""
    factors = {"type": rng_bit_generator.UNSIGNED, "result": EVERY, "state": EVERY,
               "words": list(STATES),
               "shape": [name for name in DRAWN if name not in FURTHER_DRAWN],
               "algorithm": list(rng_bit_generator.ALGORITHMS)}
    further = common.turns(type=named_types("u32 u4 u8 u1"), shape=FURTHER_DRAWN,
                           result=["nested", "packed_tiled", "permuted", "permuted_tiled"],
                           state=["default", "t128"], words=["carry", "low"],
                           algorithm=["rng_three_fry", "rng_philox"])
    for row in rows(factors, [drawn_fits, state_fits], "rng-bit-generator") + further:
        t, dims, state = row["type"], DRAWN[row["shape"]], STATES[row["words"]]
        algorithm = row["algorithm"]
        new, found = rng_bit_generator.ALGORITHMS[algorithm](state, t, dims)
        operand = common.laid(arrays.of(rng_bit_generator.U64, state), row["state"])
        data = Array(t, dims, tuple(t.wrap(x) for x in found))
        shape = common.laid(data, row["result"]).shape
        program = Program("m", [operand]).root(
            f"({operand.shape}, {shape})", f"rng-bit-generator(p0), algorithm={algorithm}")
        what = common.named("rng-bit-generator", algorithm[4:], row["words"], row["shape"],
                            row["state"], row["result"])
        yield Case(f"{t.name}/{what}", f"{algorithm} fills {data.shape}", program,
                   [bits(arrays.of(rng_bit_generator.U64, new)), bits(data)], ["Layout", "Shape"])


def cases():
    for part in (transforms, factors_of_matrices, narrow, systems, draws):
        yield from part()
