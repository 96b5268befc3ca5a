"""Relevance of hits to a labelled question (pure)."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from lectern.evaluation.sets import LabelledQuestion


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedHit:
    """The parts of a hit that decide its relevance."""

    document: str
    page_number: int
    last_page_number: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RelevanceJudgement:
    """Gains of the hits in order, and what none of them has (see `metrics`).

    `document_rank` counts documents, not hits.
    """

    gains: tuple[int, ...]
    missing: int
    document_rank: int | None


def judge_relevance(question: LabelledQuestion, hits: Sequence[RankedHit]) -> RelevanceJudgement:
    """Judge each hit by the labelled pages that no earlier hit has, or by documents if the label has no pages."""
    wanted = _wanted(question)
    gains: list[int] = []
    for hit in hits:
        new = wanted & _covered(question, hit)
        wanted -= new
        gains.append(1 if new else 0)
    documents = list(dict.fromkeys(hit.document for hit in hits))
    ranks = (rank for rank, document in enumerate(documents, start=1) if is_relevant_document(question, document))
    return RelevanceJudgement(gains=tuple(gains), missing=len(wanted), document_rank=next(ranks, None))


def is_relevant_document(question: LabelledQuestion, document: str) -> bool:
    """Return True if the label of the question names this document."""
    return document in question.documents or PurePosixPath(document).stem in question.documents


def _wanted(question: LabelledQuestion) -> set[int | str]:
    return set(question.pages) or set(question.documents)


def _covered(question: LabelledQuestion, hit: RankedHit) -> set[int | str]:
    if not is_relevant_document(question, hit.document):
        return set()
    if question.pages:
        return set(range(hit.page_number, hit.last_page_number + 1))
    return {hit.document, PurePosixPath(hit.document).stem}
