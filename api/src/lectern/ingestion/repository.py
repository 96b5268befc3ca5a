"""Pages, chunks, versions and checkpoints of documents in the database."""

import uuid
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Select, delete, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.exc import IntegrityError

from lectern.chunking.types import ChunkedDocument, TextChunk
from lectern.db import lexical_index
from lectern.db.session import Session
from lectern.documents.errors import DocumentAlreadyThere
from lectern.documents.models import Chunk, Document, DocumentPage, DocumentVersion, staged_embeddings
from lectern.extraction.types import ExtractedDocument
from lectern.jobs.models import ACTIVE_STATES, Job, JobCheckpoint

_BATCH_ROWS: Final = 500
# Columns with the name of an attribute of `TextChunk`.
_COPIED_COLUMNS: Final = frozenset(Chunk.__table__.columns.keys()) - {
    "id",
    "document_id",
    "section_path",
    "content_type",
}
_MAX_CHECKPOINT_BYTES: Final = 67_108_864  # a larger result is computed again faster than it is loaded


def chunk_ids(document_id: uuid.UUID, chunks: Sequence[TextChunk]) -> list[uuid.UUID]:
    """Derive the id of each chunk from its document, its content, and the number of equal chunks before it.

    An unchanged chunk keeps its id wherever it moves.
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
    await _replace_page_rows(session, document_id, rows)


async def store_page_ledger(session: Session, document_id: uuid.UUID, pages: Sequence[Mapping[str, Any]]) -> None:
    """Store the page ledger of a file that failed: number, kind and note of each page."""
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
    await _replace_page_rows(session, document_id, rows)


async def _replace_page_rows(session: Session, document_id: uuid.UUID, rows: Sequence[Mapping[str, Any]]) -> None:
    await session.execute(delete(DocumentPage).where(DocumentPage.document_id == document_id))
    for part in _batches(rows):
        await session.execute(insert(DocumentPage), part)


async def replace_chunks(
    session: Session, document_id: uuid.UUID, chunks: Sequence[TextChunk], *, is_renamed: bool = False
) -> list[uuid.UUID]:
    """Replace the chunks of a document. Unchanged chunks keep their embeddings.

    They also keep their lexical index, unless the document was renamed.
    """
    ids = chunk_ids(document_id, chunks)
    old = await _indexed_fields(session, document_id)
    new = {chunk_id: _indexed_fields_of(chunk) for chunk_id, chunk in zip(ids, chunks, strict=True)}
    stale = [chunk_id for chunk_id, fields in old.items() if is_renamed or new.get(chunk_id) != fields]
    await lexical_index.remove_chunks(session, stale)
    removed = [chunk_id for chunk_id in old if chunk_id not in new]
    for part in _batches(removed):
        await session.execute(delete(Chunk).where(Chunk.id.in_(part)))
    if len(removed) < len(old):  # chunks that swap places must not collide on an index
        make_room = update(Chunk).where(Chunk.document_id == document_id).values(chunk_index=-1 - Chunk.chunk_index)
        await session.execute(make_room)
    rows = [_row(chunk_id, document_id, chunk) for chunk_id, chunk in zip(ids, chunks, strict=True)]
    statement = upsert(Chunk)
    mutable = {name: statement.excluded[name] for name in rows[0] if name not in {"id", "document_id"}} if rows else {}
    for part in _batches(rows):
        await session.execute(statement.on_conflict_do_update(index_elements=[Chunk.id], set_=mutable), part)
    await lexical_index.index_missing_chunks(session, document_id)
    return ids


_IndexedFields = tuple[str | None, tuple[str, ...], str]


async def _indexed_fields(session: Session, document_id: uuid.UUID) -> dict[uuid.UUID, _IndexedFields]:
    """Load the fields of each chunk that its lexical index depends on, besides its text."""
    columns = (Chunk.id, Chunk.section_heading, Chunk.section_path, Chunk.language)
    rows = await session.execute(select(*columns).where(Chunk.document_id == document_id))
    return {row.id: (row.section_heading, tuple(row.section_path), row.language) for row in rows}


def _indexed_fields_of(chunk: TextChunk) -> _IndexedFields:
    return chunk.section_heading, tuple(chunk.section_path), chunk.language


async def list_chunk_ids(session: Session, document_id: uuid.UUID) -> set[uuid.UUID]:
    """Load the ids of the stored chunks of a document."""
    return set((await session.execute(select(Chunk.id).where(Chunk.document_id == document_id))).scalars())


def _row(chunk_id: uuid.UUID, document_id: uuid.UUID, chunk: TextChunk) -> dict[str, Any]:
    return {
        **{name: getattr(chunk, name) for name in _COPIED_COLUMNS},
        "id": chunk_id,
        "document_id": document_id,
        "section_path": list(chunk.section_path),
        "content_type": chunk.content_type.value,
    }


async def list_chunks(session: Session, chunk_ids_: Sequence[uuid.UUID]) -> Sequence[Chunk]:
    """Load chunks in reading order."""
    return (
        (await session.execute(select(Chunk).where(Chunk.id.in_(chunk_ids_)).order_by(Chunk.chunk_index)))
        .scalars()
        .all()
    )


async def list_documents(session: Session, document_ids: Collection[uuid.UUID]) -> Sequence[Document]:
    """Load the documents that are in scope."""
    statement = select(Document).where(Document.id.in_(document_ids)).execution_options(populate_existing=True)
    return (await session.execute(statement)).scalars().all()


def documents_outside_trash() -> Select[Any]:
    """Build a subquery of the ids of documents outside the trash."""
    return select(Document.id).where(Document.deleted_at.is_(None))


async def lock_document_of_job(session: Session, job_id: uuid.UUID) -> Document | None:
    """Lock the document of a job until the transaction ends."""
    document_id = select(Job.document_id).where(Job.id == job_id).scalar_subquery()
    statement = select(Document).where(Document.id == document_id).with_for_update(key_share=True)
    return (await session.execute(statement)).scalar_one_or_none()


async def lock_document(session: Session, document_id: uuid.UUID) -> Document | None:
    """Lock a document until the transaction ends."""
    statement = select(Document).where(Document.id == document_id).execution_options(populate_existing=True)
    return (await session.execute(statement.with_for_update(key_share=True))).scalar_one_or_none()


async def find_version(session: Session, document_id: uuid.UUID, number: int) -> DocumentVersion | None:
    wanted = select(DocumentVersion).where(DocumentVersion.document_id == document_id, DocumentVersion.number == number)
    return await session.scalar(wanted.execution_options(populate_existing=True))


async def newest_version(session: Session, document_id: uuid.UUID) -> int:
    """Return the highest version number of a document, 0 without versions."""
    newest = select(func.max(DocumentVersion.number)).where(DocumentVersion.document_id == document_id)
    return await session.scalar(newest) or 0


async def flush_unique_file(session: Session) -> None:
    """Flush the new file of a document. Raises DocumentAlreadyThere if its collection has this file."""
    try:
        async with session.begin_nested():
            await session.flush()
    except IntegrityError as error:
        raise DocumentAlreadyThere from error


async def save_checkpoint(
    session: Session, job_id: uuid.UUID, stage: str, data: bytes, *, is_required: bool = False
) -> None:
    """Replace the checkpoint of a stage. A very large one is skipped unless it is required."""
    if len(data) > _MAX_CHECKPOINT_BYTES and not is_required:
        return
    statement = upsert(JobCheckpoint).values(job_id=job_id, stage=stage, data=data)
    keys = [JobCheckpoint.job_id, JobCheckpoint.stage]
    await session.execute(statement.on_conflict_do_update(index_elements=keys, set_={"data": statement.excluded.data}))


async def find_checkpoint(session: Session, job_id: uuid.UUID, stage: str) -> bytes | None:
    """Load the checkpoint of a stage, or None if there is none."""
    wanted = select(JobCheckpoint.data).where(JobCheckpoint.job_id == job_id, JobCheckpoint.stage == stage)
    return await session.scalar(wanted)


async def delete_checkpoints(session: Session, job_id: uuid.UUID) -> None:
    await session.execute(delete(JobCheckpoint).where(JobCheckpoint.job_id == job_id))


async def delete_work_of_ended_jobs(session: Session) -> None:
    """Delete checkpoints and staged embeddings that no active job owns."""
    active = select(Job.id, Job.document_id).where(Job.state.in_(ACTIVE_STATES)).subquery()
    await session.execute(delete(JobCheckpoint).where(JobCheckpoint.job_id.not_in(select(active.c.id))))
    staged = staged_embeddings.c.document_id.not_in(select(active.c.document_id))
    await session.execute(delete(staged_embeddings).where(staged))


def _batches(rows: Sequence[Any]) -> Iterator[Any]:
    for start in range(0, len(rows), _BATCH_ROWS):
        yield rows[start : start + _BATCH_ROWS]
