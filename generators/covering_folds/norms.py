"""Batch norms over batches of every size, the operands in every class of layouts."""

from __future__ import annotations

from fractions import Fraction

from assaygen import arrays, types, values
from assaygen.arrays import Array
from assaygen.covering.pairs import rows
from assaygen.streams import Stream
from covering_folds import common
from covering_folds.common import EVERY
from ops import batch_norm_grad, batch_norm_inference, batch_norm_training

# Operation -> (its cases, how many vectors it takes, which of them are variances).
NORMS = {"training": (batch_norm_training, 2, ()), "inference": (batch_norm_inference, 4, (3,)),
         "grad": (batch_norm_grad, 3, (2,))}
BATCHES = [0, 1, 2, 7, 33, 127, 129, 257]
# Name -> (dimensions, which of them are the features).
FORMS = {
    "first": lambda n: ((2, n), 0),
    "last": lambda n: ((n, 2), 1),
    "between": lambda n: ((n, 2, 1), 1),
    "rank4": lambda n: ((1, n, 1, 2), 3),
    "many": lambda n: ((1 + n % 3, 9), 1),
    "alone": lambda n: ((n,), 0),
    "rank5": lambda n: ((1, n, 1, 2, 2), 3),
    "rank6": lambda n: ((2, 1, n, 1, 1, 2), 0),
}
FURTHER = ["alone", "rank5", "rank6"]  # few cases each
VALUES = ["halves", "equal", "large_mean", "zeros", "infinite", "nan"]
KINDS = [t for t in types.FLOATS if t.specials == "ieee" and t.bits >= 8]


def number(t, name: str, stream: Stream) -> Fraction:
    if name == "zeros":
        return Fraction(0)
    if name == "equal":
        return Fraction(3, 2)
    small = Fraction(stream.below(13) - 6, 4)
    # Half the largest number of the narrowest types.
    mean = 64 if types.decode(t, t.max_finite).exact > 128 else 7
    return small + mean if name == "large_mean" else small


def squares(t, n: int) -> list[int]:
    """Runs of numbers of which as many are -2 as 2, and half are 0, so that the variance is 2,
    and with epsilon the square of 3/2: cheap and exact, however many there are."""
    counts = ((0, n // 8), (2, n // 4), (0, n // 4), (-2, n // 4), (0, n - n // 8 - 3 * (n // 4)))
    return [types.encode(t, values.number(x)) for x, count in counts for _ in range(count)]


def codes(t, n: int, name: str, stream: Stream) -> list[int]:
    if name == "squares":
        return squares(t, n)
    drawn = [types.encode(t, values.number(number(t, name, stream))) for _ in range(min(n, 48))]
    line = common.quiet(t, n, drawn, types.encode(t, values.number(1)), stream)
    if name in ("infinite", "nan") and n:
        line[stream.choice((0, n - 1))] = t.nan if name == "nan" else t.max_finite + 1
    return line


def operand_fits(row) -> bool:
    return common.fits(row["operand"], row["type"], FORMS[row["form"]](1)[0])


def vector_fits(row) -> bool:
    return common.fits(row["vector"], row["type"], (2,))


def is_defined(row) -> bool:
    """The gradient of a batch with NaN or infinities is another file's business."""
    return row["norm"] != "grad" or row["values"] not in ("infinite", "nan")


def cases():
    factors = {"type": KINDS, "operand": EVERY, "vector": EVERY, "batch": BATCHES,
               "values": VALUES, "norm": list(NORMS),
               "form": [name for name in FORMS if name not in FURTHER]}
    for row in rows(factors, [operand_fits, vector_fits, is_defined], "norms"):
        yield norm(row)
    for name in NORMS:
        yield from map(norm, further(name))


def further(name: str) -> list[dict]:
    """Other ranks, packed elements, and large batches."""
    return common.turns(norm=[name], batch=[7, 1, 33, 2048, 32768, 8],
                        type=common.named_types("f6e3m2fn f4e2m1fn bf16 f16 f32 f4e2m1fn"),
                        operand=["packed", "packed", "combining", "permuted", "t8_128",
                                 "packed_tiled"],
                        vector=["packed", "packed", "nested", "default", "t128", "packed"],
                        form=["rank5", "alone", "rank6", "first", "first", "between"],
                        values=["halves", "halves", "large_mean", "squares", "squares", "squares"])


def norm(row):
    t, (module, count, variances) = row["type"], NORMS[row["norm"]]
    dims, d = FORMS[row["form"]](row["batch"])
    what = common.named(row["values"], row["batch"], row["form"], row["operand"], row["vector"])
    stream = Stream("covering", row["norm"], t.name, what)
    rest = tuple(k for k in range(len(dims)) if k != d)

    def batch(name):
        array = common.from_lines(t, dims, rest, lambda _, n: codes(t, n, name, stream))
        return common.laid(array, row["operand"])

    def vector(k):
        picks = (Fraction(1, 4), 1, Fraction(5, 2), 4) if k in variances else (
            -1, Fraction(1, 2), 2, 3)
        if k in variances and row["values"] == "squares":
            picks = (2,)
        drawn = (types.encode(t, values.number(stream.choice(picks))) for _ in range(dims[d]))
        return common.laid(Array(t, (dims[d],), tuple(drawn)), row["vector"])
    operands = [batch(row["values"]), *map(vector, range(count))]
    if row["norm"] == "grad":
        operands.append(batch("squares" if row["values"] == "squares" else "halves"))
    return module.case(f"batch-norm-{row['norm']}_{what}", operands, d, "0.25",
                       ["Type", "Depth", "Layout"], f"{row['values'].replace('_', ' ')} of "
                       f"{arrays.Array(t, dims, ()).shape}, features along {d}")
