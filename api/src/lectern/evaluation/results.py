"""What an evaluation gives: a result for each question, summaries by set, type and language."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from lectern.evaluation import metrics
from lectern.evaluation.errors import UnreadableRun
from lectern.evaluation.metrics import Estimate
from lectern.evaluation.relevance import Judgement

DEPTHS: Final = (1, 5, 10, 20)
NDCG_DEPTH: Final = 10


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class QuestionResult(_Kept):
    """How one question fared. `gains` and `missing`: see `metrics`; `document_rank` counts documents."""

    id: str
    set_name: str
    question: str
    type: str
    language: str
    is_answerable: bool
    documents: list[str]
    pages: list[int]
    gains: list[int]
    missing: int
    document_rank: int | None
    confidence: float | None
    took_ms: float
    hits: list[str]

    @property
    def first_rank(self) -> int | None:
        return metrics.first_rank(self.gains)

    @property
    def judgement(self) -> Judgement:
        return Judgement(gains=tuple(self.gains), missing=self.missing, document_rank=self.document_rank)


class Measure(_Kept):
    """A mean over questions and its 95 % interval."""

    value: float
    low: float
    high: float


class Summary(_Kept):
    """The measures of a group of answerable questions."""

    group: str
    questions: int
    measures: dict[str, Measure]


class Abstention(_Kept):
    """Low confidence read as "not in these documents": of what was said how much was true, and the reverse."""

    questions: int
    unanswerable: int
    precision: float | None
    recall: float | None


class Run(_Kept):
    """A whole evaluation."""

    settings: dict[str, str | int | float | bool]
    questions: list[QuestionResult]
    summaries: list[Summary]
    abstention: Abstention | None


_MEASURES: Final[dict[str, Callable[[QuestionResult], float]]] = {
    **{f"recall@{depth}": lambda result, depth=depth: metrics.found_at(result.gains, depth=depth) for depth in DEPTHS},
    "mrr": lambda result: metrics.reciprocal_rank(result.gains),
    f"ndcg@{NDCG_DEPTH}": lambda result: metrics.ndcg(result.gains, missing=result.missing, depth=NDCG_DEPTH),
    "document_first": lambda result: float(result.document_rank == 1),
}


def summarise(results: Sequence[QuestionResult]) -> list[Summary]:
    """All answerable questions together, then by set, type and language where there are several of these."""
    answerable = [result for result in results if result.is_answerable]
    if not answerable:
        return []
    summaries = [_summary("all", answerable)]
    for name, key in (("set", "set_name"), ("type", "type"), ("language", "language")):
        values = sorted({str(getattr(result, key)) for result in answerable})
        if len(values) > 1:
            summaries.extend(
                _summary(f"{name} {value}", [result for result in answerable if getattr(result, key) == value])
                for value in values
            )
    return summaries


def _summary(group: str, results: Sequence[QuestionResult]) -> Summary:
    measures = {name: _measure(map(worth, results)) for name, worth in _MEASURES.items()}
    return Summary(group=group, questions=len(results), measures=measures)


def _measure(values: Iterable[float]) -> Measure:
    found: Estimate = metrics.estimate(list(values))
    return Measure(value=round(found.value, 4), low=round(found.low, 4), high=round(found.high, 4))


def abstention(results: Sequence[QuestionResult], *, low: float) -> Abstention | None:
    """How well a confidence below `low` tells unanswerable questions; None when the set has none of them."""
    known = [result for result in results if result.confidence is not None or not any(result.gains)]
    unanswerable = [not result.is_answerable for result in known]
    if not any(unanswerable):
        return None
    said = [(result.confidence or 0.0) < low for result in known]
    precision, recall = metrics.precision_and_recall(said, unanswerable)
    return Abstention(questions=len(known), unanswerable=sum(unanswerable), precision=precision, recall=recall)


def read_run(path: Path) -> Run:
    """A saved run.

    Raises:
        UnreadableRun: The file cannot be read or is something else.
    """
    try:
        return Run.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        reason = f"{error.error_count()} fields do not fit" if isinstance(error, ValidationError) else str(error)
        raise UnreadableRun(f"{path} cannot be read as a run: {reason}.") from error
