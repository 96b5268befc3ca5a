"""Documents made of given texts, indexed as ingestion does it, for the tests of this folder."""

import hashlib
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from lectern.documents.index import add_document
from lectern.documents.models import Chunk, Document

LIBRARY = uuid.UUID("00000000-0000-4000-8000-000000000001")


@dataclass(frozen=True, slots=True)
class Passage:
    """What a chunk says, in which language, under which heading."""

    text: str
    language: str = "en"
    heading: str | None = None


def chunk_id(document_id: uuid.UUID, index: int) -> uuid.UUID:
    return uuid.uuid5(document_id, str(index))


async def store_document(
    session: AsyncSession,
    passages: Sequence[Passage | str],
    *,
    filename: str = "a.pdf",
    title: str | None = None,
    collection: uuid.UUID = LIBRARY,
    is_indexed: bool = True,
) -> uuid.UUID:
    """A ready document with one chunk (and page) for each passage; a plain string is an English one."""
    document_id = uuid.uuid4()
    parts = [part if isinstance(part, Passage) else Passage(part) for part in passages]
    session.add(
        Document(
            id=document_id,
            collection_id=collection,
            filename=filename,
            title=title,
            content_type="application/pdf",
            size_bytes=1,
            sha256=document_id.hex,
            status="ready",
            page_count=len(parts),
            chunk_count=len(parts),
            language=parts[0].language if parts else None,
        )
    )
    await session.flush()
    session.add_all(_chunk(document_id, index, part) for index, part in enumerate(parts))
    await session.flush()
    if is_indexed:
        await add_document(session, document_id)
    return document_id


def _chunk(document_id: uuid.UUID, index: int, part: Passage) -> Chunk:
    return Chunk(
        id=chunk_id(document_id, index),
        document_id=document_id,
        chunk_index=index,
        section_heading=part.heading,
        section_path=[],
        page_number=index + 1,
        last_page_number=index + 1,
        char_start=0,
        char_end=len(part.text),
        token_count=len(part.text.split()),
        content_type="text",
        importance=0.5,
        language=part.language,
        content_hash=hashlib.sha256(part.text.encode()).digest(),
        text=part.text,
    )


async def counted(session: AsyncSession) -> dict[tuple[str, str], int]:
    """The counts as a search sees them: (lexeme, language) -> chunks."""
    rows = await session.execute(
        text(
            "SELECT lexeme, language, sum(chunk_count)::bigint FROM"
            " (SELECT * FROM lexeme_stats UNION ALL SELECT * FROM lexeme_deltas) AS every"
            " GROUP BY 1, 2 HAVING sum(chunk_count) <> 0"
        )
    )
    return {(lexeme, language): count for lexeme, language, count in rows}


async def recounted(session: AsyncSession) -> dict[tuple[str, str], int]:
    """The counts as the index itself gives them."""
    rows = await session.execute(
        text(
            "SELECT lexeme, language, count(*) FROM chunk_lexical,"
            " unnest(tsvector_to_array(tsv) || ''::text) AS lexeme GROUP BY 1, 2"
        )
    )
    return {(lexeme, language): count for lexeme, language, count in rows}
