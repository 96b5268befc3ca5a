"""Measure the ingestion of a folder of files, and compare its embedding rate with the bare provider.

    cd api && python -m benchmarks.ingestion_speed FOLDER [--embeddings local] [--threads N] [--seconds S] [--all]

One worker writes to a database without durability. Prints the seconds until keyword search finds every file. Then it
prints the tokens that the worker embeds in S seconds, and the rate of the bare provider on the same texts. Compare the
rates per CPU second on a busy machine. `--all` waits until everything is ready.
"""

import argparse
import asyncio
import os
import tempfile
import time
import uuid
from collections.abc import Sequence
from pathlib import Path

import psutil
from benchmarks.throwaway import throwaway_postgres
from benchmarks.timing import cpu_seconds, cpu_seconds_of_ended_children, cpu_seconds_with_children
from sqlalchemy import select, text
from tests.ingestion.library import Library, open_library

from lectern.db.migrations.runner import migrate
from lectern.db.scope import SYSTEM_SCOPE
from lectern.documents.models import Chunk, Document
from lectern.embeddings.provider import EmbeddingProvider
from lectern.embeddings.registry import create_provider
from lectern.ingestion.stages.embed import split_chunks
from lectern.jobs.service import BULK
from lectern.settings import EmbeddingsSettings

POLL_SECONDS = 0.25


async def report_stages(library: Library) -> None:
    """Print the total and the maximum of the seconds of each stage."""
    async with library.database.session(SYSTEM_SCOPE) as session:
        rows = await session.execute(
            text(
                "SELECT key, sum(value::float8), max(value::float8) FROM jobs, jsonb_each_text(timings_seconds)"
                " GROUP BY key ORDER BY key"
            )
        )
        for stage, total, longest in rows:
            print(f"  {stage}: total {total:.1f} s, maximum {longest:.1f} s")


async def list_embedded_chunks(library: Library) -> set[uuid.UUID]:
    """Return the chunks that have an embedding."""
    async with library.database.session(SYSTEM_SCOPE) as session:
        return set((await session.execute(text("SELECT DISTINCT chunk_id FROM chunk_embeddings_1"))).scalars())


async def split_windows(library: Library, provider: EmbeddingProvider, chunk_ids: set[uuid.UUID]) -> list[str]:
    """Return the window texts of the chunks."""
    async with library.database.session(SYSTEM_SCOPE) as session:
        statement = select(Chunk, Document.title).join(Document, Document.id == Chunk.document_id)
        rows = (await session.execute(statement.where(Chunk.id.in_(chunk_ids)))).all()
    by_title = [(title, [(chunk.id, chunk)]) for chunk, title in rows]
    return [window.text for title, own in by_title for _, window in split_chunks(provider, title, own)]  # pyright: ignore[reportArgumentType] (a row of chunks)


async def wait_for_all(library: Library, ids: Sequence[uuid.UUID], column: str) -> None:
    """Wait until the column of every document is set, or the document has failed."""
    query = f"SELECT count(*) FROM documents WHERE {column} IS NOT NULL OR status = 'failed'"
    while await library.value(query) < len(ids):  # noqa: ASYNC110 - another process changes it
        await asyncio.sleep(POLL_SECONDS)


async def report_failures(library: Library) -> None:
    """Print the documents that failed."""
    async with library.database.session(SYSTEM_SCOPE) as session:
        rows = await session.execute(text("SELECT filename, error_code FROM documents WHERE status = 'failed'"))
        for filename, code in rows:
            print(f"  {filename}: {code}")


async def measure_embedding(library: Library, pid: int, provider: EmbeddingProvider, seconds: float) -> None:
    """Print the rate at which the worker embeds."""
    before, cpu_before, started = await list_embedded_chunks(library), cpu_seconds(pid), time.monotonic()
    await asyncio.sleep(seconds)
    new = await list_embedded_chunks(library) - before
    wall, cpu = time.monotonic() - started, cpu_seconds(pid) - cpu_before
    texts = await split_windows(library, provider, new)
    tokens = sum(map(provider.count_tokens, texts))
    print(f"embedding in the worker: {len(new)} chunks, {len(texts)} windows, {tokens:,} tokens in {wall:.0f} s")
    print(f"  {tokens / wall:,.0f} tokens/s, {tokens / cpu:,.0f} tokens/CPU-s")


async def measure_bare(library: Library, provider: EmbeddingProvider, seconds: float) -> None:
    """Print the rate at which the provider embeds in this process."""
    texts = (await split_windows(library, provider, await list_embedded_chunks(library)))[:4_000]
    pid, count = os.getpid(), 0
    await provider.embed_documents(texts[:4])
    cpu_before, started = cpu_seconds(pid), time.monotonic()
    while time.monotonic() - started < seconds and count < len(texts):
        await provider.embed_documents(texts[count : count + 16])
        count += 16
    wall, cpu = time.monotonic() - started, cpu_seconds(pid) - cpu_before
    tokens = sum(map(provider.count_tokens, texts[:count]))
    print(f"bare provider: {tokens / wall:,.0f} tokens/s, {tokens / cpu:,.0f} tokens/CPU-s")


async def measure(arguments: argparse.Namespace, library: Library, *, postgres_pid: int) -> None:
    """Ingest the files and print the time and CPU time of each part."""
    provider = create_provider(library.embeddings, model_dir=library.embeddings.model_dir or library.folder)
    await provider.prepare()
    files = sorted(path for path in arguments.folder.iterdir() if path.is_file())
    started = time.monotonic()
    ids = [await library.add(path, priority=BULK) for path in files]
    print(f"{len(ids)} files stored and queued in {time.monotonic() - started:.1f} s")
    worker = await library.start_worker_process()
    await wait_for_all(library, ids, "keyword_ready_at")
    print(f"all in keyword search after {time.monotonic() - started:.1f} s, including the start of the worker")
    pages = await library.value("SELECT count(*) FROM pages")
    chunks = await library.value("SELECT count(*) FROM chunks")
    print(f"  {pages} pages, {chunks} chunks")
    extraction = cpu_seconds_of_ended_children(worker.pid)
    print(f"  CPU: {extraction:.1f} s extraction in children, {cpu_seconds(worker.pid):.1f} s worker,", end=" ")
    print(f"{cpu_seconds_with_children(postgres_pid):.1f} s Postgres; load {psutil.getloadavg()[0]:.1f}")
    await report_stages(library)
    await measure_embedding(library, worker.pid, provider, arguments.seconds)
    if arguments.all:
        await wait_for_all(library, ids, "ready_at")
        print(f"all ready after {time.monotonic() - started:.1f} s")
        print("broken invariants:", await library.violations() or "none")
    await report_failures(library)
    worker.terminate()
    await worker.wait()
    await measure_bare(library, provider, arguments.seconds)
    await provider.close()


async def main() -> None:
    """Measure on a temporary Postgres."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--embeddings", default="local")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--model-dir", type=Path, default=Path.home() / ".cache" / "lectern-benchmarks" / "models")
    parser.add_argument("--all", action="store_true", help="wait until everything is ready")
    arguments = parser.parse_args()
    embeddings = EmbeddingsSettings(
        provider=arguments.embeddings, threads=arguments.threads, model_dir=arguments.model_dir
    )
    with throwaway_postgres() as postgres, tempfile.TemporaryDirectory() as folder:
        postgres.prepare_template(migrate)
        with postgres.fresh_database() as urls:
            async with open_library(urls, Path(folder), embeddings=embeddings) as library:
                assert postgres.server.pid is not None
                await measure(arguments, library, postgres_pid=postgres.server.pid)


if __name__ == "__main__":
    asyncio.run(main())
