"""A file becomes a searchable document, or a document that says why it could not."""

from .library import SAMPLES, Library


async def test_a_text_file_becomes_a_ready_document(library: Library) -> None:
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


async def test_a_pdf_has_pages_chunks_and_embeddings(library: Library) -> None:
    document_id = await library.add(SAMPLES / "annual-report-2025.pdf")
    async with library.worker():
        await library.until_status(document_id)
    document = await library.document(document_id)
    counted = "SELECT count(*) FROM {} WHERE document_id = :id"
    assert await library.value(counted.format("pages"), id=document_id) == document.page_count
    assert await library.value(counted.format("chunks"), id=document_id) == document.chunk_count
    assert await library.value(counted.format("chunk_lexical"), id=document_id) == document.chunk_count
    assert await library.value(counted.format("chunk_embeddings_1"), id=document_id) >= (document.chunk_count or 0)
