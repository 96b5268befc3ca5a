"""Ingestion turns a file into a searchable document, or reports why it failed."""

import uuid
from collections.abc import AsyncIterator
from random import Random

import pytest

from lectern.db.scope import SYSTEM_SCOPE
from lectern.documents.presentation import present_one
from lectern.ingestion.service import list_events, retry_ingestion
from lectern.jobs.schemas import progress_of
from lectern.settings import ExtractionSettings

from .library import SAMPLES, Library

COUNT = "SELECT count(*) FROM {} WHERE document_id = :id"


async def test_text_file_becomes_a_ready_document(library: Library) -> None:
    document_id = await library.add(b"Fees\n\nThe fee for a card is 12 euro.\n", filename="fees.txt")
    async with library.worker():
        await library.until_status(document_id)
    document = await library.document(document_id)
    assert document.page_count == 1
    assert document.chunk_count == document.embedded_chunk_count == 1
    assert document.keyword_ready_at is not None
    assert document.ready_at is not None
    assert document.keyword_ready_at < document.ready_at
    job = await library.job(document_id)
    assert (job.state, job.stage, job.attempts, job.crashes) == ("succeeded", "embed", 1, 0)
    assert set(job.timings_seconds) == {"extract", "chunk", "index", "embed"}
    assert await library.value("SELECT count(*) FROM queue.procrastinate_jobs") == 0
    assert await library.violations() == []


async def test_pdf_has_pages_chunks_and_embeddings(library: Library) -> None:
    document_id = await library.add(SAMPLES / "annual-report-2025.pdf")
    async with library.worker():
        await library.until_status(document_id)
    document = await library.document(document_id)
    assert await library.value(COUNT.format("pages"), id=document_id) == document.page_count
    assert document.outline
    assert document.language == "en"
    assert document.title
    assert await library.violations() == []


async def test_each_format_is_ingested_and_scans_use_text_recognition(library: Library) -> None:
    names = (
        "avviso-chiusura-ponte.txt",
        "branch-queues-paper.pdf",
        "contratto-di-fornitura.pdf",
        "employee-handbook.md",
    )
    added = [await library.add(SAMPLES / name) for name in names]
    scan = await library.add(SAMPLES / "verbale-collaudo-scansione.pdf")
    async with library.worker():
        await library.until_status(*added, scan)
    kinds = "SELECT count(*) FROM pages WHERE document_id = :id AND kind = 'ocr'"
    assert await library.value(kinds, id=scan) == await library.value(COUNT.format("pages"), id=scan) > 0
    assert await library.value(COUNT.format("chunks"), id=scan) > 0
    assert await library.violations() == []


@pytest.mark.parametrize(
    ("content", "filename", "code"),
    [
        (b"%PDF-1.7\nnothing of a PDF follows", "broken.pdf", "corrupt"),
        (b" \n\t\n", "blank.md", "empty"),
    ],
)
async def test_unreadable_file_fails_at_once_with_a_reason(
    library: Library, content: bytes, filename: str, code: str
) -> None:
    document_id = await library.add(content, filename=filename)
    async with library.worker():
        await library.until_status(document_id, status="failed")
    document, job = await library.document(document_id), await library.job(document_id)
    assert (document.error_code, job.error_code) == (code, code)
    assert (job.state, job.attempts, job.next_try_at) == ("failed", 1, None)
    assert progress_of(job) < 1
    assert await library.violations() == []


async def test_exceeded_limit_is_stored_until_the_document_is_ready(library: Library) -> None:
    library.extraction = ExtractionSettings(max_characters=1_000)
    document_id = await library.add(b"Some words that go on and on.\n" * 40)
    async with library.worker():
        await library.until_status(document_id, status="failed")
    document, job = await library.document(document_id), await library.job(document_id)
    assert document.error_details == job.error_details == {"max_characters": 1_000}
    async with library.database.session(SYSTEM_SCOPE) as session:
        (event,) = await list_events(session, [document_id])
        assert event.error_details == {"max_characters": 1_000}
        document = await present_one(session, document_id)
        assert document.error is not None
        assert document.error.details == {"max_characters": 1_000}
        await retry_ingestion(session, job.id)
    library.extraction = ExtractionSettings()
    async with library.worker():
        await library.until_status(document_id)
    empty = (
        "SELECT count(*) FROM documents JOIN jobs ON document_id = documents.id WHERE documents.error_details IS NULL"
    )
    assert await library.value(f"{empty} AND jobs.error_details IS NULL") == 1


async def test_failure_values_of_a_file_without_text_omit_the_page_ledger(library: Library) -> None:
    document_id = await library.add(b" \n", filename="blank.md")
    async with library.worker():
        await library.until_status(document_id, status="failed")
    assert (await library.document(document_id)).error_details is None


async def test_broken_file_does_not_block_others(library: Library) -> None:
    broken = await library.add(b"%PDF-1.7\n", filename="broken.pdf")
    good = await library.add(b"Some words that can be found.", filename="good.txt")
    async with library.worker():
        await library.until_status(good)
        await library.until_status(broken, status="failed")


async def chunk_ids(library: Library, document_id: uuid.UUID) -> set[uuid.UUID]:
    async with library.database.session(SYSTEM_SCOPE) as session:
        rows = await session.connection()
        result = await rows.exec_driver_sql("SELECT id FROM chunks WHERE document_id = %s", (document_id,))
        return set(result.scalars())


async def test_reingesting_the_same_bytes_changes_no_chunk_or_embedding(library: Library) -> None:
    document_id = await library.add(SAMPLES / "employee-handbook.md")
    async with library.worker():
        await library.until_status(document_id)
        before = await chunk_ids(library, document_id)
        made = "SELECT max(xmin::text::bigint) FROM chunk_embeddings_1 WHERE document_id = :id"
        written_by = await library.value(made, id=document_id)
        await library.reingest(document_id)
        await library.until_status(document_id)
    assert await chunk_ids(library, document_id) == before
    assert await library.value(made, id=document_id) == written_by, "no embedding was written again"
    assert await library.violations() == []


def part(number: int) -> str:
    """Return a section with unique words and no digits."""
    random = Random(number)
    words = ["".join(random.choices("abcdefgilmnoprstuvz", k=6)) for _ in range(150)]
    return f"# Part {words[0]}\n\n" + " money ".join(words)


async def test_changed_file_embeds_only_changed_chunks(library: Library) -> None:
    sections = [part(number) for number in range(6)]
    document_id = await library.add("\n\n".join(sections).encode(), filename="parts.md")
    async with library.worker():
        await library.until_status(document_id)
        before = await chunk_ids(library, document_id)
        sections[2:4] = [
            sections[3],
            sections[2].replace("money", "gold"),
        ]  # swap two parts and change the words of one
        changed = await library.originals.put(_once("\n\n".join(sections).encode()), max_bytes=1 << 20)
        async with library.database.session(SYSTEM_SCOPE) as session:
            connection = await session.connection()
            await connection.exec_driver_sql(
                "UPDATE documents SET sha256 = %s WHERE id = %s", (changed.sha256, document_id)
            )
        await library.reingest(document_id)
        await library.until_status(document_id)
    after = await chunk_ids(library, document_id)
    assert len(before) == len(after)
    assert len(before - after) == len(after - before) == 1
    assert await library.violations() == []


async def _once(content: bytes) -> AsyncIterator[bytes]:
    yield content
