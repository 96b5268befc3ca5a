"""Documents: finding, changing, binning and restoring them, and reading them again."""

import hashlib
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from pydantic import SecretStr

from lectern.accounts.audit.service import record
from lectern.accounts.principals import Principal
from lectern.collections.service import choose_collection, resolve_collections
from lectern.db import lexical_index
from lectern.db.base import NO_ERROR
from lectern.db.session import Session
from lectern.documents import repository
from lectern.documents.errors import (
    AmbiguousDocument,
    DocumentInTrash,
    DocumentNotFound,
    UnknownDocument,
    UnknownLanguage,
    VersionUnderWay,
)
from lectern.documents.models import Document
from lectern.documents.naming import NamedDocument, meant_by, words_of
from lectern.documents.presentation import present, present_one
from lectern.documents.schemas import DocumentFilter, DocumentListParameters, DocumentResponse, DocumentUpdate
from lectern.documents.selection import DocumentSelection
from lectern.http.pagination import Page, decode_cursor, encode_cursor
from lectern.http.references import as_uuid, unknown_reference
from lectern.jobs import service as jobs
from lectern.jobs.arguments import JobArguments
from lectern.jobs.service import BULK, INTERACTIVE, enqueue
from lectern.tags.service import get_or_create_tags, resolve_tags

INGEST = "ingest"
_COMPARED = 2_000
_CANDIDATES = 10
_OTHER_LANGUAGE = "The document is read again in another language."


async def select_documents(session: Session, wanted: DocumentFilter) -> DocumentSelection:
    """The filter with its names resolved. Raises UnknownTag, UnknownCollection."""

    async def tags(references: Sequence[str]) -> list[uuid.UUID]:
        return await resolve_tags(session, references) if references else []

    return DocumentSelection(
        tags_any=await tags(wanted.tags),
        tags_all=await tags(wanted.tags_all),
        tags_none=await tags(wanted.tags_none),
        is_untagged=wanted.is_untagged,
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
    """A page of the matching documents. Raises UnknownTag, UnknownCollection, BrokenCursor."""
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


async def get_document(session: Session, document_id: uuid.UUID) -> DocumentResponse:
    """Raises DocumentNotFound."""
    return await present_one(session, document_id)


async def lock_writable(session: Session, principal: Principal, document_id: uuid.UUID) -> Document:
    """A document that the principal may change, locked. Raises DocumentNotFound, ReadOnly."""
    await present_one(session, document_id)
    principal.require_writing()
    document = await repository.lock(session, document_id)
    if document is None:
        raise DocumentNotFound
    principal.require_writing_to([document.collection_id])
    return document


def check_language(language: str | None, *, languages: Sequence[str]) -> None:
    """Raises UnknownLanguage."""
    if language is not None and language not in languages:
        listed = ", ".join(languages)
        raise UnknownLanguage(f"Languages that are told apart here: {listed}.", details={"available": list(languages)})


async def update_document(
    session: Session,
    principal: Principal,
    document_id: uuid.UUID,
    *,
    wanted: DocumentUpdate,
    languages: Sequence[str],
) -> DocumentResponse:
    """Change what people say of a document; a new title or filename is searchable at once.

    Raises DocumentNotFound, DocumentInTrash, DocumentAlreadyThere, UnknownCollection, UnknownTag, UnknownLanguage,
    VersionUnderWay.
    """
    document = await lock_writable(session, principal, document_id)
    if document.deleted_at is not None:
        raise DocumentInTrash
    given = wanted.model_fields_set
    values: dict[str, Any] = wanted.model_dump(include=given & {"title", "filename"}, exclude_none=True)
    if "collection" in given and wanted.collection is not None:
        values["collection_id"] = await choose_collection(session, principal, wanted.collection)
    if wanted.tags is not None:
        await _replace_tags(session, principal, document_id, wanted.tags)
    is_language_new = "language" in given and (wanted.language != document.language or not document.is_language_given)
    if is_language_new:
        check_language(wanted.language, languages=languages)
    if values or wanted.tags is not None:
        await repository.change(session, [document_id], values)
    if values.keys() & {"title", "filename"}:
        await lexical_index.index_document(session, document_id)
    if is_language_new:
        await read_in_language(session, document_id, wanted.language)
    details = wanted.model_dump(mode="json", exclude_unset=True)
    await record(session, principal.actor, action="document.update", target=f"document:{document_id}", details=details)
    return await present_one(session, document_id)


async def read_in_language(session: Session, document_id: uuid.UUID, language: str | None) -> uuid.UUID:
    """Read a document whose row is locked as one in this language, None: as what it looks like; the id of the job.

    A reading that has begun would stay in the language it has begun with: it is ended. Raises VersionUnderWay.
    """
    active = await jobs.find_active_job(session, document_id)
    arguments: JobArguments | None = None
    if active is not None and active.attempts:
        if active.version is not None:
            raise VersionUnderWay
        arguments = JobArguments.from_row(active.arguments)  # has the password of the file
        await jobs.supersede(session, active.id, reason=_OTHER_LANGUAGE)
    await repository.change(session, [document_id], {"language": language, "is_language_given": language is not None})
    (job_id,) = await ingest_again(session, [document_id], priority=INTERACTIVE, arguments=arguments)
    return job_id


async def _replace_tags(
    session: Session, principal: Principal, document_id: uuid.UUID, references: Sequence[str]
) -> None:
    tag_ids = await get_or_create_tags(session, principal, references)
    await repository.add_tags(session, [document_id], tag_ids)
    await repository.remove_other_tags(session, [document_id], tag_ids)


async def bin_document(session: Session, principal: Principal, document_id: uuid.UUID) -> None:
    """Move a document to the trash; one that is there stays there. Raises DocumentNotFound."""
    document = await lock_writable(session, principal, document_id)
    if document.deleted_at is None:
        await repository.change(session, [document_id], {"deleted_at": datetime.now(UTC)})
        await record(session, principal.actor, action="document.delete", target=f"document:{document_id}")


async def restore_document(session: Session, principal: Principal, document_id: uuid.UUID) -> DocumentResponse:
    """Take a document out of the trash; reading it goes on where it was ended. Raises DocumentAlreadyThere."""
    document = await lock_writable(session, principal, document_id)
    if document.deleted_at is not None:
        await repository.change(session, [document_id], {"deleted_at": None})
        if is_unfinished(document.status, document.error_code):
            await ingest_again(session, [document_id], priority=INTERACTIVE)
        await record(session, principal.actor, action="document.restore", target=f"document:{document_id}")
    return await present_one(session, document_id)


def is_unfinished(status: str, error_code: str | None) -> bool:
    """Whether reading was still to be done when the document went to the trash."""
    return status in {"queued", "processing"} or error_code == "cancelled"


async def ingest_again(
    session: Session,
    document_ids: Sequence[uuid.UUID],
    *,
    priority: int = BULK,
    arguments: JobArguments | None = None,
) -> list[uuid.UUID]:
    """Queue documents to be read again; the ids of their jobs."""
    await repository.change(session, document_ids, {"status": "queued", **NO_ERROR})
    queued = [
        await enqueue(session, kind=INGEST, document_id=document_id, priority=priority, arguments=arguments)
        for document_id in document_ids
    ]
    return [job.id for job in queued]


async def request_ingestion(
    session: Session, principal: Principal, document_id: uuid.UUID, *, password: SecretStr | None
) -> DocumentResponse:
    """Read a document again, whatever it is now. Raises DocumentNotFound, DocumentInTrash."""
    document = await lock_writable(session, principal, document_id)
    if document.deleted_at is not None:
        raise DocumentInTrash
    await ingest_again(session, [document_id], priority=INTERACTIVE, arguments=JobArguments(password=password))
    await record(session, principal.actor, action="document.ingest", target=f"document:{document_id}")
    return await present_one(session, document_id)


async def resolve_documents(session: Session, references: Sequence[str]) -> list[uuid.UUID]:
    """Ids of documents in scope given by id or filename, without the trash; a filename may mean several.

    Raises:
        UnknownDocument: Names those that mean nothing, with close matches.
    """
    ids = [value for value in map(as_uuid, references) if value]
    rows = await repository.find_by_references(session, ids=ids, filenames=references)
    by_id = {document_id for document_id, _ in rows}
    by_name: dict[str, list[uuid.UUID]] = {}
    for document_id, filename in rows:
        by_name.setdefault(filename, []).append(document_id)
    found: list[uuid.UUID] = []
    unknown: list[str] = []
    for reference in references:
        document_id = as_uuid(reference)
        is_id = document_id is not None and document_id in by_id
        matches = [document_id] if document_id and is_id else by_name.get(reference.lower(), [])
        found += matches
        if not matches:
            unknown.append(reference)
    if unknown:
        available = await repository.list_filenames(session, limit=_COMPARED)
        raise unknown_reference(UnknownDocument, unknown, noun="document", available=available)
    return list(dict.fromkeys(found))


async def list_ready_documents(session: Session) -> list[tuple[uuid.UUID, str]]:
    """Ids and filenames of all documents in scope that can be found."""
    return await repository.list_ready(session)


async def list_documents_named(session: Session, words: Sequence[str]) -> list[NamedDocument]:
    """Documents in whose filename, title or information every word stands, be it within another; newest first."""
    return await repository.list_named(session, words, limit=_COMPARED)


async def get_named_document(session: Session, name: str) -> DocumentResponse:
    """The document that a name means: an id, a filename, a title, an alias, or words of these.

    Raises:
        UnknownDocument: It means none; with close matches.
        AmbiguousDocument: It means several; with at most ten of them.
    """
    document_id = as_uuid(name)
    if document_id is not None:
        return await present_one(session, document_id)
    found = meant_by(name, await repository.list_named(session, words_of(name), limit=_COMPARED))
    if len(found) == 1:
        return await present_one(session, found[0].id)
    if found:
        shown = [{"id": str(document.id), "filename": document.filename} for document in found[:_CANDIDATES]]
        rest = f" and {len(found) - len(shown)} more" if len(found) > len(shown) else ""
        candidates = ", ".join(f"{one['filename']} ({one['id']})" for one in shown)
        raise AmbiguousDocument(
            f"{name!r} means {len(found)} documents.",
            hint=f"Name one of them by its id: {candidates}{rest}.",
            details={"candidates": shown},
        )
    available = await repository.list_filenames(session, limit=_COMPARED)
    raise unknown_reference(UnknownDocument, [name], noun="document", available=available)
