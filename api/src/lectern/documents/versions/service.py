"""Add, list and restore versions of a document."""

import uuid
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, NamedTuple

from lectern.accounts.audit.service import record
from lectern.accounts.principals import Principal
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.documents import repository as documents_repository
from lectern.documents.errors import DocumentInTrash, NameNotUnique, OriginalVanished, VersionNotFound
from lectern.documents.models import Document, DocumentVersion
from lectern.documents.originals import StoredFile, registration, remove_unreferenced
from lectern.documents.presentation import build_error, present_one
from lectern.documents.service import lock_writable, require_new_file
from lectern.documents.versions import repository
from lectern.documents.versions.schemas import VersionAccepted, VersionResponse
from lectern.http.pagination import Page, list_page
from lectern.jobs import service as jobs
from lectern.jobs.models import JobArguments
from lectern.jobs.service import INTERACTIVE
from lectern.storage.store import OriginalStore

_REPLACED = "A newer version was added before this one was complete."


class AddedVersion(NamedTuple):
    """A new version, or the newest one if it has the same file."""

    number: int
    job_id: uuid.UUID | None
    is_unchanged: bool


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


async def add_version(
    session: Session,
    originals: OriginalStore,
    document: Document,
    *,
    file: StoredFile,
    actor: str,
    priority: int,
    restored_from: int | None = None,
    language: str | None = None,
) -> AddedVersion:
    """Queue a stored file as the next version of a locked document. Active jobs of the document are cancelled.

    `language` becomes the language of the document when the version is complete. Raises OriginalVanished.
    """
    await documents_repository.lock_original(session, file.sha256)
    if not await originals.exists(file.sha256):
        raise OriginalVanished
    unchanged = await _find_unchanged(session, document, file, language=language)
    if unchanged is not None:
        return unchanged
    await _cancel_work(session, document.id)
    await repository.ensure_first(session, document.id)
    values = {**asdict(file), "restored_from": restored_from, "created_by": actor}
    version = await repository.add(session, document.id, values)
    job = await jobs.enqueue(
        session,
        document_id=document.id,
        priority=priority,
        arguments=JobArguments(language=language),
        version=version.number,
    )
    version.job_id = job.id
    document.status = "queued"
    document.clear_error()
    await session.flush()
    details = {"number": version.number, "restored_from": restored_from, "filename": file.filename}
    await record(session, actor, action="document.version", target=f"document:{document.id}", details=details)
    return AddedVersion(version.number, job.id, is_unchanged=False)


async def lock_by_filename(session: Session, *, collection_id: uuid.UUID, filename: str) -> Document | None:
    """Lock the document in scope with this filename. Return None without one. Raises NameNotUnique."""
    ids = await repository.list_by_filename(session, collection_id=collection_id, filename=filename)
    if len(ids) > 1:
        message = f"{len(ids)} documents of the collection have the name {filename!r:.50}."
        raise NameNotUnique(message, details={"filename": filename})
    return await documents_repository.lock(session, ids[0]) if ids else None


async def _find_unchanged(
    session: Session, document: Document, file: StoredFile, *, language: str | None
) -> AddedVersion | None:
    """Return the newest version if it is current or pending, with the same file and language."""
    newest = await repository.find_newest(session, document.id)
    if newest is not None and newest.state == "processing":
        is_same = newest.sha256 == file.sha256 and await _has_language(session, newest, document, language)
        return AddedVersion(newest.number, newest.job_id, is_unchanged=True) if is_same else None
    if document.sha256 != file.sha256:
        return None
    active = await jobs.find_active_job(session, document.id)
    return AddedVersion(document.version, active.id if active else None, is_unchanged=True)


async def _has_language(session: Session, version: DocumentVersion, document: Document, language: str | None) -> bool:
    """Return True if a pending version is processed in this language, or if none is requested."""
    job = await jobs.find_job(session, version.job_id) if version.job_id else None
    given = (JobArguments.from_row(job.arguments).language if job else None) or (
        document.language if document.is_language_given else None
    )
    return language in {None, given}


async def _cancel_work(session: Session, document_id: uuid.UUID) -> None:
    """Cancel the active job and pending versions, which the new version replaces."""
    active = await jobs.find_active_job(session, document_id)
    if active is not None:
        await jobs.supersede(session, active.id, reason=_REPLACED)
    await repository.cancel_pending(session, document_id, reason=_REPLACED)


async def list_versions(
    session: Session, document_id: uuid.UUID, *, cursor: str | None, limit: int
) -> Page[VersionResponse]:
    """List a page of the versions of a document, newest first. Raises DocumentNotFound, BrokenCursor."""
    document = await documents_repository.get_document(session, document_id)

    async def read(after: Sequence[Any] | None, limit: int) -> tuple[Sequence[DocumentVersion], int]:
        rows, total = await repository.list_versions(session, document_id, after=after, limit=limit)
        return (rows, total) if total else ([DocumentVersion.of_document(document)], 1)

    present, order = partial(_response, current=document.version), f"versions:{document_id}"
    return await list_page(read, present, order=order, keys={"number": int}, cursor=cursor, limit=limit)


async def get_original(session: Session, document_id: uuid.UUID, number: int) -> StoredFile:
    """Return the file of a version. Raises DocumentNotFound, VersionNotFound."""
    version = await _get(session, await documents_repository.get_document(session, document_id), number)
    return StoredFile(version.filename, version.content_type, version.size_bytes, version.sha256)


async def remove_surplus_versions(database: Database, originals: OriginalStore, *, limit: int) -> int:
    """Delete versions beyond the newest `limit` of each document, with their files. 0 means no limit."""
    if limit == 0:
        return 0
    async with database.session(SYSTEM_SCOPE) as session:
        hashes = await repository.remove_surplus(session, limit=limit)
    await remove_unreferenced(database, originals, hashes)
    return len(hashes)


async def _get(session: Session, document: Document, number: int) -> DocumentVersion:
    version = await repository.find(session, document.id, number)
    if version is None and number == document.version:
        return DocumentVersion.of_document(document)
    if version is None:
        raise VersionNotFound
    return version


def _response(version: DocumentVersion, *, current: int) -> VersionResponse:
    return VersionResponse.from_row(version, is_current=version.number == current, error=build_error(version))
