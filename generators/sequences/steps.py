"""Computations over arrays: Region's steps with the operations that programs mix.

Element-wise operations have the rules of their own generators. Sums of floats
must be exact in every order, so that a program has one value on every backend.
"""

from __future__ import annotations

import functools
import itertools
from typing import Callable

from assaygen import arrays
from assaygen.arrays import Array
from assaygen.programs.regions import Region, shape
from assaygen.streams import Stream
from assaygen.types import PRED, S32, Type
from ops import compare as comparison, convert as conversion
from sequences.elements import (braces, clamped, code_of, comparator, fold, inner, order,
                                placed, reducer, rule_of, spelled, word)


class Steps(Region):
    """A computation whose instructions may have layouts drawn from a stream."""

    def __init__(self, name: str, *parameters, arranged: Stream | None = None) -> None:
        super().__init__(name, *parameters)
        self.arranged = arranged
        self.inner = 0  # computations that this one runs

    def put(self, t: Type, dims, op: str, operands, rule, extra: str = "") -> str:
        layout = order(self.arranged, len(dims)) if self.arranged else ""
        return self.step(shape(t, *dims, layout=layout), op, operands, rule, extra)

    def type(self, name: str) -> Type:
        return self.shapes[name].type

    def dims(self, name: str) -> tuple[int, ...]:
        return self.shapes[name].dims

    # Elements.

    def each(self, t: Type, op: str, operands, rule, extra: str = "") -> str:
        """rule(code, ...) gives an element from those of the operands; scalars of
        clamp and select count for all elements."""
        dims = max((self.dims(x) for x in operands), key=len)

        def value(*xs: Array) -> Array:
            columns = [x.codes if x.dims == dims else x.codes * arrays.splat(t, dims, 0).size
                       for x in xs]
            return Array(t, dims, tuple(rule(*row) for row in zip(*columns)))
        return self.put(t, dims, op, operands, value, extra)

    def one(self, op: str, a: str, t: Type | None = None) -> str:
        source = self.type(a)
        return self.each(t or source, op, (a,), lambda x: rule_of(op)(source, x))

    def two(self, op: str, a: str, b: str, t: Type | None = None) -> str:
        source = self.type(a)
        return self.each(t or source, op, (a, b), lambda x, y: rule_of(op)(source, x, y))

    def compare(self, a: str, b: str, direction: str, total: bool = False) -> str:
        t, rule = self.type(a), comparison.rule(direction, total)
        return self.each(PRED, "compare", (a, b), lambda x, y: rule(t, x, y),
                         f", direction={direction}" + ", type=TOTALORDER" * total)

    def select(self, p: str, a: str, b: str) -> str:
        return self.each(self.type(a), "select", (p, a, b), lambda k, x, y: x if k else y)

    def clamp(self, low: str, x: str, high: str) -> str:
        t = self.type(x)
        return self.each(t, "clamp", (low, x, high), lambda *c: rule_of("clamp")(t, *c))

    def convert(self, a: str, t: Type) -> str:
        source = self.type(a)
        return self.each(t, "convert", (a,), lambda x: conversion.rule(source, t, x))

    # Constants.

    def bits(self, x: Array) -> str:
        if not spelled(x):
            return super().bits(x)
        words = [word(x.type, code) for code in x.codes]
        for size in reversed(x.dims):
            words = ["{" + ", ".join(words[i:i + size]) + "}"
                     for i in range(0, len(words), size)]
        text = words[0] if x.dims or x.type is not PRED else ("false", "true")[x.codes[0]]
        name = self.put(x.type, x.dims, "constant", (), lambda: x)
        self.lines[-1] = self.lines[-1].removesuffix("()") + f"({text})"
        return name

    def number(self, t: Type, x) -> str:
        """A scalar constant: an integer, a fraction or one of inf, nan, -0."""
        return self.bits(Array(t, (), (code_of(t, x),)))

    def full(self, t: Type, x, dims) -> str:
        """A constant at every place."""
        return self.broadcast(self.number(t, x), dims, ())

    # Places.

    def move(self, op: str, dims, operands, source, extra: str = "") -> str:
        """source(index, array, ...) gives the code at an index of the result."""
        t = self.type(operands[0])
        return self.put(t, dims, op, operands, lambda *xs: arrays.build(
            t, dims, lambda i: source(i, *xs)), extra)

    def broadcast(self, a: str, dims, at) -> str:
        return self.move("broadcast", dims, (a,), lambda i, x: x.at([i[d] for d in at]),
                         f", dimensions={braces(at)}")

    def reshape(self, a: str, dims, op: str = "reshape") -> str:
        place = Array(S32, tuple(dims), ()).position
        return self.move(op, dims, (a,), lambda i, x: x.codes[place(i)])

    def transpose(self, a: str, order) -> str:
        dims = [self.dims(a)[d] for d in order]
        return self.move("transpose", dims, (a,),
                         lambda i, x: x.at([i[order.index(d)] for d in range(len(order))]),
                         f", dimensions={braces(order)}")

    def reverse(self, a: str, at) -> str:
        dims = self.dims(a)
        return self.move("reverse", dims, (a,), lambda i, x: x.at(
            [n - 1 - k if d in at else k for d, (k, n) in enumerate(zip(i, dims))]),
            f", dimensions={braces(at)}")

    def slice(self, a: str, *cuts) -> str:
        """A cut is (start, limit) or (start, limit, stride) of a dimension."""
        cuts = [(*cut, 1)[:3] for cut in cuts]
        dims = [-((s - e) // k) for s, e, k in cuts]
        text = ", ".join(f"[{s}:{e}:{k}]" for s, e, k in cuts)
        return self.move("slice", dims, (a,), lambda i, x: x.at(
            [s + k * n for n, (s, _, k) in zip(i, cuts)]), f", slice={{{text}}}")

    def pad(self, a: str, value: str, *edges) -> str:
        """An edge is (low, high) or (low, high, interior) of a dimension."""
        edges = [(*edge, 0)[:3] for edge in edges]
        dims = [low + n + max(n - 1, 0) * gap + high
                for n, (low, high, gap) in zip(self.dims(a), edges)]

        def source(i, x, fill):
            places = [divmod(k - low, gap + 1) for k, (low, _, gap) in zip(i, edges)]
            inside = all(not rest and 0 <= k < n for (k, rest), n in zip(places, x.dims))
            return x.at([k for k, _ in places]) if inside else fill.codes[0]
        text = "x".join(f"{low}_{high}_{gap}" for low, high, gap in edges)
        return self.move("pad", dims, (a, value), source, f", padding={text}")

    def concatenate(self, names, at: int) -> str:
        dims = list(self.dims(names[0]))
        dims[at] = sum(self.dims(x)[at] for x in names)

        def source(i, *xs):
            k = i[at]
            for x in xs:
                if k < x.dims[at]:
                    return x.at([*i[:at], k, *i[at + 1:]])
                k -= x.dims[at]
        return self.move("concatenate", dims, names, source, f", dimensions={{{at}}}")

    def iota(self, t: Type, dims, at: int) -> str:
        return self.put(t, dims, "iota", (), lambda: arrays.build(
            t, dims, lambda i: code_of(t, i[at])), f", iota_dimension={at}")

    def dynamic_slice(self, a: str, starts, sizes) -> str:
        def source(i, x, *at):
            places = clamped(at, x.dims, sizes)
            return x.at([k + n for k, n in zip(places, i)])
        return self.move("dynamic-slice", sizes, (a, *starts), source,
                         f", dynamic_slice_sizes={braces(sizes)}")

    def update(self, a: str, part: str, starts) -> str:
        def source(i, x, u, *at):
            places = [n - k for n, k in zip(i, clamped(at, x.dims, u.dims))]
            inside = all(0 <= k < n for k, n in zip(places, u.dims))
            return u.at(places) if inside else x.at(i)
        return self.move("dynamic-update-slice", self.dims(a), (a, part, *starts), source)

    def same(self, op: str, a: str) -> str:
        """copy, opt-barrier and the like of an array."""
        return self.put(self.type(a), self.dims(a), op, (a,), lambda x: x)

    # Sums, rows and orders.

    def reduce(self, op: str, a: str, init: str, at) -> str:
        t, dims = self.type(a), [n for d, n in enumerate(self.dims(a)) if d not in at]
        region = reducer(op, t)

        def value(x: Array, start: Array) -> Array:
            found: dict = {}
            for i in x.indices():
                key = tuple(k for d, k in enumerate(i) if d not in at)
                found.setdefault(key, [start.codes[0]]).append(x.at(i))
            return arrays.build(t, dims, lambda i: fold(
                op, t, found.get(tuple(i), [start.codes[0]])))
        name = self.put(t, dims, "reduce", (a, init), value,
                        f", dimensions={braces(at)}, to_apply={region.name}")
        self.called += [region] if region not in self.called else []
        return name

    def dot(self, a: str, b: str, lhs, rhs, batch=((), ())) -> str:
        """Contracts dimensions lhs of a with rhs of b."""
        one, other = self.dims(a), self.dims(b)
        free = [[d for d in range(len(dims)) if d not in (*used, *batched)]
                for dims, used, batched in ((one, lhs, batch[0]), (other, rhs, batch[1]))]
        dims = ([one[d] for d in batch[0]] + [one[d] for d in free[0]]
                + [other[d] for d in free[1]])
        where = [(*batch[0], *free[0], *lhs), (*batch[1], *free[1], *rhs)]
        width, first = len(batch[0]), len(free[0])

        def source(i, x, y):
            mine, theirs = i[:width + first], (*i[:width], *i[width + first:])
            rows = itertools.product(*(range(one[d]) for d in lhs))
            return inner(x.type, [(x.at(placed(where[0], (*mine, *k))),
                                   y.at(placed(where[1], (*theirs, *k)))) for k in rows])
        lists = [f", {side}_{kind}_dims={braces(chosen)}" for kind, pair in
                 (("batch", batch), ("contracting", (lhs, rhs)))
                 for side, chosen in zip(("lhs", "rhs"), pair) if chosen]
        return self.move("dot", dims, (a, b), source, "".join(lists))

    def rows(self, a: str, which: str) -> str:
        """gather: rows of a matrix, or elements of a vector, by a vector of indices."""
        dims = self.dims(a)
        out = (*self.dims(which), *dims[1:])
        return self.move("gather", out, (a, which), lambda i, x, k: x.at(
            (min(max(S32.integer(k.at(i[:1])), 0), dims[0] - 1), *i[1:])),
            f", offset_dims={braces(range(1, len(dims)))}, collapsed_slice_dims={{0}}, "
            f"start_index_map={{0}}, index_vector_dim=1, slice_sizes={braces((1, *dims[1:]))}")

    def scatter(self, op: str, a: str, which: str, updates: str, extra: str = "") -> str:
        """Joins the rows of updates to those of a; rows outside are left out."""
        t, dims, region = self.type(a), self.dims(a), reducer(op, self.type(a))

        def source(i, x, k, u):
            rows = [r for r, c in enumerate(k.codes) if S32.integer(c) == i[0]]
            found = [x.at(i), *(u.at((r, *i[1:])) for r in rows)]
            return fold(op, t, found) if rows else found[0]
        name = self.move(
            "scatter", dims, (a, which, updates), source,
            f", update_window_dims={braces(range(1, len(dims)))}, inserted_window_dims={{0}}, "
            f"scatter_dims_to_operand_dims={{0}}, index_vector_dim=1{extra}, "
            f"to_apply={region.name}")
        self.called += [region] if region not in self.called else []
        return name

    def sort(self, *names: str, direction: str = "LT") -> list[str]:
        """Vectors, stably by the first one."""
        region = comparator(tuple(self.type(x) for x in names), direction)
        less = comparison.rule("LT")
        t = self.type(names[0])

        def value(*xs: Array):
            keys = xs[0].codes
            key = functools.cmp_to_key(lambda i, j: less(t, keys[j], keys[i])
                                       - less(t, keys[i], keys[j]))
            order = sorted(range(xs[0].size), key=key, reverse=direction == "GT")
            found = tuple(Array(x.type, x.dims, tuple(x.codes[i] for i in order)) for x in xs)
            return found if len(found) > 1 else found[0]
        forms = tuple(shape(self.type(x), *self.dims(x)) for x in names)
        name = self.step(forms if len(names) > 1 else forms[0], "sort", names, value,
                         f", dimensions={{0}}, is_stable=true, to_apply={region.name}",
                         (region,))
        return [self.element(name, k) for k in range(len(names))] if len(names) > 1 else [name]

    # Computations within.

    def plain(self, name: str) -> str:
        """The value without a layout, as computations take and return it."""
        form = self.shapes[name]
        if not isinstance(form, Array) or not form.layout:
            return name
        return self.step(shape(form.type, *form.dims), "copy", (name,), lambda x: x)

    def within(self, tag: str, build: Callable, *forms) -> Steps:
        """The computation that build(steps, p0, p1, ...) writes."""
        region = Steps(f"{self.name}_{tag}{self.inner}", *forms)
        self.inner += 1
        region.root = build(region, *region.shapes) or region.root
        return region

    def repeat(self, names, more: Callable, turn: Callable) -> list[str]:
        """while: more(steps, values...) is a pred, turn gives a list of values."""
        state = self.tuple(*map(self.plain, names))
        form = self.shapes[state]

        def parts(region: Steps) -> list[str]:
            return [region.element("p0", k) for k in range(len(form))]
        condition = self.within("more", lambda r, _: more(r, *parts(r)), form)
        body = self.within("turn", lambda r, _: r.tuple(*turn(r, *parts(r))), form)
        name = self.loop(state, condition, body)
        return [self.element(name, k) for k in range(len(names))]

    def choose(self, selector: str, names, *builders: Callable) -> str:
        """conditional: each branch gets the same values and gives one."""
        state = self.tuple(*map(self.plain, names))
        form = self.shapes[state]

        def branch(build: Callable) -> Steps:
            return self.within("branch", lambda r, _: build(
                r, *(r.element("p0", k) for k in range(len(form)))), form)
        branches = [branch(build) for build in builders]
        return self.branch(selector, branches, [state] * len(branches))

    def inside(self, op: str, build: Callable, *names: str) -> str:
        """call or fusion of what build writes."""
        names = tuple(map(self.plain, names))
        region = self.within(op, build, *(self.shapes[x] for x in names))
        return self.call(region, *names, op=op,
                         extra=", kind=kLoop" if op == "fusion" else "")
