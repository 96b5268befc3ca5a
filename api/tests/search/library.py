"""Build documents from given texts and index them like ingestion does."""

import hashlib
import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from lectern.db.lexical_index import index_document
from lectern.documents.models import Chunk, Document, DocumentPage
from lectern.embeddings.generations import Generation
from lectern.embeddings.providers.hash import HashProvider
from lectern.embeddings.service import replace_embeddings
from lectern.extraction.layout.boxes import WordBoxes, pack_boxes
from lectern.tags.models import DocumentTag, Tag

LIBRARY = uuid.UUID("00000000-0000-4000-8000-000000000001")


@dataclass(frozen=True, slots=True)
class Passage:
    """The text, language, heading and content type of a chunk."""

    text: str
    language: str = "en"
    heading: str | None = None
    content_type: str = "text"


def chunk_id(document_id: uuid.UUID, index: int) -> uuid.UUID:
    return uuid.uuid5(document_id, str(index))


@dataclass(frozen=True, slots=True)
class Shelf:
    """The target of documents: a collection and, for semantic search, a model with its table."""

    collection: uuid.UUID = LIBRARY
    provider: HashProvider | None = None
    generation: Generation | None = None


async def store_document(
    session: AsyncSession,
    passages: Sequence[Passage | str],
    *,
    filename: str = "a.pdf",
    title: str | None = None,
    tags: Sequence[str] = (),
    shelf: Shelf | None = None,
) -> uuid.UUID:
    """Store a ready document with one chunk and page per passage. Plain strings are English."""
    shelf = shelf or Shelf()
    document_id = uuid.uuid4()
    parts = [part if isinstance(part, Passage) else Passage(part) for part in passages]
    session.add(_document(document_id, parts, filename=filename, title=title, shelf=shelf))
    await session.flush()
    starts = [sum(len(part.text) + 1 for part in parts[:index]) for index in range(len(parts))]
    session.add_all(_page(document_id, index, part, starts[index]) for index, part in enumerate(parts))
    session.add_all(_chunk(document_id, index, part, starts[index]) for index, part in enumerate(parts))
    await session.flush()
    for name in tags:
        await tag_document(session, document_id, name)
    await index_document(session, document_id)
    if shelf.provider and shelf.generation and parts:
        vectors = await shelf.provider.embed_documents([part.text for part in parts])
        ids = [chunk_id(document_id, index) for index in range(len(parts))]
        await replace_embeddings(
            session, shelf.generation, chunk_ids=ids, window_numbers=[1] * len(ids), vectors=vectors
        )
    return document_id


async def tag_document(session: AsyncSession, document_id: uuid.UUID, name: str) -> uuid.UUID:
    """Add a tag to a document. Create the tag if needed."""
    normalized = name.casefold()
    tag_id = await session.scalar(select(Tag.id).where(Tag.normalized_name == normalized))
    if tag_id is None:
        tag_id = uuid.uuid4()
        session.add(Tag(id=tag_id, name=name, normalized_name=normalized))
        await session.flush()
    session.add(DocumentTag(document_id=document_id, tag_id=tag_id))
    await session.flush()
    return tag_id


def _document(
    document_id: uuid.UUID, parts: Sequence[Passage], *, filename: str, title: str | None, shelf: Shelf
) -> Document:
    return Document(
        id=document_id,
        collection_id=shelf.collection,
        filename=filename,
        title=title,
        content_type="application/pdf",
        size_bytes=1,
        sha256=document_id.hex,
        status="ready",
        page_count=len(parts),
        chunk_count=len(parts),
        embedded_chunk_count=len(parts) if shelf.provider else 0,
        language=parts[0].language if parts else None,
    )


def _page(document_id: uuid.UUID, index: int, part: Passage, char_start: int) -> DocumentPage:
    return DocumentPage(
        document_id=document_id,
        page_number=index + 1,
        kind="text",
        text=part.text,
        char_start=char_start,
        char_count=len(part.text),
        width_points=595,
        height_points=842,
        boxes=_boxes(part.text),
    )


def _boxes(text: str) -> bytes:
    """Place all words on one line, each as wide as its characters."""
    spans = [match.span() for match in re.finditer(r"\S+", text)]
    starts, ends = (np.array(column, np.int64) for column in zip(*spans, strict=True))
    corners = np.stack(
        [starts / len(text), np.full(len(spans), 0.1), ends / len(text), np.full(len(spans), 0.2)], axis=1
    )
    return pack_boxes(WordBoxes(starts=starts, ends=ends, runs=np.zeros(len(spans), np.int64), corners=corners))


def _chunk(document_id: uuid.UUID, index: int, part: Passage, char_start: int) -> Chunk:
    return Chunk(
        id=chunk_id(document_id, index),
        document_id=document_id,
        chunk_index=index,
        section_heading=part.heading,
        section_path=[],
        page_number=index + 1,
        last_page_number=index + 1,
        char_start=char_start,
        char_end=char_start + len(part.text),
        token_count=len(part.text.split()),
        content_type=part.content_type,
        importance=0.5,
        language=part.language,
        content_hash=hashlib.sha256(part.text.encode()).digest(),
        text=part.text,
    )


async def counted(session: AsyncSession) -> dict[tuple[str, str, uuid.UUID], int]:
    """Return the stored counts by (lexeme, language, collection)."""
    rows = await session.execute(
        text(
            "SELECT lexeme, language, collection_id, sum(chunk_count)::bigint FROM"
            " (SELECT * FROM lexeme_stats UNION ALL SELECT * FROM lexeme_deltas) AS every"
            " GROUP BY 1, 2, 3 HAVING sum(chunk_count) <> 0"
        )
    )
    return {(lexeme, language, collection): count for lexeme, language, collection, count in rows}


async def recounted(session: AsyncSession) -> dict[tuple[str, str, uuid.UUID], int]:
    """Return the counts computed from the index by (lexeme, language, collection)."""
    rows = await session.execute(
        text(
            "SELECT lexeme, l.language, collection_id, count(*) FROM chunk_lexical AS l"
            " JOIN documents AS d ON d.id = document_id, unnest(tsvector_to_array(tsv) || ''::text) AS lexeme"
            " GROUP BY 1, 2, 3"
        )
    )
    return {(lexeme, language, collection): count for lexeme, language, collection, count in rows}
