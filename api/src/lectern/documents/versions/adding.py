"""Add a version to a document, within the caller's transaction."""

import uuid
from dataclasses import asdict
from typing import NamedTuple

from lectern.accounts.audit.service import record
from lectern.db.session import Session
from lectern.documents import repository as documents_repository
from lectern.documents.errors import NameNotUnique, OriginalVanished
from lectern.documents.models import Document, DocumentVersion
from lectern.documents.originals import StoredFile
from lectern.documents.service import INGEST
from lectern.documents.versions import repository
from lectern.jobs import service as jobs
from lectern.jobs.models import JobArguments
from lectern.storage.store import OriginalStore

_REPLACED = "A newer version was added before this one was complete."


class AddedVersion(NamedTuple):
    """A new version, or the newest one if it has the same file."""

    number: int
    job_id: uuid.UUID | None
    is_unchanged: bool


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
        kind=INGEST,
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
        return _unchanged(newest) if is_same else None
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


def _unchanged(version: DocumentVersion) -> AddedVersion:
    return AddedVersion(version.number, version.job_id, is_unchanged=True)


async def _cancel_work(session: Session, document_id: uuid.UUID) -> None:
    """Cancel the active job and pending versions, which the new version replaces."""
    active = await jobs.find_active_job(session, document_id)
    if active is not None:
        await jobs.supersede(session, active.id, reason=_REPLACED)
    await repository.cancel_pending(session, document_id, code="cancelled", message=_REPLACED)
