"""How soon a folder of files can be searched, and how much of the model's own speed ingestion keeps.

    cd api && python -m benchmarks.ingestion_speed FOLDER [--embeddings local] [--threads N] [--seconds S] [--all]

One worker on a database without durability. Prints seconds until every file is found by keyword; then, for S seconds,
tokens embedded by the worker, beside the bare provider on the same texts afterwards, in wall and in CPU time (a busy
machine makes the first meaningless). `--all` waits until everything is ready.
"""

import argparse
import asyncio
import tempfile
import time
import uuid
from collections.abc import Sequence
from pathlib import Path

import psutil
from benchmarks.throwaway import throwaway_postgres
from sqlalchemy import select, text
from tests.ingestion.library import Library, open_library

from lectern.db.migrations.runner import migrate
from lectern.db.scope import SYSTEM_SCOPE
from lectern.documents.models import Chunk, Document
from lectern.embeddings.provider import EmbeddingProvider
from lectern.embeddings.registry import create_provider
from lectern.embeddings.windows import chunk_windows, window_context
from lectern.jobs.service import BULK
from lectern.settings import EmbeddingsSettings

POLL_SECONDS = 0.25


def cpu_seconds(pid: int) -> float:
    times = psutil.Process(pid).cpu_times()
    return times.user + times.system


def cpu_seconds_of_children(pid: int) -> float:
    """Of those that have ended."""
    times = psutil.Process(pid).cpu_times()
    return times.children_user + times.children_system


def cpu_seconds_of_family(pid: int) -> float:
    """Of a server and its processes, those that ended included."""
    alive = sum(cpu_seconds(child.pid) for child in psutil.Process(pid).children())
    return cpu_seconds(pid) + cpu_seconds_of_children(pid) + alive


async def report_stages(library: Library) -> None:
    async with library.database.session(SYSTEM_SCOPE) as session:
        rows = await session.execute(
            text(
                "SELECT key, sum(value::float8), max(value::float8) FROM jobs, jsonb_each_text(timings_seconds)"
                " GROUP BY key ORDER BY key"
            )
        )
        for stage, total, longest in rows:
            print(f"  {stage}: {total:.1f} s in all, {longest:.1f} s the longest")


async def embedded_chunks(library: Library) -> set[uuid.UUID]:
    async with library.database.session(SYSTEM_SCOPE) as session:
        return set((await session.execute(text("SELECT DISTINCT chunk_id FROM chunk_embeddings_1"))).scalars())


async def windows_of(library: Library, provider: EmbeddingProvider, chunk_ids: set[uuid.UUID]) -> list[str]:
    async with library.database.session(SYSTEM_SCOPE) as session:
        statement = select(Chunk, Document.title).join(Document, Document.id == Chunk.document_id)
        rows = (await session.execute(statement.where(Chunk.id.in_(chunk_ids)))).all()
    return [
        window.text
        for chunk, title in rows
        for window in chunk_windows(
            chunk.text,
            context=window_context(title, [*chunk.section_path, chunk.section_heading or ""]),
            count_tokens=provider.count_tokens,
            max_tokens=provider.info.max_tokens,
        )
    ]


async def until_all(library: Library, ids: Sequence[uuid.UUID], column: str) -> None:
    query = f"SELECT count(*) FROM documents WHERE {column} IS NOT NULL OR status = 'failed'"
    while await library.value(query) < len(ids):  # noqa: ASYNC110 - it is a poll from outside
        await asyncio.sleep(POLL_SECONDS)


async def report_failures(library: Library) -> None:
    async with library.database.session(SYSTEM_SCOPE) as session:
        rows = await session.execute(text("SELECT filename, error_code FROM documents WHERE status = 'failed'"))
        for filename, code in rows:
            print(f"  {filename}: {code}")


async def measure_embedding(library: Library, pid: int, provider: EmbeddingProvider, seconds: float) -> None:
    before, cpu_before, began = await embedded_chunks(library), cpu_seconds(pid), time.monotonic()
    await asyncio.sleep(seconds)
    made = await embedded_chunks(library) - before
    wall, cpu = time.monotonic() - began, cpu_seconds(pid) - cpu_before
    texts = await windows_of(library, provider, made)
    tokens = sum(map(provider.count_tokens, texts))
    print(f"embedding in the worker: {len(made)} chunks, {len(texts)} windows, {tokens:,} tokens in {wall:.0f} s")
    print(f"  {tokens / wall:,.0f} tokens/s, {tokens / cpu:,.0f} tokens/CPU-s")


async def measure_bare(library: Library, provider: EmbeddingProvider, seconds: float) -> None:
    texts = (await windows_of(library, provider, await embedded_chunks(library)))[:4_000]
    me, done = psutil.Process().pid, 0
    await provider.embed_documents(texts[:4])
    cpu_before, began = cpu_seconds(me), time.monotonic()
    while time.monotonic() - began < seconds and done < len(texts):
        await provider.embed_documents(texts[done : done + 16])
        done += 16
    wall, cpu = time.monotonic() - began, cpu_seconds(me) - cpu_before
    tokens = sum(map(provider.count_tokens, texts[:done]))
    print(f"the bare provider: {tokens / wall:,.0f} tokens/s, {tokens / cpu:,.0f} tokens/CPU-s")


async def run(arguments: argparse.Namespace, library: Library, *, postgres_pid: int) -> None:
    provider = create_provider(library.embeddings, model_dir=library.embeddings.model_dir or library.folder)
    await provider.prepare()
    files = sorted(path for path in arguments.folder.iterdir() if path.is_file())
    began = time.monotonic()
    ids = [await library.add(path, priority=BULK) for path in files]
    print(f"{len(ids)} files stored and queued in {time.monotonic() - began:.1f} s")
    worker = await library.start_worker_process()
    await until_all(library, ids, "keyword_ready_at")
    print(f"all found by keyword after {time.monotonic() - began:.1f} s (with the worker's start)")
    pages = await library.value("SELECT count(*) FROM pages")
    chunks = await library.value("SELECT count(*) FROM chunks")
    print(f"  {pages} pages, {chunks} chunks")
    reading = cpu_seconds_of_children(worker.pid)
    print(f"  CPU: {reading:.1f} s reading in children, {cpu_seconds(worker.pid):.1f} s worker,", end=" ")
    print(f"{cpu_seconds_of_family(postgres_pid):.1f} s Postgres; load {psutil.getloadavg()[0]:.1f}")
    await report_stages(library)
    await measure_embedding(library, worker.pid, provider, arguments.seconds)
    if arguments.all:
        await until_all(library, ids, "ready_at")
        print(f"all ready after {time.monotonic() - began:.1f} s")
        print("broken rules:", await library.violations() or "none")
    await report_failures(library)
    worker.terminate()
    await worker.wait()
    await measure_bare(library, provider, arguments.seconds)
    await provider.close()


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--embeddings", default="local")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--model-dir", type=Path, default=Path.home() / ".cache" / "lectern-benchmarks" / "models")
    parser.add_argument("--all", action="store_true")
    arguments = parser.parse_args()
    embeddings = EmbeddingsSettings(
        provider=arguments.embeddings, threads=arguments.threads, model_dir=arguments.model_dir
    )
    with throwaway_postgres() as postgres, tempfile.TemporaryDirectory() as folder:
        postgres.prepare_template(migrate)
        with postgres.fresh_database() as urls:
            async with open_library(urls, Path(folder), embeddings=embeddings) as library:
                assert postgres.server.pid is not None
                await run(arguments, library, postgres_pid=postgres.server.pid)


if __name__ == "__main__":
    asyncio.run(main())
