"""`/documents`: list, change, trash, restore, reprocess and purge."""

import uuid
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Response

from lectern.accounts.dependencies import CurrentDatabase, CurrentPrincipal, CurrentSettings, ScopedSession, Writer
from lectern.documents import bulk, service
from lectern.documents.dependencies import CurrentOriginals
from lectern.documents.schemas import (
    BulkRequest,
    BulkResponse,
    DocumentListParameters,
    DocumentResponse,
    DocumentUpdate,
    IngestRequest,
    PurgeReceipt,
)
from lectern.documents.trash.service import purge_documents
from lectern.http.pagination import Page

router = APIRouter(prefix="/api/v1/documents", tags=["documents"])

_DELETE_RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    200: {"model": PurgeReceipt, "description": "The document was purged."},
    204: {"description": "The document is in the trash."},
}


@router.get("")
async def list_documents(
    _: CurrentPrincipal, session: ScopedSession, wanted: Annotated[DocumentListParameters, Query()]
) -> Page[DocumentResponse]:
    """List the documents that match the filter."""
    return await service.list_documents(session, wanted)


@router.get("/named")
async def get_named_document(
    _: CurrentPrincipal,
    session: ScopedSession,
    name: Annotated[
        str,
        Query(min_length=1, max_length=500, description="Id, handle, filename, title, ticker or company."),
    ],
) -> DocumentResponse:
    """Get the document that a name refers to. No match and several matches are errors that list candidates."""
    return await service.get_named_document(session, name)


@router.post("/bulk")
async def change_documents(
    body: BulkRequest, principal: Writer, database: CurrentDatabase, originals: CurrentOriginals
) -> BulkResponse:
    """Tag, untag, move, trash, restore, purge or reprocess many documents, by ids or by filter."""
    return await bulk.change_documents(database, originals, principal, wanted=body)


@router.get("/{document_id}")
async def get_document(document_id: uuid.UUID, _: CurrentPrincipal, session: ScopedSession) -> DocumentResponse:
    """Get one document, also from the trash."""
    return await service.get_document(session, document_id)


@router.patch("/{document_id}")
async def update_document(
    document_id: uuid.UUID,
    body: DocumentUpdate,
    principal: Writer,
    session: ScopedSession,
    settings: CurrentSettings,
) -> DocumentResponse:
    """Change title, filename, aliases, language, tags or collection."""
    return await service.update_document(
        session, principal, document_id, wanted=body, languages=settings.chunking.languages
    )


@router.delete("/{document_id}", response_model=None, responses=_DELETE_RESPONSES)
async def delete_document(
    document_id: uuid.UUID,
    principal: Writer,
    database: CurrentDatabase,
    originals: CurrentOriginals,
    *,
    purge: Annotated[bool, Query(description="Delete the document and all its data permanently.")] = False,
) -> PurgeReceipt | Response:
    """Move a document to the trash, or purge it."""
    async with database.session(principal.scope) as session:
        if not purge:
            await service.trash_document(session, principal, document_id)
            return Response(status_code=204)
        await service.lock_writable(session, principal, document_id)
    return await purge_documents(database, originals, actor=principal.actor, document_ids=[document_id])


@router.post("/{document_id}/restore")
async def restore_document(document_id: uuid.UUID, principal: Writer, session: ScopedSession) -> DocumentResponse:
    """Restore a document from the trash."""
    return await service.restore_document(session, principal, document_id)


@router.post("/{document_id}/ingest", status_code=202)
async def ingest_document(
    document_id: uuid.UUID, principal: Writer, session: ScopedSession, body: IngestRequest | None = None
) -> DocumentResponse:
    """Reprocess a document. Encrypted files need a password."""
    password = body.password if body else None
    return await service.request_ingestion(session, principal, document_id, password=password)
