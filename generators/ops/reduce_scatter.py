"""reduce-scatter: random groups and combiners, element by element
(spec/ops/reduce_scatter.md)."""

from assaygen import arrays, collectives as c, refused, stated
from assaygen.programs import reductions as r
from assaygen.arrays import Array
from assaygen.cases import Case, without
from assaygen.streams import Stream

WHY = stated.WHY | without(r.WHY, "Halves") | refused.WHY


def kept(whole: Array, d: int, place: int, count: int) -> Array:
    """Part `place` of `count` along d."""
    part = whole.dims[d] // count
    dims = (*whole.dims[:d], part, *whole.dims[d + 1:])
    return arrays.build(whole.type, dims, lambda i: whole.at(
        (*i[:d], place * part + i[d], *i[d + 1:])))


def one(number: int, kind=None):
    stream = Stream("reduce-scatter", number)
    at = c.setting(stream, r.MODES, c.equal_groups)
    t, name = kind or r.draw(stream)
    dims = list(c.dims_of(stream))
    d = stream.below(len(dims))
    dims[d] *= at.size()
    table = r.operands("reduce-scatter", number, at, t, tuple(dims))
    expect = []
    for x in at.devices:
        group = at.members(x)
        wholes = r.combined(table, group, tuple(dims), t, name)
        expect.append(r.expectation(
            *(kept(w, d, group.index(x), len(group)) for w in wholes)))
    dims[d] //= at.size()
    shape = Array(t, tuple(dims), ()).shape
    program = c.start(at, table).region(r.region(t, name)).root(
        shape, f"reduce-scatter(p0), dimensions={{{d}}}, to_apply=f{at.attributes}")
    return Case(f"{t.name}/random_{number:03}",
                f"{name} cut along {d}, {at.words}",
                program, expect, [r.why(t, name, expect)], c.inputs(at, table))


ROWS = [
    ("C1", "the combiner takes one scalar", "f32[4]",
     "f32[2] reduce-scatter(p0), dimensions={0}, to_apply=first"),
    ("C1", "the combiner returns a tuple", "f32[4]",
     "f32[2] reduce-scatter(p0), dimensions={0}, to_apply=pair"),
    ("C2", "the operand is a tuple", "(f32[4], f32[4])",
     "f32[2] reduce-scatter(p0), dimensions={0}, to_apply=sum"),
    ("C3", "the dimension is the rank", "f32[4,2]",
     "f32[4,1] reduce-scatter(p0), dimensions={2}, to_apply=sum"),
    ("C3", "a scalar", "f32[]", "f32[] reduce-scatter(p0), dimensions={0}, to_apply=sum"),
    ("C4", "another dimension shrinks too", "f32[4,2]",
     "f32[2,1] reduce-scatter(p0), dimensions={0}, to_apply=sum"),
    ("C4", "a dimension is lost", "f32[4,2]",
     "f32[2] reduce-scatter(p0), dimensions={0}, to_apply=sum"),
    ("C1", "the operand is complex and the combiner real", "c64[4]",
     "c64[2] reduce-scatter(p0), dimensions={0}, to_apply=sum"),
    ("C4", "floats become integers", "f32[4]",
     "s32[2] reduce-scatter(p0), dimensions={0}, to_apply=sum"),
    ("C5", "the size is no divisor", "f32[4]",
     "f32[3] reduce-scatter(p0), dimensions={0}, to_apply=sum"),
    ("C6", "two operands and one array", "f32[4] ; f32[4]",
     "f32[2] reduce-scatter(p0, p1), dimensions={0}, to_apply=sum"),
    ("C6", "two operands and three arrays", "f32[4] ; f32[4]",
     "(f32[2], f32[2], f32[2]) reduce-scatter(p0, p1), dimensions={0}, to_apply=sum"),
]


INTEGERS = """count {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT r = s32[] add(a, b)
}

"""
# Floats of two types, joined as integers.
STATED = [
    ("by_way_of_the_operands", "1024 + 1025 is rounded to f16 before it is a result of f32",
     "f16[2] 6400 3c00 ; f16[2] 6401 4200",
     "f32[1] reduce-scatter(p0), dimensions={0}, to_apply=count",
     "f32[1] 45000000 ; f32[1] 40800000"),
    ("without_zero", "NaN becomes 0, for which the operands' type has no code",
     "f8e8m0fnu[2] ff 7f ; f8e8m0fnu[2] ff 7f",
     "f6e2m3fn[1] reduce-scatter(p0), dimensions={0}, to_apply=count",
     "f6e2m3fn[1] 20 ; f6e2m3fn[1] 10"),
]


def cases():
    yield from map(one, range(c.COUNT))
    yield from r.of_types(one)
    yield from refused.cases("reduce-scatter", ROWS, refused.COMBINERS)
    yield from (stated.case(row, header=", replica_count=2", devices=2, regions=INTEGERS)
                for row in STATED)
