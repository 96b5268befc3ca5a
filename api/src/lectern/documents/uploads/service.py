"""Taking files in: streamed to storage while hashed, then registered with their jobs in one transaction."""

import uuid
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from lectern.accounts.audit.service import record
from lectern.accounts.elevation import elevated
from lectern.accounts.principals import Principal
from lectern.collections.service import choose_collection
from lectern.db.session import Database, Session
from lectern.documents import repository as documents_repository
from lectern.documents.errors import OriginalVanished, OutsideKey
from lectern.documents.files import RefusedFile, StoredFile
from lectern.documents.originals import remove_unreferenced
from lectern.documents.presentation import present_ids
from lectern.documents.service import INGEST, check_language, is_unfinished, read_in_language
from lectern.documents.uploads import repository
from lectern.documents.uploads.names import safe_filename
from lectern.documents.uploads.schemas import OnSameName, UploadProblem, UploadResponse, UploadResult
from lectern.documents.versions.adding import add_version, lock_namesake
from lectern.errors import LecternError
from lectern.extraction.detection import HEAD_BYTES, detect_content_type
from lectern.jobs.service import BULK, INTERACTIVE, enqueue
from lectern.storage.store import OriginalStore
from lectern.tags.service import get_or_create_tags


@dataclass(frozen=True, slots=True)
class UploadOptions:
    """What was said about the files; `collection` and `tags` are ids or names."""

    collection: str | None = None
    tags: Sequence[str] = ()
    language: str | None = None
    on_same_name: OnSameName = OnSameName.KEEP_BOTH


@dataclass(frozen=True, slots=True)
class _Registered:
    document_id: uuid.UUID
    job_id: uuid.UUID | None
    is_duplicate: bool = False
    is_restored: bool = False
    is_new_version: bool = False
    is_language_changed: bool = False


def require_uploading(principal: Principal) -> None:
    """To be asked before a body is read. Raises ReadOnly, OutsideKey."""
    principal.require_writing()
    if principal.scope.documents is not None:
        raise OutsideKey("This key is for certain documents and cannot add others.")


async def store_file(
    originals: OriginalStore,
    body: AsyncIterator[bytes],
    *,
    filename: str | None,
    max_bytes: int,
    declared_type: str | None = None,
) -> StoredFile:
    """Establish a file's type from its first bytes, then store it while it arrives.

    `declared_type` stands in for a name that there is not: it tells kinds of text apart.
    Raises OriginalTooLarge, UnsupportedFile, Corrupt, StorageFull, StorageUnavailable; then nothing is kept.
    """
    head = bytes(await _read_head(body))
    content_type = detect_content_type(head, safe_filename(filename, content_type=declared_type))
    stored = await originals.put(_joined(head, body), max_bytes=max_bytes)
    return StoredFile(
        safe_filename(filename, content_type=content_type), content_type, stored.sha256, stored.size_bytes
    )


async def _read_head(body: AsyncIterator[bytes]) -> bytearray:
    head = bytearray()
    while len(head) < HEAD_BYTES and (piece := await anext(body, None)) is not None:
        head += piece
    return head


async def _joined(head: bytes, body: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    if head:
        yield head
    async for piece in body:
        yield piece


async def register_files(
    database: Database,
    originals: OriginalStore,
    principal: Principal,
    files: Sequence[StoredFile | RefusedFile],
    *,
    options: UploadOptions,
    languages: Sequence[str],
) -> UploadResponse:
    """Make documents of stored files, each with its job, in one transaction; a file that is there is found, not copied.

    One file is interactive work, several are bulk. When it fails, originals that nobody refers to are removed again.
    Raises UnknownCollection, UnknownTag, UnknownLanguage, ReadOnly, OutsideKey, OriginalVanished, NameNotUnique,
    VersionUnderWay.
    """
    stored = [file for file in files if isinstance(file, StoredFile)]
    try:
        async with database.session(principal.scope) as session:
            check_language(options.language, languages=languages)
            registered = await _register(session, originals, principal, stored, options=options)
            return await _respond(session, files, registered)
    except BaseException:
        await discard_files(database, originals, stored)
        raise


async def discard_files(database: Database, originals: OriginalStore, files: Sequence[StoredFile]) -> None:
    """Remove originals of files that did not become documents, unless others refer to them."""
    await remove_unreferenced(database, originals, [file.sha256 for file in files])


async def _register(
    session: Session,
    originals: OriginalStore,
    principal: Principal,
    stored: Sequence[StoredFile],
    *,
    options: UploadOptions,
) -> dict[StoredFile, _Registered]:
    collection_id = await choose_collection(session, principal, options.collection)
    tag_ids = await get_or_create_tags(session, principal, options.tags)
    if principal.scope.tags is not None and not principal.scope.tags & set(tag_ids):
        raise OutsideKey("This key is for certain tags: name one of them for each document.")
    # A key that sees documents by tag only cannot see one that has no tag yet: so rows are made with everything in
    # sight. What is there must be within the scope as it is, what is new when it has its tags.
    async with elevated(session, principal.scope):
        registered = await _find_or_add(
            session, originals, principal, stored, collection_id=collection_id, options=options
        )
    known = [item.document_id for item in registered.values() if item.is_duplicate or item.is_new_version]
    await _require_scope(session, known)
    ids = [item.document_id for item in registered.values()]
    async with elevated(session, principal.scope):
        await documents_repository.add_tags(session, ids, tag_ids)
    await _require_scope(session, ids)
    return registered


async def _require_scope(session: Session, document_ids: Sequence[uuid.UUID]) -> None:
    if await repository.changeable(session, document_ids) != set(document_ids):
        raise OutsideKey


async def _find_or_add(
    session: Session,
    originals: OriginalStore,
    principal: Principal,
    stored: Sequence[StoredFile],
    *,
    collection_id: uuid.UUID,
    options: UploadOptions,
) -> dict[StoredFile, _Registered]:
    priority = INTERACTIVE if len(stored) == 1 else BULK
    registered: dict[StoredFile, _Registered] = {}
    for file in sorted(set(stored), key=lambda file: (file.sha256, file.filename)):
        await documents_repository.lock_original(session, file.sha256)
        if not await originals.exists(file.sha256):
            raise OriginalVanished
        item = None
        if options.on_same_name is OnSameName.NEW_VERSION:
            item = await _replace(
                session,
                originals,
                file,
                collection_id=collection_id,
                principal=principal,
                priority=priority,
                language=options.language,
            )
        item = item or await _find(
            session, file, collection_id=collection_id, priority=priority, language=options.language
        )
        item = item or await _add(
            session, file, collection_id=collection_id, principal=principal, options=options, priority=priority
        )
        registered[file] = item
        details = {
            "is_duplicate": item.is_duplicate,
            "is_restored": item.is_restored,
            "is_new_version": item.is_new_version,
            "is_language_changed": item.is_language_changed,
        }
        target = f"document:{item.document_id}"
        await record(session, principal.actor, action="document.upload", target=target, details=details)
    return registered


async def _find(
    session: Session, file: StoredFile, *, collection_id: uuid.UUID, priority: int, language: str | None
) -> _Registered | None:
    """The document of these bytes, if there is one. Raises VersionUnderWay."""
    known = await repository.find_same(session, collection_id=collection_id, sha256=file.sha256)
    if known is None:
        return None
    if known.is_deleted:
        await repository.restore(session, known.id)
    job_id = None
    is_language_changed = language is not None and language != known.given_language
    if is_language_changed:
        job_id = await read_in_language(session, known.id, language)
    elif known.is_deleted and is_unfinished(known.status, known.error_code):
        job_id = (await enqueue(session, kind=INGEST, document_id=known.id, priority=priority)).id
    return _Registered(
        known.id, job_id, is_duplicate=True, is_restored=known.is_deleted, is_language_changed=is_language_changed
    )


async def _replace(
    session: Session,
    originals: OriginalStore,
    file: StoredFile,
    *,
    collection_id: uuid.UUID,
    principal: Principal,
    priority: int,
    language: str | None,
) -> _Registered | None:
    """The next version of the document of this name, unless the library has the file already. Raises NameNotUnique."""
    known = await repository.find_same(session, collection_id=collection_id, sha256=file.sha256)
    if known is not None and not known.is_deleted:
        return None
    document = await lock_namesake(session, collection_id=collection_id, filename=file.filename)
    if document is None:
        return None
    added = await add_version(
        session, originals, document, file=file, actor=principal.actor, priority=priority, language=language
    )
    return _Registered(document.id, added.job_id, is_duplicate=added.is_unchanged, is_new_version=True)


async def _add(
    session: Session,
    file: StoredFile,
    *,
    collection_id: uuid.UUID,
    principal: Principal,
    options: UploadOptions,
    priority: int,
) -> _Registered:
    values = {
        "collection_id": collection_id,
        "filename": file.filename,
        "content_type": file.content_type,
        "size_bytes": file.size_bytes,
        "sha256": file.sha256,
        "language": options.language,
        "is_language_given": options.language is not None,
        "created_by": principal.actor,
    }
    document_id = await repository.add(session, values)
    job = await enqueue(session, kind=INGEST, document_id=document_id, priority=priority)
    return _Registered(document_id, job.id)


async def _respond(
    session: Session, files: Sequence[StoredFile | RefusedFile], registered: dict[StoredFile, _Registered]
) -> UploadResponse:
    ids = list(dict.fromkeys(item.document_id for item in registered.values()))
    documents = {document.id: document for document in await present_ids(session, ids)}
    items: list[UploadResult] = []
    for file in files:
        if isinstance(file, RefusedFile):
            items.append(UploadResult(filename=file.filename, problem=_problem(file.error)))
            continue
        item = registered[file]
        items.append(
            UploadResult(
                filename=file.filename,
                document=documents[item.document_id],
                is_duplicate=item.is_duplicate,
                is_restored=item.is_restored,
                is_new_version=item.is_new_version,
                is_language_changed=item.is_language_changed,
                job_id=item.job_id,
            )
        )
    return UploadResponse(items=items)


def _problem(error: LecternError) -> UploadProblem:
    members = {"code": error.code, "status": error.status, "detail": error.message, "hint": error.hint}
    return UploadProblem.model_validate({**error.details, **members})
