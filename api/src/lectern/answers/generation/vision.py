"""Asking again with pages as pictures, when an endpoint that sees finds no answer in their text."""

import logging
import time
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass

from lectern.answers.errors import ModelCannotSee, ModelRejected, ModelTimeout, ModelUnavailable, ModelUnreadable
from lectern.answers.generation.page_images import Gathered, Sight
from lectern.answers.generation.writer import Writing
from lectern.answers.questions import Question
from lectern.answers.schemas import (
    AnswerSentence,
    Citation,
    SentPage,
    Usage,
    Vision,
    VisionProblem,
    VisionStatus,
)
from lectern.errors import LecternError
from lectern.search.schemas import Hit

logger = logging.getLogger(__name__)
_FAILURES = (ModelRejected, ModelTimeout, ModelUnavailable, ModelUnreadable)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question, the hits that it may be answered from, and the documents that the request names."""

    question: Question
    hits: Sequence[Hit]
    named: Sequence[str]


async def write(writing: Writing, asked: Asked, *, sight: Sight | None) -> AsyncGenerator[Citation | AnswerSentence]:
    """The sentences that the text supports; where there is none and the endpoint sees, those of a second try.

    What goes wrong in the second try stands in `outcome.vision`: that the text gives no answer is known by then.

    Raises what `Writing.sentences` raises; in the second try only when it has begun to answer.
    """
    if asked.hits:
        async for event in writing.sentences(asked.question.text, asked.hits):
            yield event
    else:
        writing.outcome.reason = "nothing_found"
    if sight is not None and not writing.outcome.sentences:
        async for event in _look(writing, asked, sight=sight):
            yield event


async def _look(writing: Writing, asked: Asked, *, sight: Sight) -> AsyncGenerator[Citation | AnswerSentence]:
    begun, before = time.perf_counter(), writing.outcome.usage
    gathered = await sight.gather(asked.question, asked.hits, named=asked.named, scope=writing.scope)
    status: VisionStatus = "no_pages"
    problem: LecternError | None = None
    if gathered.pictures:
        try:
            async for event in writing.sentences(asked.question.text, asked.hits, pictures=gathered.pictures):
                yield event
            status = "answered" if writing.outcome.sentences else "abstained"
        except _FAILURES as error:
            if writing.outcome.sentences:
                raise
            status, problem = "refused" if isinstance(error, ModelCannotSee) else "failed", error
            logger.warning("Pages could not be shown to the chat endpoint", extra={"code": error.code})
    took_ms = (time.perf_counter() - begun) * 1000
    writing.outcome.vision = _vision(status, gathered, problem, before, writing.outcome.usage, took_ms=took_ms)


def _vision(
    status: VisionStatus,
    gathered: Gathered,
    problem: LecternError | None,
    before: Usage | None,
    after: Usage | None,
    *,
    took_ms: float,
) -> Vision:
    return Vision(
        status=status,
        pages=[
            SentPage(document_id=page.document_id, document=page.document, page_number=page.page_number)
            for page in gathered.pictures
        ],
        skipped_pages=gathered.skipped_pages,
        prompt_tokens=(after.prompt_tokens if after else 0) - (before.prompt_tokens if before else 0),
        completion_tokens=(after.completion_tokens if after else 0) - (before.completion_tokens if before else 0),
        took_ms=round(took_ms, 3),
        problem=problem and VisionProblem(code=problem.code, detail=problem.message, hint=problem.hint),
    )
