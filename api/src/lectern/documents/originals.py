"""Files in storage, and the removal of those that no document refers to.

Code that registers, restores or removes a document locks the hash of its file until the transaction ends.
"""

import uuid
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from lectern.db.scope import SYSTEM_SCOPE, Scope
from lectern.db.session import Database, Session
from lectern.documents import repository
from lectern.documents.errors import DocumentNotFound
from lectern.errors import LecternError
from lectern.storage.store import OriginalStore


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file in storage, with or without a document."""

    filename: str
    content_type: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class RefusedFile:
    """A file that was refused and not stored."""

    filename: str
    error: LecternError


@dataclass(frozen=True, slots=True)
class RemovedFiles:
    """The sizes in bytes of files removed from storage: originals, and PDFs made of them."""

    originals: list[int] = field(default_factory=list[int])
    conversions: list[int] = field(default_factory=list[int])


async def remove_unreferenced(database: Database, originals: OriginalStore, hashes: Iterable[str]) -> RemovedFiles:
    """Delete the originals that no version of a document refers to, and conversions for documents without the file.

    Originals of uploads that are not registered yet stay. These uploads remove them if they fail.
    """
    removed = RemovedFiles()
    for sha256 in sorted(set(hashes)):
        async with database.session(SYSTEM_SCOPE) as session:
            await repository.lock_original(session, sha256)
            holders = await repository.list_holders(session, sha256)
            for document_id, size_bytes in (await originals.list_conversions(sha256)).items():
                if document_id not in holders:
                    await originals.delete_conversion(sha256, document_id)
                    removed.conversions.append(size_bytes)
            if not holders and await originals.exists(sha256) and not originals.is_held(sha256):
                removed.originals.append(await originals.size(sha256))
                await originals.delete(sha256)
    return removed


async def discard_files(database: Database, originals: OriginalStore, files: Sequence[StoredFile]) -> None:
    """Remove the originals of files that did not become documents, unless they are referenced."""
    originals.release(file.sha256 for file in files)
    await remove_unreferenced(database, originals, [file.sha256 for file in files])


@asynccontextmanager
async def registration(
    database: Database, originals: OriginalStore, files: Sequence[StoredFile], *, scope: Scope
) -> AsyncGenerator[Session]:
    """Open the transaction that registers stored files. On an error, discard them."""
    try:
        async with database.session(scope) as session:
            yield session
    except BaseException:
        await discard_files(database, originals, files)
        raise
    originals.release(file.sha256 for file in files)


async def keep_conversion(
    database: Database, originals: OriginalStore, document_id: uuid.UUID, sha256: str, pdf: Path
) -> None:
    """Store the PDF made of a document's file. Raises DocumentNotFound if it was removed meanwhile."""
    async with database.session(SYSTEM_SCOPE) as session:
        await repository.lock_original(session, sha256)
        if document_id not in await repository.list_holders(session, sha256):
            raise DocumentNotFound
        await originals.put_conversion(sha256, document_id, pdf)
