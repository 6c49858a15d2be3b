"""Checks that each clause of the pages is held by a case.

    check.py [-v] [PAGE...]

Clauses are rules with labels, rows of *Special values*, and rows that say who does
something else. A rule is held by cases that must be rejected by it; rules of chapters also
by an `invalid` example, and by tests that name them. A row is held by cases whose elements
show it; where no program can read the row, held.json names cases, tests or examples that
do, or says why there can be none. -v prints every clause.
"""

from __future__ import annotations

import collections
import sys
from dataclasses import dataclass

import held
import pages
import vectors
import witnesses
from pages import Page, Row
from vectors import Vector


@dataclass(frozen=True)
class Clause:
    """What holds a clause of a page: names of cases and tests, or why there are none."""

    page: str
    kind: str  # rule, value or other: a row of who does something else
    name: str
    holders: tuple[str, ...]
    excuse: str = ""
    problems: tuple[str, ...] = ()

    @property
    def is_held(self) -> bool:
        return bool(self.holders or self.excuse) and not self.problems


class Holders:
    """Where clauses find what holds them."""

    def __init__(self, all_pages: list[Page]) -> None:
        self.cases = vectors.read()
        self.ids = {case.name for cases in self.cases.values() for case in cases}
        self.examples = {page.name: page.examples for page in all_pages}
        self.named = held.read()
        self.tests = held.Tests()
        self.rejected = collections.defaultdict(list)
        for case in (case for cases in self.cases.values() for case in cases):
            if case.rejected:
                self.rejected[case.rejected].append(case.name)

    def rule(self, page: Page, label: str) -> Clause:
        found = list(self.rejected[label])
        if not page.is_operation:
            found += [f"{page.name}/page/invalid-{label}"] * page.refused.count(label)
            found += self.tests.naming(label)
        if found:
            return Clause(page.name, "rule", label, tuple(found))
        return self.mapped(page, "rule", label)

    def row(self, page: Page, row: Row) -> Clause:
        kind = "other" if row.differs else "value"
        found = self.shown(page, row)
        if found and all(found):
            names = dict.fromkeys(name for names in found for name in names)
            return Clause(page.name, kind, row.key, tuple(names))
        return self.mapped(page, kind, row.key)

    def shown(self, page: Page, row: Row) -> list[list[str]]:
        if not page.is_operation or not witnesses.is_read(row):
            return []
        return witnesses.of(row, self.cases.get(page.name, []))

    def mapped(self, page: Page, kind: str, name: str) -> Clause:
        """What held.json says."""
        entry = self.named.get(page.name, {}).pop(name, None)
        if entry is None:
            return Clause(page.name, kind, name, (), problems=("nothing holds it",))
        if isinstance(entry, str):
            return Clause(page.name, kind, name, (), excuse=entry)
        wrong = tuple(f"there is no {holder}" for holder in entry if not self.exists(holder))
        return Clause(page.name, kind, name, tuple(entry), problems=wrong)

    def exists(self, holder: str) -> bool:
        if holder in self.ids:
            return True
        name, is_example, number = holder.partition("/page/example-")
        if is_example:
            return number.isdigit() and 1 <= int(number) <= self.examples.get(name, 0)
        return self.tests.has(holder)


def clauses(holders: Holders, all_pages: list[Page], wanted: list[str]) -> list[Clause]:
    chosen = [page for page in all_pages if not wanted or page.name in wanted]
    return [clause for page in chosen for clause in
            [*(holders.rule(page, label) for label in dict.fromkeys(page.labels)),
             *(holders.row(page, row) for row in page.rows)]]


def stale(holders: Holders) -> list[str]:
    """Entries of held.json that no clause needs."""
    return [f"held.json: {page}: nobody asks for '{name}'"
            for page, entries in sorted(holders.named.items()) for name in entries]


def table(found: list[Clause]) -> None:
    """A line for each page."""
    print(f"{'page':28}{'clauses':>8}{'held':>6}{'by cases':>10}{'excused':>9}")
    groups = collections.defaultdict(list)
    for clause in found:
        groups[clause.page].append(clause)
    for page, group in sorted(groups.items()):
        excused = sum(1 for clause in group if clause.excuse)
        by = len({name for clause in group for name in clause.holders})
        print(f"{page:28}{len(group):8}{sum(c.is_held for c in group):6}{by:10}{excused:9}")


def details(found: list[Clause]) -> None:
    for clause in found:
        count = len(set(clause.holders))
        text = clause.excuse or ", ".join(list(dict.fromkeys(clause.holders))[:2])
        print(f"{clause.page} {clause.kind} {clause.name}: {count}: {text}")


def main() -> int:
    wanted = [argument for argument in sys.argv[1:] if argument != "-v"]
    all_pages = pages.all_pages()
    holders = Holders(all_pages)
    found = clauses(holders, all_pages, wanted)
    if "-v" in sys.argv:
        details(found)
    table(found)
    wrong = [f"{clause.page}: {clause.name}: {problem}"
             for clause in found for problem in clause.problems]
    wrong += [] if wanted else stale(holders)
    for line in wrong:
        print(line)
    kinds = collections.Counter(clause.kind for clause in found)
    by = {name for clause in found for name in clause.holders}
    print(f"clauses: {sum(clause.is_held for clause in found)} of {len(found)} are held "
          f"({kinds['rule']} rules, {kinds['value']} special values, {kinds['other']} of who "
          f"differs), {sum(1 for c in found if c.excuse)} of them by a reason why there is no "
          f"case, the others by {len(by)} cases and tests")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
