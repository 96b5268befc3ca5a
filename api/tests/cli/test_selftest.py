"""`lectern test` sums up what really ran."""

from pathlib import Path

import pytest

from lectern.cli.console import readable
from lectern.cli.selftest import Report, lines_of_skips, run_pytest
from lectern.errors import Misconfigured

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
def service(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_it.py").write_text(TESTS)
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    return tmp_path


def test_a_run_is_counted_by_verdict_and_skips_by_reason(service: Path) -> None:
    report = run_pytest(service, marks="not slow", arguments=[])

    assert (report.passed, report.failed, report.skipped) == (2, 2, 2)
    assert list(lines_of_skips(report)) == ["skipped 2: needs Node: install it"]


def test_all_runs_the_slow_ones_too(service: Path) -> None:
    assert run_pytest(service, marks="", arguments=[]).passed == 3


def test_a_file_that_does_not_load_is_a_failure(service: Path) -> None:
    (service / "tests" / "test_broken.py").write_text("import no_such_module\n")

    assert run_pytest(service, marks="", arguments=[]).failed >= 1


def test_reports_of_services_add_up() -> None:
    total = Report(passed=1, failed=2) + Report(passed=3)

    assert (total.passed, total.failed, total.skipped) == (4, 2, 0)


def test_a_folder_without_tests_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="no tests"):
        run_pytest(tmp_path, marks="", arguments=[])


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("plain text", "plain text"),
        ("{not json", "{not json"),
        ('{"level": "INFO", "logger": "a.b", "message": "Done", "time": "2026", "n": 3}', "INFO a.b Done n=3"),
        ('{"message": "Done", "items": [1, 2], "request_id": "-"}', "Done items=[1, 2]"),
    ],
)
def test_json_events_of_services_are_shown_as_text(line: str, shown: str) -> None:
    assert readable(line) == shown
