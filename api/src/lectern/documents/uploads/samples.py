"""Load the sample documents into the collections and with the tags of their manifest."""

from collections.abc import Iterable
from pathlib import Path

from lectern.accounts.principals import Principal
from lectern.collections.errors import CollectionNameTaken, UnknownCollection
from lectern.collections.schemas import CollectionCreate
from lectern.collections.service import create_collection, resolve_collections
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.documents.errors import OutsideKey, SamplesNotShipped
from lectern.documents.uploads import repository
from lectern.documents.uploads.manifest import find_samples, read_manifest
from lectern.documents.uploads.schemas import SamplesResponse, UploadResponse, UploadResult
from lectern.documents.uploads.service import UploadOptions, register_files, require_uploading, store_path
from lectern.settings import Settings
from lectern.storage.store import OriginalStore


async def get_samples(session: Session, *, folder: Path | None) -> SamplesResponse:
    """Count the sample documents and those in the library. Raises Misconfigured."""
    samples_folder = find_samples(folder)
    samples = read_manifest(samples_folder) if samples_folder else []
    return SamplesResponse(
        is_available=samples_folder is not None,
        document_count=len(samples),
        loaded_count=await repository.count_present(session, [sample.sha256 for sample in samples]),
    )


async def load_samples(
    database: Database, originals: OriginalStore, principal: Principal, *, settings: Settings
) -> UploadResponse:
    """Upload the sample documents as the principal. Existing documents are reused.

    A principal with access to all collections creates the missing ones. For others, samples of a collection that they
    do not see go to the default collection, whether or not it exists. Raises SamplesNotShipped, ReadOnly, OutsideKey.
    """
    require_uploading(principal)
    if principal.kind == "key" and (principal.scope.collections is not None or principal.is_narrowed):
        raise OutsideKey("A key limited to a part of the library cannot create the collections of the samples.")
    folder = find_samples(settings.documents.samples_dir)
    if folder is None:
        raise SamplesNotShipped
    samples = read_manifest(folder)
    names = [sample.collection for sample in samples]
    if principal.scope.collections is None:
        await create_collections(database, principal, names)
    collections = await _find_collections(database, principal, names)
    items: list[UploadResult] = []
    for sample in samples:
        file = await store_path(originals, folder / sample.file, max_bytes=settings.http.max_upload_bytes)
        options = UploadOptions(collection=collections[sample.collection], tags=sample.tags)
        response = await register_files(
            database, originals, principal, [file], options=options, languages=settings.chunking.languages
        )
        items += response.items
    return UploadResponse(items=items)


async def create_collections(database: Database, principal: Principal, names: Iterable[str]) -> None:
    """Create the missing collections, open to everybody."""
    for name in dict.fromkeys(names):
        try:
            async with database.session(SYSTEM_SCOPE) as session:
                await create_collection(session, principal, wanted=CollectionCreate(name=name))
        except CollectionNameTaken:  # It exists already.
            continue


async def _find_collections(database: Database, principal: Principal, names: Iterable[str]) -> dict[str, str | None]:
    """Return the names of the collections that the principal sees. None stands for the default collection."""
    found: dict[str, str | None] = {}
    async with database.session(principal.scope) as session:
        for name in dict.fromkeys(names):
            try:
                await resolve_collections(session, [name])
                found[name] = name
            except UnknownCollection:
                found[name] = None
    return found
