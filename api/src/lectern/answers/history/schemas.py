"""Requests and responses of the answer history."""

import uuid
from datetime import datetime
from typing import Final, Literal

from pydantic import Field

from lectern.answers.schemas import AnswerResponse, Mode, Outcome
from lectern.http.schemas import MAX_INTEGER, RequestModel, ResponseModel
from lectern.search.schemas import FilterName

Verdict = Literal["helpful", "wrong"]
_OUTDATED: Final = "True if a document it cites has changed since. Ask the question again."


class SavedAnswerEntry(ResponseModel):
    """A saved answer in a list."""

    id: uuid.UUID
    thread_id: uuid.UUID
    question: str
    answer: str
    outcome: Outcome
    answer_found: bool
    mode: Mode
    citation_count: int
    is_outdated: bool = Field(description=_OUTDATED)
    verdict: Verdict | None
    created_at: datetime


class SavedAnswerResponse(ResponseModel):
    """A saved answer."""

    id: uuid.UUID
    is_outdated: bool = Field(description=_OUTDATED)
    verdict: Verdict | None
    created_at: datetime
    response: AnswerResponse


class RightPage(RequestModel):
    """The page that answers the question. It becomes a golden query."""

    document: FilterName = Field(description="Id or filename.")
    page_number: int = Field(ge=1, le=MAX_INTEGER)


class Feedback(RequestModel):
    """Your verdict on an answer."""

    verdict: Verdict | None = Field(description="Null removes the verdict.")
    right: RightPage | None = Field(
        default=None, description="The page with the answer. For `helpful` it defaults to the first citation."
    )


class FeedbackResponse(ResponseModel):
    """The saved verdict."""

    id: uuid.UUID
    verdict: Verdict | None
    golden_query_id: uuid.UUID | None
