"""Relevance of hits to a labelled question (pure)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Protocol

from lectern.evaluation.sets import Evidence, LabelledQuestion


class Retrieved(Protocol):
    """The parts of a hit or a chunk that decide its relevance."""

    @property
    def document(self) -> str: ...

    @property
    def page_number(self) -> int: ...

    @property
    def last_page_number(self) -> int: ...

    @property
    def char_start(self) -> int: ...

    @property
    def char_end(self) -> int: ...

    @property
    def text(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RelevanceJudgement:
    """Gains of the hits in order, and what none of them has (see `metrics`).

    `document_rank` counts documents, not hits.
    """

    gains: tuple[int, ...]
    missing: int
    document_rank: int | None


def judge_relevance(question: LabelledQuestion, hits: Sequence[Retrieved]) -> RelevanceJudgement:
    """Judge each hit by the labelled places that no earlier hit has, or by documents if the label has no places."""
    wanted = _wanted(question)
    gains: list[int] = []
    for hit in hits:
        new = _covered(wanted, hit)
        wanted -= new
        gains.append(1 if new else 0)
    documents = list(dict.fromkeys(hit.document for hit in hits))
    ranks = (rank for rank, document in enumerate(documents, start=1) if is_relevant_document(question, document))
    return RelevanceJudgement(gains=tuple(gains), missing=len(wanted), document_rank=next(ranks, None))


def has_place(question: LabelledQuestion, hit: Retrieved) -> bool:
    return bool(_covered(_wanted(question), hit))


def is_relevant_document(question: LabelledQuestion, document: str) -> bool:
    """Return True if the label of the question names this document."""
    return document in question.documents or PurePosixPath(document).stem in question.documents


Place = tuple[str, int | tuple[int, int] | str]
"""A document with a page, a character range or a quote of it."""


def _wanted(question: LabelledQuestion) -> set[Place]:
    evidence = question.evidence or [
        Evidence(document=document, pages=question.pages) for document in question.documents
    ]
    return {place for one in evidence for place in _places(one)}


def _places(evidence: Evidence) -> list[Place]:
    if evidence.pages:
        return [(evidence.document, page) for page in evidence.pages]
    return [(evidence.document, evidence.span or evidence.quote)]


def _covered(wanted: set[Place], hit: Retrieved) -> set[Place]:
    names = {hit.document, PurePosixPath(hit.document).stem}
    return {(document, place) for document, place in wanted if document in names and _has(hit, place)}


def _has(hit: Retrieved, place: int | tuple[int, int] | str) -> bool:
    """Return True for a page of the hit, a quote of its text, or a range of which it has at least half."""
    match place:
        case int():
            return hit.page_number <= place <= hit.last_page_number
        case str():
            return _plain(place) in _plain(hit.text)
        case (start, end):
            return 2 * (min(end, hit.char_end) - max(start, hit.char_start)) >= end - start


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())
