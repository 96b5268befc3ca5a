"""Upload files: stream them to storage while hashing, then register them with their jobs in one transaction."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from lectern.accounts.audit.service import record
from lectern.accounts.principals import Principal
from lectern.collections.service import choose_collection
from lectern.db.session import Database, Session, elevated
from lectern.documents import repository as documents_repository
from lectern.documents.errors import OriginalVanished, OutsideKey
from lectern.documents.filenames import sanitize_filename
from lectern.documents.originals import RefusedFile, StoredFile, registration
from lectern.documents.presentation import present_ids
from lectern.documents.service import change_language, check_language, ingest_again, is_unfinished
from lectern.documents.uploads import repository
from lectern.documents.uploads.repository import ExistingDocument
from lectern.documents.uploads.schemas import OnSameName, UploadProblem, UploadResponse, UploadResult
from lectern.documents.versions.service import add_version, lock_by_filename
from lectern.errors import InvalidRequest, LecternError
from lectern.extraction.detection import HEAD_BYTES, detect_content_type
from lectern.jobs.service import BULK, INTERACTIVE, enqueue
from lectern.storage.store import OriginalStore
from lectern.tags.service import get_or_create_tags, tag_documents

_READ_BYTES: Final = 1_048_576


@dataclass(frozen=True, slots=True)
class UploadOptions:
    """Metadata of the files. `collection` and `tags` are ids or names."""

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


_FLAGS: Final = ("is_duplicate", "is_restored", "is_new_version", "is_language_changed")


def require_uploading(principal: Principal) -> None:
    """Check the right to upload, before the body is read. Raises ReadOnly, OutsideKey."""
    principal.require_writing()
    if principal.scope.documents is not None:
        raise OutsideKey("This key is limited to documents and cannot add others.")


async def store_file(
    originals: OriginalStore,
    body: AsyncIterator[bytes],
    *,
    filename: str | None,
    max_bytes: int,
    declared_type: str | None = None,
) -> StoredFile:
    """Detect a file's type from its first bytes, then store it while it arrives.

    `declared_type` distinguishes kinds of text in a file without a name. On an error nothing is stored. The original is
    held until `register_files`, `replace_content` or `discard_files` ends.
    Raises OriginalTooLarge, EmptyFile, UnsupportedFile, Corrupt, StorageFull, StorageUnavailable.
    """
    head = bytes(await _read_head(body))
    content_type = detect_content_type(head, sanitize_filename(filename, content_type=declared_type))
    stored = await originals.put(_joined(head, body), max_bytes=max_bytes, is_held=True)
    return StoredFile(
        sanitize_filename(filename, content_type=content_type), content_type, stored.size_bytes, stored.sha256
    )


async def store_path(originals: OriginalStore, path: Path, *, max_bytes: int) -> StoredFile:
    """Store a file of this computer. Raises the same errors, and InvalidRequest for a file that cannot be read."""

    async def read() -> AsyncIterator[bytes]:
        try:
            with path.open("rb") as file:
                while piece := await asyncio.to_thread(file.read, _READ_BYTES):
                    yield piece
        except OSError as error:
            raise InvalidRequest(f"{path} cannot be read: {error.strerror}.") from error

    return await store_file(originals, read(), filename=path.name, max_bytes=max_bytes)


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
    """Create a document and a job for each stored file in one transaction. Existing documents are reused.

    One file has interactive priority, several have bulk priority. On an error, unreferenced originals are removed.
    Raises UnknownCollection, UnknownTag, UnsupportedLanguage, ReadOnly, OutsideKey, OriginalVanished, NameNotUnique,
    VersionUnderWay.
    """
    stored = [file for file in files if isinstance(file, StoredFile)]
    async with registration(database, originals, stored, scope=principal.scope) as session:
        check_language(options.language, languages=languages)
        collection_id = await choose_collection(session, principal, options.collection)
        tag_ids = await get_or_create_tags(session, principal, options.tags, collections=[collection_id])
        if principal.scope.tags is not None and not principal.scope.tags & set(tag_ids):
            raise OutsideKey("This key is limited to tags: add one of them to each document.")
        upload = _Upload(
            session=session,
            originals=originals,
            principal=principal,
            collection_id=collection_id,
            tag_ids=tag_ids,
            options=options,
            priority=INTERACTIVE if len(stored) == 1 else BULK,
        )
        lock_order = sorted(set(stored), key=lambda file: (file.sha256, file.filename))
        registered = {file: await upload.register(file) for file in lock_order}
        ids = {item.document_id for item in registered.values()}
        await tag_documents(session, list(ids), tag_ids)
        if await repository.list_changeable(session, list(ids)) != ids:
            raise OutsideKey
        return await _respond(session, files, registered)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Upload:
    """Registers files in one transaction: finds the documents that have them, and adds the missing ones."""

    session: Session
    originals: OriginalStore
    principal: Principal
    collection_id: uuid.UUID
    tag_ids: Sequence[uuid.UUID]
    options: UploadOptions
    priority: int

    async def register(self, file: StoredFile) -> _Registered:
        """Find or add the document of a file in the caller's scope."""
        await documents_repository.lock_original(self.session, file.sha256)
        if not await self.originals.exists(file.sha256):
            raise OriginalVanished
        existing = await repository.find_same(self.session, collection_id=self.collection_id, sha256=file.sha256)
        item = None
        if self.options.on_same_name is OnSameName.NEW_VERSION and (existing is None or existing.is_deleted):
            item = await self._replace(file)
        if item is None:
            item = await (self._reuse(existing) if existing else self._add(file))
        details = {name: getattr(item, name) for name in _FLAGS}
        target = f"document:{item.document_id}"
        await record(self.session, self.principal.actor, action="document.upload", target=target, details=details)
        return item

    async def _replace(self, file: StoredFile) -> _Registered | None:
        """Add a version to the document with this filename. Raises NameNotUnique."""
        document = await lock_by_filename(self.session, collection_id=self.collection_id, filename=file.filename)
        if document is None:
            return None
        added = await add_version(
            self.session,
            self.originals,
            document,
            file=file,
            actor=self.principal.actor,
            priority=self.priority,
            language=self.options.language,
        )
        return _Registered(document.id, added.job_id, is_duplicate=added.is_unchanged, is_new_version=True)

    async def _reuse(self, existing: ExistingDocument) -> _Registered:
        """Restore the document with this file if it is in the trash. Raises VersionUnderWay."""
        if existing.is_deleted:
            await documents_repository.restore(self.session, [existing.id])
        job_id, language = None, self.options.language
        is_language_changed = language is not None and language != existing.given_language
        if is_language_changed:
            job_id = await change_language(self.session, existing.id, language)
        elif existing.is_deleted and is_unfinished(existing.status, existing.error_code):
            (job_id,) = await ingest_again(self.session, [existing.id], priority=self.priority)
        return _Registered(
            existing.id,
            job_id,
            is_duplicate=True,
            is_restored=existing.is_deleted,
            is_language_changed=is_language_changed,
        )

    async def _add(self, file: StoredFile) -> _Registered:
        values = {
            "collection_id": self.collection_id,
            **asdict(file),
            "language": self.options.language,
            "is_language_given": self.options.language is not None,
            "created_by": self.principal.actor,
            "owner_id": self.principal.owner_id,
        }
        # A key that is limited to tags cannot see a document without tags.
        async with elevated(self.session, self.principal.scope):
            document_id = await repository.add(self.session, values)
            job = await enqueue(self.session, document_id=document_id, priority=self.priority)
            await tag_documents(self.session, [document_id], self.tag_ids)
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
            UploadResult.from_row(item, filename=file.filename, document=documents[item.document_id], problem=None)
        )
    return UploadResponse(items=items)


def _problem(error: LecternError) -> UploadProblem:
    members = {"code": error.code, "status": error.status, "detail": error.message, "hint": error.hint}
    return UploadProblem.model_validate({**error.details, **members})
