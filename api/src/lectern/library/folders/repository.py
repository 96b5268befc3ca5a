"""Queries of watched folders and their files, for system sessions only."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import delete, exists, func, or_, select, text, tuple_, update
from sqlalchemy.dialects.postgresql import insert

from lectern.db.session import Session
from lectern.library.folders.models import WatchedFile, WatchedFolder
from lectern.library.folders.planning import KnownFile
from lectern.library.folders.walking import Stamp

_ROWS_AT_ONCE: Final = 2_000
_LOCK: Final = text("SELECT pg_try_advisory_xact_lock(1279611477, hashtext(:collection))")


async def find(session: Session, collection_id: uuid.UUID) -> WatchedFolder | None:
    query = select(WatchedFolder).where(WatchedFolder.collection_id == collection_id)
    return await session.scalar(query.execution_options(populate_existing=True))


async def list_watched(session: Session) -> list[uuid.UUID]:
    return list(await session.scalars(select(WatchedFolder.collection_id).order_by(WatchedFolder.path)))


async def list_due(session: Session, *, scan_seconds: float) -> list[uuid.UUID]:
    """Return the folders with a requested or due scan. With 0 seconds only requested scans are due."""
    is_due = WatchedFolder.requested_at.is_not(None)
    if scan_seconds:
        before = func.now() - func.make_interval(0, 0, 0, 0, 0, 0, scan_seconds)
        is_due = or_(is_due, func.coalesce(WatchedFolder.last_scan_at, WatchedFolder.created_at) < before)
    return list(await session.scalars(select(WatchedFolder.collection_id).where(is_due)))


async def put(session: Session, collection_id: uuid.UUID, *, path: str, device: int) -> None:
    """Bind a collection. Known files of another directory are forgotten."""
    other = delete(WatchedFile).where(
        WatchedFile.collection_id == collection_id,
        exists().where(WatchedFolder.collection_id == collection_id, WatchedFolder.path != path),
    )
    await session.execute(other)
    values = {"path": path, "device": device, "requested_at": func.now()}
    query = insert(WatchedFolder).values(collection_id=collection_id, **values)
    await session.execute(query.on_conflict_do_update(index_elements=["collection_id"], set_=values))


async def change(session: Session, collection_id: uuid.UUID, values: Mapping[str, Any]) -> None:
    await session.execute(update(WatchedFolder).where(WatchedFolder.collection_id == collection_id).values(**values))


async def remove(session: Session, collection_id: uuid.UUID) -> None:
    await session.execute(delete(WatchedFolder).where(WatchedFolder.collection_id == collection_id))


async def count_files(session: Session, collection_id: uuid.UUID) -> int:
    query = select(func.count()).select_from(WatchedFile).where(WatchedFile.collection_id == collection_id)
    return await session.scalar(query) or 0


async def try_lock(session: Session, collection_id: uuid.UUID) -> bool:
    """Lock this folder against other scans until the transaction ends. Return False if it is locked."""
    return bool(await session.scalar(_LOCK, {"collection": str(collection_id)}))


async def list_files(session: Session, collection_id: uuid.UUID) -> dict[str, KnownFile]:
    """Return the known files by path, as plain rows: there may be 100,000."""
    query = select(
        WatchedFile.path,
        WatchedFile.size_bytes,
        WatchedFile.modified_ns,
        WatchedFile.inode,
        WatchedFile.content_hash,
        WatchedFile.document_id,
        WatchedFile.problem,
    ).where(WatchedFile.collection_id == collection_id)
    return {
        path: KnownFile(Stamp(size, modified, inode), content_hash, document_id, problem)
        for path, size, modified, inode, content_hash, document_id, problem in await session.execute(query)
    }


async def put_files(session: Session, collection_id: uuid.UUID, files: Mapping[str, KnownFile]) -> None:
    """Record the current state of files."""
    rows = [
        {
            "collection_id": collection_id,
            "path": path,
            **file.stamp._asdict(),
            "content_hash": file.content_hash,
            "document_id": file.document_id,
            "problem": file.problem,
        }
        for path, file in files.items()
    ]
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        query = insert(WatchedFile)
        set_ = {name: query.excluded[name] for name in rows[0] if name not in {"collection_id", "path"}}
        await session.execute(
            query.on_conflict_do_update(index_elements=["collection_id", "path"], set_=set_),
            rows[start : start + _ROWS_AT_ONCE],
        )


async def forget_files(session: Session, collection_id: uuid.UUID, paths: Sequence[str]) -> None:
    query = delete(WatchedFile).where(WatchedFile.collection_id == collection_id, WatchedFile.path.in_(paths))
    await session.execute(query)


async def is_document_watched(
    session: Session, document_id: uuid.UUID, *, other_than: tuple[uuid.UUID, str] | None = None
) -> bool:
    """Return True if another file than `other_than` (collection, path) belongs to this document."""
    wanted = WatchedFile.document_id == document_id
    if other_than is not None:
        wanted &= tuple_(WatchedFile.collection_id, WatchedFile.path) != other_than
    return bool(await session.scalar(select(exists().where(wanted))))
