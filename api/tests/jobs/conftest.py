"""A library with documents to work on."""

import uuid
from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database

LIBRARY = uuid.UUID("00000000-0000-4000-8000-000000000001")


@pytest.fixture
def library(engine: AsyncEngine) -> Database:
    return Database(engine)


@pytest.fixture
def add_document(library: Database) -> Callable[[], Awaitable[uuid.UUID]]:
    """Make a document's record, without a job and without an original."""

    async def add() -> uuid.UUID:
        document_id = uuid.uuid4()
        async with library.session(SYSTEM_SCOPE) as session:
            await session.execute(
                text(
                    "INSERT INTO documents (id, collection_id, filename, content_type, size_bytes, sha256)"
                    " VALUES (:id, :collection, 'a.pdf', 'application/pdf', 1, :sha)"
                ),
                {"id": document_id, "collection": LIBRARY, "sha": document_id.hex * 2},
            )
        return document_id

    return add
