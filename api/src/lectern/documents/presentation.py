"""Build responses from rows of documents."""

import uuid
from collections.abc import Sequence

from lectern.db.session import Session
from lectern.documents import repository
from lectern.documents.errors import DocumentNotFound
from lectern.documents.models import Document, DocumentVersion
from lectern.documents.repository import DocumentRow, DocumentSelection
from lectern.documents.schemas import CollectionRef, DocumentError, DocumentResponse, PendingVersion, Progress
from lectern.extraction.sandbox.conversion import can_print
from lectern.jobs.models import Job
from lectern.jobs.schemas import progress_of
from lectern.jobs.service import find_latest_jobs
from lectern.tags.service import list_document_tags


async def present(session: Session, rows: Sequence[DocumentRow]) -> list[DocumentResponse]:
    """Return the documents with their tags, aliases, latest jobs and pending versions."""
    if not rows:
        return []
    ids = [row.document.id for row in rows]
    tags = await list_document_tags(session, ids)
    aliases = await repository.list_aliases(session, ids)
    jobs = await find_latest_jobs(session, ids)
    pending = await find_pending_versions(session, ids)
    return [
        DocumentResponse.from_row(
            row.document,
            collection=CollectionRef(id=row.document.collection_id, name=row.collection_name),
            tags=tags.get(row.document.id, []),
            aliases=aliases.get(row.document.id, []),
            is_owner=row.is_owner,
            has_printed_pages=can_print(row.document.content_type),
            error=build_error(row.document),
            newer_version=pending.get(row.document.id),
            progress=_progress(jobs.get(row.document.id)),
        )
        for row in rows
    ]


async def find_pending_versions(session: Session, ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, PendingVersion]:
    """Return the newest version of each document that has one beyond the current version."""
    versions = await repository.newer_versions(session, ids)
    return {key: PendingVersion.from_row(version, error=build_error(version)) for key, version in versions.items()}


async def present_ids(session: Session, ids: Sequence[uuid.UUID]) -> list[DocumentResponse]:
    """Return documents in the order of `ids`, also from the trash. Ids outside the scope are skipped."""
    selection = DocumentSelection(ids=ids, is_deleted=None)
    rows = await repository.list_documents(session, selection, sort="created_at", after=None, limit=len(ids))
    by_id = {document.id: document for document in await present(session, rows)}
    return [by_id[document_id] for document_id in ids if document_id in by_id]


async def present_one(session: Session, document_id: uuid.UUID) -> DocumentResponse:
    """Return one document. Raises DocumentNotFound."""
    documents = await present_ids(session, [document_id])
    if not documents:
        raise DocumentNotFound
    return documents[0]


def build_error(row: Document | DocumentVersion | Job) -> DocumentError | None:
    """Build the error from the error columns of a row."""
    if row.error_code is None:
        return None
    return DocumentError(
        code=row.error_code, message=row.error_message or "", hint=row.error_hint, details=row.error_details
    )


def _progress(job: Job | None) -> Progress | None:
    if job is None:
        return None
    return Progress.from_row(job, job_id=job.id, share=progress_of(job), error=build_error(job))
