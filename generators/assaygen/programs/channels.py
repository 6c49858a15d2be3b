"""Transfers over channels on one device, which sends to itself: the n-th value
that is sent over a channel meets the n-th recv of it (spec/collectives.md)."""

from __future__ import annotations

from assaygen import collectives as c, types
from assaygen.movement import any_bits
from assaygen.programs.regions import Region, case, shape, shape_of
from assaygen.streams import Stream

WHY = {
    "Order": "transfers over several channels, begun and ended in random orders",
    "Rejected": "a rule of the page is violated",
}
COUNT = 80
WORD = shape(types.BY_NAME["u32"])


def one(op: str, number: int):
    """Each transfer has four steps: send, recv and their dones. The starts come
    first; those of one channel keep their order on each side."""
    stream = Stream(op, number)
    values, channels = [], []
    for k in range(1 + stream.below(5)):
        # Transfers over one channel have one shape, so that they may meet.
        channel = 1 + stream.below(3)
        known = [x for x, other in zip(values, channels) if other == channel]
        t = known[0].type if known else stream.choice(types.ALL)
        dims = known[0].dims if known else c.dims_of(stream)
        values.append(any_bits(op, t, dims, str(k)))
        channels.append(channel)
    main = Region("main", *map(shape_of, values))
    token = main.step(None, "after-all", (), lambda: None)
    sends, recvs, dones = begin(stream, main, token, values, channels)
    ends = [("send", k, name) for k, name in enumerate(sends)]
    ends += [("recv", k, name) for k, name in enumerate(recvs)]
    results = {}
    for side, k, name in c.shuffled(stream, ends):
        extra = f", channel_id={channels[k]}"
        if side == "send":
            main.step(None, "send-done", (name,), lambda _: None, extra)
        else:
            form = (shape_of(values[k]), None)
            done = main.step(form, "recv-done", (name,), lambda _, k=k: (dones[k], None), extra)
            results[k] = main.element(done, 0)
    main.tuple(*(results[k] for k in sorted(results)))
    return case(f"{values[0].type.name}/order_{number:03}",
                f"{len(values)} transfers over {len(set(channels))} channels", main, ["Order"],
                *values)


def begin(stream: Stream, main: Region, token: str, values, channels):
    """The starts of all sends and recvs in a random order; the n-th value sent
    over a channel is what its n-th recv gets."""
    count = len(values)
    order = c.shuffled(stream, [(side, k) for side in ("send", "recv") for k in range(count)])
    sends, recvs = [""] * count, [""] * count
    sent: dict[int, list] = {}
    asked: dict[int, list] = {}
    for side, k in order:
        form = (shape_of(values[k]), WORD, None)
        extra = f", channel_id={channels[k]}"
        operands = (f"p{k}", token) if side == "send" else (token,)
        name = main.step(form, side, operands, lambda *_: None, extra)
        (sends if side == "send" else recvs)[k] = name
        (sent if side == "send" else asked).setdefault(channels[k], []).append(k)
    dones = {target: values[source] for channel in sent
             for source, target in zip(sent[channel], asked[channel])}
    return sends, recvs, dones

