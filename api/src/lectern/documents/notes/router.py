"""`/documents/{id}/notes` and `/notes`: notes of people at passages."""

import uuid
from typing import Annotated

from fastapi import APIRouter, Query

from lectern.accounts.dependencies import Person, ScopedSession
from lectern.documents.notes import service
from lectern.documents.notes.schemas import NoteCreate, NoteResponse, NoteSearchResponse, NoteUpdate
from lectern.http.page_parameters import CursorParameter, Limit
from lectern.http.pagination import Page

router = APIRouter(prefix="/api/v1/documents/{document_id}/notes", tags=["documents"])
search_router = APIRouter(prefix="/api/v1/notes", tags=["documents"])


@search_router.get("")
async def search_notes(
    principal: Person,
    session: ScopedSession,
    q: Annotated[str, Query(min_length=1, max_length=500, description="Words of the note or of its quotation.")],
    limit: Annotated[int, Query(ge=1, le=50)] = 10,
) -> NoteSearchResponse:
    """Search your notes and those that are shared with you. A note matches at least half of the words."""
    return await service.search_notes(session, principal, q, limit=limit)


@router.get("")
async def list_notes(
    document_id: uuid.UUID, principal: Person, session: ScopedSession, cursor: CursorParameter = None, limit: Limit = 50
) -> Page[NoteResponse]:
    """List your notes on a document and those that are shared, in reading order."""
    return await service.list_notes(session, principal, document_id, cursor=cursor, limit=limit)


@router.post("", status_code=201)
async def create_note(
    document_id: uuid.UUID, body: NoteCreate, principal: Person, session: ScopedSession
) -> NoteResponse:
    """Add a note at a passage. Nobody else sees it unless it is shared, not even administrators."""
    return await service.add_note(session, principal, document_id, body)


@router.patch("/{note_id}")
async def update_note(
    document_id: uuid.UUID, note_id: uuid.UUID, body: NoteUpdate, principal: Person, session: ScopedSession
) -> NoteResponse:
    """Change the text of your note, share it or take it back."""
    return await service.update_note(session, principal, document_id, note_id, body)


@router.delete("/{note_id}", status_code=204)
async def delete_note(document_id: uuid.UUID, note_id: uuid.UUID, principal: Person, session: ScopedSession) -> None:
    """Delete your note."""
    await service.delete_note(session, principal, document_id, note_id)
