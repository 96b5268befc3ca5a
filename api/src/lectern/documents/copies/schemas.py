"""Copies as clients see them."""

import uuid
from datetime import datetime

from pydantic import Field

from lectern.documents.schemas import CollectionRef
from lectern.http.schemas import ResponseModel


class CopyResponse(ResponseModel):
    """A document that is the same as another, or nearly."""

    id: uuid.UUID
    filename: str
    title: str | None
    collection: CollectionRef
    created_at: datetime
    is_exact: bool = Field(description="Its file is the same, byte for byte.")
    shared_chunk_count: int = Field(description="Different passages of the document asked about that it has too ...")
    chunk_count: int = Field(description="... of so many.")


class CopiesResponse(ResponseModel):
    """The copies in scope, those of the same file first, then by how much they share."""

    items: list[CopyResponse]
