"""Store pages, chunks and the lexical index of a document in one transaction, and queue its embedding."""

import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Final

from lectern.chunking.types import ChunkedDocument
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.documents.models import Document
from lectern.extraction.types import ExtractedDocument, PageKind
from lectern.ingestion import repository, versions
from lectern.ingestion.errors import Superseded
from lectern.ingestion.lease import JobRun, heartbeat_with_document, queue_embedding
from lectern.jobs import service as jobs
from lectern.tracing import traced

_MAX_OUTLINE_ENTRIES: Final = 5_000


async def index_document(
    database: Database,
    run: JobRun,
    *,
    extracted: ExtractedDocument,
    chunked: ChunkedDocument,
    timings: dict[str, float],
) -> None:
    """Make a new document searchable by keyword, and queue its embedding. Raises Superseded."""
    async with database.session(SYSTEM_SCOPE) as session:
        with timed(timings, "index"):
            document = await heartbeat_with_document(session, run)
            await replace_content(session, run, document, extracted=extracted, chunked=chunked)
        document.ready_at = None
        document.embedded_chunk_count = 0
        await session.flush()
        page_count, chunk_count = len(extracted.pages), len(chunked.chunks)
        values: dict[str, Any] = {
            "page": page_count,
            "page_count": page_count,
            "chunks_embedded": 0,
            "chunks_to_embed": chunk_count,
            "timings_seconds": timings,
            "crashes": 0,
        }
        await queue_embedding(session, run, values, chunk_count=chunk_count)


async def replace_content(
    session: Session,
    run: JobRun,
    document: Document,
    *,
    extracted: ExtractedDocument,
    chunked: ChunkedDocument,
) -> None:
    """Replace pages, chunks, lexical index and record of a document whose row is locked.

    Raises:
        DocumentAlreadyThere: The collection has received the file of a new version in the meantime.
    """
    names = (document.title, document.filename)
    if run.arguments.language:
        document.language, document.is_language_given = run.arguments.language, True
    _describe(document, extracted, chunked)
    if run.version is not None:
        await _make_version_current(session, run, document, number=run.version)
    await session.flush()
    await repository.replace_pages(session, document.id, extracted, chunked)
    is_renamed = names != (document.title, document.filename)
    await repository.replace_chunks(session, document.id, chunked.chunks, is_renamed=is_renamed)
    document.keyword_ready_at = datetime.now(UTC)
    await repository.delete_checkpoints(session, run.job_id)


async def _make_version_current(session: Session, run: JobRun, document: Document, *, number: int) -> None:
    pending = await repository.find_version(session, document.id, number)
    job = await jobs.find_job(session, run.job_id)
    if pending is None or job is None:
        raise Superseded
    await versions.make_current(session, document, pending, job=job)


def _describe(document: Document, extracted: ExtractedDocument, chunked: ChunkedDocument) -> None:
    """Copy the metadata of the file to the document, except what the uploader has set."""
    document.title = document.title or chunked.title
    if not document.is_language_given:
        document.language = chunked.language
    document.page_count = len(extracted.pages)
    document.unreadable_page_count = sum(page.kind is PageKind.UNREADABLE for page in extracted.pages)
    document.chunk_count = len(chunked.chunks)
    document.outline = _outline(extracted, chunked)
    document.information = dict(extracted.metadata.information)
    document.page_images = extracted.metadata.page_images.value


def _outline(extracted: ExtractedDocument, chunked: ChunkedDocument) -> list[dict[str, Any]]:
    """Return the outline of the file, or else the headings of its chunks."""
    entries = [entry._asdict() for entry in extracted.metadata.outline] or list(_headings(chunked))
    return entries[:_MAX_OUTLINE_ENTRIES]


def _headings(chunked: ChunkedDocument) -> Iterator[dict[str, Any]]:
    before: tuple[str, ...] = ()
    for chunk in chunked.chunks:
        path = (*chunk.section_path, chunk.section_heading) if chunk.section_heading else chunk.section_path
        shared = next((at for at, (old, new) in enumerate(zip(before, path, strict=False)) if old != new), None)
        first_new = min(len(before), len(path)) if shared is None else shared
        for level, title in enumerate(path[first_new:], start=first_new + 1):
            yield {"title": title, "level": level, "page_number": chunk.page_number}
        before = path


@contextmanager
def timed(timings: dict[str, float], stage: str) -> Generator[None]:
    """Trace the block, and record its duration under the name of a stage."""
    started = time.monotonic()
    with traced(stage):
        yield
    timings[stage] = round(time.monotonic() - started, 3)
