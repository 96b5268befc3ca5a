"""Measure the ingestion of a new version of a document of 300 pages with one changed page.

    cd api && python -m benchmarks.reingest [FILE.pdf] [--pages 300] [--embeddings hash:384]

Without a file the document is a generated book without repeated paragraphs. Its middle page is replaced, and a worker
in this process ingests the result as the next version. Prints unchanged, added and removed chunks, new embeddings, and
the time.
"""

import argparse
import asyncio
import io
import tempfile
import time
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

from benchmarks.throwaway import fresh_library
from pypdf import PdfReader, PdfWriter
from reportlab.pdfgen.canvas import Canvas
from sqlalchemy import text
from tests.ingestion.library import Library, open_library
from tests.ingestion.texts import sentence

from lectern.db.scope import SYSTEM_SCOPE
from lectern.documents.models import Document
from lectern.documents.originals import StoredFile
from lectern.documents.versions.service import add_version
from lectern.jobs.models import Job
from lectern.jobs.service import INTERACTIVE
from lectern.settings import EmbeddingsSettings

LINES_PER_PAGE = 45
PAGES_PER_SECTION = 6
TIMEOUT_SECONDS = 1_800.0
CACHED = "SELECT count(*) FROM embedding_cache"


def draw_page(canvas: Canvas, random: Random, *, heading: str | None) -> None:
    """Draw a page of random sentences."""
    if heading:
        canvas.setFont("Helvetica-Bold", 18)
        canvas.drawString(40, 800, heading)
    canvas.setFont("Helvetica", 10)
    lines = canvas.beginText(40, 770)
    for _ in range(LINES_PER_PAGE):
        lines.textLine(sentence(random))
    canvas.drawText(lines)
    canvas.showPage()


def generate_book(pages: int) -> bytes:
    """Return a PDF with sections of a few pages."""
    random, out = Random(1), io.BytesIO()
    canvas = Canvas(out)
    for number in range(pages):
        heading = f"Chapter of {sentence(random)[:30]}" if number % PAGES_PER_SECTION == 0 else None
        draw_page(canvas, random, heading=heading)
    canvas.save()
    return out.getvalue()


def write_versions(book: bytes) -> tuple[bytes, bytes]:
    """Return the book, and the book with another middle page, written by the same library."""
    reader, single = PdfReader(io.BytesIO(book)), io.BytesIO()
    canvas = Canvas(single)
    draw_page(canvas, Random(2), heading=None)
    canvas.save()
    other = PdfReader(io.BytesIO(single.getvalue())).pages[0]
    middle = len(reader.pages) // 2
    versions: list[bytes] = []
    for replaced in (None, middle):
        writer, out = PdfWriter(), io.BytesIO()
        for number, page in enumerate(reader.pages):
            writer.add_page(other if number == replaced else page)
        writer.write(out)
        versions.append(out.getvalue())
    return versions[0], versions[1]


async def stream(content: bytes) -> AsyncIterator[bytes]:
    yield content


async def upload_version(library: Library, document_id: uuid.UUID, content: bytes) -> None:
    """Store a file and queue it as the next version."""
    stored = await library.originals.put(stream(content), max_bytes=1 << 30)
    file = StoredFile("book.pdf", "application/pdf", stored.size_bytes, stored.sha256)
    async with library.database.session(SYSTEM_SCOPE) as session:
        document = await session.get_one(Document, document_id, with_for_update=True)
        await add_version(session, library.originals, document, file=file, actor="benchmark", priority=INTERACTIVE)


async def wait_for_job(library: Library, document_id: uuid.UUID) -> Job:
    """Wait until the document is ready, and return its job."""
    await library.until_status(document_id, seconds=TIMEOUT_SECONDS)
    return await library.job(document_id)


async def report(library: Library, document_id: uuid.UUID, *, cached: int, started: float) -> None:
    """Wait for a version, and print its chunks, embeddings and seconds."""
    job = await wait_for_job(library, document_id)
    chunks, new = job.chunks_to_embed or 0, await library.value(CACHED) - cached
    counts = f"unchanged {job.chunks_unchanged}, added {job.chunks_added}, removed {job.chunks_removed}"
    print(f"{counts} of {chunks} chunks")
    share = 100 * (job.chunks_added or 0) / chunks if chunks else 0.0
    print(f"embedded: {share:.2f} % of the chunks, {new} vectors")
    stages = ", ".join(f"{stage} {seconds:.2f} s" for stage, seconds in job.timings_seconds.items())
    print(f"total {time.monotonic() - started:.1f} s; {stages}")


async def measure(library: Library, book: bytes) -> None:
    """Ingest the book, the changed book and the book again, and print the cost of each version."""
    old, new = write_versions(book)
    async with library.worker():
        started = time.monotonic()
        document_id = await library.add(old, filename="book.pdf")
        job = await wait_for_job(library, document_id)
        vectors = await library.value(CACHED)
        pages = (await library.document(document_id)).page_count
        print(f"{pages} pages, {job.chunks_to_embed} chunks, {vectors} vectors, {time.monotonic() - started:.1f} s")
        for name, content in (("one page changed", new), ("the first version again", old)):
            print(f"-- {name}")
            cached, started = await library.value(CACHED), time.monotonic()
            await upload_version(library, document_id, content)
            await report(library, document_id, cached=cached, started=started)
    async with library.database.session(SYSTEM_SCOPE) as session:
        states = await session.execute(text("SELECT number, state FROM document_versions ORDER BY number"))
        print("versions:", ", ".join(f"{number} {state}" for number, state in states))
    print("broken invariants:", await library.violations() or "none")


async def main() -> None:
    """Measure on a temporary Postgres."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--embeddings", default="hash:384")
    arguments = parser.parse_args()
    book = await asyncio.to_thread(arguments.file.read_bytes) if arguments.file else generate_book(arguments.pages)
    embeddings = EmbeddingsSettings(provider=arguments.embeddings)
    with fresh_library() as urls, tempfile.TemporaryDirectory() as folder:
        async with open_library(urls, Path(folder), embeddings=embeddings) as library:
            await measure(library, book)


if __name__ == "__main__":
    asyncio.run(main())
