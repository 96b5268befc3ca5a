"""Rows of tags and where they hang. Row-level security decides what a session sees."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Row, delete, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError

from lectern.db.driver import fetch
from lectern.db.session import Session
from lectern.tags.errors import TagNameTaken
from lectern.tags.models import DocumentTag, Tag
from lectern.tags.names import normalized_name, shown_name

_COUNTED = """
SELECT * FROM (
    SELECT t.id, t.name, t.normalized_name, t.color, t.description, t.created_at,
        (SELECT count(*) FROM document_tags dt JOIN documents d ON d.id = dt.document_id
         WHERE dt.tag_id = t.id AND d.deleted_at IS NULL) AS document_count
    FROM tags t
) tag
"""
_WANTED = "(CAST(:text AS text) IS NULL OR normalized_name LIKE '%' || :text || '%' ESCAPE '\\')"
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


class HangingTag(NamedTuple):
    """A tag as documents show it."""

    id: uuid.UUID
    name: str
    color: str


async def list_tags(
    session: Session,
    *,
    sort: str,
    matching: str | None,
    after: tuple[Any, uuid.UUID] | None,
    limit: int,
) -> tuple[Sequence[Row[Any]], int]:
    """In the order `sort` (`-` before it: backwards), with counts, and how many there are."""
    key, is_descending = _KEYS[sort.lstrip("-")], sort.startswith("-")
    direction, compare = ("DESC", "<") if is_descending else ("ASC", ">")
    place = f"AND ({key}, id) {compare} (:after_key, :after_id)" if after else ""
    query = f"{_COUNTED} WHERE {_WANTED} {place} ORDER BY {key} {direction}, id {direction} LIMIT :limit"
    values: dict[str, Any] = {"text": _escaped(matching), "limit": limit}
    if after:
        values |= {"after_key": after[0], "after_id": after[1]}
    total = (await session.execute(_TOTAL, {"text": values["text"]})).scalar_one()
    return (await session.execute(text(query), values)).all(), total


def _escaped(value: str | None) -> str | None:
    if value is None:
        return None
    return normalized_name(value).replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


async def find(session: Session, tag_id: uuid.UUID) -> Row[Any] | None:
    return (await session.execute(_ONE, {"id": tag_id})).one_or_none()


async def find_by_references(
    session: Session, *, ids: Sequence[uuid.UUID], names: Sequence[str]
) -> list[tuple[uuid.UUID, str]]:
    """Ids and normalized names of those that have one of the ids or one of the names."""
    values = {"ids": ids, "names": [normalized_name(name) for name in names]}
    return [(row["id"], row["normalized_name"]) for row in await fetch(session, _BY_REFERENCES, values)]


async def list_names(session: Session, *, limit: int, ids: Sequence[uuid.UUID] | None = None) -> list[str]:
    query = select(Tag.name).order_by(Tag.normalized_name).limit(limit)
    if ids is not None:
        query = query.where(Tag.id.in_(ids))
    return list((await session.scalars(query)).all())


async def add(session: Session, *, name: str, color: str, description: str) -> uuid.UUID:
    """Raises TagNameTaken."""
    values = {"id": uuid.uuid4(), "name": name, "normalized_name": normalized_name(name)}
    query = insert(Tag).values(**values, color=color, description=description).on_conflict_do_nothing()
    made = (await session.execute(query.returning(Tag.id))).scalar_one_or_none()
    if made is None:
        raise TagNameTaken
    return made


async def get_or_create(session: Session, names: Sequence[str]) -> list[uuid.UUID]:
    """Ids of tags by name, in order and without repetition; in a system session, for tags may exist unseen."""
    by_name = {normalized_name(name): shown_name(name) for name in reversed(names)}
    # in one order, so that two uploads with the same new tags do not wait for each other
    rows = [{"id": uuid.uuid4(), "name": by_name[key], "normalized_name": key} for key in sorted(by_name)]
    if rows:
        await session.execute(insert(Tag).on_conflict_do_nothing(), rows)
    found = {name: tag_id for tag_id, name in await find_by_references(session, ids=[], names=list(by_name))}
    return list(dict.fromkeys(found[normalized_name(name)] for name in names))


async def change(session: Session, tag_id: uuid.UUID, values: Mapping[str, Any]) -> None:
    """Raises TagNameTaken."""
    changes = dict(values)
    if "name" in changes:
        changes["normalized_name"] = normalized_name(changes["name"])
    try:
        async with session.begin_nested():
            await session.execute(update(Tag).where(Tag.id == tag_id).values(changes))
    except IntegrityError as error:
        raise TagNameTaken from error


async def remove(session: Session, tag_ids: Sequence[uuid.UUID]) -> None:
    await session.execute(delete(Tag).where(Tag.id.in_(tag_ids)))


async def merge(session: Session, *, target_id: uuid.UUID, source_ids: Sequence[uuid.UUID]) -> int:
    """Hang the target wherever a source hangs and remove the sources; on how many documents it is new."""
    moved = (await session.execute(_MERGE, {"target": target_id, "sources": list(source_ids)})).all()
    await remove(session, source_ids)
    return len(moved)


async def count_uses(session: Session, tag_ids: Sequence[uuid.UUID]) -> int:
    """On how many documents that the session sees these tags hang, each counted for itself."""
    query = select(func.count()).select_from(DocumentTag).where(DocumentTag.tag_id.in_(tag_ids))
    return await session.scalar(query) or 0


async def tags_by_document(session: Session, document_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, list[HangingTag]]:
    """Id, name and colour of the tags of each document, by name."""
    query = (
        select(DocumentTag.document_id, Tag.id, Tag.name, Tag.color)
        .join(Tag, Tag.id == DocumentTag.tag_id)
        .where(DocumentTag.document_id.in_(document_ids))
        .order_by(Tag.normalized_name)
    )
    found: dict[uuid.UUID, list[HangingTag]] = {}
    for document_id, tag_id, name, color in await session.execute(query):
        found.setdefault(document_id, []).append(HangingTag(tag_id, name, color))
    return found
