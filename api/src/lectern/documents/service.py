"""List, change, trash, restore and reprocess documents."""

import hashlib
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from pydantic import SecretStr

from lectern.accounts.audit.service import changes_with_before, record
from lectern.accounts.principals import Principal
from lectern.collections.service import choose_collection, resolve_collections
from lectern.db import lexical_index
from lectern.db.base import NO_ERROR
from lectern.db.session import Session
from lectern.documents import repository
from lectern.documents.errors import (
    AmbiguousDocument,
    DocumentAlreadyThere,
    DocumentInTrash,
    DocumentNotFound,
    UnknownDocument,
    UnsupportedLanguage,
    VersionUnderWay,
)
from lectern.documents.models import Document
from lectern.documents.name_match import NamedDocument, is_handle, match_documents_by_name, split_words
from lectern.documents.presentation import present, present_one
from lectern.documents.repository import DocumentSelection
from lectern.documents.schemas import DocumentFilter, DocumentListParameters, DocumentResponse, DocumentUpdate
from lectern.http.pagination import Page, decode_cursor, encode_cursor
from lectern.http.references import as_uuid, unknown_reference
from lectern.jobs import service as jobs
from lectern.jobs.models import JobArguments
from lectern.jobs.service import BULK, INTERACTIVE, enqueue
from lectern.tags.service import get_or_create_tags, replace_document_tags, resolve_tags

_MAX_CANDIDATES = 10
_NAMED_BEFORE = ("title", "filename", "language")
_LANGUAGE_CHANGED = "The document is reprocessed in another language."
# Queries that other packages call directly.
list_named_documents = repository.list_named_documents
list_ready_documents = repository.list_ready_documents


async def select_documents(session: Session, wanted: DocumentFilter) -> DocumentSelection:
    """Resolve the references of a filter. Raises UnknownTag, UnknownCollection."""

    async def tags(references: Sequence[str]) -> list[uuid.UUID]:
        return await resolve_tags(session, references) if references else []

    return DocumentSelection(
        tags_any=await tags(wanted.tags),
        tags_all=await tags(wanted.tags_all),
        tags_none=await tags(wanted.tags_none),
        is_untagged=wanted.is_untagged,
        is_shared_with_me=wanted.is_shared_with_me,
        collections=await resolve_collections(session, wanted.collections) if wanted.collections else [],
        statuses=wanted.status,
        content_types=wanted.content_type,
        languages=wanted.language,
        matching=wanted.q,
        created_from=wanted.created_from,
        created_to=wanted.created_to,
        is_deleted=wanted.is_deleted,
    )


async def list_documents(session: Session, wanted: DocumentListParameters) -> Page[DocumentResponse]:
    """List a page of the matching documents. Raises UnknownTag, UnknownCollection, BrokenCursor."""
    selection = await select_documents(session, wanted)
    filter_text = wanted.model_dump_json(exclude={"cursor", "limit"})
    order = f"documents:{hashlib.sha256(filter_text.encode()).hexdigest()[:16]}"
    _, key_type = repository.SORTS[wanted.sort.lstrip("-")]
    after = decode_cursor(wanted.cursor, order=order, types=(key_type, uuid.UUID)) if wanted.cursor else None
    rows = await repository.list_documents(session, selection, sort=wanted.sort, after=after, limit=wanted.limit + 1)
    shown, next_cursor = rows[: wanted.limit], None
    if len(rows) > wanted.limit:
        next_cursor = encode_cursor(order, [shown[-1].sort_key, shown[-1].document.id])
    total = await repository.count(session, selection)
    return Page(items=await present(session, shown), next_cursor=next_cursor, total=total)


async def list_document_ids(session: Session, wanted: DocumentFilter) -> list[uuid.UUID]:
    """List the ids of all matching documents, oldest first. Raises UnknownTag, UnknownCollection."""
    return await repository.list_ids(session, await select_documents(session, wanted))


async def get_document(session: Session, document_id: uuid.UUID) -> DocumentResponse:
    """Return one document. Raises DocumentNotFound."""
    return await present_one(session, document_id)


async def lock_writable(session: Session, principal: Principal, document_id: uuid.UUID) -> Document:
    """Lock a document that the principal may change. Raises DocumentNotFound, ReadOnly."""
    shown = await present_one(session, document_id)
    principal.require_writing_to([shown.collection.id])
    document = await repository.lock(session, document_id)
    if document is None:
        raise DocumentNotFound
    principal.require_writing_to([document.collection_id])
    return document


async def require_new_file(session: Session, document: Document, *, collection_id: uuid.UUID, sha256: str) -> None:
    """Raise DocumentAlreadyThere if another document of the collection, in scope, has this file."""
    other = await repository.find_same_file(session, collection_id=collection_id, sha256=sha256, other_than=document.id)
    if other is not None:
        raise DocumentAlreadyThere(details={"document_id": str(other)})


def check_language(language: str | None, *, languages: Sequence[str]) -> None:
    """Raise UnsupportedLanguage unless the language is None or supported."""
    if language is not None and language not in languages:
        hint = f"Use one of: {', '.join(languages)}."
        raise UnsupportedLanguage(
            f"Language {language!r} is not supported.", hint=hint, details={"available": list(languages)}
        )


async def update_document(
    session: Session,
    principal: Principal,
    document_id: uuid.UUID,
    *,
    wanted: DocumentUpdate,
    languages: Sequence[str],
) -> DocumentResponse:
    """Change the metadata of a document. A new title or filename is searchable at once.

    Raises DocumentNotFound, DocumentInTrash, DocumentAlreadyThere, UnknownCollection, UnknownTag,
    UnsupportedLanguage, VersionUnderWay.
    """
    document = await lock_writable(session, principal, document_id)
    if document.deleted_at is not None:
        raise DocumentInTrash
    given = wanted.model_fields_set
    named = {name: getattr(wanted, name) for name in _NAMED_BEFORE if name in given}
    before = changes_with_before(named, document).get("before")
    values = _plain_values(wanted)
    if wanted.collection is not None:
        values["collection_id"] = await _choose_target(session, principal, document, wanted.collection)
    if wanted.tags is not None:
        collections = [values.get("collection_id", document.collection_id)]
        tag_ids = await get_or_create_tags(session, principal, wanted.tags, collections=collections)
        await replace_document_tags(session, document_id, tag_ids)
    is_language_new = "language" in given and (wanted.language != document.language or not document.is_language_given)
    if is_language_new:
        check_language(wanted.language, languages=languages)
    if values or wanted.tags is not None:
        await repository.change(session, [document_id], values)
    if values.keys() & {"title", "filename"}:
        await lexical_index.index_document(session, document_id)
    if is_language_new:
        await change_language(session, document_id, wanted.language)
    details = wanted.model_dump(mode="json", exclude_unset=True) | ({"before": before} if before else {})
    await record(session, principal.actor, action="document.update", target=f"document:{document_id}", details=details)
    return await present_one(session, document_id)


def _plain_values(wanted: DocumentUpdate) -> dict[str, Any]:
    """Return the given values that need no lookup. Null is a value of `title` and `aliases` only."""
    values = wanted.model_dump(include=wanted.model_fields_set & {"title", "filename", "aliases"})
    return {name: value for name, value in values.items() if value is not None or name != "filename"}


async def _choose_target(session: Session, principal: Principal, document: Document, reference: str) -> uuid.UUID:
    """Return the collection to move a document to. Raises UnknownCollection, ReadOnly, DocumentAlreadyThere."""
    target = await choose_collection(session, principal, reference)
    if target != document.collection_id:
        await require_new_file(session, document, collection_id=target, sha256=document.sha256)
    return target


async def change_language(session: Session, document_id: uuid.UUID, language: str | None) -> uuid.UUID:
    """Reprocess a locked document in a language, or detect it if None. Return the id of the job.

    A running job is cancelled, because it would finish in the old language. Raises VersionUnderWay.
    """
    active = await jobs.find_active_job(session, document_id)
    arguments: JobArguments | None = None
    if active is not None and active.attempts:
        if active.version is not None:
            raise VersionUnderWay
        arguments = JobArguments.from_row(active.arguments)  # They may include the password of the file.
        await jobs.supersede(session, active.id, reason=_LANGUAGE_CHANGED)
    await repository.change(session, [document_id], {"language": language, "is_language_given": language is not None})
    (job_id,) = await ingest_again(session, [document_id], priority=INTERACTIVE, arguments=arguments)
    return job_id


async def trash_document(session: Session, principal: Principal, document_id: uuid.UUID) -> None:
    """Move a document to the trash, if it is not there yet. Raises DocumentNotFound."""
    document = await lock_writable(session, principal, document_id)
    if document.deleted_at is None:
        await repository.change(session, [document_id], {"deleted_at": datetime.now(UTC)})
        await record(session, principal.actor, action="document.delete", target=f"document:{document_id}")


async def restore_document(session: Session, principal: Principal, document_id: uuid.UUID) -> DocumentResponse:
    """Restore a document from the trash and resume its processing. Raises DocumentAlreadyThere."""
    document = await lock_writable(session, principal, document_id)
    if document.deleted_at is not None:
        await require_new_file(session, document, collection_id=document.collection_id, sha256=document.sha256)
        await repository.restore(session, [document_id])
        if is_unfinished(document.status, document.error_code):
            await ingest_again(session, [document_id], priority=INTERACTIVE)
        await record(session, principal.actor, action="document.restore", target=f"document:{document_id}")
    return await present_one(session, document_id)


def is_unfinished(status: str, error_code: str | None) -> bool:
    """Return True if the document was not fully processed when it was trashed."""
    return status in {"queued", "processing"} or error_code == "cancelled"


async def ingest_again(
    session: Session,
    document_ids: Sequence[uuid.UUID],
    *,
    priority: int = BULK,
    arguments: JobArguments | None = None,
) -> list[uuid.UUID]:
    """Queue documents for reprocessing. Return the ids of their jobs."""
    await repository.change(session, document_ids, {"status": "queued", **NO_ERROR})
    queued = [
        await enqueue(session, document_id=document_id, priority=priority, arguments=arguments)
        for document_id in document_ids
    ]
    return [job.id for job in queued]


async def request_ingestion(
    session: Session, principal: Principal, document_id: uuid.UUID, *, password: SecretStr | None
) -> DocumentResponse:
    """Reprocess a document in any state. Raises DocumentNotFound, DocumentInTrash."""
    document = await lock_writable(session, principal, document_id)
    if document.deleted_at is not None:
        raise DocumentInTrash
    await ingest_again(session, [document_id], priority=INTERACTIVE, arguments=JobArguments(password=password))
    await record(session, principal.actor, action="document.ingest", target=f"document:{document_id}")
    return await present_one(session, document_id)


async def resolve_documents(session: Session, references: Sequence[str], *, is_strict: bool = False) -> list[uuid.UUID]:
    """Resolve ids and names to ids of documents outside the trash. A filename may match several.

    Every other name is resolved as in `get_named_document`. `is_strict` takes ids, handles and filenames only.

    Raises:
        UnknownDocument: Lists the unknown references, with close matches.
        AmbiguousDocument: Several documents match a name that is no filename. Lists at most ten.
    """
    ids = [value for value in map(as_uuid, references) if value]
    rows = await repository.find_by_references(session, ids=ids, filenames=references)
    by_id = {document_id for document_id, _ in rows}
    by_name: dict[str, list[uuid.UUID]] = {}
    for document_id, filename in rows:
        by_name.setdefault(filename.lower(), []).append(document_id)
    resolved: list[uuid.UUID] = []
    unknown: list[str] = []
    for reference in references:
        document_id = as_uuid(reference)
        is_id = document_id is not None and document_id in by_id
        matches = [document_id] if document_id and is_id else by_name.get(reference.lower(), [])
        if not matches and document_id is None and (not is_strict or is_handle(reference)):
            matches = [one.id for one in await _find_by_name(session, reference)]
        resolved += matches
        if not matches:
            unknown.append(reference)
    if unknown:
        available = await repository.list_filenames(session)
        raise unknown_reference(UnknownDocument, unknown, noun="document", available=available)
    return list(dict.fromkeys(resolved))


async def list_copies(session: Session, filenames: Sequence[str]) -> dict[str, str]:
    """Return other filenames of the same content, each with the one of `filenames` that it is a copy of."""
    return dict(await repository.list_copies(session, filenames))


async def get_named_document(session: Session, name: str) -> DocumentResponse:
    """Return the document with this id, handle, filename, title, alias, or words of these.

    Raises:
        UnknownDocument: No document outside the trash matches. Lists close matches.
        DocumentNotFound: No document outside the trash has this id.
        AmbiguousDocument: Several documents match. Lists at most ten.
    """
    document_id = as_uuid(name)
    if document_id is not None:
        found = await present_one(session, document_id)
        if found.deleted_at is not None:
            raise DocumentNotFound
        return found
    matches = await _find_by_name(session, name)
    if matches:
        return await present_one(session, matches[0].id)
    available = await repository.list_filenames(session)
    raise unknown_reference(UnknownDocument, [name], noun="document", available=available)


async def _find_by_name(session: Session, name: str) -> list[NamedDocument]:
    """Return the document with this handle or name, if there is one. Raises AmbiguousDocument."""
    matches: list[NamedDocument] = []
    if is_handle(name):
        matches = await repository.find_by_handle(session, name, limit=_MAX_CANDIDATES + 1)
    if not matches:
        named = await repository.list_named_documents(session, split_words(name))
        matches = match_documents_by_name(name, named)
    if len(matches) > 1:
        raise _ambiguous(matches)
    return matches


def _ambiguous(matches: Sequence[NamedDocument]) -> AmbiguousDocument:
    listed = [{"id": str(document.id), "filename": document.filename} for document in matches[:_MAX_CANDIDATES]]
    rest = f" and {len(matches) - len(listed)} more" if len(matches) > len(listed) else ""
    candidates = ", ".join(f"{one['filename']} ({one['id']})" for one in listed)
    return AmbiguousDocument(
        f"The name matches {len(matches)} documents.",
        hint=f"Use the id of one of them: {candidates}{rest}.",
        details={"candidates": listed},
    )
