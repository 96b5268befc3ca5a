"""Read and change rows of documents. Row-level security limits them to the session's scope."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Executable,
    String,
    Text,
    bindparam,
    case,
    cast,
    distinct,
    func,
    or_,
    select,
    text,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import aliased, defer

from lectern.collections.models import Collection
from lectern.db.driver import fetch
from lectern.db.session import Session
from lectern.documents.errors import DocumentAlreadyThere, DocumentNotFound
from lectern.documents.models import Document, DocumentVersion
from lectern.documents.name_match import ALIAS_FIELDS, NamedDocument, get_aliases, parse_descriptions
from lectern.http.pagination import Key
from lectern.tags.models import DocumentTag, Tag

_MAX_COMPARED = 2_000  # documents whose names are compared with a given name
_IS_OWNER = func.coalesce(func.concat("user:", Document.owner_id) == func.lectern_get_actor(), False)
_TITLE = func.lower(func.coalesce(func.nullif(Document.title, ""), Document.filename))
_SOUGHT = func.lower(bindparam("sought", "", String))
_NAMES = [func.lower(name) for name in (Document.title, Document.filename)]
_STEM = func.regexp_replace(func.lower(Document.filename), r"\.[^.]+$", "")
_RANK_STEP = 10**16  # more microseconds than any date has
_NAME_RANK = case(
    (or_(*(name == _SOUGHT for name in (*_NAMES, _STEM))), 0),
    (or_(*(func.starts_with(name, _SOUGHT) for name in _NAMES)), 1),
    else_=2,
)
_MICROSECONDS = cast(func.extract("epoch", Document.created_at) * 1_000_000, BigInteger)
_NAME_MATCH = cast(_NAME_RANK, BigInteger) * _RANK_STEP - _MICROSECONDS
SORTS: dict[str, tuple[Any, type[Key]]] = {
    "created_at": (Document.created_at, datetime),
    "filename": (func.lower(Document.filename), str),
    "title": (_TITLE, str),
    "size_bytes": (Document.size_bytes, int),
    "page_count": (func.coalesce(Document.page_count, 0), int),
    "status": (Document.status, str),
    # Documents outside the trash sort by their arrival.
    "deleted_at": (func.coalesce(Document.deleted_at, Document.created_at), datetime),
    "name_match": (_NAME_MATCH, int),
}

# Runs before every search within documents, therefore on the driver without SQLAlchemy.
_BY_REFERENCES = """
SELECT id, filename FROM documents
WHERE deleted_at IS NULL AND (
    id = ANY (CAST(:ids AS uuid[]))
    OR lower(filename) = ANY (ARRAY(SELECT lower(name) FROM unnest(CAST(:filenames AS text[])) name)))
ORDER BY created_at, id
"""
_ALIASES = """
SELECT id, aliases, ARRAY(SELECT ARRAY[key, value] FROM jsonb_each_text(information)
                          WHERE lower(key) = ANY (CAST(:fields AS text[]))) AS information
FROM documents WHERE id = ANY (CAST(:ids AS uuid[]))
"""
# Of several documents with the same file from different collections one moves. The trash never conflicts.
_MOVE = text("""
UPDATE documents SET collection_id = :target, updated_at = now()
WHERE id = ANY(:ids) AND collection_id <> :target AND (
    deleted_at IS NOT NULL
    OR NOT EXISTS (SELECT FROM documents other
                   WHERE other.sha256 = documents.sha256 AND other.deleted_at IS NULL
                     AND (other.collection_id = :target
                          OR (other.id = ANY(:ids) AND other.collection_id <> documents.collection_id
                              AND (other.created_at, other.id) < (documents.created_at, documents.id)))))
RETURNING id
""")
_RESTORE = text("""
UPDATE documents SET deleted_at = NULL, updated_at = now()
WHERE id IN (SELECT DISTINCT ON (collection_id, sha256) id FROM documents
             WHERE id = ANY(:ids) AND deleted_at IS NOT NULL ORDER BY collection_id, sha256, created_at, id)
  AND NOT EXISTS (SELECT FROM documents there WHERE there.collection_id = documents.collection_id
                  AND there.sha256 = documents.sha256 AND there.deleted_at IS NULL)
RETURNING id
""")
_LOCK_ORIGINAL = text("SELECT pg_advisory_xact_lock(hashtextextended(:sha256, 0))")
_UNFINISHED = text("""
SELECT id FROM documents
WHERE id = ANY(:ids) AND deleted_at IS NULL AND (status IN ('queued', 'processing') OR error_code = 'cancelled')
    AND NOT EXISTS (SELECT FROM jobs WHERE document_id = documents.id AND state IN ('queued', 'running'))
ORDER BY id
""")


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSelection:
    """A document filter with resolved references. None and empty lists match everything."""

    ids: Sequence[uuid.UUID] | None = None
    tags_any: Sequence[uuid.UUID] = ()
    tags_all: Sequence[uuid.UUID] = ()
    tags_none: Sequence[uuid.UUID] = ()
    is_untagged: bool = False
    is_shared_with_me: bool = False
    collections: Sequence[uuid.UUID] = ()
    statuses: Sequence[str] = ()
    content_types: Sequence[str] = ()
    languages: Sequence[str] = ()
    matching: str | None = None
    created_from: datetime | None = None
    created_to: datetime | None = None
    is_deleted: bool | None = False


def _conditions(selection: DocumentSelection) -> list[ColumnElement[bool]]:
    lists: tuple[tuple[Any, Sequence[Any] | None], ...] = (
        (Document.collection_id, selection.collections or None),
        (Document.status, selection.statuses or None),
        (Document.content_type, selection.content_types or None),
        (Document.language, selection.languages or None),
        (Document.id, selection.ids),
    )
    conditions: list[ColumnElement[bool]] = [column.in_(values) for column, values in lists if values is not None]
    if selection.is_shared_with_me:
        conditions.append(Document.id == func.any(func.lectern_get_scope_ids("lectern.granted")))
    if selection.created_from is not None:
        conditions.append(Document.created_at >= selection.created_from)
    if selection.created_to is not None:
        conditions.append(Document.created_at < selection.created_to)
    if selection.is_deleted is not None:
        conditions.append(Document.deleted_at.is_not(None) if selection.is_deleted else Document.deleted_at.is_(None))
    if selection.matching is not None:
        names = (Document.filename, Document.title)
        conditions.append(or_(*(name.icontains(selection.matching, autoescape=True) for name in names)))
    return conditions + _tag_conditions(selection)


def _tag_conditions(selection: DocumentSelection) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if selection.tags_all:  # Tags of the same name count as one.
        names = func.count(distinct(Tag.normalized_name))
        on_document = select(names).select_from(Tag).join(DocumentTag).where(DocumentTag.document_id == Document.id)
        on_document = on_document.where(Tag.id.in_(selection.tags_all)).scalar_subquery()
        conditions.append(on_document == select(names).where(Tag.id.in_(selection.tags_all)).scalar_subquery())
    if selection.tags_any:
        conditions.append(_has_tag(DocumentTag.tag_id.in_(selection.tags_any)))
    if selection.tags_none:
        conditions.append(~_has_tag(DocumentTag.tag_id.in_(selection.tags_none)))
    if selection.is_untagged:
        conditions.append(~_has_tag())
    return conditions


def _has_tag(*conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    return select(DocumentTag.tag_id).where(DocumentTag.document_id == Document.id, *conditions).exists()


class DocumentRow(NamedTuple):
    """A document, the name of its collection, its sort key, and True if the caller owns it."""

    document: Document
    collection_name: str
    sort_key: Any
    is_owner: bool


async def list_documents(
    session: Session,
    selection: DocumentSelection,
    *,
    sort: str,
    after: Sequence[Key] | None,
    limit: int,
) -> list[DocumentRow]:
    """List matching documents after the sort key and id `after`. `sort` with a leading `-` is descending."""
    column, _ = SORTS[sort.lstrip("-")]
    is_descending = sort.startswith("-")
    query = (
        select(Document, Collection.name, column.label("sort_key"), _IS_OWNER)
        .join(Collection, Collection.id == Document.collection_id)
        .options(defer(Document.outline), defer(Document.information))
        .where(*_conditions(selection))
        .limit(limit)
        .execution_options(populate_existing=True)
    )
    keys = (column, Document.id)
    query = query.order_by(*(key.desc() for key in keys) if is_descending else keys)
    if after is not None:
        query = query.where(tuple_(*keys) < tuple(after) if is_descending else tuple_(*keys) > tuple(after))
    rows = await session.execute(query, {"sought": selection.matching or ""})
    return [DocumentRow(*row) for row in rows]


async def count(session: Session, selection: DocumentSelection) -> int:
    query = select(func.count()).select_from(Document).where(*_conditions(selection))
    return await session.scalar(query) or 0


async def newer_versions(session: Session, document_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, DocumentVersion]:
    """Return each document's newest version that is newer than the current one."""
    query = (
        select(DocumentVersion)
        .ext(distinct_on(DocumentVersion.document_id))
        .join(Document, Document.id == DocumentVersion.document_id)
        .where(DocumentVersion.document_id.in_(document_ids), DocumentVersion.number > Document.version)
        .order_by(DocumentVersion.document_id, DocumentVersion.number.desc())
        .execution_options(populate_existing=True)
    )
    return {version.document_id: version for version in await session.scalars(query)}


async def get_document(session: Session, document_id: uuid.UUID) -> Document:
    """Return a document in scope. Raises DocumentNotFound."""
    document = await session.scalar(select(Document).where(Document.id == document_id))
    if document is None:
        raise DocumentNotFound
    return document


async def lock(session: Session, document_id: uuid.UUID) -> Document | None:
    """Lock a document until the transaction ends. Return None if there is none."""
    query = select(Document).where(Document.id == document_id).with_for_update(of=Document, key_share=True)
    return await session.scalar(query.execution_options(populate_existing=True))


async def lock_selected(
    session: Session, selection: DocumentSelection, *, limit: int
) -> list[tuple[uuid.UUID, uuid.UUID]]:
    """Lock the matching documents in the order of their ids. Return their ids and collections."""
    query = (
        select(Document.id, Document.collection_id)
        .where(*_conditions(selection))
        .order_by(Document.id)
        .limit(limit)
        .with_for_update(key_share=True)
    )
    return [(row.id, row.collection_id) for row in await session.execute(query)]


async def find_by_references(
    session: Session, *, ids: Sequence[uuid.UUID], filenames: Sequence[str]
) -> list[tuple[uuid.UUID, str]]:
    """Return ids and filenames of documents outside the trash with one of the ids, or one of the names in any case."""
    values = {"ids": ids, "filenames": filenames}
    return [(row["id"], row["filename"]) for row in await fetch(session, _BY_REFERENCES, values)]


async def find_by_handle(session: Session, handle: str, *, limit: int) -> list[NamedDocument]:
    """Return documents outside the trash with ids that begin with these eight digits."""
    first, last = (uuid.UUID(handle + digit * 24) for digit in "0f")
    where = Document.id.between(first, last), Document.deleted_at.is_(None)
    query = select(Document.id, Document.filename, Document.title).where(*where).order_by(Document.id).limit(limit)
    return [NamedDocument(row.id, row.filename, row.title) for row in await session.execute(query)]


async def list_named_documents(session: Session, words: Sequence[str]) -> list[NamedDocument]:
    """Return documents outside the trash with every word in filename, title or metadata, newest first.

    Words are also found within longer words.
    """
    given = func.array_to_string(Document.aliases, " ")
    columns = (Document.filename, Document.title, cast(Document.information, Text), given)
    where = [or_(*(column.icontains(word, autoescape=True) for column in columns)) for word in words]
    query = (
        select(Document.id, Document.filename, Document.title, Document.aliases, Document.information)
        .where(Document.deleted_at.is_(None), *where)
        .order_by(Document.created_at.desc(), Document.id)
        .limit(_MAX_COMPARED)
    )
    return [
        NamedDocument(
            id=row.id,
            filename=row.filename,
            title=row.title,
            aliases=get_aliases(row.aliases, row.information),
            descriptions=parse_descriptions(row.information),
        )
        for row in await session.execute(query)
    ]


async def list_aliases(session: Session, document_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, list[str]]:
    """Return the aliases of each document. Other metadata of the files stays in the database."""
    values = {"ids": document_ids, "fields": list(ALIAS_FIELDS)}
    rows = await fetch(session, _ALIASES, values)
    return {row["id"]: list(get_aliases(row["aliases"], dict(row["information"]))) for row in rows}


async def list_filenames(session: Session) -> list[str]:
    """List filenames of documents outside the trash, newest first."""
    query = select(Document.filename).where(Document.deleted_at.is_(None))
    return list((await session.scalars(query.order_by(Document.created_at.desc()).limit(_MAX_COMPARED))).all())


async def list_ready_documents(session: Session) -> list[tuple[uuid.UUID, str]]:
    """List ids and filenames of the ready documents in scope."""
    ready = select(Document.id, Document.filename).where(Document.deleted_at.is_(None), Document.status == "ready")
    return [(document_id, filename) for document_id, filename in (await session.execute(ready)).all()]


async def list_copies(session: Session, filenames: Sequence[str]) -> list[tuple[str, str]]:
    """List pairs of filenames with the same content. The second is one of `filenames`; the first is not."""
    original = aliased(Document)
    query = (
        select(Document.filename, original.filename)
        .join(original, original.sha256 == Document.sha256)
        .where(original.filename.in_(filenames), Document.filename.not_in(filenames), Document.deleted_at.is_(None))
        .distinct()
    )
    return [(copy, filename) for copy, filename in (await session.execute(query)).all()]


async def change(session: Session, document_ids: Sequence[uuid.UUID], values: Mapping[str, Any]) -> list[uuid.UUID]:
    """Set columns. Return the ids of the changed documents. Raises DocumentAlreadyThere."""
    query = (
        update(Document)
        .where(Document.id.in_(document_ids))
        .values(**values, updated_at=func.now())
        .returning(Document.id)
        .execution_options(synchronize_session=False)
    )
    return await _change_unique(session, query)


async def move(session: Session, document_ids: Sequence[uuid.UUID], target_id: uuid.UUID) -> list[uuid.UUID]:
    """Move documents to a collection unless it has their file. Return the moved ids. Raises DocumentAlreadyThere."""
    return await _change_unique(session, _MOVE, {"ids": list(document_ids), "target": target_id})


async def restore(session: Session, document_ids: Sequence[uuid.UUID]) -> list[uuid.UUID]:
    """Restore documents unless their collection has their file. Return their ids. Raises DocumentAlreadyThere."""
    return await _change_unique(session, _RESTORE, {"ids": list(document_ids)})


async def _change_unique(
    session: Session, statement: Executable, values: Mapping[str, Any] | None = None
) -> list[uuid.UUID]:
    """Run a statement. Raises DocumentAlreadyThere if the same file is added at the same moment."""
    try:
        async with session.begin_nested():
            return list((await session.execute(statement, values)).scalars())
    except IntegrityError as error:
        raise DocumentAlreadyThere from error


async def find_same_file(
    session: Session, *, collection_id: uuid.UUID, sha256: str, other_than: uuid.UUID
) -> uuid.UUID | None:
    """Find another document of the collection in scope, outside the trash, with this file."""
    wanted = select(Document.id).where(
        Document.collection_id == collection_id,
        Document.sha256 == sha256,
        Document.id != other_than,
        Document.deleted_at.is_(None),
    )
    return await session.scalar(wanted.order_by(Document.created_at, Document.id).limit(1))


async def list_ids(session: Session, selection: DocumentSelection) -> list[uuid.UUID]:
    """Return the ids of the matching documents, oldest first."""
    query = select(Document.id).where(*_conditions(selection)).order_by(Document.created_at, Document.id)
    return list(await session.scalars(query))


async def list_unfinished(session: Session, document_ids: Sequence[uuid.UUID]) -> list[uuid.UUID]:
    """List documents outside the trash that were cancelled or never finished and that have no active job."""
    return list((await session.execute(_UNFINISHED, {"ids": list(document_ids)})).scalars())


async def lock_original(session: Session, sha256: str) -> None:
    """Lock the hash of a file until the transaction ends. Lock several in the order of their hashes."""
    await session.execute(_LOCK_ORIGINAL, {"sha256": sha256})


async def list_holders(session: Session, sha256: str) -> set[uuid.UUID]:
    """Return the documents that have this file in any version."""
    versions = select(DocumentVersion.document_id).where(DocumentVersion.sha256 == sha256)
    query = select(Document.id).where(Document.sha256 == sha256).union(versions)
    return set((await session.execute(query)).scalars())
