"""Replace the content of a document, and list and restore its versions."""

import uuid
from collections.abc import Sequence
from functools import partial
from typing import Any

from lectern.accounts.principals import Principal
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.documents import repository as documents_repository
from lectern.documents.errors import DocumentInTrash, DocumentNotFound, VersionNotFound
from lectern.documents.models import Document, DocumentVersion
from lectern.documents.originals import StoredFile, registration, remove_unreferenced
from lectern.documents.presentation import build_error, present_one
from lectern.documents.service import lock_writable, require_new_file
from lectern.documents.versions import repository
from lectern.documents.versions.adding import add_version
from lectern.documents.versions.schemas import VersionAccepted, VersionResponse
from lectern.http.pagination import Page, list_page
from lectern.jobs.service import INTERACTIVE
from lectern.storage.store import OriginalStore


async def require_replaceable(session: Session, principal: Principal, document_id: uuid.UUID) -> Document:
    """Lock a document whose content the principal may replace.

    Raises DocumentNotFound, ReadOnly, DocumentInTrash.
    """
    document = await lock_writable(session, principal, document_id)
    if document.deleted_at is not None:
        raise DocumentInTrash
    return document


async def replace_content(
    database: Database, originals: OriginalStore, principal: Principal, document_id: uuid.UUID, *, file: StoredFile
) -> VersionAccepted:
    """Queue a stored file as the next version. On an error, an unreferenced original is removed.

    Raises DocumentNotFound, ReadOnly, DocumentInTrash, DocumentAlreadyThere, OriginalVanished.
    """
    async with registration(database, originals, [file], scope=principal.scope) as session:
        await documents_repository.lock_original(session, file.sha256)  # Uploads lock it before documents too.
        document = await require_replaceable(session, principal, document_id)
        return await _add(session, originals, principal, document, file=file)


async def restore_version(
    session: Session, originals: OriginalStore, principal: Principal, document_id: uuid.UUID, *, number: int
) -> VersionAccepted:
    """Queue the file of an older version as the next version.

    Raises DocumentNotFound, ReadOnly, DocumentInTrash, VersionNotFound, DocumentAlreadyThere, OriginalVanished.
    """
    document = await require_replaceable(session, principal, document_id)
    old = await _get(session, document, number)
    file = StoredFile(old.filename, old.content_type, old.size_bytes, old.sha256)
    return await _add(session, originals, principal, document, file=file, restored_from=number)


async def _add(
    session: Session,
    originals: OriginalStore,
    principal: Principal,
    document: Document,
    *,
    file: StoredFile,
    restored_from: int | None = None,
) -> VersionAccepted:
    await require_new_file(session, document, collection_id=document.collection_id, sha256=file.sha256)
    added = await add_version(
        session,
        originals,
        document,
        file=file,
        actor=principal.actor,
        priority=INTERACTIVE,
        restored_from=restored_from,
    )
    version = await _get(session, document, added.number)
    return VersionAccepted(
        document=await present_one(session, document.id),
        version=_response(version, current=document.version),
        job_id=added.job_id,
        is_unchanged=added.is_unchanged,
    )


async def list_versions(
    session: Session, document_id: uuid.UUID, *, cursor: str | None, limit: int
) -> Page[VersionResponse]:
    """List a page of the versions of a document, newest first. Raises DocumentNotFound, BrokenCursor."""
    document = await _document(session, document_id)

    async def read(after: Sequence[Any] | None, limit: int) -> tuple[Sequence[DocumentVersion], int]:
        rows, total = await repository.list_versions(session, document_id, after=after, limit=limit)
        return (rows, total) if total else ([DocumentVersion.of_document(document)], 1)

    present, order = partial(_response, current=document.version), f"versions:{document_id}"
    return await list_page(read, present, order=order, keys={"number": int}, cursor=cursor, limit=limit)


async def get_original(session: Session, document_id: uuid.UUID, number: int) -> StoredFile:
    """Return the file of a version. Raises DocumentNotFound, VersionNotFound."""
    version = await _get(session, await _document(session, document_id), number)
    return StoredFile(version.filename, version.content_type, version.size_bytes, version.sha256)


async def remove_surplus_versions(database: Database, originals: OriginalStore, *, limit: int) -> int:
    """Delete versions beyond the newest `limit` of each document, with their files. 0 means no limit."""
    if limit == 0:
        return 0
    async with database.session(SYSTEM_SCOPE) as session:
        hashes = await repository.remove_surplus(session, limit=limit)
    await remove_unreferenced(database, originals, hashes)
    return len(hashes)


async def _document(session: Session, document_id: uuid.UUID) -> Document:
    document = await repository.find_document(session, document_id)
    if document is None:
        raise DocumentNotFound
    return document


async def _get(session: Session, document: Document, number: int) -> DocumentVersion:
    version = await repository.find(session, document.id, number)
    if version is None and number == document.version:
        return DocumentVersion.of_document(document)
    if version is None:
        raise VersionNotFound
    return version


def _response(version: DocumentVersion, *, current: int) -> VersionResponse:
    return VersionResponse.from_row(version, is_current=version.number == current, error=build_error(version))
