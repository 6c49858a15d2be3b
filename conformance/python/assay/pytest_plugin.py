"""pytest: a test for each case of one run of `assay check`, and a fixture for
functions of JAX (spec/judge_your_backend.md)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from assay.reports import Report

OPTIONS = (
    ("--assay-backend", {"metavar": "URI", "help": "judge this backend: a test per case"}),
    ("--assay-cases", {"metavar": "PATH", "action": "append", "default": [],
                       "help": "vector files, pages or folders; all without any"}),
    ("--assay-filter", {"metavar": "GLOB", "help": "the cases, as assay check -f has it"}),
    ("--assay-tier", {"metavar": "TIER", "help": "smoke, core or full"}),
    ("--assay-profile", {"metavar": "PROFILE",
                         "help": "LEVEL[,AXIS=CHOICE]..., also of assay_check"}),
    ("--assay-jobs", {"metavar": "N", "help": "cases at the same time; all cores"}),
    ("--assay-timeout", {"metavar": "SECONDS", "help": "for a case"}),
    ("--assay-waivers", {"metavar": "FILE", "action": "append", "default": [],
                         "help": "a file of known differences"}),
    ("--assay-strict", {"action": "store_true",
                        "help": "a waived case that conforms fails"}),
    ("--assay-platform", {"metavar": "PLATFORM",
                          "help": "of JAX, for assay_check; cpu"}),
)


# What the mark may say, by name or in this order.
SETTINGS = ("platform", "profile", "max_work", "max_memory", "timeout")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("assay", "judging of backends")
    for name, settings in OPTIONS:
        group.addoption(name, **settings)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", f"assay({', '.join(SETTINGS)}): a case of Assay, "
        "or what the fixture assay_check passes to assay.check")
    if config.getoption("--assay-backend"):
        from assay.pytest_cases import Cases
        config.pluginmanager.register(Cases(config), "assay-cases")


@pytest.fixture
def assay_check(request: pytest.FixtureRequest) -> Callable[..., Report]:
    """assay.check, with what the test's mark `assay` and the options say."""
    from assay.functions import check
    settings: dict[str, Any] = {}
    for name in ("platform", "profile"):
        value = request.config.getoption(f"--assay-{name}")
        if value:
            settings[name] = value
    for mark in reversed(list(request.node.iter_markers("assay"))):
        if len(mark.args) > len(SETTINGS):
            raise pytest.UsageError(f"the mark assay has {len(mark.args)} values, but it can "
                                    f"have {len(SETTINGS)}: {', '.join(SETTINGS)}")
        settings.update(zip(SETTINGS, mark.args))
        settings.update(mark.kwargs)

    def run(f: Callable[..., Any], *args: Any, **others: Any) -> Report:
        __tracebackhide__ = True
        return check(f, *args, **{**settings, **others})

    return run
