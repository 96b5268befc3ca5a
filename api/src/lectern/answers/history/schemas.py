"""Requests and responses of the answer history and its threads."""

import uuid
from datetime import datetime
from typing import Annotated, Final, Literal

from pydantic import Field, StringConstraints

from lectern.answers.schemas import AnswerResponse, Mode, Outcome
from lectern.http.schemas import MAX_INTEGER, RequestModel, ResponseModel
from lectern.search.schemas import FilterName

Verdict = Literal["helpful", "wrong"]
MAX_TITLE_CHARACTERS = 300
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


class ThreadScope(ResponseModel):
    """Filters of the last question. The next one has them too, unless it gives others."""

    documents: list[str] = Field(default=[], description="Ids or filenames, as they were given.")
    collections: list[str] = Field(default=[], description="Ids or names.")
    tags: list[str] = Field(default=[], description="At least one of these.")
    tags_all: list[str] = Field(default=[], description="Every one of these.")
    tags_none: list[str] = Field(default=[], description="None of these.")
    created_after: datetime | None = None
    created_before: datetime | None = None
    language: str | None = None


class ThreadEntry(ResponseModel):
    """A thread in a list."""

    id: uuid.UUID
    title: str = Field(description="The first question, or the name you gave it.")
    scope: ThreadScope
    answer_count: int
    created_at: datetime
    updated_at: datetime = Field(description="Time of the last question.")


class ThreadResponse(ThreadEntry):
    """A thread with its questions and answers."""

    answers: list[SavedAnswerResponse] = Field(description="Oldest first, at most the last 100.")


class ThreadUpdate(RequestModel):
    """A new title."""

    title: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_TITLE_CHARACTERS)]
