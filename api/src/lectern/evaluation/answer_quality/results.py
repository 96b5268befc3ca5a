"""What an evaluation of answers gives: a result for each question and run, measures by group (pure)."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict

from lectern.evaluation import metrics
from lectern.evaluation.results import Abstention, Measure, Summary

Verdict = Literal["right", "wrong", "unlabelled"]


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class AnswerResult(_Kept):
    """How one question was answered in one run (from 1).

    `verdict` is None where nothing was answered; `unlabelled` where the set says no answer to compare with.
    `is_document_cited`, `is_page_cited`: a citation is of the labelled document, on a labelled page; None where the set
    names none or nothing was answered.
    """

    run: int
    id: str
    set_name: str
    question: str
    type: str
    language: str
    is_answerable: bool
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


class Spread(_Kept):
    """What differs from run to run: accuracy of the worst and the best, share of questions judged alike in all."""

    runs: int
    lowest_accuracy: float
    highest_accuracy: float
    same_verdict: float


class AnswerRun(_Kept):
    """A whole evaluation."""

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
    """All measures of the results."""
    return AnswerRun(
        settings=settings,
        results=list(results),
        summaries=summarise(results),
        abstention=_abstention(results),
        spread=_spread(results),
    )


def summarise(results: Sequence[AnswerResult]) -> list[Summary]:
    """All answerable questions, then by set, type and language where there are several of these."""
    answerable = [one for one in results if one.is_answerable]
    if not answerable:
        return []
    summaries = [_summary("all", answerable)]
    for name, key in (("set", "set_name"), ("type", "type"), ("language", "language")):
        groups: dict[str, list[AnswerResult]] = defaultdict(list)
        for one in answerable:
            groups[str(getattr(one, key))].append(one)
        if len(groups) > 1:
            summaries += [_summary(f"{name} {value}", groups[value]) for value in sorted(groups)]
    return summaries


def _summary(group: str, results: Sequence[AnswerResult]) -> Summary:
    measures: dict[str, Measure] = {}
    for name, worth in _MEASURES.items():
        known = [float(value) for one in results if (value := worth(one)) is not None]
        if known:
            found = metrics.estimate(known)
            measures[name] = Measure(value=round(found.value, 4), low=round(found.low, 4), high=round(found.high, 4))
    return Summary(group=group, questions=len({(one.set_name, one.id) for one in results}), measures=measures)


def _abstention(results: Sequence[AnswerResult]) -> Abstention | None:
    given = [one for one in results if one.error is None]
    absent = [not one.is_answerable for one in given]
    if not any(absent):
        return None
    precision, recall = metrics.precision_and_recall([one.verdict is None for one in given], absent)
    return Abstention(questions=len(given), unanswerable=sum(absent), precision=precision, recall=recall)


def _spread(results: Sequence[AnswerResult]) -> Spread | None:
    """None for a single run. An unanswerable question is right when it is not answered."""
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
