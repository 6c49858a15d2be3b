"""Several devices: collectives with one operand and with several, and channels."""

from __future__ import annotations

import itertools

from assaygen import arrays
from assaygen.arrays import Array
from seeds.common import ADD, F32, S32, U32, example, matrix, number, refused, region, text, vector

OPS = "002_operations"
TWO, FOUR, SIX = (f", replica_count={n}" for n in (2, 4, 6))
GROUPS = "replica_groups={{0,2},{1,3}}"


def each(t, *rows):
    """A row of operands for each device: one vector each."""
    return [[vector(t, *row)] for row in rows]


def gathers():
    rows = each(F32, (1, "2.5"), (3, "5.25"))
    yield example(OPS, "all_gather.two_replicas", "both get what both have", rows[0],
                  "r = f32[4] all-gather(p0), dimensions={0}",
                  [vector(F32, 1, "2.5", 3, "5.25")] * 2, header=TWO, devices=rows)
    rows = each(F32, (0, 1), (10, 11), (20, 21), (30, 31))
    even, odd = vector(F32, 0, 1, 20, 21), vector(F32, 10, 11, 30, 31)
    yield example(OPS, "all_gather.two_groups", "replicas 0 and 2, 1 and 3", rows[0],
                  f"r = f32[4] all-gather(p0), {GROUPS}, dimensions={{0}}",
                  [even, odd, even, odd], header=FOUR, devices=rows, why="Stated")
    both = [[vector(F32, 1, 2), matrix(S32, [5], [6])], [vector(F32, 3, 4), matrix(S32, [7], [8])]]
    yield example(OPS, "all_gather.two_operands", "each operand by itself", both[0],
                  "r = (f32[4], s32[4,1]) all-gather(p0, p1), dimensions={0}",
                  [vector(F32, 1, 2, 3, 4), matrix(S32, [5], [6], [7], [8])] * 2, header=TWO,
                  devices=both, why="Stated")


def reductions():
    rows = each(F32, (1, "2.5"), (3, "5.25"))
    found = vector(F32, 4, "7.75")
    yield example(OPS, "all_reduce.two_replicas", "the sum of both", rows[0],
                  "r = f32[2] all-reduce(p0), to_apply=add", [found] * 2, header=TWO,
                  devices=rows, regions=[region(ADD)])
    rows = each(F32, (1, 2), (10, 20), (100, 200), (1000, 2000))
    even, odd = vector(F32, 101, 202), vector(F32, 1010, 2020)
    yield example(OPS, "all_reduce.two_groups", "replicas 0 and 2, 1 and 3", rows[0],
                  f"r = f32[2] all-reduce(p0), {GROUPS}, to_apply=add", [even, odd, even, odd],
                  header=FOUR, devices=rows, why="Stated", regions=[region(ADD)])
    both = [[vector(F32, 1, 2), number(F32, 5)], [vector(F32, 3, 4), number(F32, 7)]]
    yield example(OPS, "all_reduce.two_operands", "a tuple of operands gives a tuple", both[0],
                  "r = (f32[2], f32[]) all-reduce(p0, p1), to_apply=add",
                  [vector(F32, 4, 6), number(F32, 12)] * 2, header=TWO, devices=both,
                  why="Stated", regions=[region(ADD)])
    rows = each(F32, (1, "2.25"), (3, "5.25"))
    yield example(OPS, "reduce_scatter.two_replicas", "each gets its part of the sum", rows[0],
                  "r = f32[1] reduce-scatter(p0), dimensions={0}, to_apply=add",
                  [vector(F32, 4), vector(F32, "7.5")], header=TWO, devices=rows,
                  regions=[region(ADD)])
    rows = [[vector(F32, 1, 2), vector(F32, 10, 20, 30, 40)],
            [vector(F32, 3, 4), vector(F32, 1, 2, 3, 4)]]
    yield example(OPS, "reduce_scatter.two_operands", "each operand by itself", rows[0],
                  "r = (f32[1], f32[2]) reduce-scatter(p0, p1), dimensions={0}, to_apply=add",
                  [vector(F32, 4), vector(F32, 11, 22), vector(F32, 6), vector(F32, 33, 44)],
                  header=TWO, devices=rows, why="Stated", regions=[region(ADD)])


def exchanges():
    """all-to-all: along one dimension, along two (as a builder writes it), as tuples."""
    ids = [[1, 2, 3], [4, 5, 0]]
    rows = each(S32, *((10 * k, 10 * k + 1, 10 * k + 2) for k in range(6)))
    found = {member: vector(S32, *(10 * k + at for k in group))
             for group in ids for at, member in enumerate(group)}
    yield example(OPS, "all_to_all.two_groups", "parts are joined in the order of the group",
                  rows[0], "r = s32[3] all-to-all(p0), replica_groups={{1,2,3},{4,5,0}}, "
                  "dimensions={0}", [found[k] for k in range(6)], header=SIX, devices=rows,
                  why="Stated")
    blocks = [arrays.build(F32, (4, 16), lambda i, k=k: vector(
        F32, 1000 * k + 16 * i[0] + i[1]).codes[0]) for k in range(4)]
    results = [arrays.build(F32, (16, 4), lambda i, me=me: blocks[i[0] // 4].at(
        (i[0] % 4, 4 * me + i[1]))) for me in range(4)]
    yield example(OPS, "all_to_all.split_unlike_concat", "f32[4,16] is split along dimension 1 "
                  "and joined along 0: f32[16,4]", blocks[:1],
                  """x = f32[4,16] all-to-all(p0), dimensions={1}
                  y = f32[4,4,4] reshape(x)
                  z = f32[4,4,4] transpose(y), dimensions={1,0,2}
                  r = f32[16,4] reshape(z)""", results, header=FOUR,
                  devices=[[x] for x in blocks], why="Corrected")
    back = [arrays.build(F32, (4, 16), lambda i, me=me: results[i[1] // 4].at(
        (4 * me + i[0], i[1] % 4))) for me in range(4)]
    assert [x.codes for x in back] == [x.codes for x in blocks]
    yield example(OPS, "all_to_all.back_again", "split along 0 and joined along 1 undoes it",
                  results[:1], """x = f32[16,4] all-to-all(p0), dimensions={0}
                  y = f32[4,4,4] reshape(x)
                  z = f32[4,4,4] transpose(y), dimensions={1,0,2}
                  r = f32[4,16] reshape(z)""", back, header=FOUR, devices=[[x] for x in results],
                  why="Stated")
    pairs = each(S32, (1, 2), (3, 4))
    pairs = [[x, vector(S32, 10 * k)] for k, (x,) in enumerate(pairs, 1)]
    rows = [[x, Array(S32, (2,), y.codes * 2)] for x, y in pairs]
    yield example(OPS, "all_to_all.two_operands", "operand k goes to member k", rows[0],
                  "r = (s32[2], s32[2]) all-to-all(p0, p1)",
                  [rows[0][0], rows[1][0], rows[0][1], rows[1][1]], header=TWO, devices=rows,
                  why="Stated")


def permutations():
    rows = each(F32, (1, 2), (3, 4), (5, 6), (7, 8))
    yield example(OPS, "collective_permute.zeros", "who is no target gets zeros", rows[0],
                  "r = f32[2] collective-permute(p0), source_target_pairs={{0,1},{1,3},{3,0}}",
                  [vector(F32, 7, 8), vector(F32, 1, 2), vector(F32, 0, 0), vector(F32, 3, 4)],
                  header=FOUR, devices=rows, why="Stated")
    both = [[vector(F32, 1, 2), number(S32, 5)], [vector(F32, 3, 4), number(S32, 6)]]
    yield example(OPS, "collective_permute.two_operands", "both operands move", both[0],
                  "r = (f32[2], s32[]) collective-permute(p0, p1), source_target_pairs={{0,1}}",
                  [vector(F32, 0, 0), number(S32, 0), *both[0]], header=TWO, devices=both,
                  why="Stated")
    yield example(OPS, "replica_id.four", "each replica has its own number", [],
                  "r = u32[] replica-id()", [number(U32, k) for k in range(4)], header=FOUR,
                  why="Stated")


# A transfer of a device to itself: what each of the four instructions needs before it.
LINES = {
    "send": "s = (s32[2], u32[], token[]) send(p0, t), channel_id=1",
    "send-done": "u = token[] send-done(s), channel_id=1",
    "recv": "r = (s32[2], u32[], token[]) recv(t), channel_id=1",
    "recv-done": "d = (s32[2], token[]) recv-done(r), channel_id=1",
}
X = vector(S32, 3, -4)


def is_before(order, first: str, second: str) -> bool:
    return order.index(first) < order.index(second)


def channels():
    """Each order of the four instructions on one device. A done waits, and what it waits
    for must not stand behind it: recv for send-done, send for recv-done."""
    for order in itertools.permutations(LINES):
        if not (is_before(order, "send", "send-done") and is_before(order, "recv", "recv-done")):
            continue
        ends = (is_before(order, "recv", "send-done") and is_before(order, "send", "recv-done"))
        name = "channels." + ".".join(x.replace("-", "_") for x in order)
        body = "\n".join(["t = token[] after-all()", *(LINES[x] for x in order),
                          "y = s32[2] get-tuple-element(d), index=0"])
        found = example(OPS, name, "a transfer in the order " + ", ".join(order), [X], body,
                        [X], header=", replica_count=1", why="Stated")
        if not ends:
            found.expect = {"rejected": "evaluate.deadlock"}
            found.why = ["Circle"]
        yield found
    yield from between_two()


def computation(name: str, lines: str) -> str:
    return f"{name} {{\n" + "".join(
        f"  {line.strip()}\n" for line in lines.strip().splitlines()) + "}"


SENDS = "send{k} = (s32[2], u32[], token[]) send(x, t), channel_id={k}\n" \
        "sent{k} = token[] send-done(send{k}), channel_id={k}"
RECEIVES = "r{k} = (s32[2], u32[], token[]) recv(t), channel_id={k}\n" \
           "d{k} = (s32[2], token[]) recv-done(r{k}), channel_id={k}"


def part(name: str, *steps: str) -> str:
    """What a device does, in order; its result is what it receives last, doubled."""
    last = next(k for step, k in reversed(steps) if step is RECEIVES)
    lines = ["x = s32[2] parameter(0)", "t = token[] after-all()",
             *(step.format(k=k) for step, k in steps),
             f"y = s32[2] get-tuple-element(d{last}), index=0", "ROOT z = s32[2] add(y, y)"]
    return computation(name, "\n".join(lines))


def between_two():
    """Two programs that ask and answer: whole transfers one behind the other."""
    plans = [
        ("ask_and_answer", ((SENDS, 1), (RECEIVES, 2)), ((RECEIVES, 1), (SENDS, 2)), True),
        ("both_send_first", ((SENDS, 1), (RECEIVES, 2)), ((SENDS, 2), (RECEIVES, 1)), False),
        ("both_receive_first", ((RECEIVES, 2), (SENDS, 1)), ((RECEIVES, 1), (SENDS, 2)), False),
        ("two_each", ((SENDS, 1), (SENDS, 3), (RECEIVES, 2)),
         ((RECEIVES, 1), (RECEIVES, 3), (SENDS, 2)), True),
        ("crossed_channels", ((SENDS, 1), (SENDS, 3), (RECEIVES, 2)),
         ((RECEIVES, 3), (RECEIVES, 1), (SENDS, 2)), False),
    ]
    y = vector(S32, 10, 20)
    twice = [Array(S32, (2,), tuple(S32.wrap(2 * S32.integer(c)) for c in v.codes))
             for v in (y, X)]
    for name, one, other, ends in plans:
        module = "\n\n".join(["HloModule m", part("f", *one), part("g", *other), computation(
            "ENTRY main", """x = s32[2] parameter(0)
            y = s32[2] parameter(1)
            ROOT r = (s32[2], s32[2]) custom-call(x, y), OF_TWO""".replace(
                "OF_TWO", 'custom_call_target="interpreter.run_parallel", '
                'called_computations={f, g}, backend_config={"replicas":2}'))]) + "\n"
        if ends:
            yield text(OPS, f"channels.{name}", "two programs that exchange values", module,
                       twice, why="Stated", inputs=[X, y])
        else:
            found = refused(OPS, f"channels.{name}", "two programs that wait in a circle",
                            module, "evaluate.deadlock", [X, y])
            found.why = ["Circle"]
            yield found


def sparse():
    """Sparse operands of a dot are of a text that HLO has no more."""
    yield refused(OPS, "dot.sparse", "a dot takes no sparse operands", """HloModule m

ENTRY main {
  x = f32[2,2] parameter(0)
  y = f32[4,2] parameter(1)
  i = u16[2,1] parameter(2)
  ROOT r = f32[2,2] dot(x, y, i), lhs_contracting_dims={1}, rhs_contracting_dims={0}, \
sparsity=L.1@2:4
}
""", "text.attribute-unknown", [arrays.iota(F32, (2, 2)), arrays.iota(F32, (4, 2)),
                                Array(arrays.types.BY_NAME["u16"], (2, 1), (1, 2))])


def cases():
    for group in (gathers, reductions, exchanges, permutations, channels, sparse):
        yield from group()
