"""Writing what was read: pages, chunks and their lexical index, replaced in the caller's transaction."""

import uuid
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Select, delete, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from lectern.chunking.types import ChunkedDocument, TextChunk
from lectern.db import lexical_index
from lectern.db.session import Session
from lectern.documents.models import Chunk, Document, Page
from lectern.extraction.types import ExtractedDocument, PageKind

_ROWS_AT_ONCE: Final = 500
_MAX_OUTLINE_ENTRIES: Final = 5_000


def chunk_ids(document_id: uuid.UUID, chunks: Sequence[TextChunk]) -> list[uuid.UUID]:
    """The id of each chunk: from its document, its content, and how many equal chunks came before it.

    The same bytes give the same ids, and a chunk that did not change keeps its id wherever it moves.
    """
    seen: Counter[bytes] = Counter()
    ids: list[uuid.UUID] = []
    for chunk in chunks:
        ids.append(uuid.uuid5(document_id, f"{chunk.content_hash.hex()}:{seen[chunk.content_hash]}"))
        seen[chunk.content_hash] += 1
    return ids


async def replace_pages(
    session: Session, document_id: uuid.UUID, extracted: ExtractedDocument, chunked: ChunkedDocument
) -> None:
    """Store the pages and the ledger of a document in place of what was there."""
    await session.execute(delete(Page).where(Page.document_id == document_id))
    rows = [
        {
            "document_id": document_id,
            "page_number": page.page_number,
            "kind": cut.kind.value,
            "text": page.text,
            "char_start": cut.char_start,
            "char_count": len(page.text),
            "chunk_count": cut.chunk_count,
            "language": cut.language,
            "width_points": page.width_points,
            "height_points": page.height_points,
            "boxes": page.boxes,
            "note": page.note,
        }
        for page, cut in zip(extracted.pages, chunked.pages, strict=True)
    ]
    for part in _parts(rows):
        await session.execute(insert(Page), part)


async def store_ledger(session: Session, document_id: uuid.UUID, pages: Sequence[Mapping[str, Any]]) -> None:
    """Store what is known of the pages of a file that failed: number, kind and note."""
    await session.execute(delete(Page).where(Page.document_id == document_id))
    rows = [
        {
            "document_id": document_id,
            "page_number": page["page_number"],
            "kind": str(page["kind"]),
            "text": "",
            "char_start": 0,
            "char_count": 0,
            "width_points": 0.0,
            "height_points": 0.0,
            "boxes": b"",
            "note": page.get("note"),
        }
        for page in pages
    ]
    for part in _parts(rows):
        await session.execute(insert(Page), part)


async def replace_chunks(
    session: Session, document_id: uuid.UUID, chunks: Sequence[TextChunk], *, is_renamed: bool = False
) -> list[uuid.UUID]:
    """Store the chunks of a document: unchanged ones stay as they are, with their embeddings; the others go or come.

    What is indexed of an unchanged chunk stays too, unless the document has another name or title now.
    """
    ids = chunk_ids(document_id, chunks)
    old = await _placings(session, document_id)
    new = {chunk_id: _placing(chunk) for chunk_id, chunk in zip(ids, chunks, strict=True)}
    stale = [chunk_id for chunk_id, placing in old.items() if is_renamed or new.get(chunk_id) != placing]
    await lexical_index.remove_chunks(session, stale)
    gone = [chunk_id for chunk_id in old if chunk_id not in new]
    for part in _parts(gone):
        await session.execute(delete(Chunk).where(Chunk.id.in_(part)))
    if len(gone) < len(old):  # two chunks that change places must not meet on one number
        step_aside = update(Chunk).where(Chunk.document_id == document_id).values(chunk_index=-1 - Chunk.chunk_index)
        await session.execute(step_aside)
    rows = [_row(chunk_id, document_id, chunk) for chunk_id, chunk in zip(ids, chunks, strict=True)]
    statement = upsert(Chunk)
    changeable = (
        {name: statement.excluded[name] for name in rows[0] if name not in {"id", "document_id"}} if rows else {}
    )
    for part in _parts(rows):
        await session.execute(statement.on_conflict_do_update(index_elements=[Chunk.id], set_=changeable), part)
    await lexical_index.index_missing_chunks(session, document_id)
    return ids


_Placing = tuple[str | None, tuple[str, ...], str]


async def _placings(session: Session, document_id: uuid.UUID) -> dict[uuid.UUID, _Placing]:
    """What the index of each chunk was made of, beside its text."""
    columns = (Chunk.id, Chunk.section_heading, Chunk.section_path, Chunk.language)
    rows = await session.execute(select(*columns).where(Chunk.document_id == document_id))
    return {row.id: (row.section_heading, tuple(row.section_path), row.language) for row in rows}


def _placing(chunk: TextChunk) -> _Placing:
    return chunk.section_heading, tuple(chunk.section_path), chunk.language


async def list_chunk_ids(session: Session, document_id: uuid.UUID) -> set[uuid.UUID]:
    """The chunks that are stored of a document."""
    return set((await session.execute(select(Chunk.id).where(Chunk.document_id == document_id))).scalars())


def _row(chunk_id: uuid.UUID, document_id: uuid.UUID, chunk: TextChunk) -> dict[str, Any]:
    return {
        "id": chunk_id,
        "document_id": document_id,
        "chunk_index": chunk.chunk_index,
        "section_heading": chunk.section_heading,
        "section_path": list(chunk.section_path),
        "page_number": chunk.page_number,
        "last_page_number": chunk.last_page_number,
        "char_start": chunk.char_start,
        "char_end": chunk.char_end,
        "token_count": chunk.token_count,
        "content_type": chunk.content_type.value,
        "importance": chunk.importance,
        "language": chunk.language,
        "content_hash": chunk.content_hash,
        "text": chunk.text,
    }


def describe(document: Document, extracted: ExtractedDocument, chunked: ChunkedDocument) -> None:
    """Set what the file says of itself on the document's record; what its uploader said stands."""
    document.title = document.title or chunked.title
    if not document.is_language_given:
        document.language = chunked.language
    document.page_count = len(extracted.pages)
    document.unreadable_page_count = sum(page.kind is PageKind.UNREADABLE for page in extracted.pages)
    document.chunk_count = len(chunked.chunks)
    document.outline = _outline(extracted, chunked)
    document.information = dict(extracted.metadata.information)
    document.page_images = extracted.metadata.page_images.value


def _outline(extracted: ExtractedDocument, chunked: ChunkedDocument) -> list[dict[str, Any]]:
    """The file's own outline; without one, the headings under which its chunks stand."""
    entries = [entry._asdict() for entry in extracted.metadata.outline] or list(_headings(chunked))
    return entries[:_MAX_OUTLINE_ENTRIES]


def _headings(chunked: ChunkedDocument) -> Iterator[dict[str, Any]]:
    before: tuple[str, ...] = ()
    for chunk in chunked.chunks:
        path = (*chunk.section_path, chunk.section_heading) if chunk.section_heading else chunk.section_path
        shared = next((at for at, (old, new) in enumerate(zip(before, path, strict=False)) if old != new), None)
        first_new = min(len(before), len(path)) if shared is None else shared
        for level, title in enumerate(path[first_new:], start=first_new + 1):
            yield {"title": title, "level": level, "page_number": chunk.page_number}
        before = path


async def chunks_to_embed(session: Session, chunk_ids_: Sequence[uuid.UUID]) -> Sequence[Chunk]:
    """These chunks in reading order."""
    return (
        (await session.execute(select(Chunk).where(Chunk.id.in_(chunk_ids_)).order_by(Chunk.chunk_index)))
        .scalars()
        .all()
    )


async def list_documents(session: Session, document_ids: Collection[uuid.UUID]) -> Sequence[Document]:
    """Those of these documents that are in scope."""
    statement = select(Document).where(Document.id.in_(document_ids)).execution_options(populate_existing=True)
    return (await session.execute(statement)).scalars().all()


def documents_outside_trash() -> Select[Any]:
    """The ids of documents that nobody has deleted, as a part of a statement."""
    return select(Document.id).where(Document.deleted_at.is_(None))


def _parts(rows: Sequence[Any]) -> Iterator[Any]:
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        yield rows[start : start + _ROWS_AT_ONCE]
