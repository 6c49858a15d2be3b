"""Loops and branches: what they carry, write in place, and share with each other."""

from __future__ import annotations

from assaygen import arrays
from assaygen.arrays import Array
from assaygen.types import BY_NAME, S32
from sequences.catalog import Sequence
from sequences.elements import matrix, vector
from sequences.movements import strange

WHY = {
    "InPlace": "a loop writes into an array whose old value is still read",
    "Carried": "what a loop carries: values exchanged, shared, never changed",
    "Trips": "how often a loop turns, known or found out",
    "Branch": "branches that share operands, hand them on, or stand in loops",
    "Within": "calls and fusions of what stands outside too",
}
S8 = BY_NAME["s8"]
X = vector(S32, 3, 1, 4, 1, 5, 9)


def less(limit: int):
    """The condition: the first value is below the limit."""
    return lambda r, i, *_: r.compare(i, r.number(r.type(i), limit), "LT")


def count(b, values, limit: int, turn, step: int = 1):
    """turn(steps, i, value, ...) gives the next values; i = 0, 1, ... below the limit."""
    def body(r, i, *rest):
        following = turn(r, i, *rest)
        return [r.two("add", i, r.number(S32, step)), *following]
    return b.repeat([b.number(S32, 0), *values], less(limit), body)[1:]


def at(r, x, i):
    """Element i, as an array of one."""
    return r.dynamic_slice(x, [i], (1,))


def flat(r, i):
    return r.reshape(i, (1,))


def plus(r, i, k: int):
    return r.two("add", i, r.number(S32, k))


def results(b, names):
    return b.tuple(*names)


# Name, statement, inputs, what it writes.
IN_PLACE = [
    ("squares", "an array is filled place by place", (X,), lambda b, x: results(b, count(
        b, [x], 6, lambda r, i, y: [r.update(y, flat(r, r.two("multiply", i, i)), [i])]))),
    ("prefix_sums", "each place adds the one before it, just written", (X,), lambda b, x:
        results(b, count(b, [x], 5, lambda r, i, y: [r.update(
            y, r.two("add", at(r, y, i), at(r, y, plus(r, i, 1))), [plus(r, i, 1)])]))),
    ("differences", "each place takes the old value of the one behind it", (X,), lambda b, x:
        results(b, count(b, [x], 5, lambda r, i, y: [r.update(
            y, r.two("subtract", at(r, y, plus(r, i, 1)), at(r, y, i)), [i])]))),
    ("old_and_new", "the old array is carried beside the one that is written", (X,),
        lambda b, x: results(b, count(b, [x, x], 6, lambda r, i, y, z: [r.update(
            y, at(r, z, r.two("subtract", r.number(S32, 5), i)), [i]), z]))),
    ("old_after_write", "the old array is read in the turn that writes it", (X,), lambda b, x:
        results(b, count(b, [x], 4, lambda r, i, y: [r.two(
            "add", r.update(y, flat(r, i), [i]), r.reverse(y, (0,)))]))),
    ("init_after_loop", "what the loop began with is read behind it", (X,), lambda b, x:
        b.tuple(*count(b, [x], 3, lambda r, i, y: [r.update(y, flat(r, i), [i])]), x,
                b.reverse(x, (0,)))),
    ("two_loops_of_one", "two loops begin with one array and write to it", (X,), lambda b, x:
        b.tuple(*(count(b, [x], 3, lambda r, i, y, k=k: [r.update(
            y, flat(r, r.number(S32, k)), [i])])[0] for k in (-1, -2)))),
    ("twice_in_a_turn", "two writes in one turn, and one of what the first wrote", (X,),
        lambda b, x: results(b, count(b, [x], 5, lambda r, i, y: (lambda z: [r.update(
            z, at(r, z, i), [plus(r, i, 1)])])(r.update(y, r.two(
                "add", at(r, y, i), flat(r, i)), [i]))))),
    ("rotated", "an array is rotated by slices and a joint", (X,), lambda b, x: results(b, count(
        b, [x], 4, lambda r, i, y: [r.concatenate([r.slice(y, (1, 6)), r.slice(y, (0, 1))], 0)]))),
    ("shifted_into_itself", "a slice of the array is written over it, one place on", (X,),
        lambda b, x: results(b, count(b, [x], 3, lambda r, i, y: [r.update(
            y, r.slice(y, (0, 5)), [r.number(S32, 1)])]))),
    ("reversed_each_turn", "an array is reversed in place three times", (X,), lambda b, x:
        results(b, count(b, [x], 3, lambda r, i, y: [r.reverse(y, (0,))]))),
    ("rows_written", "rows of a matrix that others fill", (X,), lambda b, x: results(b, count(
        b, [b.full(S32, 0, (4, 6)), x], 4, lambda r, i, m, y: [
            r.update(m, r.reshape(y, (1, 6)), [i, r.number(S32, 0)]), r.two("add", y, y)]))),
    ("transposed_each_turn", "a matrix is transposed and its first row written",
        (matrix(S32, [1, 2, 3], [4, 5, 6], [7, 8, 9]),), lambda b, x: results(b, count(
            b, [x], 3, lambda r, i, m: [r.update(
                r.transpose(m, (1, 0)), r.broadcast(i, (1, 3), ()),
                [r.number(S32, 0), r.number(S32, 0)])]))),
    ("scattered_each_turn", "rows are scattered and gathered in turn",
        (X, vector(S32, 5, 0, 3)), lambda b, x, k: results(b, count(
            b, [x, k], 3, lambda r, i, y, j: [r.scatter("add", y, j, r.rows(y, j)),
                                             r.two("add", j, r.full(S32, 1, (3,)))]))),
    ("sorted_each_turn", "an array is sorted, and its least element replaced", (X,),
        lambda b, x: results(b, count(b, [x], 4, lambda r, i, y: [r.update(
            r.sort(y)[0], r.reshape(r.number(S32, 7), (1,)), [r.number(S32, 0)])]))),
    ("slice_in_slice_out", "elements are read from one array and written to another", (X,),
        lambda b, x: results(b, count(
            b, [x, b.full(S32, -1, (6,)), b.number(S32, 0)], 6, lambda r, i, y, z, s: (
                lambda t: [y, r.update(z, flat(r, t), [i]), t])(
                    r.two("add", s, r.reshape(at(r, y, i), ())))))),
    ("place_clamped", "places beyond the end are moved back", (X,), lambda b, x: results(
        b, count(b, [x], 4, lambda r, i, y: [r.update(
            y, r.broadcast(i, (3,), ()), [r.two("multiply", i, i)])]))),
]


def swap(r, i, y, z):
    return [z, y]


CARRIED = [
    ("exchanged", "two values change places each turn", (X, vector(S32, 7, 7)), lambda b, x, y: (
        lambda p: results(b, p))(count(b, [x, b.two("add", x, x)], 3, swap))),
    ("rotated_three", "three values go round", (X,), lambda b, x: results(b, count(
        b, [x, b.two("add", x, x), b.one("negate", x)], 4,
        lambda r, i, p, q, s: [q, s, p]))),
    ("fibonacci", "each value is the sum of the two before", (X,), lambda b, x: results(b, count(
        b, [x, b.full(S32, 1, (6,))], 9, lambda r, i, p, q: [q, r.two("add", p, q)]))),
    ("begins_as_one", "two values that begin as one and part", (X,), lambda b, x: results(
        b, count(b, [x, x], 3, lambda r, i, p, q: [r.two("add", p, q), p]))),
    ("becomes_one", "two values become one", (X,), lambda b, x: results(b, count(
        b, [x, b.one("negate", x)], 2, lambda r, i, p, q: [p, p]))),
    ("never_changed", "a value that no turn changes", (X,), lambda b, x: results(b, count(
        b, [x, b.number(S32, 3)], 4, lambda r, i, p, k: [r.two(
            "multiply", p, r.broadcast(k, (6,), ())), k]))),
    ("exchanged_and_written", "two arrays change places, and one is written", (X,),
        lambda b, x: results(b, count(b, [x, b.one("negate", x)], 4, lambda r, i, p, q: [
            q, r.update(p, flat(r, i), [i])]))),
    ("strange_bits", "bits that no turn may touch", (strange(7), X), lambda b, f, x: results(
        b, count(b, [f, f], 3, lambda r, i, p, q: [q, r.reverse(p, (0,))]))),
    ("unused", "a value that nobody reads behind the loop", (X,), lambda b, x: count(
        b, [x, b.number(S32, 0)], 4, lambda r, i, p, s: [r.two("add", p, p), r.two(
            "add", s, r.reshape(at(r, p, i), ()))])[1]),
    ("constant_from_outside", "a constant that the body could make itself", (X,), lambda b, x:
        results(b, count(b, [x, b.full(S32, 2, (6,))], 3, lambda r, i, p, c: [
            r.two("add", r.two("multiply", p, c), r.full(S32, 2, (6,))), c]))),
]


def collatz(b, x):
    """How many steps until 1."""
    def turn(r, n, k):
        odd = r.compare(r.two("and", n, r.number(S32, 1)), r.number(S32, 1), "EQ")
        three = r.two("add", r.two("multiply", n, r.number(S32, 3)), r.number(S32, 1))
        half = r.two("divide", n, r.number(S32, 2))
        return [r.select(odd, three, half), plus(r, k, 1)]
    return results(b, b.repeat([x, b.number(S32, 0)], lambda r, n, _: r.compare(
        n, r.number(S32, 1), "NE"), turn))


def gcd(b, x, y):
    return results(b, b.repeat([x, y], lambda r, p, q: r.compare(q, r.number(S32, 0), "NE"),
                               lambda r, p, q: [q, r.two("remainder", p, q)]))


def until_sum(b, x):
    """Doubles while the sum of all is small."""
    return results(b, b.repeat([x], lambda r, y: r.compare(r.reduce(
        "add", y, r.number(S32, 0), (0,)), r.number(S32, 1000), "LT"),
        lambda r, y: [r.two("add", y, y)]))


def nested(b, x):
    """A loop in a loop: y[j] += i for j < i."""
    def inner(r, i, y):
        rows = r.repeat([r.number(S32, 0), i, y], lambda s, j, n, _: s.compare(j, n, "LT"),
                        lambda s, j, n, z: [plus(s, j, 1), n, s.update(
                            z, s.two("add", at(s, z, j), flat(s, n)), [j])])
        return [rows[2]]
    return results(b, count(b, [x], 5, inner))


def wraps(b, x):
    """A counter of s8 that goes over its top."""
    return results(b, b.repeat([b.number(S8, 100), x], lambda r, i, _: r.compare(
        i, r.number(S8, -100), "NE"), lambda r, i, n: [
            r.two("add", i, r.number(S8, 1)), plus(r, n, 1)]))


TRIPS = [
    ("none", "a loop that never turns gives what it began with", (X,), lambda b, x: b.tuple(
        *count(b, [x], 0, lambda r, i, y: [r.one("negate", y)]), b.one("negate", x))),
    ("one", "a loop that turns once", (X,), lambda b, x: results(
        b, count(b, [x], 1, lambda r, i, y: [r.one("negate", y)]))),
    ("steps_of_three", "a counter that jumps over its limit", (X,), lambda b, x: results(
        b, count(b, [x], 7, lambda r, i, y: [r.two("add", y, r.broadcast(i, (6,), ()))], 3))),
    ("downwards", "a counter that goes down", (X,), lambda b, x: results(b, b.repeat(
        [b.number(S32, 5), x], lambda r, i, _: r.compare(i, r.number(S32, 0), "GE"),
        lambda r, i, y: [plus(r, i, -2), r.update(y, flat(r, i), [i])]))),
    ("found_out", "the number of turns is found by the turns", (Array(S32, (), (27,)),), collatz),
    ("common_divisor", "turns until a remainder is 0",
        (Array(S32, (), (1071,)), Array(S32, (), (462,))), gcd),
    ("until_a_sum", "the condition adds up an array", (X,), until_sum),
    ("nested", "a loop whose turns depend on an outer one", (X,), nested),
    ("counter_wraps", "a counter that wraps around its type", (Array(S32, (), (0,)),), wraps),
    ("thousand", "a thousand turns", (X,), lambda b, x: results(
        b, count(b, [x], 1000, lambda r, i, y: [r.two("add", y, r.full(S32, 3, (6,)))]))),
]


def flag(b, x, k: int):
    """Whether the sum of x is above k."""
    return b.compare(b.reduce("add", x, b.number(S32, 0), (0,)), b.number(S32, k), "GT")


def by_number(k: int):
    """A conditional of three branches; numbers out of range take the last one."""
    return lambda b, x: b.choose(
        b.number(S32, k), [x], lambda r, y: r.one("negate", y),
        lambda r, y: r.two("add", y, y), lambda r, y: r.reverse(y, (0,)))


BRANCH = [
    *((f"number_{'minus_' * (k < 0)}{abs(k)}", f"branch {k} of three", (X,), by_number(k))
      for k in (-1, 0, 1, 2, 3)),
    ("hands_on", "a branch that hands its operand on, beside one that writes it", (X,),
        lambda b, x: b.tuple(*(b.choose(
            flag(b, x, k), [x], lambda r, y: y,
            lambda r, y: r.update(y, r.full(S32, 0, (2,)), [r.number(S32, 1)]))
            for k in (0, 100)), x)),
    ("alike", "two branches that do the same", (X,), lambda b, x: b.choose(
        flag(b, x, 10), [x], *(lambda r, y: r.two("add", y, y),) * 2)),
    ("exchanges", "branches that order a pair", (X,), lambda b, x: b.choose(
        flag(b, x, 10), [x, b.one("negate", x)], lambda r, y, z: r.tuple(y, z),
        lambda r, y, z: r.tuple(z, y))),
    ("within_loop", "a branch in a loop writes or hands on", (X,), lambda b, x: results(b, count(
        b, [x], 6, lambda r, i, y: [r.choose(
            r.compare(r.two("and", i, r.number(S32, 1)), r.number(S32, 0), "EQ"), [i, y],
            lambda s, j, z: s.update(z, flat(s, j), [j]), lambda s, j, z: z)]))),
    ("loop_within", "loops in branches", (X,), lambda b, x: b.choose(
        flag(b, x, 10), [x], lambda r, y: count(
            r, [y], 3, lambda s, i, z: [s.two("add", z, z)])[0],
        lambda r, y: count(r, [y], 2, lambda s, i, z: [s.one("negate", z)])[0])),
    ("divides_only_there", "only the branch that is taken divides", (X,), lambda b, x: b.choose(
        b.compare(b.reshape(b.slice(x, (0, 1)), ()), b.number(S32, 0), "EQ"), [x],
        lambda r, y: y, lambda r, y: r.two(
            "divide", r.full(S32, 100, (6,)), r.broadcast(
                r.reshape(r.slice(y, (0, 1)), ()), (6,), ())))),
    ("select_beside", "a conditional and a select of the same", (X,), lambda b, x: (
        lambda p, n: b.tuple(b.choose(p, [x, n], lambda r, y, z: y, lambda r, y, z: z),
                             b.select(p, x, n)))(flag(b, x, 100), b.one("negate", x))),
]


def scaled(r, y, k):
    return r.two("multiply", y, r.broadcast(k, r.dims(y), ()))


WITHIN = [
    ("fusion", "a fusion of three operations", (X,), lambda b, x: b.inside(
        "fusion", lambda r, y: r.two("subtract", r.two("multiply", y, y), y), x)),
    ("fusion_and_outside", "a fusion reads what others read too", (X,), lambda b, x: (
        lambda y: b.tuple(b.inside("fusion", lambda r, p, q: r.two("add", r.reverse(
            p, (0,)), q), y, x), y))(b.two("add", x, x))),
    ("fusion_in_place", "a fusion writes into its operand, which is read again", (X,),
        lambda b, x: b.tuple(b.inside("fusion", lambda r, p: r.update(
            p, r.slice(r.reverse(p, (0,)), (0, 3)), [r.number(S32, 2)]), x),
            b.two("add", x, x))),
    ("fusion_of_two_writes", "two slices of one array are written into it", (X,), lambda b, x:
        b.inside("fusion", lambda r, p: r.update(r.update(
            p, r.slice(p, (4, 6)), [r.number(S32, 0)]), r.slice(p, (0, 2)), [r.number(S32, 4)]),
            x)),
    ("call_twice", "a computation is called with two values", (X,), lambda b, x: (
        lambda k: b.two("add", b.inside("call", scaled, x, k), b.inside(
            "call", scaled, b.reverse(x, (0,)), k)))(b.number(S32, 3))),
    ("fusion_in_loop", "a fusion in a loop reads and writes its array", (X,), lambda b, x:
        results(b, count(b, [x], 5, lambda r, i, y: [r.inside(
            "fusion", lambda s, j, z: s.update(z, s.two("add", at(s, z, j), s.dynamic_slice(
                z, [plus(s, j, 1)], (1,))), [j]), i, y)]))),
    ("fusion_of_fusion", "a fusion of what a fusion gave, and of its operand", (X,),
        lambda b, x: b.inside("fusion", lambda r, p, q: r.two("subtract", p, q), b.inside(
            "fusion", lambda r, p: r.two("multiply", p, r.reverse(p, (0,))), x), x)),
]


def sequences():
    for rows, why in ((IN_PLACE, "InPlace"), (CARRIED, "Carried"), (TRIPS, "Trips"),
                      (BRANCH, "Branch"), (WITHIN, "Within")):
        head = {"InPlace": "loop", "Carried": "carried", "Trips": "trips",
                "Branch": "branch", "Within": "within"}[why]
        for name, statement, inputs, write in rows:
            yield Sequence(S32, f"{head}_{name}", statement, why, inputs, write, nan="same")
    yield in_a_parameter()


def in_a_parameter() -> Sequence:
    """The loop's array shares its memory with a parameter and with a result."""
    alias = ", input_output_alias={ {0}: (0, {}, may-alias) }"
    x = arrays.iota(S32, (6,))

    def build(b, p):
        y = count(b, [p], 6, lambda r, i, q: [r.update(
            q, r.two("multiply", at(r, q, i), at(r, q, r.two(
                "subtract", r.number(S32, 5), i))), [i])])[0]
        return b.tuple(y, b.two("subtract", p, y))
    return Sequence(S32, "loop_in_a_parameter", "a loop writes where a parameter lies that is "
                    "read behind it", "InPlace", (x,), build, header=alias)


