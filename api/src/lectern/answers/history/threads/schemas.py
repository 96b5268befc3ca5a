"""Requests and responses of threads."""

import uuid
from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from lectern.answers.history.schemas import SavedAnswerResponse
from lectern.http.schemas import RequestModel, ResponseModel

MAX_TITLE_CHARACTERS = 300


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
