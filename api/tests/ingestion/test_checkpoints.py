"""A run resumes from the checkpoint of the run before it."""

import uuid
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from lectern.chunking.chunker import chunk_document
from lectern.chunking.types import ChunkingOptions
from lectern.db.scope import SYSTEM_SCOPE
from lectern.extraction.sandbox.extraction import extract_in_child
from lectern.extraction.types import ExtractionLimits, PageImageStatus
from lectern.ingestion import checkpoints, repository
from lectern.ingestion.recovery import recover_jobs
from lectern.ingestion.service import cancel_ingestion

from .library import SAMPLES, Library
from .test_crashes import claim_as_a_dead_worker

LANE = "SELECT queue_name FROM queue.procrastinate_jobs"


@pytest.mark.parametrize("name", ["annual-report-2025.pdf", "employee-handbook.md", "avviso-chiusura-ponte.txt"])
async def test_checkpoint_round_trips(name: str) -> None:
    content_type = {".pdf": "application/pdf", ".md": "text/markdown", ".txt": "text/plain"}[Path(name).suffix]
    extracted = await extract_in_child(SAMPLES / name, content_type, limits=ExtractionLimits())
    packed = checkpoints.pack_extracted(extracted)
    assert checkpoints.unpack_extracted(packed) == extracted
    chunked = chunk_document(extracted, options=ChunkingOptions())
    assert checkpoints.unpack_chunked(checkpoints.pack_chunked(chunked)) == chunked


async def test_checkpoint_stores_that_a_file_is_locked(protected_pdf: Path) -> None:
    limits = ExtractionLimits()
    extracted = await extract_in_child(protected_pdf, "application/pdf", limits=limits, password="open sesame")
    again = checkpoints.unpack_extracted(checkpoints.pack_extracted(extracted))
    assert (extracted.metadata.page_images, again) == (PageImageStatus.LOCKED, extracted)


async def keep_extraction(library: Library, document_id: uuid.UUID, path: Path) -> None:
    extracted = await extract_in_child(path, "application/pdf", limits=ExtractionLimits())
    job = await library.job(document_id)
    async with library.database.session(SYSTEM_SCOPE) as session:
        await repository.save_checkpoint(session, job.id, checkpoints.EXTRACT, checkpoints.pack_extracted(extracted))


async def test_run_resumes_from_extracted_text(library: Library) -> None:
    path = SAMPLES / "branch-queues-paper.pdf"
    document_id = await library.add(path)
    await keep_extraction(library, document_id, path)
    await library.originals.delete((await library.document(document_id)).sha256)
    async with library.worker():
        await library.until_status(document_id)
    assert await library.value("SELECT count(*) FROM job_checkpoints") == 0
    assert await library.violations() == []


async def test_run_resumes_from_chunks(library: Library) -> None:
    path = SAMPLES / "branch-queues-paper.pdf"
    document_id = await library.add(path)
    await keep_extraction(library, document_id, path)
    extracted = await extract_in_child(path, "application/pdf", limits=ExtractionLimits())
    cut = chunk_document(extracted, options=ChunkingOptions())
    cut = replace(cut, chunks=(replace(cut.chunks[0], text="As it was cut before."), *cut.chunks[1:]))
    job = await library.job(document_id)
    async with library.database.session(SYSTEM_SCOPE) as session:
        await repository.save_checkpoint(session, job.id, checkpoints.CHUNK, checkpoints.pack_chunked(cut))
    async with library.worker():
        await library.until_status(document_id)
    assert await library.value("SELECT text FROM chunks WHERE chunk_index = 0") == "As it was cut before."
    assert await library.value("SELECT count(*) FROM job_checkpoints") == 0


@pytest.mark.parametrize("data", [b"", b"of another version", zlib.compress(b"P"), zlib.compress(b"[]")])
def test_checkpoint_of_another_version_is_unreadable(data: bytes) -> None:
    assert checkpoints.unpack_extracted(data) is None
    assert checkpoints.unpack_chunked(data) is None
    assert checkpoints.unpack_extracted(None) is None


async def test_unreadable_checkpoint_restarts_the_extraction(library: Library) -> None:
    document_id = await library.add(SAMPLES / "branch-queues-paper.pdf")
    job = await library.job(document_id)
    async with library.database.session(SYSTEM_SCOPE) as session:
        for stage in (checkpoints.EXTRACT, checkpoints.CHUNK):
            await repository.save_checkpoint(session, job.id, stage, zlib.compress(b"of another version"))
    async with library.worker():
        await library.until_status(document_id)
    assert await library.value("SELECT count(*) > 3 FROM chunks") is True
    assert await library.value("SELECT count(*) FROM job_checkpoints") == 0
    assert await library.violations() == []


async def test_file_that_crashed_its_worker_is_read_alone(library: Library) -> None:
    document_id = await library.add(b"Words.")
    assert await library.value(LANE) == "read"
    await claim_as_a_dead_worker(library, document_id)
    await recover_jobs(library.database, heartbeat_seconds=30)
    assert await library.value(LANE) == "read_alone"
    async with library.worker():
        await library.until_status(document_id)
    assert (await library.job(document_id)).crashes == 0


async def test_cancelled_job_deletes_its_checkpoint(library: Library) -> None:
    path = SAMPLES / "branch-queues-paper.pdf"
    cancelled, active = await library.add(path), await library.add(b"Words.")
    for document_id in (cancelled, active):
        await keep_extraction(library, document_id, path)
    async with library.database.session(SYSTEM_SCOPE) as session:
        await cancel_ingestion(session, (await library.job(cancelled)).id)
    async with library.database.session(SYSTEM_SCOPE) as session:
        await repository.delete_work_of_ended_jobs(session)
    job = await library.job(active)
    assert await library.value("SELECT job_id FROM job_checkpoints") == job.id


async def test_purge_deletes_the_checkpoint(library: Library) -> None:
    path = SAMPLES / "branch-queues-paper.pdf"
    document_id = await library.add(path)
    await keep_extraction(library, document_id, path)
    await library.value("DELETE FROM documents WHERE id = :id RETURNING id", id=document_id)
    assert await library.value("SELECT count(*) FROM job_checkpoints") == 0
