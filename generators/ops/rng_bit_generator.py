"""rng-bit-generator: the algorithms bit for bit (spec/ops/rng_bit_generator.md)."""

import math

from assaygen import arrays, random123, refused, types
from assaygen.arrays import Array
from assaygen.cases import Case, bits
from assaygen.program import Program
from assaygen.streams import Stream

WHY = refused.WHY | {
    "Known": "check vectors that are published, or made of published ones",
    "Split": "along which dimension Threefry puts its pairs of words",
    "Width": "bits of every width, the low ones of a word or two words",
    "Carry": "counters that carry or wrap",
    "State": "states of two and of three words",
    "Shape": "scalars and arrays without elements",
}
UNSIGNED = [t for t in types.INTS if not t.signed]
U64 = types.BY_NAME["u64"]
MASK = (1 << 64) - 1


def split_dimension(dims):
    for d, size in enumerate(dims):
        if size % 2 == 0:
            return d
    return max(range(len(dims)), key=lambda d: (dims[d], -d))


def three_fry(state, t, dims):
    """The new state, and the element at each index in order."""
    key = random123.words(state[0], 2)

    def block(n):
        return random123.threefry(random123.words((state[1] + n) & MASK, 2), key)

    every = Array(t, dims, ())
    if t.bits == 64:
        pairs = (block(every.position(i)) for i in every.indices())
        return (state[0], state[1] + every.size & MASK), [x | y << 32 for x, y in pairs]
    if not dims:
        return (state[0], state[1] + 1 & MASK), [block(0)[0]]
    s = split_dimension(dims)
    halved = Array(t, (*dims[:s], (dims[s] + 1) // 2, *dims[s + 1:]), ())
    found = [block(halved.position((*i[:s], i[s] // 2, *i[s + 1:])))[i[s] % 2]
             for i in every.indices()]
    return (state[0], state[1] + halved.size & MASK), found


def philox(state, t, dims):
    key = random123.words(state[0], 2)
    counter = state[1] | (state[2] if len(state) == 3 else state[0]) << 64
    per_element = 2 if t.bits == 64 else 1
    n = math.prod(dims) * per_element
    blocks = (n + 3) // 4
    stream = []
    for b in range(blocks):
        at = (counter + b) % (1 << 128)
        stream += random123.philox(random123.words(at, 4), key)
    after = (counter + blocks) % (1 << 128)
    new = (state[0], after & MASK, after >> 64)[:len(state)]
    if per_element == 1:
        return new, stream[:n]
    return new, [low | high << 32 for low, high in zip(stream[:n:2], stream[1:n:2])]


ALGORITHMS = {"rng_three_fry": three_fry, "rng_philox": philox}


def one(algorithm, state, t, dims, name, why):
    new, found = ALGORITHMS[algorithm](state, t, dims)
    operand = arrays.of(U64, state)
    data = Array(t, tuple(dims), tuple(t.wrap(x) for x in found))
    program = Program("m", [operand]).root(
        f"({operand.shape}, {data.shape})", f"rng-bit-generator(p0), algorithm={algorithm}")
    return Case(f"{t.name}/{algorithm[4:]}_{name}",
                f"{algorithm} of {len(state)} words fills {data.shape}", program,
                [bits(arrays.of(U64, new)), bits(data)], why)


def text(dims):
    return "x".join(map(str, dims)) or "scalar"


def known():
    """The counters and keys of the published answers, as states."""
    u32 = types.BY_NAME["u32"]
    yield one("rng_three_fry", (1, 2), u32, (4,), "check", ["Known"])
    yield one("rng_three_fry", (1, 2), U64, (2,), "check", ["Known"])
    for state in ((1, 2, 3), (1, 2)):
        for t, n in ((u32, 4), (U64, 2)):
            yield one("rng_philox", state, t, (n,), f"check_{len(state)}", ["Known", "State"])
    for name, algorithm in (("threefry", "rng_three_fry"), ("philox", "rng_philox")):
        for k, (counter, key, result) in enumerate(random123.KNOWN[name]):
            flat = sum(w << 32 * i for i, w in enumerate(counter))
            state = (key[0] | key[1] << 32, flat & MASK, flat >> 64)
            state = state if name == "philox" else state[:2]
            case = one(algorithm, state, u32, (len(result),), f"answer_{k}", ["Known"])
            assert case.expect[1] == bits(arrays.of(u32, result))
            yield case


def widths():
    for t in UNSIGNED:
        for algorithm in ALGORITHMS:
            stream = Stream("rng_bit_generator", t.name, algorithm)
            state = tuple(stream.bits(64) for _ in range(2))
            yield one(algorithm, state, t, (3, 6), "matrix", ["Width"])
            yield one(algorithm, state, t, (13,), "odd", ["Width"])


def splits():
    for t in (types.BY_NAME["u32"], types.BY_NAME["u8"], U64):
        for dims in ((3, 4), (4, 3), (3,), (5, 3, 7), (3, 7, 7), (3, 5, 2), (1,), (1, 1), (7, 1)):
            yield one("rng_three_fry", (77, 5), t, dims, text(dims), ["Split"])
            if dims in ((3, 4), (3,), (5, 3, 7)):
                yield one("rng_philox", (77, 5, 9), t, dims, text(dims), ["State"])
        for dims in ((), (0,), (3, 0), (2, 0, 3)):
            for algorithm in ALGORITHMS:
                yield one(algorithm, (3, 4), t, dims, text(dims), ["Shape"])


def carries():
    for t in (types.BY_NAME["u32"], U64):
        for k, low in enumerate((MASK, MASK - 1, (1 << 32) - 1)):
            yield one("rng_three_fry", (9, low), t, (8,), f"carry_{k}", ["Carry"])
            for state in ((9, low), (9, low, 6), (9, low, MASK)):
                name = f"carry_{k}_{len(state)}_{state[-1] & 7}"
                yield one("rng_philox", state, t, (17,), name, ["Carry", "State"])


ROWS = [
    ("C1", "the result is the bits alone", "u64[2]",
     "u32[4] rng-bit-generator(p0), algorithm=rng_philox"),
    ("C1", "the result has three parts", "u64[2]",
     "(u64[2], u32[4], u32[4]) rng-bit-generator(p0), algorithm=rng_philox"),
    ("C1", "the bits are a tuple", "u64[2]",
     "(u64[2], (u32[4])) rng-bit-generator(p0), algorithm=rng_default"),
    ("C2", "the new state is longer", "u64[2]",
     "(u64[3], u32[4]) rng-bit-generator(p0), algorithm=rng_philox"),
    ("C2", "the new state has another type", "u64[2]",
     "(u32[2], u32[4]) rng-bit-generator(p0), algorithm=rng_three_fry"),
    ("rng-bit-generator.state", "a state of three words for threefry", "",
     "s = u64[3] constant({1, 2, 3}) ; (u64[3], u32[4]) rng-bit-generator(s), "
     "algorithm=rng_three_fry"),
    ("rng-bit-generator.state", "a state of four words for philox", "",
     "s = u64[4] constant({1, 2, 3, 4}) ; (u64[4], u32[4]) rng-bit-generator(s), "
     "algorithm=rng_philox"),
    ("rng-bit-generator.state", "a state of two words in two dimensions", "",
     "s = u64[1,2] constant({{1, 2}}) ; (u64[1,2], u32[4]) rng-bit-generator(s), "
     "algorithm=rng_philox"),
    ("rng-bit-generator.state", "a state of 32-bit words", "",
     "s = u32[4] constant({1, 2, 3, 4}) ; (u32[4], u32[4]) rng-bit-generator(s), "
     "algorithm=rng_default"),
    ("rng-bit-generator.bits", "floats", "",
     "s = u64[2] constant({1, 2}) ; (u64[2], f32[4]) rng-bit-generator(s), "
     "algorithm=rng_three_fry"),
    ("rng-bit-generator.bits", "signed integers", "",
     "s = u64[2] constant({1, 2}) ; (u64[2], s64[4]) rng-bit-generator(s), "
     "algorithm=rng_philox"),
]


def cases():
    for rows in (known, widths, splits, carries):
        yield from rows()
    yield from refused.cases("rng-bit-generator", ROWS)
