"""`lectern test`: every test that this machine allows, and what it would take to run the others."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

from lectern.cli.console import notes, results
from lectern.cli.installation import REPOSITORY
from lectern.cli.junit import Report, read_report
from lectern.cli.ui_tests import run_ui_tests
from lectern.errors import Misconfigured
from lectern.settings import process_environment

SERVICES: Final = ("api", "mcp")
NOTHING_COLLECTED: Final = 5
MOST_PROCESSES: Final = 4  # each has a Postgres of its own


def run_tests(
    is_all: Annotated[bool, typer.Option("--all", help="The slow tests too (some take minutes).")] = False,
    is_strict: Annotated[bool, typer.Option("--no-skips", help="A skipped test is a failure, as in CI.")] = False,
    arguments: Annotated[
        list[str] | None, typer.Argument(help="Handed on to pytest, after `--`; the browser UI is left out.")
    ] = None,
) -> None:
    """Run every test that this machine allows, and name what was skipped and how to get it."""
    report = Report()
    for service in SERVICES:
        notes.print(f"lectern: testing {service}")
        for marks, options in runs(is_all=is_all, processors=processors()):
            report += run_pytest(REPOSITORY / service, marks=marks, arguments=[*options, *(arguments or [])])
    if not arguments:
        report += run_ui_tests(REPOSITORY)
    show(report)
    if report.failed or not report.passed or (is_strict and report.skipped):
        raise typer.Exit(1)


def runs(*, is_all: bool, processors: int) -> list[tuple[str, list[str]]]:
    """Which tests to run together, and how: all but those that want the machine for themselves, then these."""
    speed = [] if is_all else ["not slow"]
    beside = ["--numprocesses", str(min(processors, MOST_PROCESSES)), "--dist", "loadfile"] if processors > 1 else []
    return [(" and ".join([*speed, part]), options) for part, options in (("not alone", beside), ("alone", []))]


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


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


def show(report: Report) -> None:
    """What was skipped and how to get it, then one line that sums up."""
    for line in lines_of_skips(report):
        results.print(line, markup=False)
    results.print(f"{report.passed} passed, {report.failed} failed, {report.skipped} skipped", markup=False)


def lines_of_skips(report: Report) -> Iterator[str]:
    for reason, count in sorted(report.skips.items()):
        yield f"skipped {count}: {reason}"
