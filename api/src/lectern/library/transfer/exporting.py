"""Export the documents of a tag, a collection or a name to one file."""

import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from lectern import __version__
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.documents.schemas import DocumentFilter
from lectern.documents.service import list_document_ids
from lectern.embeddings import service as embeddings
from lectern.embeddings.generations import Generation
from lectern.errors import LecternError
from lectern.library.archive import MANIFEST, ArchiveWriter
from lectern.library.transfer import repository
from lectern.library.transfer.entries import (
    FORMAT,
    CollectionEntry,
    DocumentEntry,
    ExportManifest,
    Model,
    document_folder,
    pack_vectors,
)
from lectern.storage.store import OriginalStore


class ExportEmpty(LecternError):
    """No document has this tag, name or collection."""

    default_hint = "Documents in the trash are not exported. Restore them first."


@dataclass(frozen=True, slots=True)
class ExportReport:
    """The content of the file. `missing` names documents that were left out: their original is not in storage."""

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
    name: str | None = None,
    passphrase: str | None = None,
    report_progress: Callable[[str], None] = lambda _: None,
) -> ExportReport:
    """Write the documents outside the trash that meet all conditions. A passphrase encrypts them.

    `name` is a part of the filename or the title. Each document is read in one snapshot.

    Raises:
        ArchiveExists, ExportEmpty, UnknownTag, UnknownCollection: Nothing was written.
    """
    async with database.session(SYSTEM_SCOPE) as session:
        wanted = DocumentFilter(tags_all=[tag] if tag else [], collections=[collection] if collection else [], q=name)
        ids = await list_document_ids(session, wanted)
        generation = await embeddings.find_active_generation(session)
    if not ids:
        raise ExportEmpty
    done = _Progress()
    conditions = (("tag", tag), ("collection", collection), ("name", name))
    with ArchiveWriter(path, passphrase=passphrase) as archive:
        for document_id in ids:
            await _write_document(archive, database, originals, document_id, generation=generation, done=done)
            report_progress(f"{done.documents:,} of {len(ids):,} documents")
        selected = {key: value for key, value in conditions if value}
        _write_json(archive, MANIFEST, _manifest(selected, generation, done))
        archive.publish()
    size_bytes = path.stat().st_size  # noqa: ASYNC240 - a command of its own
    return ExportReport(str(path), done.documents, done.vectors, size_bytes, done.missing)


def _manifest(selected: dict[str, str], generation: Generation | None, done: _Progress) -> ExportManifest:
    return ExportManifest(
        format=FORMAT,
        lectern_version=__version__,
        created_at=datetime.now(UTC).isoformat(),
        selection=selected,
        model=generation and Model(fingerprint=generation.fingerprint, dimensions=generation.dimensions),
        document_count=done.documents,
        missing=done.missing,
    )


async def _write_document(
    archive: ArchiveWriter,
    database: Database,
    originals: OriginalStore,
    document_id: uuid.UUID,
    *,
    generation: Generation | None,
    done: _Progress,
) -> None:
    async with database.session(SYSTEM_SCOPE, is_snapshot=True) as session:
        entry = await _entry(session, document_id)
        if not await archive.write_original(originals, entry.sha256):
            done.missing.append(entry.filename)
            return
        folder = document_folder(done.documents + 1)
        _write_json(archive, f"{folder}/document.json", entry)
        _write_lines(archive, f"{folder}/pages.jsonl", await repository.list_pages(session, document_id))
        _write_lines(archive, f"{folder}/chunks.jsonl", await repository.list_chunks(session, document_id))
        _write_lines(archive, f"{folder}/notes.jsonl", await repository.list_shared_notes(session, document_id))
        vectors = await embeddings.list_vectors(session, generation, document_id) if generation else {}
    array, keys = pack_vectors(vectors)
    archive.write(f"{folder}/vectors.npy", array, is_compressed=False)
    archive.write(f"{folder}/vectors.txt", keys)
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
        aliases=document.aliases,
        tags=tags,
        collection=CollectionEntry(
            name=collection.name, description=collection.description, is_open=collection.is_open
        ),
    )


def _write_json(archive: ArchiveWriter, name: str, model: BaseModel) -> None:
    archive.write(name, model.model_dump_json(indent=1).encode())


def _write_lines(archive: ArchiveWriter, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
    lines = "".join(json.dumps(dict(row), ensure_ascii=False) + "\n" for row in rows)
    archive.write(name, lines.encode())
