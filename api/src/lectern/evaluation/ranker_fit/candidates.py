"""Collect what the ranker is fitted to: the candidates of labelled questions, with their features and relevance."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lectern.db.scope import SYSTEM_SCOPE
from lectern.documents.errors import UnknownDocument
from lectern.evaluation.relevance import has_place, is_relevant_document
from lectern.evaluation.runner import list_labelled_copies
from lectern.evaluation.sets import LabelledQuestion
from lectern.search.ranking.features import Values, build_features
from lectern.search.schemas import MAX_QUERY_CHARACTERS, SearchRequest
from lectern.search.service import SearchEngine


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledCandidates:
    """The candidates of a question by their ids: features (n, len(FEATURES)), and which have a labelled place (n,)."""

    question: LabelledQuestion
    features: Values
    is_relevant: NDArray[np.bool_]
    is_relevant_document: NDArray[np.bool_]


async def collect_candidates(
    engine: SearchEngine,
    questions: Sequence[LabelledQuestion],
    *,
    is_narrowed: bool = False,
    progress: Callable[[], None] | None = None,
) -> list[LabelledCandidates]:
    """Search for every question, in its documents if `is_narrowed`.

    Questions without candidates, and those that the ranker does not order, are left out.
    """
    copies = await list_labelled_copies(engine, questions, SYSTEM_SCOPE)
    collected: list[LabelledCandidates] = []
    for question in questions:
        one = await _collect(engine, question, copies, is_narrowed=is_narrowed or question.is_about_document)
        collected += [one] if one else []
        if progress:
            progress()
    return collected


async def _collect(
    engine: SearchEngine, question: LabelledQuestion, copies: Mapping[str, str], *, is_narrowed: bool
) -> LabelledCandidates | None:
    documents = sorted(question.documents) if is_narrowed else []
    request = SearchRequest(query=question.text[:MAX_QUERY_CHARACTERS], documents=documents, rectangles=False)
    async with engine.database.session(SYSTEM_SCOPE, is_snapshot=True) as session:
        try:
            found = await engine.find_candidates(session, request, scope=SYSTEM_SCOPE)
        except UnknownDocument:
            return None
    candidates = sorted(found.candidates, key=lambda one: one.chunk_id)
    if not candidates or found.model is None:
        return None
    hits = [
        replace(chunk, document=copies.get(chunk.document, chunk.document))
        for chunk in (found.chunks[one.chunk_id] for one in candidates)
    ]
    return LabelledCandidates(
        question=question,
        features=build_features(candidates, found.query),
        is_relevant=np.array([has_place(question, hit) for hit in hits], bool),
        is_relevant_document=np.array([is_relevant_document(question, hit.document) for hit in hits], bool),
    )
