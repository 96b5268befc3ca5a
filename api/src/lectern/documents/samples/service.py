"""Loading the sample documents, each into the collection and with the tags that the manifest names."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from lectern.accounts.principals import Principal
from lectern.collections.errors import CollectionNameTaken
from lectern.collections.schemas import CollectionCreate
from lectern.collections.service import create_collection
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.documents.errors import OutsideKey
from lectern.documents.samples import repository
from lectern.documents.samples.errors import SamplesNotShipped
from lectern.documents.samples.manifest import find_samples, read_manifest
from lectern.documents.samples.schemas import SamplesResponse
from lectern.documents.uploads.schemas import UploadResponse, UploadResult
from lectern.documents.uploads.service import UploadOptions, register_files, require_uploading, store_file
from lectern.settings import Settings
from lectern.storage.store import OriginalStore

_READ_BYTES: Final = 1_048_576


async def get_samples(session: Session, *, folder: Path | None) -> SamplesResponse:
    """What there is to load, and what of it is loaded. Raises Misconfigured."""
    found = find_samples(folder)
    samples = read_manifest(found) if found else []
    return SamplesResponse(
        is_available=found is not None,
        document_count=len(samples),
        loaded_count=await repository.count_present(session, [sample.sha256 for sample in samples]),
    )


async def load_samples(
    database: Database, originals: OriginalStore, principal: Principal, *, settings: Settings
) -> UploadResponse:
    """Take the sample documents in as uploads of the principal; one that is there is found, not copied.

    Raises SamplesNotShipped, ReadOnly, OutsideKey, UnknownCollection (a closed one has the name of a sample's).
    """
    require_uploading(principal)
    if principal.kind == "key" and (principal.scope.collections is not None or principal.is_narrowed):
        raise OutsideKey("This key reaches a part of the library, and the sample documents make collections.")
    folder = find_samples(settings.documents.samples_dir)
    if folder is None:
        raise SamplesNotShipped
    samples = read_manifest(folder)
    made = await create_collections(database, principal, (sample.collection for sample in samples))
    loader = _reaching(principal, made)
    items: list[UploadResult] = []
    for sample in samples:
        file = await store_file(
            originals,
            _read(folder / sample.file),
            filename=sample.name,
            max_bytes=settings.http.max_upload_bytes,
        )
        options = UploadOptions(collection=sample.collection, tags=sample.tags)
        response = await register_files(
            database, originals, loader, [file], options=options, languages=settings.chunking.languages
        )
        items += response.items
    return UploadResponse(items=items)


async def create_collections(database: Database, principal: Principal, names: Iterable[str]) -> list[uuid.UUID]:
    """Make those of the named collections that are missing, open to everybody; the ids of the new ones."""
    made: list[uuid.UUID] = []
    for name in dict.fromkeys(names):
        try:
            async with database.session(SYSTEM_SCOPE) as session:
                made.append((await create_collection(session, principal, wanted=CollectionCreate(name=name))).id)
        except CollectionNameTaken:  # from an earlier time
            continue
    return made


def _reaching(principal: Principal, collections: Sequence[uuid.UUID]) -> Principal:
    """The principal with the open collections just made, which its next request reaches by itself."""
    scope, writable = principal.scope, principal.writable_collections
    if scope.collections is not None:
        scope = replace(scope, collections=scope.collections.union(collections))
    return replace(
        principal, scope=scope, writable_collections=None if writable is None else writable.union(collections)
    )


async def _read(path: Path) -> AsyncIterator[bytes]:
    with path.open("rb") as file:
        while piece := await asyncio.to_thread(file.read, _READ_BYTES):
            yield piece
