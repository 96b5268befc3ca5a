"""Requests and responses of golden queries."""

import uuid
from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from lectern.http.schemas import RequestModel, ResponseModel
from lectern.search.schemas import MAX_QUERY_CHARACTERS, FilterName

GoldenText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_QUERY_CHARACTERS)]


class NewGoldenQuery(RequestModel):
    """A query, and the page that answers it: a search hit with a star."""

    query: GoldenText
    document: FilterName = Field(description="Id or filename.")
    page_number: int = Field(ge=1)
    chunk_id: uuid.UUID | None = Field(default=None, description="The passage of the page; null: the page as a whole.")


class GoldenChunk(ResponseModel):
    """Where the document says what was marked. Offsets are in the document's text."""

    chunk_id: uuid.UUID
    char_start: int
    char_end: int


class GoldenQueryResponse(ResponseModel):
    """A golden query."""

    id: uuid.UUID
    query: str
    document_id: uuid.UUID
    document: str = Field(description="The document's filename.")
    page_number: int
    is_chunk: bool = Field(default=False, description="A passage was marked, and not the page as a whole.")
    chunk: GoldenChunk | None = Field(
        default=None, description="Null where the page was marked, and where the document does not say it any more."
    )
    created_by: str
    created_at: datetime
    last_rank: int | None = Field(
        default=None, description="Where `/evaluations/run` found the page last; null: not among the first 20."
    )
    last_asked_at: datetime | None = Field(
        default=None, description="When that was; null: never, or not yours to see (the ranks are of everything)."
    )
