"""`POST /documents/bulk`."""

from fastapi import APIRouter

from lectern.accounts.dependencies import CurrentDatabase, Writer
from lectern.documents.bulk import service
from lectern.documents.schemas import BulkRequest, BulkResponse
from lectern.documents.uploads.router import CurrentOriginals

router = APIRouter(prefix="/api/v1/documents", tags=["documents"])


@router.post("/bulk")
async def change_documents(
    body: BulkRequest, principal: Writer, database: CurrentDatabase, originals: CurrentOriginals
) -> BulkResponse:
    """Tag, untag, move, bin, restore, purge or read again: those listed, or all that match a filter."""
    return await service.change_documents(database, originals, principal, wanted=body)
