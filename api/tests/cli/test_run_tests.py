"""`lectern test` sums up the tests that really ran."""

import itertools
import threading
import tomllib
from pathlib import Path
from typing import IO

import pytest
from tests.scheduling import group_of

from junit import Report, read_report
from lectern.cli.console import readable
from lectern.cli.services.ui_build import find_node
from lectern.errors import Misconfigured
from run_tests import (
    REPOSITORY,
    SERVICES,
    Step,
    find_marked_files,
    find_service,
    parse,
    plan_lanes,
    run_lanes,
    run_pytest,
    select_marks,
    skip_lines,
)
from ui_tests import e2e_environment, find_browser, run_ui_tests, run_vitest

ROOT = Path(__file__).parents[3]
TESTS = """
import pytest

def test_good(): pass
def test_good_too(): pass
def test_bad(): assert False

@pytest.fixture
def broken(): raise RuntimeError

def test_with_a_broken_fixture(broken): pass

@pytest.mark.skip(reason="needs Node: install it")
def test_skipped(): pass

@pytest.mark.skip(reason="needs Node: install it")
def test_skipped_too(): pass

@pytest.mark.slow
def test_slow(): pass
"""
SETTINGS = "[tool.pytest.ini_options]\nmarkers = ['slow: takes minutes']\naddopts = '--strict-markers'\n"


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # they take longer to import than these tests
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_it.py").write_text(TESTS)
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    return tmp_path


def test_run_is_counted_by_verdict_and_skips_by_reason(service: Path) -> None:
    report = run_pytest(service, marks="not slow", arguments=[])

    assert (report.passed, report.failed, report.skipped) == (2, 2, 2)
    assert list(skip_lines(report)) == ["skipped 2: needs Node: install it"]


def test_all_includes_slow_tests(service: Path) -> None:
    assert run_pytest(service, marks="", arguments=[]).passed == 3


def test_tests_store_the_byte_code_of_modules(service: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    (service / "tests" / "test_it.py").write_text("import sys\ndef test_it(): assert not sys.dont_write_bytecode\n")

    assert run_pytest(service, marks="", arguments=[]).passed == 1


def test_file_that_fails_to_import_is_a_failure(service: Path) -> None:
    (service / "tests" / "test_broken.py").write_text("import no_such_module\n")

    assert run_pytest(service, marks="", arguments=[]).failed >= 1


def test_reports_of_services_add_up() -> None:
    total = Report(passed=1, failed=2) + Report(passed=3)

    assert (total.passed, total.failed, total.skipped) == (4, 2, 0)


def test_folder_without_tests_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="no tests"):
        run_pytest(tmp_path, marks="", arguments=[])


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("plain text", "plain text"),
        ("{not json", "{not json"),
        ('{"level": "INFO", "logger": "a.b", "message": "Done", "time": "2026", "n": 3}', "INFO a.b Done n=3"),
        ('{"message": "Done", "items": [1, 2], "request_id": "-"}', "Done items=[1, 2]"),
    ],
)
def test_json_events_of_services_are_printed_as_text(line: str, expected: str) -> None:
    assert readable(line) == expected


VITEST_REPORT = """<?xml version="1.0" encoding="UTF-8" ?>
<testsuites name="vitest tests" tests="3" failures="1" errors="0">
    <testsuite name="e2e/uploads.e2e.ts" tests="3" failures="1" errors="0" skipped="1">
        <testcase classname="e2e/uploads.e2e.ts" name="uploading &gt; a file"></testcase>
        <testcase classname="e2e/uploads.e2e.ts" name="uploading &gt; a scan"><failure message="no"/></testcase>
        <testcase classname="e2e/uploads.e2e.ts" name="uploading &gt; a dream"><skipped/></testcase>
    </testsuite>
</testsuites>
"""


def test_vitest_report_is_parsed_like_a_pytest_report(tmp_path: Path) -> None:
    (tmp_path / "report.xml").write_text(VITEST_REPORT)

    report = read_report(tmp_path / "report.xml")

    assert (report.passed, report.failed, report.skipped) == (1, 1, 1)


def test_vitest_run_without_a_report_is_a_failure(tmp_path: Path) -> None:
    node = find_node()
    assert node is not None

    assert run_vitest(tmp_path, node) == Report(failed=1)


def test_nothing_is_tested_without_a_browser_ui(tmp_path: Path) -> None:
    assert run_ui_tests(tmp_path) == Report()


def test_configured_browser_is_used_before_one_on_the_path(tmp_path: Path) -> None:
    chromium = tmp_path / "chromium"
    chromium.write_text("#!/bin/sh\n")
    chromium.chmod(0o755)

    assert find_browser({"LECTERN_CHROMIUM": str(chromium), "PATH": ""}) == chromium
    assert find_browser({"PATH": str(tmp_path)}) == chromium
    assert find_browser({"LECTERN_CHROMIUM": "/nowhere/chromium", "PATH": str(tmp_path)}) is None
    assert find_browser({"PATH": "/nowhere"}) is None


def test_the_headless_shell_is_used_before_chromium(tmp_path: Path) -> None:
    for name in ("chromium", "chromium-headless-shell"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)

    assert find_browser({"PATH": str(tmp_path)}) == tmp_path / "chromium-headless-shell"


def test_all_includes_every_case_of_the_end_to_end_tests() -> None:
    assert "LECTERN_E2E_QUICK" in e2e_environment(Path("chromium"), is_all=False)
    assert "LECTERN_E2E_QUICK" not in e2e_environment(Path("chromium"), is_all=True)


def test_name_of_a_test_is_no_path() -> None:
    parsed, options = parse(["-k", "test_search", "-x"])
    assert (parsed.paths, options) == ([], ["-x", "-k", "test_search"])


@pytest.mark.parametrize("service", SERVICES)
def test_every_service_knows_the_marks_of_the_steps(service: str) -> None:
    configured = tomllib.loads((REPOSITORY / service / "pyproject.toml").read_text())
    markers = configured["tool"]["pytest"]["ini_options"]["markers"]
    assert {"slow", "alone", "serial"} <= {marker.partition(":")[0] for marker in markers}


def test_marked_tests_run_in_steps_of_their_own() -> None:
    assert select_marks("", is_all=False) == "not slow and not alone and not serial"
    assert select_marks("alone", is_all=True) == "alone"
    assert "tests/test_sample_agent.py" in find_marked_files(ROOT / "mcp", "alone")
    assert "tests/cli/test_commands.py" not in find_marked_files(ROOT / "api", "alone")
    first, second = plan_lanes(is_all=True, has_browser=False, options=[], processors=2)
    assert [step.name for step in first] == ["api, side by side"]
    names = ["api, serial", "browser UI", "mcp, side by side", "clients, side by side"]
    assert [step.name for step in second] == names


def test_a_quick_run_plans_no_marked_step_because_those_tests_are_slow() -> None:
    quick = plan_lanes(is_all=False, has_browser=False, options=[], processors=2)
    assert [step.name for step in quick[1]] == ["browser UI", "mcp, side by side", "clients, side by side"]
    for service, mark in itertools.product(SERVICES, ("alone", "serial")):
        for file in find_marked_files(ROOT / service, mark):
            lines = (ROOT / service / file).read_text(encoding="utf-8").splitlines()
            places = [number for number, line in enumerate(lines) if f"pytest.mark.{mark}" in line]
            beside = ["\n".join(lines[max(number - 1, 0) : number + 2]) for number in places]
            assert all("pytest.mark.slow" in text for text in beside), file


def test_lanes_run_at_the_same_time_and_the_first_one_prints_at_once(capfd: pytest.CaptureFixture[str]) -> None:
    met = threading.Barrier(2, timeout=60)

    def step(name: str, *, is_good: bool) -> Step:
        def run(output: IO[str] | None) -> Report:
            met.wait()
            print(name, file=output)
            return Report(passed=int(is_good), failed=int(not is_good))

        return Step(name, run)

    lanes = [[step("one", is_good=True)], [step("two", is_good=False)]]

    assert run_lanes(lanes, is_parallel=True) == Report(passed=1, failed=1)
    assert capfd.readouterr().out == "one\ntwo\n"


def test_a_lane_that_breaks_off_shows_its_output(capfd: pytest.CaptureFixture[str]) -> None:
    def broken(output: IO[str] | None) -> Report:
        print("half", file=output)
        raise Misconfigured("No.")

    with pytest.raises(Misconfigured):
        run_lanes([[], [Step("broken", broken)]], is_parallel=True)
    assert capfd.readouterr().out == "half\n"


def test_path_belongs_to_its_service() -> None:
    assert find_service("api/tests/tags", folder=ROOT) == ("api", "tests/tags")
    assert find_service("tests/conftest.py::test_y", folder=ROOT / "api") == ("api", "tests/conftest.py::test_y")
    assert find_service("frontend/src", folder=ROOT / "api")[0] == "frontend"
    with pytest.raises(Misconfigured, match="no tests at docs/nothing"):
        find_service("docs/nothing", folder=ROOT)


def test_files_that_share_an_expensive_fixture_run_in_one_process() -> None:
    uses = {"installation": "installation: Up", "worlds": "worlds: Worlds"}
    files = {file: file.read_text(encoding="utf-8") for file in (ROOT / "api" / "tests").rglob("test_*.py")}
    for group, argument in uses.items():
        tests = [f"{file.relative_to(ROOT / 'api')}::test" for file, text in files.items() if f"({argument}" in text]
        assert len(tests) > 1
        assert {group_of(test) for test in tests} == {group}
    assert group_of("tests/cli/test_run_tests.py::test_one") == "tests/cli/test_run_tests.py"
