"""Requests and responses of golden queries."""

import uuid
from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from lectern.http.schemas import RequestModel, ResponseModel
from lectern.search.schemas import MAX_QUERY_CHARACTERS, FilterName


class NewGoldenQuery(RequestModel):
    """A query, and the page that answers it: a search hit with a star."""

    query: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_QUERY_CHARACTERS)]
    document: FilterName = Field(description="Id or filename.")
    page_number: int = Field(ge=1)


class GoldenQueryResponse(ResponseModel):
    """A golden query."""

    id: uuid.UUID
    query: str
    document_id: uuid.UUID
    document: str = Field(description="The document's filename.")
    page_number: int
    created_by: str
    created_at: datetime
