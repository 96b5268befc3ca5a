"""Another content for a document, in the transaction of whoever brings it."""

import uuid
from typing import NamedTuple

from lectern.accounts.audit.service import record
from lectern.db.session import Session
from lectern.documents import repository as documents_repository
from lectern.documents.errors import OriginalVanished
from lectern.documents.files import StoredFile
from lectern.documents.models import Document, DocumentVersion
from lectern.documents.service import INGEST
from lectern.documents.versions import repository
from lectern.documents.versions.errors import NameNotUnique
from lectern.jobs import service as jobs
from lectern.jobs.arguments import JobArguments
from lectern.storage.store import OriginalStore

_REPLACED = "A newer version of the document came before this one was complete."


class AddedVersion(NamedTuple):
    """A version that is on its way, or the newest one when it has the same bytes."""

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
    """Queue a stored file as the next version of a document whose row is locked; work on an older one ends.

    A `language` that is given is the document's once the version takes over.

    Raises OriginalVanished.
    """
    await documents_repository.lock_original(session, file.sha256)
    if not await originals.exists(file.sha256):
        raise OriginalVanished
    same = await _find_unchanged(session, document, file, language=language)
    if same is not None:
        return same
    await _end_work(session, document.id)
    await repository.ensure_first(session, document.id)
    values = {
        "filename": file.filename,
        "content_type": file.content_type,
        "size_bytes": file.size_bytes,
        "sha256": file.sha256,
        "restored_from": restored_from,
        "created_by": actor,
    }
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


async def lock_namesake(session: Session, *, collection_id: uuid.UUID, filename: str) -> Document | None:
    """The document of this name in a collection, locked; None when there is none. Raises NameNotUnique."""
    found = await repository.list_namesakes(session, collection_id=collection_id, filename=filename)
    if len(found) > 1:
        message = f"{len(found)} documents of the collection have the name {filename!r}."
        raise NameNotUnique(message, details={"filename": filename})
    return await documents_repository.lock(session, found[0]) if found else None


async def _find_unchanged(
    session: Session, document: Document, file: StoredFile, *, language: str | None
) -> AddedVersion | None:
    """The newest version that is current or on its way, if it has these bytes and is not wanted in another language."""
    newest = await repository.find_newest(session, document.id)
    if newest is not None and newest.state == "processing":
        is_same = newest.sha256 == file.sha256 and await _is_read_in(session, newest, document, language)
        return _unchanged(newest) if is_same else None
    if document.sha256 != file.sha256:
        return None
    active = await jobs.find_active_job(session, document.id)
    return AddedVersion(document.version, active.id if active else None, is_unchanged=True)


async def _is_read_in(session: Session, version: DocumentVersion, document: Document, language: str | None) -> bool:
    """Whether a version on its way is read in this language; any will do where none is given."""
    job = await jobs.find_job(session, version.job_id) if version.job_id else None
    given = (JobArguments.from_row(job.arguments).language if job else None) or (
        document.language if document.is_language_given else None
    )
    return language in {None, given}


def _unchanged(version: DocumentVersion) -> AddedVersion:
    return AddedVersion(version.number, version.job_id, is_unchanged=True)


async def _end_work(session: Session, document_id: uuid.UUID) -> None:
    """Whatever is done for the document by now would only be replaced."""
    active = await jobs.find_active_job(session, document_id)
    if active is not None:
        await jobs.supersede(session, active.id, reason=_REPLACED)
    await repository.abandon(session, document_id, code="cancelled", message=_REPLACED)
