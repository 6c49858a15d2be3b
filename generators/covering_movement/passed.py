"""Plans of operations that hand an array on: through computations, queues, channels, halves
of copies, and tokens."""

from __future__ import annotations

from assaygen import arrays, decimals
from assaygen.arrays import Array
from assaygen.streams import Stream
from assaygen.types import Type
from covering_movement.plan import Dims, Plan, moved, size
from ops import constant as constants
from ops import domain as domains

LITERAL = 600  # elements that a program spells out
PAIRS = 'frontend_attributes={_xla_send_recv_source_target_pairs="{{0,0}}"}'


def handed(lines: list[str], instruction: str, region: str = ""):
    """Programs in which {operand} and {result} stand for the shapes."""
    def plan(dims: Dims, _: Stream) -> Plan:
        def text(template: str, t: Type, layout: str, shapes: list[str]) -> str:
            found = template.replace("{operand}", shapes[0])
            return found.replace("{result}", Array(t, dims, (), layout).shape)

        def write(t, layout, shapes):
            return ([text(line, t, layout, shapes) for line in lines],
                    Array(t, dims, (), layout).shape, text(instruction, t, layout, shapes))
        return moved([dims], dims, lambda i: (0, i), "", write=write,
                     region=lambda *given: text(region, *given))
    return plan


def number(t: Type, dims: Dims, index: tuple):
    """Small ones that differ from their neighbours."""
    place = Array(t, dims, ()).position(index)
    return arrays.from_number(t, place % (2 if t.bits < 3 else 7))


def spelled(t: Type, dims: Dims) -> str:
    return constants.nested(arrays.build(t, dims, lambda i: number(t, dims, i)),
                            decimals.literal)


def constant(dims: Dims, _: Stream) -> Plan | None:
    if size(dims) > LITERAL:
        return None

    def write(t, layout, _):
        return [], Array(t, dims, (), layout).shape, f"constant({spelled(t, dims)})"
    return Plan([], dims, lambda t, sources, i: number(t, dims, i), "", write=write)


def infeed(dims: Dims, _: Stream) -> Plan | None:
    """A program beside the main one takes what a queue is filled with."""
    if size(dims) > LITERAL:
        return None

    def region(t, layout, _):
        shape, plain = Array(t, dims, (), layout).shape, Array(t, dims, ()).shape
        return (f"f {{\n  t = token[] after-all()\n  i = ({shape}, token[]) infeed(t)\n"
                f"  x = {shape} get-tuple-element(i), index=0\n"
                f"  ROOT r = ({shape}) tuple(x)\n}}\n\n"
                f"q {{\n  ROOT c = {plain} constant({spelled(t, dims)})\n}}")

    def write(t, layout, _):
        return [], f"({Array(t, dims, (), layout).shape})", (
            'custom-call(), custom_call_target="interpreter.run_parallel", '
            'called_computations={f, q}, backend_config={"infeed":[1]}')
    return Plan([], dims, lambda t, sources, i: number(t, dims, i), "", write=write,
                region=region)


def rng(dims: Dims, _: Stream) -> Plan:
    """Of a range of one number."""
    def write(t, layout, _):
        lines = [f"a = {t.name}[] constant(5)", f"b = {t.name}[] constant(6)"]
        return lines, Array(t, dims, (), layout).shape, "rng(a, b), distribution=rng_uniform"
    return Plan([], dims, lambda t, sources, i: 5, "", write=write)


BODY = "f {\n  a = {operand} parameter(0)\n  ROOT c = {result} copy(a)\n}"
STATE = "(({operand}), {result}, u32[])"
PLANS = {
    "add-dependency": handed(["t = token[] after-all()"], "add-dependency(p0, t)"),
    "domain": handed([], "domain(p0)" + domains.ONE),
    "copy-start": handed(["s = ({result}, {operand}, u32[]) copy-start(p0)"], "copy-done(s)"),
    "async-start": handed([f"s = {STATE} async-start(p0), calls=f",
                           f"u = {STATE} async-update(s)"], "async-done(u)", BODY),
    "fusion": handed([], "fusion(p0), kind=kLoop, calls=f", BODY),
    "call": handed([], "call(p0), to_apply=f", BODY),
    "custom-call": handed([], 'custom-call(p0), custom_call_target="Sharding"'),
    "outfeed": handed(["t = token[] after-all()",
                       "o = token[] outfeed(p0, t), outfeed_shape={operand}"],
                      "add-dependency(p0, o)"),
    "send": handed([
        "t = token[] after-all()",
        f"s = ({{operand}}, u32[], token[]) send(p0, t), channel_id=3, {PAIRS}",
        f"q = ({{result}}, u32[], token[]) recv(t), channel_id=3, {PAIRS}",
        "e = token[] send-done(s), channel_id=3",
        "d = ({result}, token[]) recv-done(q), channel_id=3"], "get-tuple-element(d), index=0"),
    "constant": constant, "infeed": infeed, "rng": rng,
}
