"""`GET /documents/{id}/copies`."""

import uuid
from typing import Annotated

from fastapi import APIRouter, Query

from lectern.accounts.dependencies import CurrentPrincipal, SnapshotSession
from lectern.documents.copies import service
from lectern.documents.copies.schemas import CopiesResponse

router = APIRouter(prefix="/api/v1/documents/{document_id}", tags=["documents"])


@router.get("/copies")
async def list_document_copies(
    document_id: uuid.UUID,
    _: CurrentPrincipal,
    session: SnapshotSession,
    share: Annotated[float, Query(gt=0, le=1, description="How much of its passages another must have.")] = 0.5,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> CopiesResponse:
    """Other documents that are the same file, or have most of the same passages."""
    return await service.list_copies(session, document_id, share=share, limit=limit)
