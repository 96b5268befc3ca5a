"""`DELETE /documents/{id}`: to the trash, or for good."""

import uuid
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Response

from lectern.accounts.dependencies import CurrentDatabase, Writer
from lectern.documents.schemas import PurgeReceipt
from lectern.documents.service import bin_document, lock_writable
from lectern.documents.trash.service import purge_documents
from lectern.documents.uploads.router import CurrentOriginals

router = APIRouter(prefix="/api/v1/documents", tags=["documents"])

_RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    200: {"model": PurgeReceipt, "description": "Purged: what was removed."},
    204: {"description": "It is in the trash."},
}


@router.delete("/{document_id}", response_model=None, responses=_RESPONSES)
async def delete_document(
    document_id: uuid.UUID,
    principal: Writer,
    database: CurrentDatabase,
    originals: CurrentOriginals,
    *,
    purge: Annotated[bool, Query(description="Remove it for good, with everything that belongs to it.")] = False,
) -> PurgeReceipt | Response:
    """Move a document to the trash, or purge it."""
    async with database.session(principal.scope) as session:
        if not purge:
            await bin_document(session, principal, document_id)
            return Response(status_code=204)
        await lock_writable(session, principal, document_id)
    return await purge_documents(database, originals, actor=principal.actor, document_ids=[document_id])
