"""Reports of answer evaluations as Markdown (pure)."""

from collections import Counter
from typing import Final

from lectern.evaluation.answer_quality.results import AnswerRun
from lectern.evaluation.reports import abstention_text, measures_table, settings_text

COLUMNS: Final = ("accuracy", "answered", "right_of_answered", "document_cited", "page_cited")


def markdown(run: AnswerRun) -> str:
    """Return the measures as a table with 95 % intervals, then abstention, spread, modes, costs and settings."""
    lines = measures_table(run.summaries, columns=COLUMNS)
    if run.abstention:
        lines += ["", f'"Not in these documents": {abstention_text(run.abstention)}']
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
    lines += ["", settings_text(run.settings)]
    return "\n".join(lines) + "\n"
