"""`/collections/{collection_id}/folder`, for administrators, and `/collections/{collection_id}/ingest`."""

import uuid

from fastapi import APIRouter

from lectern.accounts.dependencies import Admin, CurrentDatabase, CurrentSettings, SystemSession, Writer
from lectern.db.scope import SYSTEM_SCOPE
from lectern.documents.uploads.router import CurrentOriginals
from lectern.library.folders import service, syncing
from lectern.library.folders.schemas import FolderBinding, FolderOutcome, FolderResponse, FolderScan

router = APIRouter(prefix="/api/v1/collections/{collection_id}", tags=["collections"])


@router.put("/folder")
async def put_collection_folder(
    collection_id: uuid.UUID, body: FolderBinding, principal: Admin, session: SystemSession, settings: CurrentSettings
) -> FolderResponse:
    """Let a collection follow a directory of the server: files that are added, changed, renamed or deleted there are
    so in the library. Putting the same path again confirms that the right disk is mounted (administrators).
    """
    roots = settings.folders.roots
    return await service.bind_folder(session, principal, collection_id, path=body.path, roots=roots)


@router.get("/folder")
async def get_collection_folder(collection_id: uuid.UUID, _: Admin, session: SystemSession) -> FolderResponse:
    """The directory that a collection follows, and what the last scan did (administrators)."""
    return await service.get_folder(session, collection_id)


@router.delete("/folder", status_code=204)
async def delete_collection_folder(collection_id: uuid.UUID, principal: Admin, session: SystemSession) -> None:
    """Follow the directory no more; the documents stay (administrators)."""
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
    """Look through the directory of a collection now. What is new is queued when this answers; reading it goes on in
    the background. `dry_run` answers with the plan and does nothing. Whoever may change all of the collection's
    documents may ask for it; `confirm_prune` is for administrators.
    """
    async with database.session(SYSTEM_SCOPE) as session:
        await service.record_scan(session, principal, collection_id, wanted=body)
    watcher = syncing.Watcher(database=database, originals=originals, settings=settings)
    return await syncing.scan_folder(watcher, collection_id, body)
