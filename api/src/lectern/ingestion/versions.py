"""The version of a document that a job makes, and what happens to it when the job ends.

The caller has locked the rows of the document and its job.
"""

from datetime import UTC, datetime

from lectern.db.session import Session
from lectern.documents.models import Document, DocumentVersion
from lectern.errors import LecternError
from lectern.ingestion import repository
from lectern.jobs.models import Job


async def find_pending_version(session: Session, job: Job, document: Document) -> DocumentVersion | None:
    """Return the version that the job makes, or None if it reprocesses the current one."""
    if job.version is None or job.version == document.version:
        return None
    return await repository.find_version(session, document.id, job.version)


async def has_newer_version(session: Session, job: Job) -> bool:
    """Return True if the document has a newer version than the job makes."""
    return job.version is not None and await repository.newest_version(session, job.document_id) > job.version


def keeps_current_content(document: Document, pending: DocumentVersion | None) -> bool:
    """Return True if the current content stays until the new content is complete.

    An incomplete document is replaced at once, unless the job makes another version: old content is better than a mix.
    """
    return document.ready_at is not None or (pending is not None and document.keyword_ready_at is not None)


async def record_end(session: Session, job: Job, document: Document, *, state: str, error: LecternError) -> None:
    """Record that a job failed or was cancelled. A complete document stays ready."""
    pending = await find_pending_version(session, job, document)
    for row in (job, pending, document):
        if row is not None:
            row.set_error(error)
    if pending is not None:
        pending.state = state
    if document.ready_at is not None:
        document.status = "ready"
        document.clear_error()
    else:
        document.status = "failed"
    await session.flush()


async def reopen(session: Session, job: Job, document: Document) -> None:
    """Mark the pending version as processing again."""
    pending = await find_pending_version(session, job, document)
    if pending is not None:
        pending.state = "processing"
        pending.clear_error()
        await session.flush()


async def make_current(session: Session, document: Document, pending: DocumentVersion, *, job: Job) -> None:
    """Make a version the current one and copy its file to the document's record.

    The document keeps its name, unless the new file has another type.

    Raises:
        DocumentAlreadyThere: The collection has received this file in the meantime.
    """
    moment = datetime.now(UTC)
    if (old := await repository.find_version(session, document.id, document.version)) is not None:
        old.state = "replaced"
    pending.state, pending.current_at = "current", moment
    pending.page_count, pending.chunk_count = document.page_count, document.chunk_count
    pending.chunks_unchanged, pending.chunks_added = job.chunks_unchanged, job.chunks_added
    pending.chunks_removed = job.chunks_removed
    if document.content_type != pending.content_type:
        document.filename = pending.filename
    document.version, document.sha256 = pending.number, pending.sha256
    document.content_type, document.size_bytes = pending.content_type, pending.size_bytes
    document.updated_at = moment
    await repository.flush_unique_file(session)
