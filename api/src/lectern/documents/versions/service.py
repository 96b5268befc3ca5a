"""Replacing the content of a document, and its versions."""

import uuid

from lectern.accounts.elevation import elevated
from lectern.accounts.principals import Principal
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.documents.errors import DocumentAlreadyThere, DocumentInTrash, DocumentNotFound
from lectern.documents.files import StoredFile
from lectern.documents.models import Document, DocumentVersion
from lectern.documents.originals import remove_unreferenced
from lectern.documents.parts.repository import OriginalFacts
from lectern.documents.presentation import error_of, present_one
from lectern.documents.service import lock_writable
from lectern.documents.versions import repository
from lectern.documents.versions.adding import add_version
from lectern.documents.versions.errors import VersionNotFound
from lectern.documents.versions.schemas import VersionAccepted, VersionResponse
from lectern.http.pagination import Page, decode_cursor, encode_cursor
from lectern.jobs.service import INTERACTIVE
from lectern.storage.store import OriginalStore


async def require_replaceable(session: Session, principal: Principal, document_id: uuid.UUID) -> Document:
    """A document whose content the principal may replace, locked.

    Raises DocumentNotFound, ReadOnly, DocumentInTrash.
    """
    document = await lock_writable(session, principal, document_id)
    if document.deleted_at is not None:
        raise DocumentInTrash
    return document


async def replace_content(
    database: Database, originals: OriginalStore, principal: Principal, document_id: uuid.UUID, *, file: StoredFile
) -> VersionAccepted:
    """Queue a stored file as the next version. When it fails, an original that nobody refers to is removed again.

    Raises DocumentNotFound, ReadOnly, DocumentInTrash, DocumentAlreadyThere, OriginalVanished.
    """
    try:
        async with database.session(principal.scope) as session:
            document = await require_replaceable(session, principal, document_id)
            return await _add(session, originals, principal, document, file=file)
    except BaseException:
        await remove_unreferenced(database, originals, [file.sha256])
        raise


async def restore_version(
    session: Session, originals: OriginalStore, principal: Principal, document_id: uuid.UUID, *, number: int
) -> VersionAccepted:
    """Queue the file of an older version as the next one.

    Raises DocumentNotFound, ReadOnly, DocumentInTrash, VersionNotFound, DocumentAlreadyThere, OriginalVanished.
    """
    document = await require_replaceable(session, principal, document_id)
    old = await _get(session, document, number)
    file = StoredFile(old.filename, old.content_type, old.sha256, old.size_bytes)
    return await _add(session, originals, principal, document, file=file, restored_from=number)


async def _add(
    session: Session,
    originals: OriginalStore,
    principal: Principal,
    document: Document,
    *,
    file: StoredFile,
    restored_from: int | None = None,
) -> VersionAccepted:
    await require_new_file(session, principal, document, sha256=file.sha256)
    added = await add_version(
        session,
        originals,
        document,
        file=file,
        actor=principal.actor,
        priority=INTERACTIVE,
        restored_from=restored_from,
    )
    version = await _get(session, document, added.number)
    return VersionAccepted(
        document=await present_one(session, document.id),
        version=_response(version, current=document.version),
        job_id=added.job_id,
        is_unchanged=added.is_unchanged,
    )


async def require_new_file(session: Session, principal: Principal, document: Document, *, sha256: str) -> None:
    """Raises DocumentAlreadyThere when another document of the collection has these bytes."""
    async with elevated(session, principal.scope):
        other = await repository.find_same_file(
            session, collection_id=document.collection_id, sha256=sha256, other_than=document.id
        )
    if other is not None:
        visible = await repository.find_document(session, other)
        raise DocumentAlreadyThere(details={"document_id": str(other)} if visible else {})


async def list_versions(
    session: Session, document_id: uuid.UUID, *, cursor: str | None, limit: int
) -> Page[VersionResponse]:
    """The versions of a document, the newest first. Raises DocumentNotFound, BrokenCursor."""
    document = await _document(session, document_id)
    order = f"versions:{document_id}"
    before = decode_cursor(cursor, order=order, types=(int,))[0] if cursor else None
    rows, total = await repository.list_versions(session, document_id, before=before, limit=limit + 1)
    if not total:
        return Page(items=[_response(_first(document), current=document.version)], next_cursor=None, total=1)
    shown = rows[:limit]
    return Page(
        items=[_response(row, current=document.version) for row in shown],
        next_cursor=encode_cursor(order, [shown[-1].number]) if len(rows) > limit else None,
        total=total,
    )


async def get_original(session: Session, document_id: uuid.UUID, number: int) -> OriginalFacts:
    """The file of a version. Raises DocumentNotFound, VersionNotFound."""
    version = await _get(session, await _document(session, document_id), number)
    return OriginalFacts(version.filename, version.content_type, version.size_bytes, version.sha256)


async def remove_surplus_versions(database: Database, originals: OriginalStore, *, kept: int) -> int:
    """Forget versions beyond the newest `kept` of each document, with their files; 0 keeps all. For a periodic job."""
    if kept == 0:
        return 0
    async with database.session(SYSTEM_SCOPE) as session:
        hashes = await repository.remove_surplus(session, kept=kept)
    await remove_unreferenced(database, originals, hashes)
    return len(hashes)


async def _document(session: Session, document_id: uuid.UUID) -> Document:
    document = await repository.find_document(session, document_id)
    if document is None:
        raise DocumentNotFound
    return document


async def _get(session: Session, document: Document, number: int) -> DocumentVersion:
    found = await repository.find(session, document.id, number)
    if found is None and number == document.version:
        return _first(document)
    if found is None:
        raise VersionNotFound
    return found


def _first(document: Document) -> DocumentVersion:
    """The version of a document that was never replaced."""
    unfinished = {"queued": "processing", "processing": "processing", "failed": "failed"}
    return DocumentVersion(
        document_id=document.id,
        number=document.version,
        state="current" if document.ready_at else unfinished.get(document.status, "current"),
        filename=document.filename,
        content_type=document.content_type,
        size_bytes=document.size_bytes,
        sha256=document.sha256,
        page_count=document.page_count,
        chunk_count=document.chunk_count if document.ready_at else None,
        error_code=document.error_code,
        error_message=document.error_message,
        error_hint=document.error_hint,
        error_details=document.error_details,
        created_by=document.created_by,
        created_at=document.created_at,
        current_at=document.ready_at,
    )


def _response(version: DocumentVersion, *, current: int) -> VersionResponse:
    names = VersionResponse.model_fields.keys() - {"is_current", "error"}
    values = {name: getattr(version, name) for name in names}
    return VersionResponse.model_validate(
        {**values, "is_current": version.number == current, "error": error_of(version)}
    )
