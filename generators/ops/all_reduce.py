"""all-reduce: random groups and combiners, element by element
(spec/ops/all_reduce.md)."""

from assaygen import collectives as c, refused, stated
from assaygen.programs import reductions as r
from assaygen.arrays import Array
from assaygen.cases import Case, without
from assaygen.streams import Stream

WHY = stated.WHY | without(r.WHY, "Halves") | refused.WHY


def one(number: int, kind=None):
    stream = Stream("all-reduce", number)
    at = c.setting(stream, r.MODES, c.free_groups)
    t, name = kind or r.draw(stream)
    dims = c.dims_of(stream)
    table = r.operands("all-reduce", number, at, t, dims)
    expect = [r.expectation(*r.combined(table, at.members(x), dims, t, name))
              for x in at.devices]
    shape = Array(t, dims, ()).shape
    program = c.start(at, table).region(r.region(t, name))
    attributes = f"to_apply=f{at.attributes}"
    if stream.below(3) or kind:
        program.root(shape, f"all-reduce(p0), {attributes}")
    else:
        program.line(f"s = {shape} all-reduce-start(p0), {attributes}")
        program.root(shape, "all-reduce-done(s)")
    return Case(f"{t.name}/random_{number:03}",
                f"{name} of {list(dims)}, {at.words}", program, expect,
                [r.why(t, name, expect)], c.inputs(at, table))


ROWS = [
    ("C1", "the combiner takes one scalar", "f32[4]", "f32[4] all-reduce(p0), to_apply=first"),
    ("C1", "the combiner returns a tuple", "f32[4]", "f32[4] all-reduce(p0), to_apply=pair"),
    ("C1", "the operand is complex and the combiner real", "c64[4]",
     "c64[4] all-reduce(p0), to_apply=sum"),
    ("C1", "the second operand is of another type", "f32[4] ; c64[4]",
     "(f32[4], c64[4]) all-reduce(p0, p1), to_apply=sum"),
    ("C2", "the operand is a tuple", "(f32[4], f32[4])",
     "(f32[4], f32[4]) all-reduce(p0), to_apply=sum"),
    ("C2", "an operand is the empty tuple", "f32[4] ; ()",
     "(f32[4], ()) all-reduce(p0, p1), to_apply=sum"),
]


STATED = [
    ("product", "floats are multiplied: 3 times 5",
     "f32[1] 40400000 ; f32[1] 40a00000",
     "f32[1] all-reduce(p0), replica_groups={{0,1}}, to_apply=product",
     "f32[1] 41700000 ; f32[1] 41700000"),
    ("converted_integers", "integers that a combiner of f32 adds: 2^24 + 1 becomes 2^24 on the way",
     "s32[2] 01000001 00000007 ; s32[2] 00000002 fffffff6",
     "s32[2] all-reduce(p0), replica_groups={{0,1}}, to_apply=sum",
     "s32[2] 01000002 fffffffd ; s32[2] 01000002 fffffffd"),
    ("converted_once", "a product of f32 beyond s32 is limited to its range when it comes back",
     "s32[2] 7fffffff 00000003 ; s32[2] 00000003 fffffffb",
     "s32[2] all-reduce(p0), replica_groups={{0,1}}, to_apply=product",
     "s32[2] 7fffffff fffffff1 ; s32[2] 7fffffff fffffff1"),
    ("alone_in_another_type", "a group of one is not converted",
     "s32[1] 01000001 ; s32[1] 01000003",
     "s32[1] all-reduce(p0), replica_groups={{0},{1}}, to_apply=sum",
     "s32[1] 01000001 ; s32[1] 01000003"),
    ("negative_zeros", "a sum of -0 only is -0",
     "f32[1] 80000000 ; f32[1] 80000000",
     "f32[1] all-reduce(p0), replica_groups={{0,1}}, to_apply=sum",
     "f32[1] 80000000 from 80000000 to 00000000 ; f32[1] 80000000 from 80000000 to 00000000"),
    ("opposite_infinities", "infinities of both signs are added",
     "f32[1] 7f800000 ; f32[1] ff800000",
     "f32[1] all-reduce(p0), replica_groups={{0,1}}, to_apply=sum",
     "f32[1] 7fc00000 ; f32[1] 7fc00000"),
    ("nan", "NaN and a number are added",
     "f32[1] 7fc00000 ; f32[1] 3f800000",
     "f32[1] all-reduce(p0), replica_groups={{0,1}}, to_apply=sum",
     "f32[1] 7fc00000 ; f32[1] 7fc00000"),
]


COMBINERS = """circle {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  s = s32[] add(a, b)
  p = s32[] multiply(a, b)
  ROOT r = s32[] subtract(s, p)
}

farther {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  c = f32[] abs(a)
  d = f32[] abs(b)
  q = pred[] compare(c, d), direction=GT
  ROOT r = f32[] select(q, a, b)
}

grow {
  a = f8e8m0fnu[] parameter(0)
  b = f8e8m0fnu[] parameter(1)
  ROOT r = f8e8m0fnu[] add(a, b)
}

whole {
  a = s32[3] parameter(0)
  b = s32[3] parameter(1)
  ROOT r = s32[3] add(a, b)
}

"""
# Of three devices. 1 - a joins to the product of 1 - x.
OTHERS = [
    ("circle", "a combiner that is no plain operation: a + b - ab",
     "s32[3] 00000002 fffffff9 00000000 ; s32[3] 00000003 00000005 000003e8 ; "
     "s32[3] fffffffc 00000009 00000006", "s32[3] all-reduce(p0), to_apply=circle",
     " ; ".join(["s32[3] fffffff7 ffffff01 ffffec7e"] * 3)),
    ("farther", "a combiner that is no plain operation: the one of greater magnitude",
     "f32[2] 3f800000 c0a00000 ; f32[2] c0400000 40000000 ; f32[2] 40000000 40800000",
     "f32[2] all-reduce(p0), to_apply=farther",
     " ; ".join(["f32[2] c0400000 c0a00000"] * 3)),
    ("sum_without_zero", "a sum of a type that has no zero: 1 + 1 and 2 + 2, which do not round",
     "f8e8m0fnu[2] 7f 80 ; f8e8m0fnu[2] 7f 80 ; f8e8m0fnu[2] 80 81",
     "f8e8m0fnu[2] all-reduce(p0), replica_groups={{0,1},{2}}, to_apply=grow",
     " ; ".join(["f8e8m0fnu[2] 80 81"] * 3)),
    ("of_arrays", "a combiner of whole arrays",
     "s32[3] 00000002 fffffff9 00000000 ; s32[3] 00000003 00000005 000003e8 ; "
     "s32[3] fffffffc 00000009 00000006", "s32[3] all-reduce(p0), to_apply=whole",
     " ; ".join(["s32[3] 00000001 00000007 000003ee"] * 3)),
]


def cases():
    yield from map(one, range(c.COUNT))
    yield from r.of_types(one)
    yield from refused.cases("all-reduce", ROWS, refused.COMBINERS)
    yield from (stated.case(row, header=", replica_count=2", devices=2,
                            regions=stated.SUM_AND_PRODUCT) for row in STATED)
    yield from (stated.case(row, header=", replica_count=3", devices=3, regions=COMBINERS)
                for row in OTHERS)
