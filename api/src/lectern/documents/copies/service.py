"""Finding the copies of a document."""

import uuid

from lectern.db.session import Session
from lectern.documents.copies import repository
from lectern.documents.copies.schemas import CopiesResponse, CopyResponse
from lectern.documents.schemas import CollectionRef
from lectern.documents.service import get_document


async def list_copies(session: Session, document_id: uuid.UUID, *, share: float, limit: int) -> CopiesResponse:
    """Other documents with the same file or most of the same passages. Raises DocumentNotFound."""
    await get_document(session, document_id)
    rows = await repository.list_copies(session, document_id, share=share, limit=limit)
    return CopiesResponse(
        items=[
            CopyResponse(
                collection=CollectionRef(id=row["collection_id"], name=row["collection_name"]),
                **{name: row[name] for name in CopyResponse.model_fields.keys() - {"collection"}},
            )
            for row in rows
        ]
    )
