"""Requests and responses of notes."""

import uuid
from datetime import datetime
from typing import Annotated, Final

from pydantic import Field, StringConstraints

from lectern.http.schemas import MAX_INTEGER, PartialUpdate, RequestModel, ResponseModel

MAX_QUOTE_CHARACTERS: Final = 5_000
NoteText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=10_000)]
_SHARED: Final = "Whether everybody who sees the document sees the note."


class NoteCreate(RequestModel):
    """A note at a range of the document's text, of at most 5,000 characters."""

    char_start: int = Field(ge=0, le=MAX_INTEGER)
    char_end: int = Field(ge=0, le=MAX_INTEGER)
    text: NoteText
    is_shared: bool = Field(default=False, description=_SHARED)


class NoteUpdate(PartialUpdate):
    """Changes to a note. What is left out stays."""

    text: NoteText | None = None
    is_shared: bool | None = Field(default=None, description=_SHARED)


class NoteResponse(ResponseModel):
    """A note. Its range refers to the text of `version`."""

    id: uuid.UUID
    version: int
    is_outdated: bool = Field(description="True if the document has a newer version.")
    author_name: str
    is_mine: bool
    page_number: int
    char_start: int
    char_end: int
    quote: str = Field(description="The words of the document at the range.")
    text: str
    is_shared: bool
    created_at: datetime
    updated_at: datetime


class NoteMatch(NoteResponse):
    """A note with the document that it is in."""

    document_id: uuid.UUID
    document: str = Field(description="The document's title, or else its filename.")


class NoteSearchResponse(ResponseModel):
    """The notes with the most words of the query first, then the last changed."""

    items: list[NoteMatch]
    total: int
