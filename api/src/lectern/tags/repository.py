"""Read and change rows of tags. Row-level security limits them to the session's scope."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, delete, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError

from lectern.db.driver import fetch
from lectern.db.session import Session
from lectern.tags.errors import TagNameTaken
from lectern.tags.models import DocumentTag, Tag
from lectern.tags.schemas import clean_name, normalize_name

_COUNTED = """
SELECT * FROM (
    SELECT t.id, t.name, t.normalized_name, t.color, t.description, t.created_at,
        (SELECT count(*) FROM document_tags dt JOIN documents d ON d.id = dt.document_id
         WHERE dt.tag_id = t.id AND d.deleted_at IS NULL) AS document_count
    FROM tags t
) tag
"""
_WANTED = "(CAST(:text AS text) IS NULL OR normalized_name LIKE '%' || :text || '%' ESCAPE '\\')"
_ROWS_AT_ONCE = 5_000
_KEYS = {"name": "normalized_name", "document_count": "document_count", "created_at": "created_at"}
_ONE = text(f"{_COUNTED} WHERE id = :id")
_TOTAL = text(f"SELECT count(*) FROM tags WHERE {_WANTED}")  # noqa: S608 - made of constants
_BY_REFERENCES = """
SELECT id, normalized_name FROM tags
WHERE id = ANY (CAST(:ids AS uuid[])) OR normalized_name = ANY (CAST(:names AS text[]))
"""
_MERGE = text("""
INSERT INTO document_tags (document_id, tag_id)
SELECT DISTINCT document_id, CAST(:target AS uuid) FROM document_tags WHERE tag_id = ANY(:sources)
ON CONFLICT DO NOTHING
RETURNING document_id
""")


async def list_tags(
    session: Session,
    *,
    sort: str,
    matching: str | None,
    after: tuple[Any, uuid.UUID] | None,
    limit: int,
) -> tuple[Sequence[Row[Any]], int]:
    """Return a page of tags with counts, and the total. `sort` with a leading `-` is descending."""
    key, is_descending = _KEYS[sort.lstrip("-")], sort.startswith("-")
    direction, compare = ("DESC", "<") if is_descending else ("ASC", ">")
    position = f"AND ({key}, id) {compare} (:after_key, :after_id)" if after else ""
    query = f"{_COUNTED} WHERE {_WANTED} {position} ORDER BY {key} {direction}, id {direction} LIMIT :limit"
    values: dict[str, Any] = {"text": _escaped(matching), "limit": limit}
    if after:
        values |= {"after_key": after[0], "after_id": after[1]}
    total = (await session.execute(_TOTAL, {"text": values["text"]})).scalar_one()
    return (await session.execute(text(query), values)).all(), total


def _escaped(value: str | None) -> str | None:
    if value is None:
        return None
    return normalize_name(value).replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


async def find(session: Session, tag_id: uuid.UUID) -> Row[Any] | None:
    return (await session.execute(_ONE, {"id": tag_id})).one_or_none()


async def find_by_references(
    session: Session, *, ids: Sequence[uuid.UUID], names: Sequence[str]
) -> list[tuple[uuid.UUID, str]]:
    """Return ids and normalized names of the tags that have one of the ids or names."""
    values = {"ids": ids, "names": [normalize_name(name) for name in names]}
    return [(row["id"], row["normalized_name"]) for row in await fetch(session, _BY_REFERENCES, values)]


async def list_names(session: Session, *, limit: int, ids: Sequence[uuid.UUID] | None = None) -> list[str]:
    query = select(Tag.name).order_by(Tag.normalized_name).limit(limit)
    if ids is not None:
        query = query.where(Tag.id.in_(ids))
    return list((await session.scalars(query)).all())


async def add(session: Session, *, name: str, color: str, description: str) -> uuid.UUID:
    """Add a tag. Raises TagNameTaken."""
    values = {"id": uuid.uuid4(), "name": name, "normalized_name": normalize_name(name)}
    query = insert(Tag).values(**values, color=color, description=description).on_conflict_do_nothing()
    tag_id = (await session.execute(query.returning(Tag.id))).scalar_one_or_none()
    if tag_id is None:
        raise TagNameTaken
    return tag_id


async def get_or_create(session: Session, names: Sequence[str]) -> list[uuid.UUID]:
    """Return ids of tags by name without duplicates. Needs a system session, because tags may be outside the scope."""
    by_name = {normalize_name(name): clean_name(name) for name in reversed(names)}
    # Insert in one order, or two uploads with the same new tags could deadlock.
    rows = [{"id": uuid.uuid4(), "name": by_name[key], "normalized_name": key} for key in sorted(by_name)]
    if rows:
        await session.execute(insert(Tag).on_conflict_do_nothing(), rows)
    ids = {name: tag_id for tag_id, name in await find_by_references(session, ids=[], names=list(by_name))}
    return list(dict.fromkeys(ids[normalize_name(name)] for name in names))


async def change(session: Session, tag_id: uuid.UUID, values: Mapping[str, Any]) -> None:
    """Set columns of a tag. Raises TagNameTaken."""
    changes = dict(values)
    if "name" in changes:
        changes["normalized_name"] = normalize_name(changes["name"])
    try:
        async with session.begin_nested():
            await session.execute(update(Tag).where(Tag.id == tag_id).values(changes))
    except IntegrityError as error:
        raise TagNameTaken from error


async def remove(session: Session, tag_ids: Sequence[uuid.UUID]) -> None:
    await session.execute(delete(Tag).where(Tag.id.in_(tag_ids)))


async def merge(session: Session, *, target_id: uuid.UUID, source_ids: Sequence[uuid.UUID]) -> int:
    """Replace the source tags by the target. Return on how many documents the target is new."""
    moved = (await session.execute(_MERGE, {"target": target_id, "sources": list(source_ids)})).all()
    await remove(session, source_ids)
    return len(moved)


async def count_uses(session: Session, tag_ids: Sequence[uuid.UUID]) -> int:
    """Count the pairs of one of these tags and a document in scope."""
    query = select(func.count()).select_from(DocumentTag).where(DocumentTag.tag_id.in_(tag_ids))
    return await session.scalar(query) or 0


async def list_names_by_document(session: Session, document_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, list[str]]:
    """Return the sorted names of the tags of each document that has tags."""
    query = (
        select(DocumentTag.document_id, Tag.name)
        .join(Tag, Tag.id == DocumentTag.tag_id)
        .where(DocumentTag.document_id.in_(document_ids))
        .order_by(Tag.normalized_name)
    )
    names: dict[uuid.UUID, list[str]] = {}
    for document_id, name in await session.execute(query):
        names.setdefault(document_id, []).append(name)
    return names


async def add_to_documents(
    session: Session, document_ids: Sequence[uuid.UUID], tag_ids: Sequence[uuid.UUID]
) -> set[uuid.UUID]:
    """Add every tag to every document. Return the documents that changed."""
    rows = [{"document_id": document_id, "tag_id": tag_id} for document_id in document_ids for tag_id in tag_ids]
    changed: set[uuid.UUID] = set()
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        query = insert(DocumentTag).values(rows[start : start + _ROWS_AT_ONCE]).on_conflict_do_nothing()
        changed |= set((await session.scalars(query.returning(DocumentTag.document_id))).all())
    return changed


async def remove_from_documents(
    session: Session,
    document_ids: Sequence[uuid.UUID],
    *,
    only: Sequence[uuid.UUID] | None = None,
    except_for: Sequence[uuid.UUID] = (),
) -> set[uuid.UUID]:
    """Remove tags in scope from documents. Return the documents that changed."""
    conditions: list[ColumnElement[bool]] = [DocumentTag.document_id.in_(document_ids)]
    conditions.append(DocumentTag.tag_id.not_in(except_for) if only is None else DocumentTag.tag_id.in_(only))
    query = delete(DocumentTag).where(*conditions).returning(DocumentTag.document_id)
    return set((await session.scalars(query)).all())
