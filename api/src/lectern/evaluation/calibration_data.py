"""Searches with a known outcome, for the calibration of confidence."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from lectern.db.scope import Scope
from lectern.documents.service import list_ready_documents
from lectern.evaluation.calibration import LabelledSearch
from lectern.evaluation.relevance import is_relevant_document
from lectern.evaluation.results import QuestionResult
from lectern.evaluation.runner import SearchEvaluation
from lectern.evaluation.sets import LabelledQuestion
from lectern.search.ranking.confidence import UNCALIBRATED

_ACTOR: Final = "system"


async def run_labelled_searches(
    evaluation: SearchEvaluation, questions: Sequence[LabelledQuestion], *, progress: Callable[[], None] | None = None
) -> list[LabelledSearch]:
    """Search twice for each answerable question: in the whole library, and without the documents that answer it.

    Unanswerable questions, and those about documents that the library does not have, are searched once.
    """
    settings = evaluation.engine.settings
    without_fit = {"confidence_bias": UNCALIBRATED.bias, "confidence_slope": UNCALIBRATED.slope}
    uncalibrated = replace(evaluation, engine=evaluation.engine.with_settings(settings.model_copy(update=without_fit)))
    async with uncalibrated.engine.database.session(uncalibrated.scope) as session:
        documents = await list_ready_documents(session)
    labelled: list[LabelledSearch] = []
    for question in questions:
        labelled += _outcomes((await uncalibrated.run([question])).questions)
        answering = {document_id for document_id, name in documents if is_relevant_document(question, name)}
        if answering:
            without = replace(uncalibrated, scope=_without(documents, answering))
            labelled += _outcomes((await without.run([question])).questions)
        if progress:
            progress()
    return labelled


def _without(documents: Sequence[tuple[uuid.UUID, str]], answering: set[uuid.UUID]) -> Scope:
    return Scope(actor=_ACTOR, documents=frozenset(document_id for document_id, _ in documents) - answering)


def _outcomes(results: Sequence[QuestionResult]) -> list[LabelledSearch]:
    """Label searches. No hits mean confidence 0. Hits without a known confidence are skipped."""
    return [
        LabelledSearch(
            set_name=result.set_name,
            question=result.id,
            confidence=result.confidence or 0.0,
            is_answered=result.is_answerable and any(result.gains),
        )
        for result in results
        if result.confidence is not None or not result.hits
    ]
