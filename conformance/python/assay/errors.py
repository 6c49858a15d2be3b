"""What is raised: errors of programs and inputs, and results that differ."""

from __future__ import annotations

from typing import Any


class Error(Exception):
    """A program or an input that breaks a rule of the specification.

    `rule` is the rule's label ("divide.C1"), `message` what was found and what
    must hold; `line` and `column` count from 1 and are 0 where there is no
    place in the program; `excerpt` is that line with a caret below.
    """

    def __init__(self, rule: str, message: str, line: int = 0, column: int = 0,
                 excerpt: str = "") -> None:
        super().__init__(rule, message, line, column, excerpt)
        self.rule = rule
        self.message = message
        self.line = line
        self.column = column
        self.excerpt = excerpt

    def __str__(self) -> str:
        place = f"{self.line}:{self.column}: " if self.line else ""
        text = f"{place}{self.rule}: {self.message}"
        return f"{text}\n{self.excerpt}" if self.excerpt else text


class ParseError(Error):
    """The text is no program."""


class VerifyError(Error):
    """The program breaks a rule."""


class EvaluateError(Error):
    """The program cannot be evaluated, or not with these inputs."""


class TimeoutReached(EvaluateError):
    """The call took longer than its `timeout`, and was stopped."""


class Mismatch(AssertionError):
    """A result is not one that the program allows; the text is the report."""


PHASES = {"parse": ParseError, "verify": VerifyError, "evaluate": EvaluateError}


def error_of(answer: dict[str, Any]) -> Error:
    """The exception for the error in an answer of the library."""
    kind = PHASES.get(answer["phase"], Error)
    return kind(answer["rule"], answer["message"], answer["line"],
                answer["column"], answer["excerpt"])
