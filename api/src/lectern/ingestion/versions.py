"""Which content of a document a job reads, and what becomes of that version when the job ends.

The rows of the document and of its job are locked by the caller.
"""

import uuid
from datetime import UTC, datetime

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from lectern.db.session import Session
from lectern.documents.errors import DocumentAlreadyThere
from lectern.documents.models import Document, DocumentVersion
from lectern.errors import LecternError
from lectern.jobs.models import Job


async def find_made(session: Session, job: Job, document: Document) -> DocumentVersion | None:
    """The version that the job is to make; None when it reads the current one."""
    if job.version is None or job.version == document.version:
        return None
    return await find(session, document.id, job.version)


async def find(session: Session, document_id: uuid.UUID, number: int) -> DocumentVersion | None:
    """One version that has a row."""
    wanted = select(DocumentVersion).where(DocumentVersion.document_id == document_id, DocumentVersion.number == number)
    return await session.scalar(wanted.execution_options(populate_existing=True))


async def has_newer(session: Session, job: Job) -> bool:
    """Whether another version came after the one that the job makes."""
    newest = select(func.max(DocumentVersion.number)).where(DocumentVersion.document_id == job.document_id)
    return job.version is not None and (await session.scalar(newest) or 0) > job.version


def replaces_content(document: Document, made: DocumentVersion | None) -> bool:
    """Whether what there is of the document stays until the job has made all that comes in its place.

    What was never complete is not worth waiting for, unless it is of another version: then it is better than a mixture.
    """
    return document.ready_at is not None or (made is not None and document.keyword_ready_at is not None)


async def settle(session: Session, job: Job, document: Document, *, state: str, error: LecternError) -> None:
    """Write that a job did not come to its end; a document that is complete stays as it is."""
    made = await find_made(session, job, document)
    for row in (job, made, document):
        if row is not None:
            row.set_error(error)
    if made is not None:
        made.state = state
    if document.ready_at is not None:
        document.status = "ready"
        document.clear_error()
    else:
        document.status = "failed"
    await session.flush()


async def reopen(session: Session, job: Job, document: Document) -> None:
    """The job is tried again."""
    made = await find_made(session, job, document)
    if made is not None:
        made.state = "processing"
        made.clear_error()
        await session.flush()


async def take_over(session: Session, document: Document, made: DocumentVersion, *, job: Job) -> None:
    """Make a version the current one: the record says from now on what its file is.

    Its name stays, because people know the document by it; a file of another type brings its own.

    Raises:
        DocumentAlreadyThere: The collection has got this file in the meantime.
    """
    moment = datetime.now(UTC)
    if (old := await find(session, document.id, document.version)) is not None:
        old.state = "replaced"
    made.state, made.current_at = "current", moment
    made.page_count, made.chunk_count = document.page_count, document.chunk_count
    made.chunks_unchanged, made.chunks_added, made.chunks_removed = (
        job.chunks_unchanged,
        job.chunks_added,
        job.chunks_removed,
    )
    if document.content_type != made.content_type:
        document.filename = made.filename
    document.version, document.sha256 = made.number, made.sha256
    document.content_type, document.size_bytes = made.content_type, made.size_bytes
    document.updated_at = moment
    try:
        async with session.begin_nested():
            await session.flush()
    except IntegrityError as error:
        raise DocumentAlreadyThere from error
