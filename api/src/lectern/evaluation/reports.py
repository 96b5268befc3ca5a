"""Reports of runs, as Markdown and SVG (pure)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from statistics import median
from typing import Final

from lectern.evaluation import metrics
from lectern.evaluation.calibration import CalibrationReport
from lectern.evaluation.comparison import RankChange, RunComparison
from lectern.evaluation.results import Abstention, QuestionResult, Run, Summary

COLUMNS: Final = ("recall@1", "recall@5", "recall@20", "mrr", "ndcg@10", "document_first")
_COLORS: Final = ("#1b5e9b", "#b3541e", "#2f7d4f", "#8a3f8f", "#6b6b00", "#b02a4c", "#3a7f8c", "#5a5a5a")
_WIDTH: Final = 640
_HEIGHT: Final = 360
_LEFT: Final = 48
_RIGHT: Final = 200
_TOP: Final = 20
_BOTTOM: Final = 40
_DEPTH: Final = 20


def markdown(run: Run) -> str:
    """Return the measures as a table with 95 % intervals, and the settings."""
    lines = measures_table(run.summaries, columns=COLUMNS)
    if run.abstention:
        lines += ["", f'"Not in these documents" (low confidence): {abstention_text(run.abstention)}']
    lines += ["", settings_text(run.settings)]
    return "\n".join(lines) + "\n"


def measures_table(summaries: Sequence[Summary], *, columns: Sequence[str]) -> list[str]:
    lines = ["| group | questions | " + " | ".join(columns) + " |", "|---|---|" + "---|" * len(columns)]
    for summary in summaries:
        measures = [summary.measures.get(name) for name in columns]
        cells = [f"{one.value:.3f} ({one.low:.3f}-{one.high:.3f})" if one else "-" for one in measures]
        lines.append(f"| {_escape(summary.group)} | {summary.questions} | " + " | ".join(cells) + " |")
    return lines


def abstention_text(abstention: Abstention) -> str:
    """Return precision and recall of abstention."""
    counts = f"{abstention.unanswerable} of {abstention.questions} questions unanswerable"
    return f"{counts}; precision {_share(abstention.precision)}, recall {_share(abstention.recall)}."


def settings_text(settings: Mapping[str, object]) -> str:
    return "Settings: " + ", ".join(f"{name} {value}" for name, value in settings.items()) + "."


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _escape(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def comparison_markdown(comparison: RunComparison) -> str:
    """Return the counts of a comparison and the questions with a changed rank."""
    unmatched = f"; {comparison.unmatched} in one run only" if comparison.unmatched else ""
    lines = [f"{comparison.counts}{unmatched}."]
    for title, changes in (("Improved", comparison.improved), ("Regressed", comparison.regressed)):
        if changes:
            lines += ["", f"{title}:", *map(_change, changes)]
    return "\n".join(lines) + "\n"


def _change(change: RankChange) -> str:
    before, after = (f"rank {rank}" if rank else "not found" for rank in (change.before, change.after))
    return f"- {change.key[0]} {change.key[1]}: {before} -> {after}: {_escape(change.question)}"


@dataclass(frozen=True, slots=True)
class SweepResult:
    """The run of one combination of settings, compared with the current settings."""

    settings: Mapping[str, object]
    run: Run
    comparison: RunComparison


def sweep_markdown(current: Run, tried: Sequence[SweepResult]) -> str:
    """Return a line for the current settings and for each combination, over all questions."""
    names = list(tried[0].settings) if tried else []
    lines = [
        "| " + " | ".join([*names, *COLUMNS, "improved", "regressed"]) + " |",
        "|" + "---|" * (len(names) + len(COLUMNS) + 2),
        _sweep_row([f"{current.settings[name]} (current)" for name in names], current, moved=("", "")),
    ]
    for each in tried:
        moved = (str(len(each.comparison.improved)), str(len(each.comparison.regressed)))
        lines.append(_sweep_row([str(each.settings[name]) for name in names], each.run, moved=moved))
    return "\n".join(lines) + "\n"


def _sweep_row(cells: Sequence[str], run: Run, *, moved: tuple[str, str]) -> str:
    measures = next((summary.measures for summary in run.summaries if summary.group == "all"), None) or {}
    values = [f"{measures[name].value:.3f}" if name in measures else "-" for name in COLUMNS]
    return "| " + " | ".join([*cells, *values, *moved]) + " |"


def time_markdown(before: Run, after: Run) -> str:
    """Return the median search time of both runs."""
    medians = [median(result.took_ms for result in run.questions) for run in (before, after)]
    return f"Median time of a search: {medians[0]:.0f} ms -> {medians[1]:.0f} ms.\n"


def calibration_markdown(report: CalibrationReport) -> str:
    """Return the quality of a calibration and its values."""
    return (
        f"{report.searches} searches, {report.unanswered} of them without an answer.\n"
        f'"Not in these documents" (confidence below 0.5): precision {_share(report.precision)}, recall '
        f"{_share(report.recall)}; squared error {report.loss:.3f}, {report.uncalibrated_loss:.3f} as shipped, "
        f"{report.base_loss:.3f} without confidence (held out: {report.held_out}).\n\n"
        f"Stored for the active model: bias {report.calibration.bias}, slope {report.calibration.slope}.\n"
    )


def plot(run: Run) -> str:
    """Return recall at 1 to 20 of all questions and of each set, as SVG."""
    answerable = [result for result in run.questions if result.is_answerable]
    groups = {"all": answerable}
    sets = sorted({result.set_name for result in answerable})
    if len(sets) > 1:
        groups |= {name: [result for result in answerable if result.set_name == name] for name in sets}
    parts = [_axes()]
    for number, (name, results) in enumerate(groups.items()):
        if results:
            parts.append(_curve(name, results, number))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'font-family="sans-serif" font-size="12"><title>Recall at 1 to {_DEPTH}</title>'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>{"".join(parts)}</svg>\n'
    )


def _x(depth: int) -> float:
    return round(_LEFT + (depth - 1) / (_DEPTH - 1) * (_WIDTH - _LEFT - _RIGHT), 1)


def _y(share: float) -> float:
    return round(_HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM), 1)


def _axes() -> str:
    lines = [
        f'<line x1="{_x(1)}" x2="{_x(_DEPTH)}" y1="{_y(tenth / 10)}" y2="{_y(tenth / 10)}" stroke="#dddddd"/>'
        f'<text x="{_LEFT - 8}" y="{_y(tenth / 10) + 4}" text-anchor="end">{tenth / 10:.1f}</text>'
        for tenth in range(0, 11, 2)
    ]
    lines += [
        f'<text x="{_x(depth)}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle">{depth}</text>'
        for depth in (1, 5, 10, 15, 20)
    ]
    return "".join(lines)


def _curve(name: str, results: Sequence[QuestionResult], number: int) -> str:
    color = _COLORS[number % len(_COLORS)]
    shares = [
        sum(metrics.recall_at(result.gains, depth=depth) for result in results) / len(results)
        for depth in range(1, _DEPTH + 1)
    ]
    points = " ".join(f"{_x(depth)},{_y(share)}" for depth, share in enumerate(shares, start=1))
    height = _TOP + 16 * (number + 1)
    return (
        f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>'
        f'<text x="{_WIDTH - _RIGHT + 12}" y="{height}" fill="{color}">{escape(name)} ({len(results)})</text>'
    )
