"""The sample documents as a library, embedded with the built-in model."""

import asyncio
import json
import uuid
from pathlib import Path
from typing import Any, Final

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncSession

from lectern.chunking.chunker import chunk_document
from lectern.chunking.types import ChunkedDocument, ChunkingOptions
from lectern.db.lexical_index import index_document
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.documents.models import Chunk, Document, DocumentPage
from lectern.embeddings.generations import Generation
from lectern.embeddings.provider import EmbeddingProvider
from lectern.embeddings.service import replace_embeddings
from lectern.embeddings.windows import chunk_windows, window_context
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractedDocument, ExtractionLimits

ROOT: Final = Path(__file__).parents[3] / "test-docs"
LIBRARY: Final = uuid.UUID("00000000-0000-4000-8000-000000000001")
_COPIED: Final = (
    *("chunk_index", "section_heading", "page_number", "last_page_number", "char_start", "char_end", "token_count"),
    *("importance", "language", "content_hash", "text"),
)


async def fill(database: Database, provider: EmbeddingProvider, generation: Generation) -> None:
    """Store every sample document that has text."""
    manifest: dict[str, Any] = json.loads((ROOT / "manifest.json").read_text(encoding="utf-8"))
    for entry in manifest["documents"]:
        if not entry["has_text"]:
            continue
        path = ROOT / entry["file"]
        extracted = extract_document(path, entry["media_type"], limits=ExtractionLimits())
        cut = chunk_document(extracted, options=ChunkingOptions())
        async with database.session(SYSTEM_SCOPE) as session:
            ids = await _store(session, path, entry, extracted=extracted, cut=cut)
            await _embed(session, cut, ids, provider=provider, generation=generation)


async def _store(
    session: AsyncSession, path: Path, entry: dict[str, Any], *, extracted: ExtractedDocument, cut: ChunkedDocument
) -> list[uuid.UUID]:
    document_id = uuid.uuid5(LIBRARY, entry["sha256"])
    document = Document(
        id=document_id,
        collection_id=LIBRARY,
        filename=path.name,
        title=cut.title,
        content_type=entry["media_type"],
        size_bytes=entry["size_bytes"],
        sha256=entry["sha256"],
        language=cut.language,
        status="ready",
        page_count=len(extracted.pages),
        chunk_count=len(cut.chunks),
        embedded_chunk_count=len(cut.chunks),
    )
    session.add(document)
    await session.flush()
    pages = [
        {
            "document_id": document_id,
            "page_number": page.page_number,
            "kind": layout.kind.value,
            "text": page.text,
            "char_start": layout.char_start,
            "char_count": layout.char_end - layout.char_start,
            "width_points": page.width_points,
            "height_points": page.height_points,
            "boxes": page.boxes,
        }
        for page, layout in zip(extracted.pages, cut.pages, strict=True)
    ]
    await session.execute(insert(DocumentPage), pages)
    ids = [uuid.uuid5(document_id, str(chunk.chunk_index)) for chunk in cut.chunks]
    chunks = [
        {name: getattr(chunk, name) for name in _COPIED}
        | {"id": key, "document_id": document_id, "section_path": list(chunk.section_path)}
        | {"content_type": chunk.content_type.value}
        for chunk, key in zip(cut.chunks, ids, strict=True)
    ]
    await session.execute(insert(Chunk), chunks)
    await index_document(session, document_id)
    return ids


async def _embed(
    session: AsyncSession,
    cut: ChunkedDocument,
    ids: list[uuid.UUID],
    *,
    provider: EmbeddingProvider,
    generation: Generation,
) -> None:
    windows = [
        (key, window)
        for chunk, key in zip(cut.chunks, ids, strict=True)
        for window in await asyncio.to_thread(
            chunk_windows,
            chunk.text,
            context=window_context(cut.title, (*chunk.section_path, chunk.section_heading or "")),
            count_tokens=provider.count_tokens,
            max_tokens=provider.info.max_tokens,
        )
    ]
    vectors = await provider.embed_documents([window.text for _, window in windows])
    await replace_embeddings(
        session,
        generation,
        chunk_ids=[key for key, _ in windows],
        window_numbers=[window.window_number for _, window in windows],
        vectors=vectors,
    )
