"""Rows of documents. Row-level security decides what a session sees and changes."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Text, cast, delete, exists, func, or_, select, text, tuple_, update
from sqlalchemy.dialects.postgresql import distinct_on, insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import defer

from lectern.collections.models import Collection
from lectern.db.driver import fetch
from lectern.db.session import Session
from lectern.documents.errors import DocumentAlreadyThere
from lectern.documents.models import Document, DocumentVersion
from lectern.documents.naming import NamedDocument, aliases_of
from lectern.documents.selection import DocumentSelection, conditions
from lectern.http.pagination import Key
from lectern.jobs.models import Job
from lectern.tags.models import DocumentTag

_TITLE = func.lower(func.coalesce(func.nullif(Document.title, ""), Document.filename))
SORTS: dict[str, tuple[Any, type[Key]]] = {
    "created_at": (Document.created_at, datetime),
    "filename": (func.lower(Document.filename), str),
    "title": (_TITLE, str),
    "size_bytes": (Document.size_bytes, int),
    "page_count": (func.coalesce(Document.page_count, 0), int),
    "status": (Document.status, str),
    # what is not in the trash has no such moment: it comes in the order of its arrival
    "deleted_at": (func.coalesce(Document.deleted_at, Document.created_at), datetime),
}


# Asked before every search within documents: by the driver, as the search itself.
_BY_REFERENCES = """
SELECT id, lower(filename) AS filename FROM documents
WHERE deleted_at IS NULL AND (id = ANY (CAST(:ids AS uuid[])) OR lower(filename) = ANY (CAST(:filenames AS text[])))
ORDER BY created_at, id
"""
# Of several with the same bytes one moves; what is in the trash does not clash with anything.
_MOVE = text("""
UPDATE documents SET collection_id = :target, updated_at = now()
WHERE id = ANY(:ids) AND collection_id <> :target AND (
    deleted_at IS NOT NULL
    OR (id IN (SELECT DISTINCT ON (sha256) id FROM documents
               WHERE id = ANY(:ids) AND deleted_at IS NULL ORDER BY sha256, created_at, id)
        AND NOT EXISTS (SELECT FROM documents there WHERE there.collection_id = :target
                        AND there.sha256 = documents.sha256 AND there.deleted_at IS NULL)))
RETURNING id
""")
_LOCK_ORIGINAL = text("SELECT pg_advisory_xact_lock(hashtextextended(:sha256, 0))")
_UNFINISHED = text("""
SELECT id FROM documents
WHERE id = ANY(:ids) AND deleted_at IS NULL AND (status IN ('queued', 'processing') OR error_code = 'cancelled')
    AND NOT EXISTS (SELECT FROM jobs WHERE document_id = documents.id AND state IN ('queued', 'running'))
ORDER BY id
""")


class DocumentRow(NamedTuple):
    """A document, the name of its collection, and its key in the order asked for."""

    document: Document
    collection_name: str
    sort_key: Any


async def list_documents(
    session: Session,
    selection: DocumentSelection,
    *,
    sort: str,
    after: Sequence[Key] | None,
    limit: int,
) -> list[DocumentRow]:
    """In the order `sort` (`-` before it: backwards), after a place in it."""
    column, _ = SORTS[sort.lstrip("-")]
    is_descending = sort.startswith("-")
    query = (
        select(Document, Collection.name, column.label("sort_key"))
        .join(Collection, Collection.id == Document.collection_id)
        .options(defer(Document.outline), defer(Document.information))
        .where(*conditions(selection))
        .limit(limit)
        .execution_options(populate_existing=True)
    )
    keys = (column, Document.id)
    query = query.order_by(*(key.desc() for key in keys) if is_descending else keys)
    if after is not None:
        place = tuple_(column, Document.id)
        query = query.where(place < tuple(after) if is_descending else place > tuple(after))
    return [DocumentRow(*row) for row in (await session.execute(query)).all()]


async def count(session: Session, selection: DocumentSelection) -> int:
    query = select(func.count()).select_from(Document).where(*conditions(selection))
    return await session.scalar(query) or 0


async def latest_jobs(session: Session, document_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, Job]:
    """The newest job of each document."""
    query = (
        select(Job)
        .ext(distinct_on(Job.document_id))
        .where(Job.document_id.in_(document_ids))
        .order_by(Job.document_id, Job.created_at.desc())
        .execution_options(populate_existing=True)
    )
    return {job.document_id: job for job in await session.scalars(query)}


async def newer_versions(session: Session, document_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, DocumentVersion]:
    """The newest version of each document that has one beyond the current one."""
    query = (
        select(DocumentVersion)
        .ext(distinct_on(DocumentVersion.document_id))
        .join(Document, Document.id == DocumentVersion.document_id)
        .where(DocumentVersion.document_id.in_(document_ids), DocumentVersion.number > Document.version)
        .order_by(DocumentVersion.document_id, DocumentVersion.number.desc())
        .execution_options(populate_existing=True)
    )
    return {version.document_id: version for version in await session.scalars(query)}


async def lock(session: Session, document_id: uuid.UUID) -> Document | None:
    """A document that nobody else changes until the transaction ends."""
    query = select(Document).where(Document.id == document_id).with_for_update(of=Document, key_share=True)
    return await session.scalar(query.execution_options(populate_existing=True))


async def lock_selected(
    session: Session, selection: DocumentSelection, *, limit: int
) -> list[tuple[uuid.UUID, uuid.UUID]]:
    """Ids of matching documents and of their collections; locked in one order, so that bulk actions do not cross."""
    query = (
        select(Document.id, Document.collection_id)
        .where(*conditions(selection))
        .order_by(Document.id)
        .limit(limit)
        .with_for_update(key_share=True)
    )
    return [(row.id, row.collection_id) for row in await session.execute(query)]


async def find_by_references(
    session: Session, *, ids: Sequence[uuid.UUID], filenames: Sequence[str]
) -> list[tuple[uuid.UUID, str]]:
    """Ids and lower-case filenames of documents outside the trash with one of the ids or filenames."""
    values = {"ids": ids, "filenames": [name.lower() for name in filenames]}
    return [(row["id"], row["filename"]) for row in await fetch(session, _BY_REFERENCES, values)]


async def list_named(session: Session, words: Sequence[str], *, limit: int) -> list[NamedDocument]:
    """Documents outside the trash in whose filename, title or information every word stands, the newest first."""
    where = [
        or_(
            func.lower(Document.filename).contains(word, autoescape=True),
            func.lower(Document.title).contains(word, autoescape=True),
            func.lower(cast(Document.information, Text)).contains(word, autoescape=True),
        )
        for word in words
    ]
    query = (
        select(Document.id, Document.filename, Document.title, Document.information)
        .where(Document.deleted_at.is_(None), *where)
        .order_by(Document.created_at.desc(), Document.id)
        .limit(limit)
    )
    return [
        NamedDocument(row.id, row.filename, row.title, aliases_of(row.information))
        for row in await session.execute(query)
    ]


async def list_filenames(session: Session, *, limit: int) -> list[str]:
    """The newest first."""
    query = select(Document.filename).where(Document.deleted_at.is_(None))
    return list((await session.scalars(query.order_by(Document.created_at.desc()).limit(limit))).all())


async def list_ready(session: Session) -> list[tuple[uuid.UUID, str]]:
    """Ids and filenames of documents that can be found, without the trash."""
    ready = select(Document.id, Document.filename).where(Document.deleted_at.is_(None), Document.status == "ready")
    return [(document_id, filename) for document_id, filename in (await session.execute(ready)).all()]


async def change(session: Session, document_ids: Sequence[uuid.UUID], values: Mapping[str, Any]) -> list[uuid.UUID]:
    """Set columns; ids of those that were changed. Raises DocumentAlreadyThere."""
    query = (
        update(Document)
        .where(Document.id.in_(document_ids))
        .values(**values, updated_at=func.now())
        .returning(Document.id)
        .execution_options(synchronize_session=False)
    )
    try:
        async with session.begin_nested():
            return list((await session.scalars(query)).all())
    except IntegrityError as error:
        raise DocumentAlreadyThere from error


async def move(session: Session, document_ids: Sequence[uuid.UUID], target_id: uuid.UUID) -> list[uuid.UUID]:
    """Ids of those that moved: not those that are there, nor those whose file is. Raises DocumentAlreadyThere."""
    try:
        async with session.begin_nested():
            return list((await session.execute(_MOVE, {"ids": list(document_ids), "target": target_id})).scalars())
    except IntegrityError as error:  # the file is there, out of the session's sight
        raise DocumentAlreadyThere from error


async def list_ids(session: Session, collection_id: uuid.UUID) -> list[uuid.UUID]:
    """Every document of a collection, the trash included."""
    return list((await session.scalars(select(Document.id).where(Document.collection_id == collection_id))).all())


async def list_unfinished(session: Session, document_ids: Sequence[uuid.UUID]) -> list[uuid.UUID]:
    """Those in the library whose reading was ended before its end and that no job is working on."""
    return list((await session.execute(_UNFINISHED, {"ids": list(document_ids)})).scalars())


async def add_tags(session: Session, document_ids: Sequence[uuid.UUID], tag_ids: Sequence[uuid.UUID]) -> set[uuid.UUID]:
    """Hang every tag on every document; the documents on which one was new."""
    rows = [{"document_id": document_id, "tag_id": tag_id} for document_id in document_ids for tag_id in tag_ids]
    changed: set[uuid.UUID] = set()
    for start in range(0, len(rows), 5_000):
        query = insert(DocumentTag).values(rows[start : start + 5_000]).on_conflict_do_nothing()
        changed |= set((await session.scalars(query.returning(DocumentTag.document_id))).all())
    return changed


async def remove_tags(
    session: Session, document_ids: Sequence[uuid.UUID], wanted: ColumnElement[bool]
) -> set[uuid.UUID]:
    """Take tags off; the documents that had one."""
    query = delete(DocumentTag).where(DocumentTag.document_id.in_(document_ids), wanted)
    return set((await session.scalars(query.returning(DocumentTag.document_id))).all())


async def remove_these_tags(
    session: Session, document_ids: Sequence[uuid.UUID], tag_ids: Sequence[uuid.UUID]
) -> set[uuid.UUID]:
    return await remove_tags(session, document_ids, DocumentTag.tag_id.in_(tag_ids))


async def remove_other_tags(
    session: Session, document_ids: Sequence[uuid.UUID], tag_ids: Sequence[uuid.UUID]
) -> set[uuid.UUID]:
    """Take off what the session sees beside these."""
    return await remove_tags(session, document_ids, DocumentTag.tag_id.not_in(tag_ids))


async def lock_original(session: Session, sha256: str) -> None:
    """Lock the hash of an original until the transaction ends. Lock several in the order of their hashes."""
    await session.execute(_LOCK_ORIGINAL, {"sha256": sha256})


async def is_original_referenced(session: Session, sha256: str) -> bool:
    """Return true if any version of a document has this original."""
    references = or_(exists().where(Document.sha256 == sha256), exists().where(DocumentVersion.sha256 == sha256))
    return bool(await session.scalar(select(references)))
