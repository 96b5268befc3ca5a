"""Results of an evaluation: by question, and as measures by set, type and language."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from lectern.evaluation import metrics
from lectern.evaluation.errors import UnreadableRun

DEPTHS: Final = (1, 5, 10, 20)
NDCG_DEPTH: Final = 10


class SavedModel(BaseModel):
    """Base of models that are saved to a file."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class LabelledResult(SavedModel):
    """A result with its question and the labels that it is grouped by."""

    id: str
    set_name: str
    question: str
    type: str
    language: str
    is_answerable: bool


ResultT = TypeVar("ResultT", bound=LabelledResult)


class QuestionResult(LabelledResult):
    """Result of one question. For `gains` and `missing` see `metrics`. `document_rank` counts documents."""

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
        """The rank of the first relevant hit."""
        return metrics.first_rank(self.gains)


class Measure(SavedModel):
    """A mean over questions with its 95 % interval."""

    value: float
    low: float
    high: float


class Summary(SavedModel):
    """The measures of a group of answerable questions."""

    group: str
    questions: int
    measures: dict[str, Measure]


class Abstention(SavedModel):
    """Precision and recall of low confidence as a prediction of "not in these documents"."""

    questions: int
    unanswerable: int
    precision: float | None
    recall: float | None


class Run(SavedModel):
    """An evaluation of search."""

    settings: dict[str, str | int | float | bool]
    questions: list[QuestionResult]
    summaries: list[Summary]
    abstention: Abstention | None


_MEASURES: Final[dict[str, Callable[[QuestionResult], float]]] = {
    **{f"recall@{depth}": lambda result, depth=depth: metrics.recall_at(result.gains, depth=depth) for depth in DEPTHS},
    "mrr": lambda result: metrics.reciprocal_rank(result.gains),
    f"ndcg@{NDCG_DEPTH}": lambda result: metrics.ndcg(result.gains, missing=result.missing, depth=NDCG_DEPTH),
    "document_first": lambda result: float(result.document_rank == 1),
}


def group_results(results: Sequence[ResultT]) -> dict[str, list[ResultT]]:
    """Group answerable questions: all, then by set, type and language where there are several of these."""
    answerable = [result for result in results if result.is_answerable]
    if not answerable:
        return {}
    groups = {"all": answerable}
    for name, label in (("set", "set_name"), ("type", "type"), ("language", "language")):
        values = sorted({str(getattr(result, label)) for result in answerable})
        if len(values) > 1:
            groups |= {
                f"{name} {value}": [one for one in answerable if getattr(one, label) == value] for value in values
            }
    return groups


def summarise(results: Sequence[QuestionResult]) -> list[Summary]:
    """Return the measures of each group of questions."""
    return [
        Summary(
            group=group,
            questions=len(members),
            measures={name: to_measure(map(measure, members)) for name, measure in _MEASURES.items()},
        )
        for group, members in group_results(results).items()
    ]


def to_measure(values: Iterable[float]) -> Measure:
    """Return the mean of values with its interval, rounded."""
    estimate = metrics.estimate(list(values))
    return Measure(value=round(estimate.value, 4), low=round(estimate.low, 4), high=round(estimate.high, 4))


def abstention(results: Sequence[QuestionResult], *, low: float) -> Abstention | None:
    """Measure confidence below `low` as a prediction of unanswerable questions. None if there are none."""
    known = [result for result in results if result.confidence is not None or not any(result.gains)]
    unanswerable = [not result.is_answerable for result in known]
    if not any(unanswerable):
        return None
    predicted = [(result.confidence or 0.0) < low for result in known]
    precision, recall = metrics.precision_and_recall(predicted, unanswerable)
    return Abstention(questions=len(known), unanswerable=sum(unanswerable), precision=precision, recall=recall)


def read_run(path: Path) -> Run:
    """Read a saved run.

    Raises:
        UnreadableRun: The file cannot be read, or is no run.
    """
    try:
        return Run.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnreadableRun(f"{path} cannot be read: {error.strerror}.") from error
    except (UnicodeDecodeError, ValidationError) as error:
        reason = f"{error.error_count()} fields are invalid" if isinstance(error, ValidationError) else str(error)
        raise UnreadableRun(f"{path} cannot be read as a run: {reason}.") from error
