"""Apply the changes of a scan to the library, one file at a time. A file that changes while it is read is skipped."""

import asyncio
import contextlib
import errno
import hashlib
import os
import uuid
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from lectern.accounts.principals import system_principal
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.documents.errors import DocumentAlreadyThere, DocumentInTrash, DocumentNotFound
from lectern.documents.filenames import sanitize_filename
from lectern.documents.schemas import DocumentUpdate
from lectern.documents.service import trash_document, update_document
from lectern.documents.uploads.schemas import UploadResult
from lectern.documents.uploads.service import StoredFile, UploadOptions, register_files, store_file
from lectern.documents.versions.service import replace_content
from lectern.errors import LecternError, Unavailable
from lectern.library.folders import repository
from lectern.library.folders.planning import KnownFile
from lectern.library.folders.schemas import RefusedPath
from lectern.library.folders.walking import Stamp, open_inside, stamp_of
from lectern.settings import Settings
from lectern.storage.errors import StorageFull
from lectern.storage.store import OriginalStore

_BLOCK_BYTES: Final = 1_048_576
_GONE: Final = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})
_AT_ONCE: Final = 50
# A folder acts for whoever bound it, an administrator.
FOLDERS: Final = system_principal("watched folder")


class FileUnreadable(LecternError):
    """The file cannot be read."""

    default_hint = "Give the user of the API and the workers permission to read it."


class FilenameNotText(LecternError):
    """The filename is not UTF-8."""

    default_hint = "Rename the file."


class FileMoves(LecternError):
    """The file changed while it was read."""

    default_hint = "The next scan adds it when it no longer changes."


def digest_of(root: Path, path: str) -> KnownFile | None:
    """Return the file with its hash, or None if it is gone or not regular. Raises FileUnreadable, FileMoves."""
    try:
        descriptor = open_inside(root, path)
        with os.fdopen(descriptor, "rb") as file:
            before = stamp_of(file.fileno())
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            is_still = stamp_of(file.fileno()) == before
    except OSError as error:
        if error.errno in _GONE:
            return None
        raise FileUnreadable from error
    if not is_still:
        raise FileMoves
    return KnownFile(before, digest, None)


async def store(originals: OriginalStore, root: Path, path: str, *, stamp: Stamp, max_bytes: int) -> StoredFile:
    """Put a file into storage. Raises FileMoves, OSError, and the errors of `store_file`; then nothing is stored."""
    descriptor = await asyncio.to_thread(open_inside, root, path)
    name = path.rsplit("/", 1)[-1]
    return await store_file(originals, _stream(descriptor, stamp), filename=name, max_bytes=max_bytes)


async def _stream(descriptor: int, stamp: Stamp) -> AsyncIterator[bytes]:
    with os.fdopen(descriptor, "rb") as file:
        while block := await asyncio.to_thread(file.read, _BLOCK_BYTES):
            yield block
        if stamp_of(file.fileno()) != stamp:
            raise FileMoves


@dataclass(frozen=True, slots=True, kw_only=True)
class Watcher:
    """The dependencies of a scan."""

    database: Database
    originals: OriginalStore
    settings: Settings


@dataclass(slots=True)
class Applier:
    """Applies a plan. `refused` collects files that the library refuses."""

    watcher: Watcher
    collection_id: uuid.UUID
    root: Path
    known: Mapping[str, KnownFile]
    refused: list[RefusedPath] = field(default_factory=list[RefusedPath])

    async def remember(self, files: Mapping[str, KnownFile]) -> None:
        """Record the new stamps of files whose content is unchanged."""
        unchanged = {path: replace(self.known[path], stamp=file.stamp) for path, file in files.items()}
        async with self.watcher.database.session(SYSTEM_SCOPE) as session:
            await repository.put_files(session, self.collection_id, unchanged)

    async def rename(self, old_path: str, path: str, file: KnownFile, *, is_old_gone: bool) -> None:
        """Keep the document under its new name."""
        before = self.known[old_path]
        async with self.watcher.database.session(SYSTEM_SCOPE) as session:
            if is_old_gone:
                await repository.forget_files(session, self.collection_id, [old_path])
            await repository.put_files(session, self.collection_id, {path: replace(before, stamp=file.stamp)})
            name = sanitize_filename(path.rsplit("/", 1)[-1])
            if before.document_id is None or name == sanitize_filename(old_path.rsplit("/", 1)[-1]):
                return
            try:
                await update_document(
                    session,
                    FOLDERS,
                    before.document_id,
                    wanted=DocumentUpdate(filename=name),
                    languages=self.watcher.settings.chunking.languages,
                )
            except (DocumentInTrash, DocumentNotFound):
                return

    async def add(self, files: Mapping[str, KnownFile]) -> None:
        """Add files as documents. A file that the collection already has is not copied."""
        for start in range(0, len(files), _AT_ONCE):
            paths = list(files)[start : start + _AT_ONCE]
            stored: dict[str, StoredFile] = {}
            for path in paths:
                if (file := await self._store(path, files[path])) is not None:
                    stored[path] = file
            if not stored:
                continue
            response = await register_files(
                self.watcher.database,
                self.watcher.originals,
                FOLDERS,
                list(stored.values()),
                options=UploadOptions(collection=str(self.collection_id)),
                languages=self.watcher.settings.chunking.languages,
            )
            items = dict(zip(stored, response.items, strict=True))
            rows = {
                path: replace(files[path], document_id=item.document.id if item.document else None)
                for path, item in items.items()
                if not _is_about_to_change(item)
            }
            async with self.watcher.database.session(SYSTEM_SCOPE) as session:
                await repository.put_files(session, self.collection_id, rows)

    async def update(self, path: str, file: KnownFile) -> None:
        """Add the content as the next version of the document. A shared document stays with the other file."""
        document_id = self.known[path].document_id
        if document_id is None or await self._is_shared(path, document_id):
            await self.add({path: file})
            return
        stored = await self._store(path, file)
        if stored is None:
            return
        try:
            await replace_content(self.watcher.database, self.watcher.originals, FOLDERS, document_id, file=stored)
        except (DocumentInTrash, DocumentNotFound, DocumentAlreadyThere):
            # People removed it, or the collection has these bytes already: as with a file that is new
            await self.add({path: file})
            await self.trash_unwatched(document_id)
            return
        async with self.watcher.database.session(SYSTEM_SCOPE) as session:
            await repository.put_files(session, self.collection_id, {path: replace(file, document_id=document_id)})

    async def prune(self, path: str) -> None:
        """Move the document to the trash, unless another file has the same content."""
        async with self.watcher.database.session(SYSTEM_SCOPE) as session:
            await repository.forget_files(session, self.collection_id, [path])
            await self._trash_unwatched(session, self.known[path].document_id)

    async def trash_unwatched(self, document_id: uuid.UUID | None) -> None:
        """Move a document that no file has any more to the trash."""
        async with self.watcher.database.session(SYSTEM_SCOPE) as session:
            await self._trash_unwatched(session, document_id)

    async def _trash_unwatched(self, session: Session, document_id: uuid.UUID | None) -> None:
        if document_id is None or await repository.is_document_watched(session, document_id):
            return
        with contextlib.suppress(DocumentNotFound):
            await trash_document(session, FOLDERS, document_id)

    async def _store(self, path: str, file: KnownFile) -> StoredFile | None:
        """Store the file. Return None if the library refuses it, which is recorded until the file changes."""
        try:
            limit = self.watcher.settings.http.max_upload_bytes
            return await store(self.watcher.originals, self.root, path, stamp=file.stamp, max_bytes=limit)
        except (StorageFull, Unavailable):  # not the fault of the file
            raise
        except OSError:  # gone since it was hashed
            return None
        except LecternError as error:
            self.refused.append(RefusedPath(path=path, code=error.code))
            async with self.watcher.database.session(SYSTEM_SCOPE) as session:
                row = replace(file, document_id=self._document_of(path), problem=error.code)
                await repository.put_files(session, self.collection_id, {path: row})
            return None

    def _document_of(self, path: str) -> uuid.UUID | None:
        before = self.known.get(path)
        return before.document_id if before else None

    async def _is_shared(self, path: str, document_id: uuid.UUID) -> bool:
        async with self.watcher.database.session(SYSTEM_SCOPE) as session:
            here = (self.collection_id, path)
            return await repository.is_document_watched(session, document_id, other_than=here)


def _is_about_to_change(item: UploadResult) -> bool:
    """Return True if another version is about to replace the document of this file.

    Such a file is not recorded, so that the next scan looks at it again.
    """
    newer = item.document.newer_version if item.document and item.is_duplicate else None
    return newer is not None and newer.state == "processing"
