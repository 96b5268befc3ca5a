"""Requests and responses of the history."""

import uuid
from datetime import datetime
from typing import Final, Literal

from pydantic import Field

from lectern.answers.schemas import AnswerResponse, Mode
from lectern.http.schemas import RequestModel, ResponseModel
from lectern.search.schemas import FilterName

Verdict = Literal["helpful", "wrong"]
OUTDATED: Final = "A document that it cites or shows has another content since: ask again."


class SavedAnswerEntry(ResponseModel):
    """An answer in the list of them."""

    id: uuid.UUID
    question: str
    answer: str
    answer_found: bool
    mode: Mode
    citation_count: int
    is_outdated: bool = Field(description=OUTDATED)
    verdict: Verdict | None
    created_at: datetime


class SavedAnswerResponse(ResponseModel):
    """An answer as it was given."""

    id: uuid.UUID
    is_outdated: bool = Field(description=OUTDATED)
    verdict: Verdict | None
    created_at: datetime
    response: AnswerResponse


class RightHit(RequestModel):
    """The place that answers the question: it becomes a golden query."""

    document: FilterName = Field(description="Id or filename.")
    page_number: int = Field(ge=1)


class Feedback(RequestModel):
    """What you think of an answer."""

    verdict: Verdict | None = Field(description="Null takes it back.")
    right: RightHit | None = Field(
        default=None, description="Where the answer stands; with `helpful` the answer's first citation unless given."
    )


class FeedbackResponse(ResponseModel):
    """What was noted."""

    id: uuid.UUID
    verdict: Verdict | None
    golden_query_id: uuid.UUID | None
