"""One run of `assay check`, and what it said of each case."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import re
import subprocess
from collections.abc import Sequence
from typing import Any, Optional

from assay.program import environment, program_path

GOOD = ("conforms", "rejected-rightly")
NOT_JUDGED = ("unsupported", "unjudged", "refused")
EVENTS = "events.jsonl"
OUTPUT = "output.txt"
ALL_FAILURES = 1_000_000_000
FINDING = re.compile(r"(?P<verdict>[a-z-]+) (?P<id>.+)  \((?P<place>.+:[0-9]+)\)")


class RunError(Exception):
    """The run came to no end; the text says why."""


@dataclasses.dataclass(frozen=True)
class CaseResult:
    """What was said of a case."""

    id: str
    verdict: str
    file: str
    line: int
    message: str
    flaky: str  # another verdict that it had; "" where it had none
    report: str  # what `assay check` prints of one that failed

    @property
    def went_well(self) -> Optional[bool]:
        """None where nothing was judged."""
        if self.flaky:
            return False
        if self.verdict in NOT_JUDGED:
            return None
        return self.verdict in GOOD

    @property
    def operation(self) -> str:
        return self.id.split("/")[0]

    @property
    def type(self) -> str:
        parts = self.id.split("/")
        return parts[1] if len(parts) > 1 else ""


@dataclasses.dataclass(frozen=True)
class CheckRun:
    """A run that came to its end."""

    backend: str
    cases: list[CaseResult]
    line: str  # the last of its output


def run_check(folder: pathlib.Path, arguments: Sequence[str]) -> None:
    """Runs `assay check` with the arguments; what it says is written to files in
    the folder, which read_run() reads."""
    command = [str(program_path()), "check", *arguments, "--failures",
               str(ALL_FAILURES), "-o", str(folder / EVENTS)]
    with (folder / OUTPUT).open("wb") as output:
        done = subprocess.run(command, stdout=output, stderr=subprocess.PIPE,
                              stdin=subprocess.DEVNULL, env=environment(), check=False)
    events = folder / EVENTS
    if not events.is_file() or '"event":"end"' not in _last_line(events):
        said = done.stderr.decode("utf-8", "replace").strip()
        raise RunError(f"assay check ended with {done.returncode}: "
                       f"{said or 'it said nothing'}")


def declared_tags(backend: str) -> list[str]:
    """What the backend says that it can do, and cannot: `assay list --tags`."""
    done = subprocess.run([str(program_path()), "list", "--tags", backend],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, env=environment(), check=False)
    if done.returncode != 0:
        raise RunError(done.stderr.decode("utf-8", "replace").strip())
    return done.stdout.decode("utf-8", "replace").split()


def _last_line(file: pathlib.Path) -> str:
    lines = file.read_text("utf-8").rstrip("\n").split("\n")
    return lines[-1] if lines else ""


def _reports(output: str, failed: set[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """By id and place what was printed of each case that failed."""
    reports: dict[tuple[str, str], list[str]] = {}
    current: list[str] = []
    for line in output.split("\n"):
        found = FINDING.fullmatch(line)
        key = (found["id"], found["place"]) if found else ("", "")
        if key in failed:
            current = reports.setdefault(key, [])
        elif line and not line.startswith(" "):
            current = []
        current.append(line)
    return {key: "\n".join(lines).rstrip() for key, lines in reports.items()}


def _result(event: dict[str, Any], reports: dict[tuple[str, str], str]) -> CaseResult:
    place = f"{event['file']}:{event['line']}"
    message = event.get("message", "")
    fallback = f"{event['verdict']} {event['id']}  ({place})\n  {message}".rstrip()
    return CaseResult(id=event["id"], verdict=event["verdict"], file=event["file"],
                      line=event["line"], message=message,
                      flaky=event.get("flaky", ""),
                      report=reports.get((event["id"], place), fallback))


def read_run(folder: pathlib.Path) -> CheckRun:
    """What run_check() wrote there."""
    # Texts may have other ends of lines in them.
    lines = (folder / EVENTS).read_text("utf-8").split("\n")
    events = [json.loads(line) for line in lines if line]
    cases = [event for event in events if event["event"] == "case"]
    failed = {(event["id"], f"{event['file']}:{event['line']}") for event in cases
              if event["verdict"] not in GOOD + NOT_JUDGED or "flaky" in event}
    output = (folder / OUTPUT).read_bytes().decode("utf-8", "replace")
    reports = _reports(output, failed)
    said = output.rstrip().split("\n")
    return CheckRun(backend=events[0]["backend"],
                    cases=[_result(event, reports) for event in cases],
                    line=said[-1] if said else "")
