"""Read and change rows of tags. Row-level security limits them to the session's scope."""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, case, delete, exists, select, text, update
from sqlalchemy.dialects.postgresql import distinct_on, insert

from lectern.db.driver import fetch
from lectern.db.session import Session
from lectern.names import clean_name
from lectern.tags.models import DocumentTag, Tag
from lectern.tags.schemas import normalize_name

_COUNTED = """
SELECT * FROM (
    SELECT t.id, t.name, t.normalized_name, t.color, t.description, t.created_at,
        coalesce('user:' || t.owner_id = lectern_get_actor(), false) AS is_owner,
        (SELECT count(*) FROM document_tags dt JOIN documents d ON d.id = dt.document_id
         WHERE dt.tag_id = t.id AND d.deleted_at IS NULL) AS document_count
    FROM tags t
) tag
"""
_WANTED = "(CAST(:text AS text) IS NULL OR normalized_name LIKE '%' || :text || '%' ESCAPE '\\')"
_ROWS_AT_ONCE = 5_000
KEYS = {"name": "normalized_name", "document_count": "document_count", "created_at": "created_at"}
_ONE = text(f"{_COUNTED} WHERE id = :id")
_TOTAL = text(f"SELECT count(*) FROM tags WHERE {_WANTED}")  # noqa: S608 - made of constants
_REFERRED = "(id = ANY (CAST(:ids AS uuid[])) OR normalized_name = ANY (CAST(:names AS text[])))"
_BY_REFERENCES = f"SELECT id, normalized_name FROM tags WHERE {_REFERRED}"  # noqa: S608 - made of constants
# Of tags with the same name, that of the same collections is first. Otherwise its description could reach others.
_TO_ATTACH = f"""
SELECT id, normalized_name FROM tags WHERE {_REFERRED} AND lectern_lock_tag(id)
ORDER BY EXISTS (SELECT FROM document_tags dt JOIN documents d ON d.id = dt.document_id
                 WHERE dt.tag_id = tags.id AND d.collection_id = ANY (CAST(:collections AS uuid[]))) DESC,
         created_at, id
"""  # noqa: S608 - made of constants
_LOCK_NAMES = text(
    "SELECT pg_advisory_xact_lock(hashtextextended(name, 7263510448)) FROM unnest(CAST(:names AS text[])) name"
)
_IS_FIXED = text("""
SELECT EXISTS (SELECT FROM document_tags dt JOIN documents d ON d.id = dt.document_id
               WHERE dt.tag_id = ANY(:ids) AND d.collection_id <> ALL(:writable))
""")
# Runs as the system role with the settings of the caller: the function lists the documents in the caller's scope.
_HIDDEN = "tag_id = :id AND document_id NOT IN (SELECT lectern_list_documents_in_scope())"
_LOCK = text("SELECT id FROM tags WHERE id = ANY(:ids) ORDER BY id FOR UPDATE")
_COPY = text(f"""
INSERT INTO tags (id, name, normalized_name, color, description, created_at, created_by, owner_id)
SELECT gen_random_uuid(), name, normalized_name, color, description, created_at, nullif(created_by, :actor), owner_id
FROM tags
WHERE id = :id AND EXISTS (SELECT FROM document_tags WHERE {_HIDDEN})
RETURNING id
""")  # noqa: S608 - made of constants
_GIVE_TO_COPY = text(f"UPDATE document_tags SET tag_id = :copy WHERE {_HIDDEN}")  # noqa: S608 - made of constants
# A key gets the copy if its owner sees a document with it. Others must not notice the copy.
_EXTEND_KEYS = text("""
UPDATE api_keys AS k SET tag_ids = tag_ids || CAST(:copy AS uuid)
WHERE :id = ANY(tag_ids) AND (created_by IS NULL OR EXISTS (
    SELECT FROM users u, document_tags dt JOIN documents d ON d.id = dt.document_id
        JOIN collections c ON c.id = d.collection_id
    WHERE u.id = k.created_by AND dt.tag_id = :copy AND (u.role = 'admin' OR c.is_open OR EXISTS (
        SELECT FROM collection_members m WHERE m.collection_id = c.id AND m.user_id = u.id))))
""")
_COPY_GRANTS = text("""
INSERT INTO tag_grants (id, tag_id, email, granted_by, granted_at)
SELECT gen_random_uuid(), :copy, email, granted_by, granted_at FROM tag_grants WHERE tag_id = :id
""")
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
    after: Sequence[Any] | None,
    limit: int,
) -> tuple[Sequence[Row[Any]], int]:
    """Return a page of tags with counts, and the total. `sort` with a leading `-` is descending."""
    key, is_descending = KEYS[sort.lstrip("-")], sort.startswith("-")
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


async def find_to_attach(
    session: Session, *, ids: Sequence[uuid.UUID], names: Sequence[str], collections: Sequence[uuid.UUID]
) -> list[tuple[uuid.UUID, str]]:
    """Like `find_by_references`, but lock the tags against deletion. The best tag of each name is first."""
    values = {"ids": ids, "names": [normalize_name(name) for name in names], "collections": list(collections)}
    return [(row["id"], row["normalized_name"]) for row in await fetch(session, _TO_ATTACH, values)]


async def list_names(session: Session, *, limit: int) -> list[str]:
    names = await session.execute(select(Tag.normalized_name, Tag.name).order_by(Tag.normalized_name).limit(limit))
    return list({row.normalized_name: row.name for row in names}.values())


async def lock_names(session: Session, names: Sequence[str]) -> None:
    """Lock names against creation of tags until the transaction ends, in one order to avoid deadlocks."""
    await session.execute(_LOCK_NAMES, {"names": sorted({normalize_name(name) for name in names})})


async def add(session: Session, names: Sequence[str], **values: str | uuid.UUID | None) -> list[uuid.UUID]:
    """Add tags. The names are locked and free."""
    ids = [uuid.uuid4() for _ in names]
    rows = [
        {"id": tag_id, "name": clean_name(name), "normalized_name": normalize_name(name), **values}
        for tag_id, name in zip(ids, names, strict=True)
    ]
    await session.execute(insert(Tag), rows)
    return ids


async def change(session: Session, tag_id: uuid.UUID, values: Mapping[str, Any], *, actor: str) -> None:
    """Set columns of a tag. A tag that documents have passes to the actor. Needs a system session."""
    changes = dict(values)
    if "name" in changes:
        changes["normalized_name"] = normalize_name(changes["name"])
    is_used = exists().where(DocumentTag.tag_id == tag_id)
    changes["created_by"] = case((is_used, actor), else_=Tag.created_by)
    await session.execute(update(Tag).where(Tag.id == tag_id).values(changes))


async def is_fixed(session: Session, tag_ids: Sequence[uuid.UUID], *, writable: Iterable[uuid.UUID]) -> bool:
    """Return True if a document in scope has one of the tags and is in none of the writable collections."""
    return bool(await session.scalar(_IS_FIXED, {"ids": list(tag_ids), "writable": list(writable)}))


async def separate(session: Session, tag_ids: Sequence[uuid.UUID], *, actor: str) -> None:
    """Lock tags, and give documents out of the caller's scope a copy of them. Needs a system session."""
    await session.execute(_LOCK, {"ids": list(tag_ids)})
    for tag_id in tag_ids:
        copy = await session.scalar(_COPY, {"id": tag_id, "actor": actor})
        if copy is not None:
            for statement in (_GIVE_TO_COPY, _EXTEND_KEYS, _COPY_GRANTS):
                await session.execute(statement, {"id": tag_id, "copy": copy})


async def delete_orphaned_tags(session: Session) -> None:
    """Delete tags that lost their last document in concurrent transactions. Needs a system session."""
    await session.execute(text("SELECT lectern_delete_orphaned_tags(NULL)"))


async def remove(session: Session, tag_ids: Sequence[uuid.UUID]) -> None:
    await session.execute(delete(Tag).where(Tag.id.in_(tag_ids)))


async def merge(session: Session, *, target_id: uuid.UUID, source_ids: Sequence[uuid.UUID]) -> int:
    """Replace the source tags by the target. Return on how many documents the target is new."""
    moved = (await session.execute(_MERGE, {"target": target_id, "sources": list(source_ids)})).all()
    await remove(session, source_ids)
    return len(moved)


async def list_document_tags(session: Session, document_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, list[str]]:
    """Return the names of the tags of each document that has tags."""
    query = (
        select(DocumentTag.document_id, Tag.name)
        .ext(distinct_on(DocumentTag.document_id, Tag.normalized_name))
        .join(Tag, Tag.id == DocumentTag.tag_id)
        .where(DocumentTag.document_id.in_(document_ids))
        .order_by(DocumentTag.document_id, Tag.normalized_name, Tag.created_at)
    )
    names: dict[uuid.UUID, list[str]] = {}
    for document_id, name in await session.execute(query):
        names.setdefault(document_id, []).append(name)
    return names


async def tag_documents(
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
