"""What a document of 300 pages costs when one of its pages changes.

    cd api && python -m benchmarks.reingest [FILE.pdf] [--pages 300] [--embeddings hash:384]

Without a file a book is made: sections of a few pages, paragraphs that are all different. The page in the middle is
replaced by another one, and the result ingested as the next version by a worker in this process. Prints chunks kept,
new and gone, vectors that the model made, and how long it took.
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

from benchmarks.throwaway import throwaway_postgres
from pypdf import PdfReader, PdfWriter
from reportlab.pdfgen.canvas import Canvas
from sqlalchemy import text
from tests.ingestion.library import Library, open_library
from tests.ingestion.texts import sentence

from lectern.db.migrations.runner import migrate
from lectern.db.scope import SYSTEM_SCOPE
from lectern.documents.models import Document
from lectern.documents.originals import StoredFile
from lectern.documents.versions.service import add_version
from lectern.jobs.models import Job
from lectern.jobs.service import INTERACTIVE
from lectern.settings import EmbeddingsSettings

LINES = 45
SECTION_PAGES = 6
PATIENCE_SECONDS = 1_800.0
CACHED = "SELECT count(*) FROM embedding_cache"


def made_page(canvas: Canvas, random: Random, *, heading: str | None) -> None:
    if heading:
        canvas.setFont("Helvetica-Bold", 18)
        canvas.drawString(40, 800, heading)
    canvas.setFont("Helvetica", 10)
    lines = canvas.beginText(40, 770)
    for _ in range(LINES):
        lines.textLine(sentence(random))
    canvas.drawText(lines)
    canvas.showPage()


def made_book(pages: int) -> bytes:
    random, out = Random(1), io.BytesIO()
    canvas = Canvas(out)
    for number in range(pages):
        heading = f"Chapter of {sentence(random)[:30]}" if number % SECTION_PAGES == 0 else None
        made_page(canvas, random, heading=heading)
    canvas.save()
    return out.getvalue()


def both_versions(book: bytes) -> tuple[bytes, bytes]:
    """The book, and the book with another page in its middle, written by the same program."""
    reader, single = PdfReader(io.BytesIO(book)), io.BytesIO()
    canvas = Canvas(single)
    made_page(canvas, Random(2), heading=None)
    canvas.save()
    other = PdfReader(io.BytesIO(single.getvalue())).pages[0]
    middle = len(reader.pages) // 2
    written: list[bytes] = []
    for replaced in (None, middle):
        writer, out = PdfWriter(), io.BytesIO()
        for at, page in enumerate(reader.pages):
            writer.add_page(other if at == replaced else page)
        writer.write(out)
        written.append(out.getvalue())
    return written[0], written[1]


async def once(content: bytes) -> AsyncIterator[bytes]:
    yield content


async def put(library: Library, document_id: uuid.UUID, content: bytes) -> None:
    stored = await library.originals.put(once(content), max_bytes=1 << 30)
    file = StoredFile("book.pdf", "application/pdf", stored.size_bytes, stored.sha256)
    async with library.database.session(SYSTEM_SCOPE) as session:
        document = await session.get_one(Document, document_id, with_for_update=True)
        await add_version(session, library.originals, document, file=file, actor="benchmark", priority=INTERACTIVE)


async def finished(library: Library, document_id: uuid.UUID) -> Job:
    await library.until_status(document_id, seconds=PATIENCE_SECONDS)
    return await library.job(document_id)


async def report(library: Library, document_id: uuid.UUID, *, cached: int, began: float) -> None:
    job = await finished(library, document_id)
    chunks, made = job.chunks_to_embed or 0, await library.value(CACHED) - cached
    print(f"kept {job.chunks_unchanged}, new {job.chunks_added}, gone {job.chunks_removed} of {chunks} chunks")
    share = 100 * (job.chunks_added or 0) / chunks if chunks else 0.0
    print(f"embedded: {share:.2f} % of the chunks, {made} vectors")
    stages = ", ".join(f"{stage} {seconds:.2f} s" for stage, seconds in job.timings_seconds.items())
    print(f"{time.monotonic() - began:.1f} s in all; {stages}")


async def run(library: Library, book: bytes) -> None:
    old, new = both_versions(book)
    async with library.worker():
        began = time.monotonic()
        document_id = await library.add(old, filename="book.pdf")
        job = await finished(library, document_id)
        vectors = await library.value(CACHED)
        pages = (await library.document(document_id)).page_count
        print(f"{pages} pages, {job.chunks_to_embed} chunks, {vectors} vectors, {time.monotonic() - began:.1f} s")
        for name, content in (("one page changed", new), ("the first version again", old)):
            print(f"-- {name}")
            cached, began = await library.value(CACHED), time.monotonic()
            await put(library, document_id, content)
            await report(library, document_id, cached=cached, began=began)
    async with library.database.session(SYSTEM_SCOPE) as session:
        states = await session.execute(text("SELECT number, state FROM document_versions ORDER BY number"))
        print("versions:", ", ".join(f"{number} {state}" for number, state in states))
    print("broken rules:", await library.violations() or "none")


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--embeddings", default="hash:384")
    arguments = parser.parse_args()
    book = await asyncio.to_thread(arguments.file.read_bytes) if arguments.file else made_book(arguments.pages)
    embeddings = EmbeddingsSettings(provider=arguments.embeddings)
    with throwaway_postgres() as postgres, tempfile.TemporaryDirectory() as folder:
        postgres.prepare_template(migrate)
        with postgres.fresh_database() as urls:
            async with open_library(urls, Path(folder), embeddings=embeddings) as library:
                await run(library, book)


if __name__ == "__main__":
    asyncio.run(main())
