"""`lectern test`: every test that this machine allows, and what it would take to run the others."""

import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final
from xml.etree import ElementTree as ET

import typer

from lectern.cli.console import notes, results
from lectern.cli.installation import REPOSITORY
from lectern.errors import Misconfigured
from lectern.settings import process_environment

SERVICES: Final = ("api", "mcp")
NOTHING_COLLECTED: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What came of a run of tests. `skips` counts the reasons."""

    passed: int = 0
    failed: int = 0
    skips: Counter[str] = field(default_factory=Counter[str])

    @property
    def skipped(self) -> int:
        return self.skips.total()

    def __add__(self, other: "Report") -> "Report":
        return Report(
            passed=self.passed + other.passed, failed=self.failed + other.failed, skips=self.skips + other.skips
        )


def run_tests(
    is_all: Annotated[bool, typer.Option("--all", help="The slow tests too (some take minutes).")] = False,
    is_strict: Annotated[bool, typer.Option("--no-skips", help="A skipped test is a failure, as in CI.")] = False,
    arguments: Annotated[list[str] | None, typer.Argument(help="Handed on to pytest, after `--`.")] = None,
) -> None:
    """Run every test that this machine allows, and name what was skipped and how to get it."""
    report = Report()
    for service in SERVICES:
        notes.print(f"lectern: testing {service}")
        report += run_pytest(REPOSITORY / service, marks="" if is_all else "not slow", arguments=arguments or [])
    show(report)
    if report.failed or not report.passed or (is_strict and report.skipped):
        raise typer.Exit(1)


def run_pytest(folder: Path, *, marks: str, arguments: Sequence[str]) -> Report:
    """Run the tests of one service in a process of their own.

    Raises:
        Misconfigured: There are no tests here, or pytest is not installed.
    """
    if not (folder / "tests").is_dir():
        raise Misconfigured(f"There are no tests in {folder}.", hint="They come with a clone of the repository.")
    with tempfile.TemporaryDirectory() as scratch:
        xml = Path(scratch) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-m", marks, f"--junit-xml={xml}", *arguments]
        code = subprocess.run(command, cwd=folder, env=process_environment(), check=False).returncode  # noqa: S603 - our own tests
        if not xml.exists():
            raise Misconfigured(f"pytest did not run in {folder} (exit code {code}).", hint="Use `./lectern test`.")
        report = read_report(xml)
    is_broken = code not in {0, NOTHING_COLLECTED} and not report.failed
    return report + Report(failed=1) if is_broken else report


def read_report(xml: Path) -> Report:
    """Sum up a JUnit file: an error in a fixture is a failure; a test that failed and whose fixture failed is one."""
    root = ET.parse(xml).getroot()  # noqa: S314 - written by pytest a moment ago
    verdicts = {(case.get("classname"), case.get("name")): "passed" for case in root.iter("testcase")}
    skips: Counter[str] = Counter()
    for case in root.iter("testcase"):
        key = (case.get("classname"), case.get("name"))
        if case.find("failure") is not None or case.find("error") is not None:
            verdicts[key] = "failed"
        elif (skip := case.find("skipped")) is not None:
            verdicts[key] = "skipped"
            skips[skip.get("message") or "no reason given"] += 1
    counts = Counter(verdicts.values())
    return Report(passed=counts["passed"], failed=counts["failed"], skips=skips)


def show(report: Report) -> None:
    """What was skipped and how to get it, then one line that sums up."""
    for line in lines_of_skips(report):
        results.print(line, markup=False)
    results.print(f"{report.passed} passed, {report.failed} failed, {report.skipped} skipped", markup=False)


def lines_of_skips(report: Report) -> Iterator[str]:
    for reason, count in sorted(report.skips.items()):
        yield f"skipped {count}: {reason}"
