"""Writing the documents of a tag or a collection into one file."""

import uuid
import zipfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from lectern import __version__
from lectern.collections.service import resolve_collections
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.documents.selection import DocumentSelection
from lectern.embeddings import service as embeddings
from lectern.embeddings.generations import Generation
from lectern.library.transfer import repository
from lectern.library.transfer.archive import (
    FORMAT,
    MANIFEST,
    CollectionEntry,
    DocumentEntry,
    ExportWriter,
    Manifest,
    Model,
    folder_of,
    original_of,
)
from lectern.library.transfer.errors import ExportEmpty, ExportExists
from lectern.storage.errors import OriginalNotFound
from lectern.storage.store import OriginalStore
from lectern.tags.service import resolve_tags


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What is in the file. `missing` names documents whose original is not in storage: they are left out."""

    path: str
    document_count: int
    vector_count: int
    size_bytes: int
    missing: list[str]


@dataclass(slots=True)
class _Progress:
    documents: int = 0
    vectors: int = 0
    missing: list[str] = field(default_factory=list[str])


async def export_documents(
    path: Path,
    *,
    database: Database,
    originals: OriginalStore,
    tag: str | None = None,
    collection: str | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> ExportReport:
    """Write the documents outside the trash that have the tag and are in the collection.

    The file gets its name when it is whole. Each document is read in one snapshot. Raises ExportExists, ExportEmpty,
    UnknownTag, UnknownCollection.
    """
    if path.exists():  # noqa: ASYNC240 - a command of its own
        raise ExportExists(f"{path} is there already.")
    async with database.session(SYSTEM_SCOPE) as session:
        selection = DocumentSelection(
            tags_all=await resolve_tags(session, [tag] if tag else []),
            collections=await resolve_collections(session, [collection] if collection else []),
        )
        ids = await repository.list_documents(session, selection)
        generation = await embeddings.find_active_generation(session)
    if not ids:
        raise ExportEmpty
    unfinished = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}")
    done = _Progress()
    try:
        with zipfile.ZipFile(unfinished, "x", zipfile.ZIP_DEFLATED, compresslevel=1) as opened:
            writer = ExportWriter(opened)
            for document_id in ids:
                await _write_document(writer, database, originals, document_id, generation=generation, done=done)
                tell(f"{done.documents:,} of {len(ids):,} documents")
            chosen = {name: value for name, value in (("tag", tag), ("collection", collection)) if value}
            writer.write_json(MANIFEST, _manifest(chosen, generation, done))
        size_bytes = unfinished.stat().st_size
        unfinished.rename(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return ExportReport(str(path), done.documents, done.vectors, size_bytes, done.missing)


def _manifest(chosen: dict[str, str], generation: Generation | None, done: _Progress) -> Manifest:
    return Manifest(
        format=FORMAT,
        lectern_version=__version__,
        created_at=datetime.now(UTC).isoformat(),
        selection=chosen,
        model=generation and Model(fingerprint=generation.fingerprint, dimensions=generation.dimensions),
        document_count=done.documents,
        missing=done.missing,
    )


async def _write_document(
    writer: ExportWriter,
    database: Database,
    originals: OriginalStore,
    document_id: uuid.UUID,
    *,
    generation: Generation | None,
    done: _Progress,
) -> None:
    async with database.session(SYSTEM_SCOPE, is_snapshot=True) as session:
        entry = await _entry(session, document_id)
        if not await _write_original(writer, originals, entry.sha256):
            done.missing.append(entry.filename)
            return
        folder = folder_of(done.documents + 1)
        writer.write_json(f"{folder}/document.json", entry)
        writer.write_lines(f"{folder}/pages.jsonl", await repository.list_pages(session, document_id))
        writer.write_lines(f"{folder}/chunks.jsonl", await repository.list_chunks(session, document_id))
        vectors = await embeddings.list_vectors(session, generation, document_id) if generation else {}
    writer.write_vectors(folder, vectors)
    done.documents += 1
    done.vectors += len(vectors)


async def _entry(session: Session, document_id: uuid.UUID) -> DocumentEntry:
    document, collection, tags = await repository.get_document(session, document_id)
    names = ("filename", "title", "content_type", "size_bytes", "sha256", "language", "is_language_given", "version")
    return DocumentEntry(
        **{name: getattr(document, name) for name in names},
        status=document.status,
        created_at=document.created_at.isoformat(),
        outline=document.outline,
        information=document.information,
        tags=tags,
        collection=CollectionEntry(
            name=collection.name, description=collection.description, is_open=collection.is_open
        ),
    )


async def _write_original(writer: ExportWriter, originals: OriginalStore, sha256: str) -> bool:
    """Whether it is in the file; an original that two documents share is there once."""
    if original_of(sha256) in writer.zip.NameToInfo:
        return True
    try:
        stream = await originals.open(sha256)
    except OriginalNotFound:
        return False
    member = zipfile.ZipInfo(original_of(sha256))  # stored: most formats are compressed themselves
    with closing(writer.zip.open(member, "w", force_zip64=True)) as opened:
        async for block in stream:
            opened.write(block)
    return True
