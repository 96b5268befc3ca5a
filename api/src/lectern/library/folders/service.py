"""Bind collections to directories and request scans."""

import asyncio
import uuid
from collections.abc import Sequence
from pathlib import Path

from lectern.accounts.audit.service import record
from lectern.accounts.errors import ReadOnly
from lectern.accounts.principals import Principal
from lectern.collections.service import get_collection
from lectern.db.session import Session
from lectern.library.folders import repository
from lectern.library.folders.errors import FolderGone, FolderNotFound, FolderNotWatched, FoldersOff
from lectern.library.folders.models import WatchedFolder
from lectern.library.folders.schemas import FolderOutcome, FolderResponse, FolderScan
from lectern.library.folders.walking import device_of, resolve_folder


async def bind_folder(
    session: Session, principal: Principal, collection_id: uuid.UUID, *, path: str, roots: Sequence[Path]
) -> FolderResponse:
    """Bind a collection to a directory and request a scan. Binding again confirms its device.

    Raises:
        CollectionNotFound, FoldersOff, FolderOutside: This collection or path cannot be bound.
        FolderNotFound: The path is no directory that can be read.
        FolderGone: The same, for the directory that is already bound.
    """
    await get_collection(session, principal, collection_id)
    try:
        real, device = await asyncio.to_thread(_look_at, path, roots)
    except FolderGone as error:
        bound = await repository.find(session, collection_id)
        if bound is not None and bound.path == path:
            raise
        raise FolderNotFound(error.message) from error
    await repository.put(session, collection_id, path=str(real), device=device)
    target = f"collection:{collection_id}"
    await record(session, principal.actor, action="folder.bind", target=target, details={"path": str(real)})
    return await get_folder(session, collection_id)


def _look_at(path: str, roots: Sequence[Path]) -> tuple[Path, int]:
    if not roots:
        raise FoldersOff
    real = resolve_folder(Path(path), roots)
    return real, device_of(real)


async def get_folder(session: Session, collection_id: uuid.UUID) -> FolderResponse:
    """Return the folder of a collection. Raises FolderNotWatched."""
    folder = await find_folder(session, collection_id)
    return FolderResponse(
        collection_id=collection_id,
        path=folder.path,
        file_count=await repository.count_files(session, collection_id),
        is_scan_requested=folder.requested_at is not None,
        last_scan_at=folder.last_scan_at,
        last_outcome=FolderOutcome.model_validate(folder.last_outcome) if folder.last_outcome else None,
    )


async def list_folders(session: Session) -> list[FolderResponse]:
    """Return every watched folder."""
    return [await get_folder(session, collection_id) for collection_id in await repository.list_watched(session)]


async def find_folder(session: Session, collection_id: uuid.UUID) -> WatchedFolder:
    """Return the folder row of a collection. Raises FolderNotWatched."""
    folder = await repository.find(session, collection_id)
    if folder is None:
        raise FolderNotWatched
    return folder


async def unbind_folder(session: Session, principal: Principal, collection_id: uuid.UUID) -> None:
    """Stop watching a folder. Its documents stay. Raises FolderNotWatched."""
    await find_folder(session, collection_id)
    await repository.remove(session, collection_id)
    await record(session, principal.actor, action="folder.unbind", target=f"collection:{collection_id}")


async def record_scan(session: Session, principal: Principal, collection_id: uuid.UUID, *, wanted: FolderScan) -> None:
    """Record the principal who requested a scan.

    Raises:
        ReadOnly: They may not change every document of the collection.
        AdminsOnly: They want files that are gone to be believed.
        FolderNotWatched: There is nothing to look through.
    """
    principal.require_writing_to([collection_id])
    if principal.is_narrowed:
        raise ReadOnly("A key limited to tags or documents cannot scan a whole folder.")
    if wanted.confirm_prune:
        principal.require_admin()
    await find_folder(session, collection_id)
    details = wanted.model_dump()
    await record(
        session, principal.actor, action="folder.ingest", target=f"collection:{collection_id}", details=details
    )
