"""Results of an evaluation of answers: by question and run, and as measures (pure)."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Final, Literal

from pydantic import Field

from lectern.evaluation import metrics
from lectern.evaluation.results import Abstention, LabelledResult, SavedModel, Summary, group_results, to_measure

Verdict = Literal["right", "wrong", "unlabelled"]


class AnswerResult(LabelledResult):
    """The answer to one question in one run (from 1).

    `step_seconds` are Lectern's own seconds of each step, without the chat endpoint. `refusal` is the code of a
    calculation that was refused, or the limit that was reached.
    `verdict` is None without an answer, and `unlabelled` if the set has no answer to compare with. `is_document_cited`
    and `is_page_cited` tell if a citation is correct; None without an answer or without a label.
    """

    run: int
    expected: str
    answer: str
    verdict: Verdict | None
    mode: str
    reason: str | None
    is_document_cited: bool | None
    is_page_cited: bool | None
    requests: int
    tokens: int
    took_ms: float
    error: str | None = None
    route: str | None = None
    route_reason: str | None = None
    step_seconds: list[float] = Field(default=[])
    is_calculated: bool = False
    refusal: str | None = None


class Spread(SavedModel):
    """Variation between runs: lowest and highest accuracy, share of questions with the same verdict in all."""

    runs: int
    lowest_accuracy: float
    highest_accuracy: float
    same_verdict: float


class AnswerRun(SavedModel):
    """An evaluation of answers."""

    settings: dict[str, str | int | float | bool | None]
    results: list[AnswerResult]
    summaries: list[Summary]
    abstention: Abstention | None
    spread: Spread | None


_MEASURES: Final[dict[str, Callable[[AnswerResult], bool | None]]] = {
    "accuracy": lambda one: None if one.verdict == "unlabelled" else one.verdict == "right",
    "answered": lambda one: one.verdict is not None,
    "right_of_answered": lambda one: None if one.verdict in {None, "unlabelled"} else one.verdict == "right",
    "document_cited": lambda one: one.is_document_cited,
    "page_cited": lambda one: one.is_page_cited,
}


def conclude(results: Sequence[AnswerResult], *, settings: dict[str, str | int | float | bool | None]) -> AnswerRun:
    """Return the results with their measures."""
    return AnswerRun(
        settings=settings,
        results=list(results),
        summaries=summarise(results),
        abstention=_abstention(results),
        spread=_spread(results),
    )


def summarise(results: Sequence[AnswerResult]) -> list[Summary]:
    """Return the measures of each group of questions."""
    return [_summary(group, members) for group, members in group_results(results).items()]


def _summary(group: str, results: Sequence[AnswerResult]) -> Summary:
    known = {
        name: [float(value) for one in results if (value := measure(one)) is not None]
        for name, measure in _MEASURES.items()
    }
    measures = {name: to_measure(values) for name, values in known.items() if values}
    return Summary(group=group, questions=len({(one.set_name, one.id) for one in results}), measures=measures)


def _abstention(results: Sequence[AnswerResult]) -> Abstention | None:
    given = [one for one in results if one.error is None]
    absent = [not one.is_answerable for one in given]
    if not any(absent):
        return None
    precision, recall = metrics.precision_and_recall([one.verdict is None for one in given], absent)
    return Abstention(questions=len(given), unanswerable=sum(absent), precision=precision, recall=recall)


def _spread(results: Sequence[AnswerResult]) -> Spread | None:
    """Return None for a single run. An unanswerable question counts as right without an answer."""
    runs = sorted({one.run for one in results})
    if len(runs) < 2:  # noqa: PLR2004 - there is nothing to compare
        return None
    verdicts: dict[tuple[str, str], set[str | None]] = defaultdict(set)
    for one in results:
        verdicts[one.set_name, one.id].add(one.verdict)
    shares = [_share_right([one for one in results if one.run == run]) for run in runs]
    same = sum(len(found) == 1 for found in verdicts.values()) / len(verdicts)
    return Spread(
        runs=len(runs), lowest_accuracy=min(shares), highest_accuracy=max(shares), same_verdict=round(same, 4)
    )


def _share_right(results: Sequence[AnswerResult]) -> float:
    right = [
        one.verdict == "right" if one.is_answerable else one.verdict is None and one.error is None for one in results
    ]
    return round(sum(right) / len(right), 4)
