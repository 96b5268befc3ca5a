"""`/collections/{collection_id}/folder` for administrators, and `/collections/{collection_id}/ingest`."""

import uuid

from fastapi import APIRouter

from lectern.accounts.dependencies import Admin, CurrentDatabase, CurrentSettings, SystemSession, Writer
from lectern.collections.service import get_collection
from lectern.db.scope import SYSTEM_SCOPE
from lectern.documents.dependencies import CurrentOriginals
from lectern.library.folders import service, syncing
from lectern.library.folders.applying import Watcher
from lectern.library.folders.errors import FolderNotWatched
from lectern.library.folders.schemas import FolderBinding, FolderOutcome, FolderResponse, FolderScan

router = APIRouter(prefix="/api/v1/collections/{collection_id}", tags=["collections"])


@router.put("/folder")
async def put_collection_folder(
    collection_id: uuid.UUID, body: FolderBinding, principal: Admin, session: SystemSession, settings: CurrentSettings
) -> FolderResponse:
    """Bind a collection to a directory of the server (administrators).

    Files that are added, changed, renamed or deleted there follow in the library.
    Put the same path again to confirm a replaced disk.
    """
    roots = settings.folders.roots
    return await service.bind_folder(session, principal, collection_id, path=body.path, roots=roots)


@router.get("/folder")
async def get_collection_folder(
    collection_id: uuid.UUID, principal: Admin, session: SystemSession
) -> FolderResponse | None:
    """Return the directory of a collection and the result of the last scan, or null without one (administrators)."""
    await get_collection(session, principal, collection_id)
    try:
        return await service.get_folder(session, collection_id)
    except FolderNotWatched:
        return None


@router.delete("/folder", status_code=204)
async def delete_collection_folder(collection_id: uuid.UUID, principal: Admin, session: SystemSession) -> None:
    """Stop watching the directory. The documents stay (administrators)."""
    await service.unbind_folder(session, principal, collection_id)


@router.post("/ingest")
async def ingest_collection_folder(
    collection_id: uuid.UUID,
    body: FolderScan,
    principal: Writer,
    database: CurrentDatabase,
    originals: CurrentOriginals,
    settings: CurrentSettings,
) -> FolderOutcome:
    """Scan the directory of a collection now. New files are queued when this returns.

    `dry_run` returns the plan without changes. Needs write access to all documents of the collection.
    `confirm_prune` is for administrators.
    """
    async with database.session(SYSTEM_SCOPE) as session:
        await service.record_scan(session, principal, collection_id, wanted=body)
    watcher = Watcher(database=database, originals=originals, settings=settings)
    return await syncing.scan_folder(watcher, collection_id, body)
