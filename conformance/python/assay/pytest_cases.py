"""The cases of one run of `assay check` as items of pytest."""

from __future__ import annotations

import pathlib
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any, Optional

import pytest

from assay.check_run import (CaseResult, CheckRun, RunError, declared_tags, read_run,
                             run_check)
from assay.errors import Error
from assay.waivers import Waiver, Waivers, read_waivers


class CaseFailure(Exception):
    """A case that did not go well; the text is the report."""


def _mark_of(kind: str, name: str) -> str:
    word = "".join(c if c.isalnum() else "_" for c in name)
    return f"assay_{kind}_{word}"


class CaseItem(pytest.Item):
    """A case; its test is whether it went well."""

    def __init__(self, *, result: CaseResult, expired: Optional[Waiver],
                 **others: Any) -> None:
        super().__init__(**others)
        self.result = result
        self.expired = expired

    def runtest(self) -> None:
        result = self.result
        if result.went_well is None:
            pytest.skip(f"{result.verdict}: {result.message}")
        if not result.went_well:
            note = f"\n  its waiver has expired: {self.expired}" if self.expired else ""
            raise CaseFailure(result.report + note)

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if isinstance(excinfo.value, CaseFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[pathlib.Path, int, str]:
        return pathlib.Path(self.result.file), self.result.line - 1, self.result.id


class CaseList(pytest.Collector):
    """All cases of the run."""

    def __init__(self, *, run: CheckRun, waivers: Waivers, strict: bool,
                 **others: Any) -> None:
        super().__init__(**others)
        self.run = run
        self.waivers = waivers
        self.strict = strict

    def collect(self) -> Iterator[CaseItem]:
        seen: dict[str, int] = {}
        for result in self.run.cases:
            seen[result.id] = seen.get(result.id, 0) + 1
            again = f"#{seen[result.id]}" if seen[result.id] > 1 else ""
            item = CaseItem.from_parent(self, name=result.id + again, result=result,
                                        expired=self.waivers.expired_of(result.id))
            self._mark(item)
            yield item

    def _mark(self, item: CaseItem) -> None:
        result = item.result
        for name in self.names_of(result):
            item.add_marker(getattr(pytest.mark, name))
        waiver = self.waivers.active_of(result.id)
        if waiver is not None:
            item.add_marker(pytest.mark.xfail(reason=str(waiver), raises=CaseFailure,
                                              strict=self.strict))

    @staticmethod
    def names_of(result: CaseResult) -> list[str]:
        names = ["assay", _mark_of("op", result.operation)]
        return names + ([_mark_of("type", result.type)] if result.type else [])


def _check_arguments(config: pytest.Config) -> list[str]:
    arguments = [*config.getoption("--assay-cases"),
                 "--backend", config.getoption("--assay-backend")]
    for name in ("filter", "tier", "profile", "jobs", "timeout"):
        value = config.getoption(f"--assay-{name}")
        if value:
            arguments += [f"--{name}", value]
    return arguments


class Cases:
    """Hooks of a session that judges a backend. Where it has several processes,
    the first one runs `assay check`, and the others read what it wrote."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.folder: Optional[pathlib.Path] = None
        self.done: Optional[CheckRun] = None
        read = [waiver for file in config.getoption("--assay-waivers")
                for waiver in self._read(file)]
        backend = config.getoption("--assay-backend")
        self.waivers = Waivers(read, backend, tags=self._tags(read, backend))

    @staticmethod
    def _tags(waivers: list[Waiver], backend: str) -> list[str]:
        """Those that the backend gives itself, where a waiver asks for them."""
        if not any(waiver.asks_backends for waiver in waivers):
            return []
        try:
            return declared_tags(backend)
        except (RunError, OSError) as error:
            raise pytest.UsageError(str(error)) from error

    @staticmethod
    def _read(file: str) -> list[Waiver]:
        try:
            return read_waivers(file)
        except Error as error:
            raise pytest.UsageError(str(error)) from error

    # No property: pytest looks at the attributes of plug-ins.
    def run(self) -> CheckRun:
        """The only run, which is made when it is first asked for."""
        if self.done is None:
            self.done = self._run()
        return self.done

    def _run(self) -> CheckRun:
        given = getattr(self.config, "workerinput", {}).get("assay_folder")
        if given is not None:
            return read_run(pathlib.Path(given))
        try:
            self.folder = pathlib.Path(tempfile.mkdtemp(prefix="assay-"))
            run_check(self.folder, _check_arguments(self.config))
            return read_run(self.folder)
        except (RunError, OSError) as error:
            raise pytest.UsageError(str(error)) from error

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        self.run()
        node.workerinput["assay_folder"] = str(self.folder)

    @pytest.hookimpl(tryfirst=True)
    def pytest_ignore_collect(self, config: pytest.Config) -> Optional[bool]:
        """Who names no tests of his own wants the cases alone."""
        is_named = config.args_source == config.ArgsSource.ARGS
        return None if is_named else True

    # Before those that select by expressions and marks.
    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session,
                                      config: pytest.Config,
                                      items: list[pytest.Item]) -> None:
        run = self.run()
        self._register_marks(run.cases)
        name = f"assay[{run.backend}]"
        cases = CaseList.from_parent(session, name=name, nodeid=name, run=run,
                                     waivers=self.waivers,
                                     strict=config.getoption("--assay-strict"))
        items.extend(cases.collect())

    def _register_marks(self, cases: Iterable[CaseResult]) -> None:
        names = {name for result in cases for name in CaseList.names_of(result)}
        for name in sorted(names - {"assay"}):
            self.config.addinivalue_line("markers", f"{name}: cases of Assay")

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.done is None:
            return  # it came to no end
        terminalreporter.section("assay")
        terminalreporter.line(self.done.line)
        went_well = [(result.id, result.went_well) for result in self.done.cases]
        for line in self.waivers.findings(went_well):
            terminalreporter.line(line)

    def pytest_unconfigure(self) -> None:
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
