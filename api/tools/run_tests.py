"""`./lectern test`: run every test that this machine allows, or the tests of some paths.

Names each reason for skipped tests and ends with one line of counts.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from junit import Report, read_report
from lectern.errors import LecternError, Misconfigured
from lectern.settings import process_environment
from lectern.settings.threads import limit_matrix_threads
from ui_tests import run_ui_path, run_ui_tests

REPOSITORY: Final = Path(__file__).resolve().parents[2]
SERVICES: Final = ("api", "mcp", "clients")
NO_TESTS_COLLECTED: Final = 5
MAX_PROCESSES: Final = 4  # each process has its own Postgres


def main(arguments: Sequence[str]) -> int:
    """Run the tests and return the exit code."""
    parsed, options = parse(arguments)
    limit_matrix_threads()
    try:
        report = _run_paths(parsed.paths, options) if parsed.paths else _run_all(parsed, options)
    except LecternError as error:
        print(f"lectern: {error.message} {error.hint or ''}".rstrip(), file=sys.stderr)
        return 1
    _print_summary(report)
    return int(bool(report.failed or not report.passed or (parsed.no_skips and report.skipped)))


def parse(arguments: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
    """Return our own arguments, and the options for pytest."""
    parsed, options = _parser().parse_known_args(arguments)
    return parsed, [*options, *(["-k", parsed.k] if parsed.k else [])]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="lectern test",
        description="Run every test that this machine allows, or the tests of some paths.",
        epilog="Other options go to pytest, for example -x or --maxfail=3.",
    )
    parser.add_argument("paths", nargs="*", help="files or folders, such as api/tests/search or frontend/src/lib")
    parser.add_argument("-k", metavar="NAME", help="of the Python tests, run those with this name")
    parser.add_argument("--all", action="store_true", help="run the slow tests too")
    parser.add_argument("--no-browser", action="store_true", help="leave out the end-to-end tests of the browser UI")
    parser.add_argument("--no-skips", action="store_true", help="count a skipped test as a failure, as in CI")
    return parser


@dataclass(frozen=True, slots=True)
class Step:
    """A part of the whole run. `run` writes to the given file, or to the terminal."""

    name: str
    run: Callable[[IO[str] | None], Report]


def _run_all(parsed: argparse.Namespace, options: Sequence[str]) -> Report:
    lanes = plan_lanes(is_all=parsed.all, has_browser=not parsed.no_browser, options=options, processors=processors())
    alone = _plan_pytest("alone", is_all=parsed.all, options=options)
    return run_lanes(lanes, is_parallel=processors() > 1) + run_lanes([alone], is_parallel=False)


def plan_lanes(*, is_all: bool, has_browser: bool, options: Sequence[str], processors: int) -> list[list[Step]]:
    """Return two lanes of steps: the API, which takes longest, and all others.

    Tests of the API wait now and then, so one more process than processors runs them. One process runs those of the
    retrievers, because each would install the packages and start an API.
    """

    def plan(processes: int) -> list[Step]:
        spread = ["--numprocesses", str(min(processes, MAX_PROCESSES)), "--dist", "loadfile", "--no-loadscope-reorder"]
        is_spread = min(processes, processors) > 1
        return _plan_pytest("", is_all=is_all, options=[*(spread if is_spread else []), *options])

    browser = Step(
        "browser UI",
        lambda output: run_ui_tests(REPOSITORY, is_all=is_all, has_browser=has_browser, output=output),
    )
    api, mcp, clients = plan(processors + 1)[0], plan(processors)[1], plan(1)[2]
    return [[api], [*_plan_pytest("serial", is_all=is_all, options=options), browser, mcp, clients]]


def _plan_pytest(mark: str, *, is_all: bool, options: Sequence[str]) -> list[Step]:
    """Return a step for each service that has tests with a mark, or without any. Tests with a mark are slow."""
    if mark and not is_all:
        return []
    marked = {service: find_marked_files(REPOSITORY / service, mark) for service in SERVICES if mark}
    files = {service: found for service, found in marked.items() if found}
    marks = select_marks(mark, is_all=is_all)

    def plan(service: str) -> Step:
        arguments = [*files.get(service, []), *options]
        return Step(
            f"{service}, {mark or 'side by side'}",
            lambda output: run_pytest(REPOSITORY / service, marks=marks, arguments=arguments, output=output),
        )

    return [plan(service) for service in SERVICES if files.get(service, not mark)]


def select_marks(mark: str, *, is_all: bool) -> str:
    """Return the expression for `pytest -m`: the tests with a mark, or those without any."""
    return " and ".join([*([] if is_all else ["not slow"]), mark or "not alone and not serial"])


def find_marked_files(folder: Path, mark: str) -> list[str]:
    """Return the files that name a mark. Only they are imported."""
    files = sorted((folder / "tests").rglob("test_*.py"))
    return [str(file.relative_to(folder)) for file in files if f"pytest.mark.{mark}" in file.read_text("utf-8")]


def run_lanes(lanes: Sequence[Sequence[Step]], *, is_parallel: bool) -> Report:
    """Run the steps of each lane one after another. Only the first lane prints at once, the others at the end."""
    started_at = time.monotonic()
    if not is_parallel:
        return sum((_run_lane(lane, None, started_at) for lane in lanes), Report())
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(len(lanes)) as threads:
        logs = [Path(scratch) / str(number) for number in range(1, len(lanes))]
        first, *others = lanes
        later = [threads.submit(_run_lane_into, lane, log, started_at) for lane, log in zip(others, logs, strict=True)]
        try:
            report = _run_lane(first, None, started_at)
            return sum((lane.result() for lane in later), report)
        finally:
            threads.shutdown()
            for log in logs:
                sys.stdout.write(log.read_text(encoding="utf-8", errors="replace"))


def _run_lane_into(lane: Sequence[Step], log: Path, started_at: float) -> Report:
    with log.open("w", encoding="utf-8") as output:
        return _run_lane(lane, output, started_at)


def _run_lane(lane: Sequence[Step], output: IO[str] | None, started_at: float) -> Report:
    report = Report()
    for step in lane:
        minutes = (time.monotonic() - started_at) / 60
        print(f"lectern: after {minutes:.0f} min: {step.name}", file=sys.stderr, flush=True)
        report += step.run(output)
    return report


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


def processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_pytest(folder: Path, *, marks: str, arguments: Sequence[str], output: IO[str] | None = None) -> Report:
    """Run the tests of one service in a process of their own.

    Raises:
        Misconfigured: There are no tests here, or pytest is not installed.
    """
    if not (folder / "tests").is_dir():
        raise Misconfigured(f"There are no tests in {folder}.", hint="They come with a clone of the repository.")
    # Where a container forbids byte code, each of hundreds of processes would compile all modules again.
    environment = {name: value for name, value in process_environment().items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as scratch:
        xml = Path(scratch) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-m", marks, f"--junit-xml={xml}", *arguments]
        code = subprocess.run(  # noqa: S603 - our own tests
            command, cwd=folder, env=environment, stdout=output, stderr=output, check=False
        ).returncode
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
