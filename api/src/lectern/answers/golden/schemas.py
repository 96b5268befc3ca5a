"""Requests and responses of golden queries."""

import uuid
from datetime import datetime

from pydantic import Field

from lectern.http.schemas import MAX_INTEGER, RequestModel, ResponseModel
from lectern.search.schemas import FilterName, QueryText


class NewGoldenQuery(RequestModel):
    """A query and the page that answers it."""

    query: QueryText
    document: FilterName = Field(description="Id or filename.")
    page_number: int = Field(ge=1, le=MAX_INTEGER)
    chunk_id: uuid.UUID | None = Field(default=None, description="The chunk on the page; null for the whole page.")


class GoldenRange(ResponseModel):
    """The marked chunk, with its offsets in the document's text."""

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
    is_chunk: bool = Field(default=False, description="True if a chunk was marked, false for a whole page.")
    chunk: GoldenRange | None = Field(
        default=None, description="Null for a whole page, and if the document no longer has the chunk."
    )
    created_by: str
    created_at: datetime
    last_rank: int | None = Field(
        default=None, description="Rank of the page in the last `/evaluations/run`; null if not in the first 20."
    )
    last_asked_at: datetime | None = Field(
        default=None, description="Time of that run; null before the first, and without access to the whole library."
    )
