"""Reports of answer evaluations as Markdown (pure)."""

from collections import Counter
from typing import Final

from lectern.evaluation.answer_quality.results import AnswerRun
from lectern.evaluation.results import Summary

COLUMNS: Final = ("accuracy", "answered", "right_of_answered", "document_cited", "page_cited")


def markdown(run: AnswerRun) -> str:
    """Return the measures as a table with 95 % intervals, then abstention, spread, modes, costs and settings."""
    lines = ["| group | questions | " + " | ".join(COLUMNS) + " |", "|---|---|" + "---|" * len(COLUMNS)]
    lines += [_row(summary) for summary in run.summaries]
    if run.abstention:
        found = run.abstention
        counts = f"{found.unanswerable} of {found.questions} questions unanswerable"
        shares = f"precision {_share(found.precision)}, recall {_share(found.recall)}"
        lines += ["", f'"Not in these documents": {counts}; {shares}.']
    if run.spread:
        spread = run.spread
        right = f"right {spread.lowest_accuracy:.3f} to {spread.highest_accuracy:.3f}"
        lines += [
            "",
            f"{spread.runs} runs: {right}; {spread.same_verdict:.3f} of the questions have one verdict in all.",
        ]
    modes = Counter(one.mode if one.error is None else one.error for one in run.results)
    mode_counts = ", ".join(f"{mode} {count}" for mode, count in sorted(modes.items()))
    requests, tokens = sum(one.requests for one in run.results), sum(one.tokens for one in run.results)
    lines += ["", f"Modes: {mode_counts}. Chat endpoint: {requests} requests, {tokens} tokens."]
    lines += ["", "Settings: " + ", ".join(f"{name} {value}" for name, value in run.settings.items()) + "."]
    return "\n".join(lines) + "\n"


def _row(summary: Summary) -> str:
    found = [summary.measures.get(name) for name in COLUMNS]
    cells = [f"{one.value:.3f} ({one.low:.3f}-{one.high:.3f})" if one else "-" for one in found]
    return f"| {summary.group.replace('|', '/')} | {summary.questions} | " + " | ".join(cells) + " |"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
