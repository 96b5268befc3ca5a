"""Reports of answer evaluations as Markdown (pure)."""

from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import Final

from lectern.evaluation.answer_quality.results import AnswerResult, AnswerRun
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
    lines += _steps_table(run.results)
    lines += ["", settings_text(run.settings)]
    return "\n".join(lines) + "\n"


def _steps_table(results: Sequence[AnswerResult]) -> list[str]:
    """Return the questions that took several steps by type, and the reasons for not calculating."""
    stepwise = [one for one in results if one.route_reason == "unusable_plan" or one.route == "multi_step"]
    if not stepwise:
        return []
    lines = ["", "| type | in several steps | bad plan | calculated | answered | right |", "|---|---|---|---|---|---|"]
    for name in sorted({one.type for one in stepwise}):
        rows = [one for one in stepwise if one.type == name]
        counts = (
            len(rows),
            sum(one.route_reason == "unusable_plan" for one in rows),
            sum(one.is_calculated for one in rows),
            sum(one.verdict is not None for one in rows),
            sum(one.verdict == "right" for one in rows),
        )
        lines.append(f"| {name} | {' | '.join(map(str, counts))} |")
    refusals = Counter(one.refusal for one in stepwise if one.refusal)
    if refusals:
        lines += ["", f"Not calculated: {', '.join(f'{code} {count}' for code, count in sorted(refusals.items()))}."]
    own = [seconds for one in stepwise for seconds in one.step_seconds]
    if own:
        lines += ["", f"Lectern's own time a step, median of {len(own)}: {1000 * median(own):.0f} ms."]
    return lines
