"""Pairwise covering arrays: few rows in which every two values of two factors meet."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterator

Row = dict[str, object]
Rule = Callable[[Row], bool]


def rows(factors: dict[str, list], allowed: Rule | list[Rule] = lambda row: True,
         seed: str = "") -> list[Row]:
    """Rows that have a value for each factor, so that every pair of values of two
    factors which stands in an allowed row stands in one of these; the same for the same
    arguments. `allowed` reads the row by names, `row[name]`, and depends on nothing else;
    every row that is returned was allowed. It is also asked while a row has values for
    some factors only, and is broken off where it reads another one. A list of rules, each
    of few factors, is much faster than one rule that reads all of them."""
    rules = allowed if isinstance(allowed, list) else [allowed]
    return list(_Cover(factors, rules, seed).rows())


class _Missing(Exception):
    """A rule has read a factor that has no value yet."""


class _Part(dict):
    """Some values of a row, which knows what was read."""

    def __init__(self, row: Row) -> None:
        super().__init__(row)
        self.names: set[str] = set()

    def __getitem__(self, name: str):
        if name not in self:
            raise _Missing
        self.names.add(name)
        return super().__getitem__(name)

    def _whole(self, *_: object):
        raise TypeError("a rule reads a row by the names of factors")

    __iter__ = get = items = keys = values = copy = _whole  # type: ignore[assignment]


class _Cover:
    """Values are known by their numbers, so that factors may hold anything."""

    def __init__(self, factors: dict[str, list], rules: list[Rule], seed: str) -> None:
        self.factors, self.rules, self.seed = factors, rules, seed
        # The widest factors decide how many rows there are, so they come first.
        self.names = sorted(factors, key=lambda name: -len(factors[name]))
        self.place = {name: k for k, name in enumerate(self.names)}
        self.rank = {name: self._shuffled(name) for name in self.names}
        self.uses = {name: [0] * len(factors[name]) for name in self.names}
        self.open = dict.fromkeys(self._pairs())

    def _shuffled(self, name: str) -> list[str]:
        words = (f"{self.seed}/{name}/{k}" for k in range(len(self.factors[name])))
        return [hashlib.sha256(word.encode()).hexdigest() for word in words]

    def _pairs(self) -> Iterator[tuple]:
        for a, b in itertools.combinations(self.names, 2):
            for i, j in itertools.product(self._numbers(a), self._numbers(b)):
                yield (a, i, b, j)

    def _numbers(self, name: str) -> range:
        return range(len(self.factors[name]))

    def rows(self) -> Iterator[Row]:
        if len(self.names) == 1:  # each value is a row of its own
            self.open = {(self.names[0], i): None for i in self._numbers(self.names[0])}
        for pair in list(self.open):
            if pair not in self.open:
                continue
            chosen = dict(zip(pair[::2], pair[1::2]))
            if self._complete(chosen) is None:
                self._count(chosen)
                yield self._row(chosen)

    def _row(self, chosen: dict[str, int]) -> Row:
        return {name: self.factors[name][chosen[name]]
                for name in self.factors if name in chosen}

    def _count(self, chosen: dict[str, int]) -> None:
        for name, i in chosen.items():
            self.uses[name][i] += 1
            self.open.pop((name, i), None)
        for a, b in itertools.combinations(self.names, 2):
            self.open.pop((a, chosen[a], b, chosen[b]), None)

    def _complete(self, chosen: dict[str, int]) -> set[str] | None:
        """Adds a value for each further factor, those of most open pairs first. None;
        or the chosen factors that stand in the way, whatever the others are."""
        refused = self._refused(chosen)
        name = next((name for name in self.names if name not in chosen), None)
        if refused is not None or name is None:
            return refused
        blame: set[str] = set()
        for i in sorted(self._numbers(name), key=lambda i: self._order(chosen, name, i)):
            chosen[name] = i
            found = self._complete(chosen)
            if found is None:
                return None
            del chosen[name]
            if name not in found:
                return found  # no other value of this factor changes that
            blame |= found - {name}
        return blame

    def _refused(self, chosen: dict[str, int]) -> set[str] | None:
        """What a rule has read to refuse the row, whatever its other values will be."""
        row = self._row(chosen)
        for rule in self.rules:
            part = _Part(row)
            try:
                if not rule(part):
                    return part.names
            except _Missing:
                continue
        return None

    def _order(self, chosen: dict[str, int], name: str, i: int) -> tuple:
        """Most open pairs first, then what was seldom used."""
        place = self.place[name]
        gain = sum(((other, j, name, i) if self.place[other] < place
                    else (name, i, other, j)) in self.open for other, j in chosen.items())
        return (-gain, self.uses[name][i], self.rank[name][i])
