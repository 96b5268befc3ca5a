"""Searches of known outcome: every question in the library as it is, and in one without what answers it."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from lectern.db.scope import Scope
from lectern.documents.service import list_ready_documents
from lectern.evaluation.calibration import Judged
from lectern.evaluation.relevance import is_labelled
from lectern.evaluation.results import QuestionResult
from lectern.evaluation.runner import Evaluation
from lectern.evaluation.sets import LabelledQuestion
from lectern.search.ranking.confidence import UNCALIBRATED

_ACTOR: Final = "system"


async def judged_searches(
    evaluation: Evaluation, questions: Sequence[LabelledQuestion], *, progress: Callable[[], None] | None = None
) -> list[Judged]:
    """Two searches for each question that can be answered, one for each that cannot.

    The second leaves out of sight the documents that answer: what "not in these documents" must be said of. Questions
    about documents that the library does not have count once, as unanswered.
    """
    settings = evaluation.engine.settings
    as_measured = {"confidence_bias": UNCALIBRATED.bias, "confidence_slope": UNCALIBRATED.slope}
    asking = replace(evaluation, engine=evaluation.engine.with_settings(settings.model_copy(update=as_measured)))
    async with asking.engine.database.session(asking.scope) as session:
        documents = await list_ready_documents(session)
    judged: list[Judged] = []
    for question in questions:
        judged += _outcome((await asking.run([question])).questions)
        answering = {document_id for document_id, name in documents if is_labelled(question, name)}
        if answering:
            blinded = replace(asking, scope=_without(documents, answering))
            judged += _outcome((await blinded.run([question])).questions)
        if progress:
            progress()
    return judged


def _without(documents: Sequence[tuple[uuid.UUID, str]], answering: set[uuid.UUID]) -> Scope:
    return Scope(actor=_ACTOR, documents=frozenset(document_id for document_id, _ in documents) - answering)


def _outcome(results: Sequence[QuestionResult]) -> list[Judged]:
    """Nothing found is confidence 0; hits under a model whose confidence is not known say nothing."""
    return [
        Judged(
            set_name=result.set_name,
            question=result.id,
            confidence=result.confidence or 0.0,
            is_answered=result.is_answerable and any(result.gains),
        )
        for result in results
        if result.confidence is not None or not result.hits
    ]
