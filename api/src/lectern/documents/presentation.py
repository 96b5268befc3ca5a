"""From rows to what clients see of a document."""

import uuid
from collections.abc import Sequence

from lectern.db.session import Session
from lectern.documents import repository
from lectern.documents.errors import DocumentNotFound
from lectern.documents.models import Document, DocumentVersion
from lectern.documents.repository import DocumentRow
from lectern.documents.schemas import CollectionRef, DocumentError, DocumentResponse, Progress, WaitingVersion
from lectern.documents.selection import DocumentSelection
from lectern.extraction.types import PageImageStatus
from lectern.jobs.models import Job
from lectern.jobs.schemas import progress_of
from lectern.tags.repository import HangingTag, tags_by_document


async def present(session: Session, rows: Sequence[DocumentRow]) -> list[DocumentResponse]:
    """The documents of `rows` with their tags and latest jobs, as the session sees them."""
    if not rows:
        return []
    ids = [row.document.id for row in rows]
    tags = await tags_by_document(session, ids)
    jobs = await repository.latest_jobs(session, ids)
    newer = await find_newer_versions(session, ids)
    return [
        _response(
            row,
            tags.get(row.document.id, []),
            jobs.get(row.document.id),
            newer=newer.get(row.document.id),
        )
        for row in rows
    ]


async def find_newer_versions(session: Session, ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, WaitingVersion]:
    """The version of each document that is to take over, or failed to."""
    found = await repository.newer_versions(session, ids)
    return {document_id: _waiting(version) for document_id, version in found.items()}


async def present_ids(session: Session, ids: Sequence[uuid.UUID]) -> list[DocumentResponse]:
    """Documents in the order of `ids`, the trash included; those out of sight are left out."""
    selection = DocumentSelection(ids=ids, is_deleted=None)
    rows = await repository.list_documents(session, selection, sort="created_at", after=None, limit=len(ids))
    by_id = {document.id: document for document in await present(session, rows)}
    return [by_id[document_id] for document_id in ids if document_id in by_id]


async def present_one(session: Session, document_id: uuid.UUID) -> DocumentResponse:
    """Raises DocumentNotFound."""
    found = await present_ids(session, [document_id])
    if not found:
        raise DocumentNotFound
    return found[0]


def _response(
    row: DocumentRow, tags: Sequence[HangingTag], job: Job | None, *, newer: WaitingVersion | None
) -> DocumentResponse:
    document = row.document
    return DocumentResponse(
        id=document.id,
        filename=document.filename,
        title=document.title,
        collection=CollectionRef(id=document.collection_id, name=row.collection_name),
        tags=[tag.name for tag in tags],
        content_type=document.content_type,
        size_bytes=document.size_bytes,
        sha256=document.sha256,
        language=document.language,
        status=document.status,  # pyright: ignore[reportArgumentType]: a check constraint holds it
        error=error_of(document),
        page_count=document.page_count,
        unreadable_page_count=document.unreadable_page_count,
        page_images=PageImageStatus(document.page_images),
        chunk_count=document.chunk_count,
        embedded_chunk_count=document.embedded_chunk_count,
        keyword_ready_at=document.keyword_ready_at,
        ready_at=document.ready_at,
        created_at=document.created_at,
        updated_at=document.updated_at,
        deleted_at=document.deleted_at,
        created_by=document.created_by,
        version=document.version,
        newer_version=newer,
        progress=_progress(job),
    )


def error_of(row: Document | DocumentVersion | Job) -> DocumentError | None:
    """Why reading it failed, was cancelled or waits; None when nothing is wrong."""
    if row.error_code is None:
        return None
    return DocumentError(
        code=row.error_code, message=row.error_message or "", hint=row.error_hint, details=row.error_details
    )


def _waiting(version: DocumentVersion) -> WaitingVersion:
    values = {name: getattr(version, name) for name in WaitingVersion.model_fields if name != "error"}
    return WaitingVersion.model_validate({**values, "error": error_of(version)})


def _progress(job: Job | None) -> Progress | None:
    if job is None:
        return None
    values = {name: getattr(job, name) for name in Progress.model_fields if name not in {"job_id", "share", "error"}}
    share = round(progress_of(job), 4)
    return Progress.model_validate({"job_id": job.id, "share": share, "error": error_of(job), **values})
