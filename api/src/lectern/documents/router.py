"""`/documents`: finding, changing, binning and restoring."""

import uuid
from typing import Annotated

from fastapi import APIRouter, Query

from lectern.accounts.dependencies import CurrentPrincipal, CurrentSettings, ScopedSession, Writer
from lectern.documents import service
from lectern.documents.schemas import (
    DocumentListParameters,
    DocumentResponse,
    DocumentUpdate,
    IngestRequest,
)
from lectern.http.pagination import Page

router = APIRouter(prefix="/api/v1/documents", tags=["documents"])


@router.get("")
async def list_documents(
    _: CurrentPrincipal, session: ScopedSession, wanted: Annotated[DocumentListParameters, Query()]
) -> Page[DocumentResponse]:
    """Documents that match, a page at a time."""
    return await service.list_documents(session, wanted)


@router.get("/named")
async def get_named_document(
    _: CurrentPrincipal,
    session: ScopedSession,
    name: Annotated[str, Query(min_length=1, max_length=500, description="Id, filename, title, ticker or company.")],
) -> DocumentResponse:
    """The one document that a name means; several, or none, are refused with those that come close."""
    return await service.get_named_document(session, name)


@router.get("/{document_id}")
async def get_document(document_id: uuid.UUID, _: CurrentPrincipal, session: ScopedSession) -> DocumentResponse:
    """One document, also from the trash."""
    return await service.get_document(session, document_id)


@router.patch("/{document_id}")
async def update_document(
    document_id: uuid.UUID,
    body: DocumentUpdate,
    principal: Writer,
    session: ScopedSession,
    settings: CurrentSettings,
) -> DocumentResponse:
    """Change title, filename, language, tags or collection."""
    return await service.update_document(
        session, principal, document_id, wanted=body, languages=settings.chunking.languages
    )


@router.post("/{document_id}/restore")
async def restore_document(document_id: uuid.UUID, principal: Writer, session: ScopedSession) -> DocumentResponse:
    """Take a document out of the trash."""
    return await service.restore_document(session, principal, document_id)


@router.post("/{document_id}/ingest", status_code=202)
async def ingest_document(
    document_id: uuid.UUID, principal: Writer, session: ScopedSession, body: IngestRequest | None = None
) -> DocumentResponse:
    """Read a document again, with a password if it needs one."""
    password = body.password if body else None
    return await service.request_ingestion(session, principal, document_id, password=password)
