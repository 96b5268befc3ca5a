"""Comparison of runs, baselines and reports."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from lectern.evaluation import comparison, reports
from lectern.evaluation.errors import UnknownSetting, UnreadableRun
from lectern.evaluation.results import abstention, read_run, summarise
from lectern.evaluation.search_settings import read_grid, settings_grid
from lectern.settings import SearchSettings

from .factories import result, run


def test_comparison_lists_improved_regressed_and_unchanged() -> None:
    before = run(result("1", 3), result("2", 1), result("3", None), result("4", 2), result("5", 1))
    after = run(result("1", 1), result("2", None), result("3", 9), result("4", 2))

    found = comparison.compare(before, after)

    assert [change.key[1] for change in found.improved] == ["1", "3"]
    assert [change.key[1] for change in found.regressed] == ["2"]
    assert [change.key[1] for change in found.unchanged] == ["4"]
    assert found.unmatched == 1
    markdown = reports.comparison_markdown(found)
    assert "2 improved, 1 regressed, 1 unchanged; 1 in one run only." in markdown
    assert "- set 2: rank 1 -> not found: Question 2?" in markdown


def test_regression_beyond_tolerance_is_listed() -> None:
    baseline = comparison.to_baseline(run(result("1", 1), result("2", 1)).summaries)
    worse = run(result("1", 1), result("2", None)).summaries

    lost = comparison.find_regressions(worse, baseline, tolerance=0.02)

    assert "all: recall@1 fell from 1.000 to 0.500." in lost
    assert comparison.find_regressions(worse, baseline, tolerance=0.5) == []
    assert comparison.find_regressions([], {"all": {"mrr": 0.5}}, tolerance=1) == [
        "all: mrr was 0.500 and is now missing."
    ]


def test_several_sets_are_summarised_separately() -> None:
    groups = [each.group for each in summarise([result("1", 1), result("1", 2, set_name="other")])]

    assert groups == ["all", "set other", "set set"]
    assert summarise([]) == []


def test_low_confidence_predicts_unanswerable() -> None:
    missing = result("3", None, confidence=0.1).model_copy(update={"is_answerable": False})
    overlooked = result("4", None, confidence=0.8).model_copy(update={"is_answerable": False})

    found = abstention([result("1", 1), result("2", 1, confidence=0.2), missing, overlooked], low=0.3)

    assert found is not None
    assert (found.unanswerable, found.precision, found.recall) == (2, 0.5, 0.5)
    assert abstention([result("1", 1)], low=0.3) is None


def test_saved_run_can_be_read(tmp_path: Path) -> None:
    saved = run(result("1", 1))
    path = tmp_path / "run.json"
    path.write_text(saved.model_dump_json(), encoding="utf-8")

    assert read_run(path) == saved
    path.write_text('{"questions": []}', encoding="utf-8")
    with pytest.raises(UnreadableRun, match=r"run\.json"):
        read_run(path)
    with pytest.raises(UnreadableRun, match="baseline"):
        comparison.read_baseline(tmp_path / "none.json")


def test_tables_and_plot_show_every_group() -> None:
    made = run(result("1", 1), result("1", 2, set_name="R&D | papers"))

    assert "| set R&D \\| papers | 1 | 0.000 (0.000-0.000) | 1.000" in reports.markdown(made)
    swept = reports.sweep_markdown(
        made, [reports.SweepResult({"candidates": 100}, made, comparison.compare(made, made))]
    )
    assert "| candidates | recall@1 |" in swept
    assert "| 50 (current) | 0.500 |" in swept
    assert swept.splitlines()[-1].startswith("| 100 | 0.500 |")
    assert swept.splitlines()[-1].endswith("| 0 | 0 |")
    drawn = ET.fromstring(reports.plot(made))
    lines = drawn.findall("{http://www.w3.org/2000/svg}polyline")
    assert len(lines) == 3
    assert all(len((line.get("points") or "").split()) == 20 for line in lines)


def test_sweep_tries_every_combination() -> None:
    grid = read_grid(["candidates=50,100", "synonyms=true"])

    tried = [(each.candidates, each.synonyms) for each in settings_grid(SearchSettings(), grid)]

    assert tried == [(50, True), (100, True)]


@pytest.mark.parametrize("text", ["candidates", "colour=red", "candidates=many", "candidates=0"])
def test_unknown_or_invalid_setting_is_rejected(text: str) -> None:
    with pytest.raises(UnknownSetting):
        list(settings_grid(SearchSettings(), read_grid([text])))
