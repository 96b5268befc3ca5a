"""`./lectern test`: run every test that this machine allows, or the tests of some paths.

Names each reason for skipped tests and ends with one line of counts.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from junit import Report, read_report
from lectern.errors import LecternError, Misconfigured
from lectern.settings import process_environment
from ui_tests import run_ui_path, run_ui_tests

REPOSITORY: Final = Path(__file__).resolve().parents[2]
SERVICES: Final = ("api", "mcp", "clients")
NO_TESTS_COLLECTED: Final = 5
MAX_PROCESSES: Final = 4  # each process has its own Postgres


def main(arguments: Sequence[str]) -> int:
    """Run the tests and return the exit code."""
    parsed, options = _parser().parse_known_args(arguments)
    try:
        report = _run_paths(parsed.paths, options) if parsed.paths else _run_all(parsed, options)
    except LecternError as error:
        print(f"lectern: {error.message} {error.hint or ''}".rstrip(), file=sys.stderr)
        return 1
    _print_summary(report)
    return int(bool(report.failed or not report.passed or (parsed.no_skips and report.skipped)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="lectern test",
        description="Run every test that this machine allows, or the tests of some paths.",
        epilog="Other options go to pytest, for example -x or -k NAME.",
    )
    parser.add_argument("paths", nargs="*", help="files or folders, such as api/tests/search or frontend/src/lib")
    parser.add_argument("--all", action="store_true", help="run the slow tests too")
    parser.add_argument("--no-browser", action="store_true", help="leave out the end-to-end tests of the browser UI")
    parser.add_argument("--no-skips", action="store_true", help="count a skipped test as a failure, as in CI")
    return parser


def _run_all(parsed: argparse.Namespace, options: Sequence[str]) -> Report:
    report = Report()
    started_at = time.monotonic()
    runs = [(service, *run) for service in SERVICES for run in plan_runs(is_all=parsed.all, processors=processors())]
    for number, (service, marks, flags) in enumerate(runs, start=1):
        _announce(f"{service}, {'one at a time' if not flags else 'side by side'}", number, len(runs) + 1, started_at)
        report += run_pytest(REPOSITORY / service, marks=marks, arguments=[*flags, *options])
    _announce("browser UI", len(runs) + 1, len(runs) + 1, started_at)
    return report + run_ui_tests(REPOSITORY, has_browser=not parsed.no_browser)


def _announce(what: str, number: int, count: int, started_at: float) -> None:
    minutes = (time.monotonic() - started_at) / 60
    print(f"lectern: step {number} of {count}, after {minutes:.0f} min: {what}", file=sys.stderr, flush=True)


def _run_paths(paths: Sequence[str], options: Sequence[str]) -> Report:
    """Run the tests of the paths once, each with the runner of its service."""
    report = Report()
    by_service: dict[str, list[str]] = {}
    for path in paths:
        service, inner = find_service(path, folder=Path.cwd())
        by_service.setdefault(service, []).append(inner)
    for service, inner_paths in by_service.items():
        if service == "frontend":
            report += run_ui_path(REPOSITORY, inner_paths)
        else:
            report += run_pytest(REPOSITORY / service, marks="", arguments=[*inner_paths, *options])
    return report


def find_service(path: str, *, folder: Path) -> tuple[str, str]:
    """Return the service that owns a path, and the path inside it. `FILE::TEST` works too.

    Raises:
        Misconfigured: The path does not exist or belongs to no service.
    """
    file, separator, test = path.partition("::")
    for base in (folder, REPOSITORY):
        resolved = (base / file).resolve()
        if resolved.exists() and resolved.is_relative_to(REPOSITORY):
            parts = resolved.relative_to(REPOSITORY).parts
            if parts and parts[0] in {*SERVICES, "frontend"}:
                return parts[0], str(Path(*parts[1:])) + separator + test
    raise Misconfigured(
        f"There are no tests at {file}.", hint="Name a path below api/tests, mcp/tests, clients/tests or frontend."
    )


def plan_runs(*, is_all: bool, processors: int) -> list[tuple[str, list[str]]]:
    """Return the runs of one service as (marks, options): parallel tests first, then those marked `alone`."""
    speed = [] if is_all else ["not slow"]
    numprocesses = ["--numprocesses", str(min(processors, MAX_PROCESSES))]
    parallel = [*numprocesses, "--dist", "loadfile", "--no-loadscope-reorder"] if processors > 1 else []
    return [(" and ".join([*speed, part]), options) for part, options in (("not alone", parallel), ("alone", []))]


def processors() -> int:
    """Return the number of processors that this process may use."""
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
    is_broken = code not in {0, NO_TESTS_COLLECTED} and not report.failed
    return report + Report(failed=1) if is_broken else report


def _print_summary(report: Report) -> None:
    for line in skip_lines(report):
        print(line)
    print(f"{report.passed} passed, {report.failed} failed, {report.skipped} skipped")


def skip_lines(report: Report) -> Iterator[str]:
    """Yield one line for each reason for skipped tests."""
    for reason, count in sorted(report.skips.items()):
        yield f"skipped {count}: {reason}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
