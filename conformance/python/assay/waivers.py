"""Differences of an engine that are known: files of waivers.

The form is spec/schema/waivers.schema.json, and spec/judge_your_backend.md says
what the fields mean.
"""

from __future__ import annotations

import dataclasses
import datetime
import functools
import json
import os
import pathlib
import re
from collections.abc import Iterable
from typing import Any, NoReturn, Optional, Union

from assay.errors import ParseError

RULE = "usage.waivers"
REQUIRED = ("cases", "reason", "owner", "expires")
OPTIONAL = ("link", "engine", "tag")
DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
LINK = re.compile(r"https?://[^\s]+")
MOST_BYTES = 16 << 20


@functools.lru_cache(maxsize=None)
def _pattern(glob: str) -> re.Pattern[str]:
    """`*` stands for any characters, `?` for one, as in filters of cases."""
    words = {"*": ".*", "?": "."}
    return re.compile("".join(words.get(c) or re.escape(c) for c in glob), re.S)


def matches(glob: str, text: str) -> bool:
    return _pattern(glob).fullmatch(text) is not None


@dataclasses.dataclass(frozen=True)
class Waiver:
    """Cases that may fail on an engine, and why, and until when."""

    cases: str  # a glob of ids
    reason: str
    owner: str
    expires: datetime.date  # the last day
    link: str = ""
    engine: str = "*"  # a glob of backends
    tag: str = ""  # a glob of what backends can do; "": anything
    # Globs of the backends with such a tag; None where the file leaves that to them.
    tagged: Optional[tuple[str, ...]] = None
    file: str = ""
    number: int = 0  # in the file, from 1

    def has_expired(self, today: datetime.date) -> bool:
        return today > self.expires

    @property
    def asks_backends(self) -> bool:
        """Whether it asks what backends say of themselves."""
        return bool(self.tag) and self.tagged is None

    def is_of(self, backend: str, tags: Iterable[str] = ()) -> bool:
        """Whether it is meant for that backend, which gives itself these tags."""
        if not matches(self.engine, backend) or not self.tag:
            return matches(self.engine, backend)
        if self.tagged is None:
            return any(matches(self.tag, tag) for tag in tags)
        return any(matches(glob, backend) for glob in self.tagged)

    def covers(self, case: str) -> bool:
        """Whether the case of a backend that it is meant for is."""
        return matches(self.cases, case)

    def __str__(self) -> str:
        link = f", {self.link}" if self.link else ""
        return (f"{self.file}, waiver {self.number}, {self.cases}: {self.reason} "
                f"({self.owner}, until {self.expires}{link})")


class _File:
    """A file that is read, for what is said of mistakes in it."""

    def __init__(self, path: Union[str, os.PathLike[str]]) -> None:
        self.name = os.fspath(path)

    def fail(self, what: str, line: int = 0, column: int = 0,
             excerpt: str = "") -> NoReturn:
        raise ParseError(RULE, f"{self.name}: {what}", line, column, excerpt)

    def text(self) -> str:
        try:
            with pathlib.Path(self.name).open("rb") as file:
                data = file.read(MOST_BYTES + 1)
            if len(data) > MOST_BYTES:
                self.fail("the file is longer than 16 MiB, but it can have that")
            return data.decode("utf-8")
        except OSError as error:
            self.fail(f"it cannot be read: {error.strerror}")
        except UnicodeDecodeError as error:
            self.fail(f"byte {error.start} is no UTF-8, but all must be")

    def once(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        for name in names:
            if names.count(name) > 1:
                self.fail(f'"{name}" stands twice in an object, but it can once')
        return dict(pairs)

    def json(self) -> Any:
        text = self.text()
        try:
            return json.loads(text, object_pairs_hook=self.once)
        except json.JSONDecodeError as error:
            # Lines as the error counts them.
            line = text.split("\n")[error.lineno - 1]
            self.fail(f"it is no JSON: {error.msg}", error.lineno, error.colno,
                      f"{line}\n{' ' * (error.colno - 1)}^")
        except RecursionError:
            self.fail("its JSON is nested too deep")
        except ValueError:
            self.fail("a number is too long for JSON's reader")


def _read_date(file: _File, number: int, text: str) -> datetime.date:
    try:
        if DATE.fullmatch(text):
            return datetime.date.fromisoformat(text)
    except ValueError:
        pass
    file.fail(f'waiver {number}: expires is "{text}", but it must be a day as '
              "2027-01-31")


def _is_text(value: Any) -> bool:
    is_half = isinstance(value, str) and any("\ud800" <= c <= "\udfff" for c in value)
    return isinstance(value, str) and bool(value.strip()) and not is_half


def _read_engines(file: _File, content: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """Globs of backends, and the tags that they have."""
    engines = content.get("engines", [])
    if not isinstance(engines, list):
        file.fail('"engines" must be a list')
    for entry in engines:
        if not isinstance(entry, dict) or set(entry) != {"engine", "tags"}:
            file.fail('an entry of engines must be an object with "engine" and "tags"')
        if not isinstance(entry["tags"], list) or not all(
                _is_text(text) for text in [entry["engine"], *entry["tags"]]):
            file.fail("an engine and its tags must be texts that are not empty")
    return [(entry["engine"], entry["tags"]) for entry in engines]


def _tagged(file: _File, number: int, tag: str,
            engines: list[tuple[str, list[str]]]) -> tuple[str, ...]:
    found = tuple(engine for engine, tags in engines
                  if any(matches(tag, one) for one in tags))
    if not found:
        file.fail(f'waiver {number}: tag is "{tag}", but it must be a glob of tags '
                  "that engines have")
    return found


def _read_waiver(file: _File, number: int, entry: Any,
                 engines: Optional[list[tuple[str, list[str]]]]) -> Waiver:
    if not isinstance(entry, dict):
        file.fail(f"waiver {number} is no object, but it must be one")
    for name in entry:
        if name not in REQUIRED + OPTIONAL:
            file.fail(f'waiver {number} has "{name}", but it can have '
                      f"{', '.join(REQUIRED + OPTIONAL)}")
    for name in REQUIRED:
        if name not in entry:
            file.fail(f"waiver {number} has no {name}, but it must say "
                      f"{', '.join(REQUIRED)}")
    for name, value in entry.items():
        if not _is_text(value):
            file.fail(f"waiver {number}: {name} must be a text that is not empty")
    if "link" in entry and not LINK.fullmatch(entry["link"]):
        file.fail(f'waiver {number}: link is "{entry["link"]}", but it must begin '
                  "with http:// or https:// and have no blanks")
    fields = {**entry, "expires": _read_date(file, number, entry["expires"])}
    if "tag" in entry and engines is not None:
        fields["tagged"] = _tagged(file, number, entry["tag"], engines)
    return Waiver(**fields, file=file.name, number=number)


def read_waivers(path: Union[str, os.PathLike[str]]) -> list[Waiver]:
    """The waivers of a file. ParseError "usage.waivers" with what is wrong."""
    file = _File(path)
    content = file.json()
    if not isinstance(content, dict) or set(content) - {"engines"} != {"waivers"}:
        file.fail('it must be an object with "waivers", or "engines" as well, and '
                  "nothing else")
    if not isinstance(content["waivers"], list):
        file.fail('"waivers" must be a list')
    engines = _read_engines(file, content) if "engines" in content else None
    return [_read_waiver(file, i + 1, entry, engines)
            for i, entry in enumerate(content["waivers"])]


class Waivers:
    """All waivers of a run against a backend."""

    def __init__(self, waivers: Iterable[Waiver], backend: str,
                 today: Optional[datetime.date] = None, tags: Iterable[str] = ()) -> None:
        day = today or datetime.datetime.now(datetime.timezone.utc).date()
        given = tuple(tags)
        asked = [waiver for waiver in waivers if waiver.is_of(backend, given)]
        self.expired = [w for w in asked if w.has_expired(day)]
        self.active = [w for w in asked if not w.has_expired(day)]

    def active_of(self, case: str) -> Optional[Waiver]:
        """The first that covers the case."""
        return next((w for w in self.active if w.covers(case)), None)

    def expired_of(self, case: str) -> Optional[Waiver]:
        return next((w for w in self.expired if w.covers(case)), None)

    def findings(self, went_well: list[tuple[str, Optional[bool]]]) -> list[str]:
        """What is wrong with the waivers themselves, when it is known of each case, by its id,
        whether it went well (None: nothing was judged)."""
        lines = [f"expired      {waiver}" for waiver in self.expired]
        for waiver in self.active:
            covered = [(case, well) for case, well in went_well if waiver.covers(case)]
            judged = [(case, well) for case, well in covered if well is not None]
            good = [case for case, well in judged if well]
            if not covered:
                lines.append(f"unused       {waiver}: no case of this run is meant")
            elif good:
                lines.append(f"contradicted {waiver}: {len(good)} of {len(judged)} "
                             f"conform, first {good[0]}")
        return lines
