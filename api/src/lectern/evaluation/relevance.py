"""Hits held against what a question is labelled with (pure)."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from lectern.evaluation.sets import LabelledQuestion


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedHit:
    """A hit as far as it is judged."""

    document: str
    page_number: int
    last_page_number: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """`gains` of the hits in their order, `missing` what none of them brought (see `metrics`)."""

    gains: tuple[int, ...]
    missing: int
    document_rank: int | None


def judge(question: LabelledQuestion, hits: Sequence[RankedHit]) -> Judgement:
    """What each hit brings for the first time: a page of the evidence, or a relevant document where no pages are given.

    `document_rank` counts documents, not hits: the right one is first when the first hit is of it.
    """
    wanted = _wanted(question)
    gains: list[int] = []
    for hit in hits:
        brought = wanted & _brings(question, hit)
        wanted -= brought
        gains.append(1 if brought else 0)
    documents = list(dict.fromkeys(hit.document for hit in hits))
    ranks = (rank for rank, document in enumerate(documents, start=1) if is_labelled(question, document))
    return Judgement(gains=tuple(gains), missing=len(wanted), document_rank=next(ranks, None))


def is_labelled(question: LabelledQuestion, document: str) -> bool:
    """Whether a document is one that answers the question."""
    return document in question.documents or PurePosixPath(document).stem in question.documents


def _wanted(question: LabelledQuestion) -> set[int | str]:
    return set(question.pages) or set(question.documents)


def _brings(question: LabelledQuestion, hit: RankedHit) -> set[int | str]:
    if not is_labelled(question, hit.document):
        return set()
    if question.pages:
        return set(range(hit.page_number, hit.last_page_number + 1))
    return {hit.document, PurePosixPath(hit.document).stem}
