"""Import the documents of an export. Existing documents are found by their content and not copied.

Originals are extracted and chunked again, because this version may do it better. Unchanged texts keep their vectors.
"""

import asyncio
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from lectern import __version__
from lectern.accounts.principals import Principal
from lectern.collections.errors import UnknownCollection
from lectern.collections.schemas import CollectionCreate
from lectern.collections.service import create_collection, resolve_collections
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.documents.originals import StoredFile, discard_files
from lectern.documents.schemas import DocumentUpdate
from lectern.documents.service import update_document
from lectern.documents.uploads.schemas import UploadResult
from lectern.documents.uploads.service import UploadOptions, register_files, store_file
from lectern.embeddings import service as embeddings
from lectern.embeddings.active import ActiveProvider
from lectern.embeddings.errors import EmbeddingsUnavailable
from lectern.embeddings.provider import EmbeddingProvider
from lectern.errors import LecternError
from lectern.extraction.errors import ExtractionFailed
from lectern.library.archive import ArchiveBroken
from lectern.library.transfer import repository
from lectern.library.transfer.entries import CollectionEntry, DocumentEntry, ExportReader
from lectern.library.transfer.verifying import VectorsRefused, read_vectors, require_possible_count, verify_sample
from lectern.settings import Settings
from lectern.storage.store import OriginalStore


@dataclass(frozen=True, slots=True)
class Library:
    """The library that documents are imported into, its models, and the principal who imports them."""

    database: Database
    models: ActiveProvider
    originals: OriginalStore
    principal: Principal
    settings: Settings


@dataclass(slots=True)
class ImportReport:
    """The result of an import. `has_vectors`: the file has vectors of the model that is active here.

    `refusal` says why they were not used, although they are of that model. `refused` are the errors of documents that
    cannot be read, by filename.
    """

    document_count: int
    added_count: int
    known_count: int
    note_count: int
    vector_count: int
    has_vectors: bool
    document_ids: list[str]
    refusal: LecternError | None = None
    refused: list[tuple[str, ExtractionFailed]] = field(default_factory=list[tuple[str, ExtractionFailed]])


async def import_documents(
    path: Path,
    library: Library,
    *,
    collection: str | None = None,
    passphrase: Callable[[], str] | None = None,
    report_progress: Callable[[str], None] = lambda _: None,
) -> ImportReport:
    """Queue every document of the file with its tags, in `collection` or its own, which is created if missing.

    Raises:
        ArchiveBroken: Documents before the damaged place stay in the library.
        LecternError: The errors of an upload.
    """
    with await asyncio.to_thread(ExportReader, path, passphrase=passphrase) as reader:
        require_possible_count(reader)
        async with library.database.session(SYSTEM_SCOPE) as session:
            model = await embeddings.follow_active_generation(session, library.models)
        count = reader.manifest.document_count
        claimed = reader.manifest.model
        report = ImportReport(count, 0, 0, 0, 0, bool(claimed and claimed.fingerprint == model.info.fingerprint), [])
        if report.has_vectors:
            try:
                await verify_sample(reader, model)
            except (VectorsRefused, EmbeddingsUnavailable) as refusal:
                report.refusal = refusal
        for number in range(1, count + 1):
            entry = reader.document(number)
            wanted = CollectionEntry(name=collection) if collection else entry.collection
            try:
                item = await _register(library, reader, entry, collection=wanted)
            except ExtractionFailed as error:  # It is empty or corrupt, or its type is not supported any more.
                report.refused.append((entry.filename, error))
                continue
            if item.document is None:
                raise ArchiveBroken(f"{entry.filename} was refused.")
            report.document_ids.append(str(item.document.id))
            report.note_count += await _import_notes(library, reader, entry, item.document.id, number=number)
            if item.is_duplicate:
                report.known_count += 1
            else:
                report.added_count += 1
                if report.has_vectors and report.refusal is None:
                    await _import_vectors(library, reader, model, item.document.id, number=number, report=report)
            report_progress(f"{number:,} of {count:,} documents")
        return report


async def _import_vectors(
    library: Library,
    reader: ExportReader,
    model: EmbeddingProvider,
    document_id: uuid.UUID,
    *,
    number: int,
    report: ImportReport,
) -> None:
    try:
        vectors = (await read_vectors(reader, number, model)).vectors
    except VectorsRefused as refusal:
        report.refusal = refusal
    else:
        cache = embeddings.PostgresCache(library.database, document_id)
        report.vector_count += await cache.import_many(model.info.fingerprint, vectors)


async def _import_notes(
    library: Library, reader: ExportReader, entry: DocumentEntry, document_id: uuid.UUID, *, number: int
) -> int:
    """Add the notes that the document does not have, and return their number.

    A note belongs to the account with the address of its author, or to the importing principal without one. It is
    outdated unless this version of Lectern exported it with the current text.
    """
    is_same_text = reader.manifest.lectern_version == __version__
    added = 0
    async with library.database.session(SYSTEM_SCOPE) as session:
        current = await repository.get_version(session, document_id)
        for note in reader.notes(number):
            values = note.model_dump() | {
                "document_id": document_id,
                "version": current if is_same_text and note.version == entry.version else 0,
                "author": await repository.find_actor(session, note.author_name) or library.principal.actor,
            }
            added += await repository.add_note(session, values)
    return added


async def _register(
    library: Library, reader: ExportReader, entry: DocumentEntry, *, collection: CollectionEntry
) -> UploadResult:
    limit = library.settings.http.max_upload_bytes
    stored = await store_file(
        library.originals, reader.stream_original(entry.sha256), filename=entry.filename, max_bytes=limit
    )
    if stored.sha256 != entry.sha256:
        await discard_files(library.database, library.originals, [stored])
        raise ArchiveBroken(f"The original of {entry.filename} is not the one that was exported.")
    languages = library.settings.chunking.languages
    language = entry.language if entry.is_language_given and entry.language in languages else None
    response = await register_files(
        library.database,
        library.originals,
        library.principal,
        [StoredFile(entry.filename, stored.content_type, stored.size_bytes, stored.sha256)],
        options=UploadOptions(
            collection=await _collection(library, collection), tags=list(entry.tags), language=language
        ),
        languages=languages,
    )
    (item,) = response.items
    given = {"title": entry.title or None, "aliases": entry.aliases}
    values = {name: value for name, value in given.items() if value is not None}
    if item.document is not None and not item.is_duplicate and values:
        async with library.database.session(SYSTEM_SCOPE) as session:
            wanted = DocumentUpdate.model_validate(values)
            await update_document(session, library.principal, item.document.id, wanted=wanted, languages=languages)
    return item


async def _collection(library: Library, wanted: CollectionEntry) -> str:
    """Return the id of the collection of this name. A missing one is created."""
    async with library.database.session(SYSTEM_SCOPE) as session:
        try:
            found: uuid.UUID = (await resolve_collections(session, [wanted.name]))[0]
        except UnknownCollection:
            made = CollectionCreate(name=wanted.name, description=wanted.description, is_open=wanted.is_open)
            found = (await create_collection(session, library.principal, wanted=made)).id
    return str(found)
