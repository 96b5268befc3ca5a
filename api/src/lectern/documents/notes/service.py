"""Notes: list, add, change and delete."""

import re
import uuid
from functools import partial
from typing import Final

from lectern.accounts.principals import Principal
from lectern.db.session import Session
from lectern.documents.errors import DocumentNotFound, NoteNotFound
from lectern.documents.models import Note
from lectern.documents.notes import repository
from lectern.documents.notes.schemas import (
    MAX_QUOTE_CHARACTERS,
    NoteCreate,
    NoteMatch,
    NoteResponse,
    NoteSearchResponse,
    NoteUpdate,
)
from lectern.documents.parts.service import get_content, get_page_number
from lectern.errors import InvalidRequest
from lectern.http.pagination import Page, list_page

_WORD: Final = re.compile(r"[^\W_]+")
_MIN_WORD_CHARACTERS: Final = 3
_MAX_WORDS: Final = 32


async def list_notes(
    session: Session, principal: Principal, document_id: uuid.UUID, *, cursor: str | None, limit: int
) -> Page[NoteResponse]:
    """List the notes of a document in reading order. Raises DocumentNotFound, BrokenCursor."""
    version = await _version(session, document_id)
    return await list_page(
        partial(repository.list_notes, session, principal.actor, document_id),
        lambda note: _present(note, principal, version),
        order=f"notes:{document_id}",
        keys={"char_start": int, "id": uuid.UUID},
        cursor=cursor,
        limit=limit,
    )


async def search_notes(session: Session, principal: Principal, query: str, *, limit: int) -> NoteSearchResponse:
    """Return the notes that the caller sees with at least half of the words of the query."""
    words = list(dict.fromkeys(_WORD.findall(query.lower())))[:_MAX_WORDS]
    wanted = [word for word in words if len(word) >= _MIN_WORD_CHARACTERS or word.isdecimal()] or words
    if not wanted:
        return NoteSearchResponse(items=[], total=0)
    rows, total = await repository.search_notes(session, principal.actor, wanted, limit=limit)
    items = [
        NoteMatch(
            **_present(note, principal, document.version).model_dump(),
            document_id=document.id,
            document=document.title or document.filename,
        )
        for note, document in rows
    ]
    return NoteSearchResponse(items=items, total=total)


async def add_note(session: Session, principal: Principal, document_id: uuid.UUID, wanted: NoteCreate) -> NoteResponse:
    """Add a note at a range of the current version. Raises DocumentNotFound, InvalidRequest."""
    version = await _version(session, document_id)
    start, end = wanted.char_start, wanted.char_end
    if not start < end <= start + MAX_QUOTE_CHARACTERS:
        raise InvalidRequest(f"`char_end` must be 1 to {MAX_QUOTE_CHARACTERS:,} characters after `char_start`.")
    content = await get_content(session, document_id, char_start=start, max_characters=end - start)
    page_number = await get_page_number(session, document_id, start)
    if content.char_end != end or page_number is None:
        raise InvalidRequest("The range is beyond the end of the document's text.")
    values = {
        "document_id": document_id,
        "version": version,
        "author": principal.actor,
        "author_name": principal.name,
        "page_number": page_number,
        "quote": content.text,
        **wanted.model_dump(),
    }
    return _present(await repository.add(session, values), principal, version)


async def update_note(
    session: Session, principal: Principal, document_id: uuid.UUID, note_id: uuid.UUID, wanted: NoteUpdate
) -> NoteResponse:
    """Change a note of the caller. Raises DocumentNotFound, NoteNotFound."""
    version = await _version(session, document_id)
    values = wanted.model_dump(exclude_none=True)
    note = await repository.change(session, principal.actor, document_id, note_id, values)
    if note is None:
        raise NoteNotFound
    return _present(note, principal, version)


async def delete_note(session: Session, principal: Principal, document_id: uuid.UUID, note_id: uuid.UUID) -> None:
    """Delete a note of the caller. Raises DocumentNotFound, NoteNotFound."""
    await _version(session, document_id)
    if not await repository.delete_note(session, principal.actor, document_id, note_id):
        raise NoteNotFound


async def _version(session: Session, document_id: uuid.UUID) -> int:
    version = await repository.find_version(session, document_id)
    if version is None:
        raise DocumentNotFound
    return version


def _present(note: Note, principal: Principal, version: int) -> NoteResponse:
    return NoteResponse.from_row(note, is_mine=note.author == principal.actor, is_outdated=note.version != version)
