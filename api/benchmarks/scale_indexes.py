"""Measure the recall of the indexes of a large library, and the time of adding to them.

Recall compares the ranks of both arms of `SearchEngine` by index with those of an exact search.
"""

import argparse
import asyncio
import multiprocessing
import statistics
import time
import uuid
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Final

import corpora
import numpy as np
import scale_library
from scale_library import Server
from scale_pool import MixedChunk, RealChunk, mix, read_pool
from scale_requests import load, running_server, sign_in_as_admin
from sqlalchemy import insert, text
from timing import quantiles

from lectern.db.engine import create_engine
from lectern.db.lexical_index import index_document
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database, Session
from lectern.documents.models import Chunk, Document
from lectern.embeddings.generations import Generation
from lectern.embeddings.provider import EmbeddingProvider, ProviderInfo
from lectern.embeddings.service import get_generation, replace_embeddings
from lectern.search.schemas import SearchRequest
from lectern.search.service import SearchEngine, Trace
from lectern.settings import SearchSettings

EVERYTHING: Final = 10**9
TOP: Final = 10
NEW_FILENAME: Final = "added by the benchmark"
NEW_DOCUMENTS: Final = 60


async def measure_indexes(service_url: str, provider: EmbeddingProvider, questions: Sequence[str]) -> None:
    """Print recall@10 of the semantic arm and overlap@10 of the keyword arm, without and with a filter of 30 %."""
    database = Database(create_engine(service_url, statement_timeout_seconds=600))
    by_index = SearchEngine(database, provider, SearchSettings())
    exhaustive = SearchEngine(
        database, provider, SearchSettings(exact_dense_chunks=EVERYTHING, exact_lexical_chunks=EVERYTHING)
    )
    for name, extra in (("no filter", {}), ("30 % of tags", {"tags": ["broad"]})):
        semantic: list[float] = []
        keyword: list[float] = []
        for question in questions:
            request = SearchRequest.model_validate({"query": question, **extra})
            approximate, exact = [await _trace(engine, request) for engine in (by_index, exhaustive)]
            semantic.append(_share(approximate, exact, arm="semantic_rank"))
            keyword.append(_share(approximate, exact, arm="keyword_rank"))
        print(
            f"{name:14s} semantic recall@{TOP} {statistics.mean(semantic):.4f} (min {min(semantic):.2f})   "
            f"keyword overlap@{TOP} {statistics.mean(keyword):.4f} (min {min(keyword):.2f})",
            flush=True,
        )
    await database.dispose()


async def _trace(engine: SearchEngine, request: SearchRequest) -> Trace:
    async with engine.database.session(SYSTEM_SCOPE, is_snapshot=True) as session:
        return await engine.trace(session, request, scope=SYSTEM_SCOPE, deepest=engine.settings.candidates)


def _share(approximate: Trace, exact: Trace, *, arm: str) -> float:
    """Return the share of the exact top 10 that is in the approximate top 10."""
    approximate_top, exact_top = (
        {row.chunk_id for row in trace.deep if (getattr(row, arm) or EVERYTHING) <= TOP}
        for trace in (approximate, exact)
    )
    return len(approximate_top & exact_top) / len(exact_top) if exact_top else 1.0


async def measure_ingestion(
    server: Server, provider: EmbeddingProvider, arguments: argparse.Namespace, questions: Sequence[str]
) -> None:
    """Print the time of adding chunks, alone and during searches, and the latency of those searches.

    Chunks are added in a process of its own, because in this one they would delay the client.
    """
    pool = await read_pool(arguments.sets, provider, cache=arguments.cache, size=arguments.pool)
    task = (server.database.service_url, provider.info, max(pool.values(), key=len))
    options = {"folder": arguments.folder / "api", "models": arguments.cache / "models"}
    bodies = [{"query": question} for question in questions]
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as worker:
        async with running_server(server.database.service_url, processes=arguments.processes, **options) as (url, _):
            headers = {"Authorization": f"Bearer {await sign_in_as_admin(url)}"}
            await load(url, headers, bodies, clients=1, requests=len(bodies))
            idle, _ = await load(url, headers, bodies, clients=1, requests=arguments.requests)
            alone = await loop.run_in_executor(worker, ingest, *task)
            writing = loop.run_in_executor(worker, ingest, *task)
            busy = []
            while not writing.done():
                timings, _ = await load(url, headers, bodies, clients=1, requests=len(bodies))
                busy += timings
            during_search = await writing
        for name, rates in (("alone", alone), ("during searches", during_search)):
            print(f"ingestion {name:16s} {statistics.median(rates):7.2f} ms per chunk, without its embedding")
        for name, timings in (("idle", idle), ("during ingestion", busy)):
            p50, p95, _ = quantiles([one.total for one in timings])
            print(f"search {name:19s} p50 {p50:7.1f}  p95 {p95:7.1f} ms ({len(timings)} requests)")
        await loop.run_in_executor(worker, remove_new, server.database.service_url)


def ingest(service_url: str, model: ProviderInfo, chunks: Sequence[RealChunk]) -> list[float]:
    """Add mixed documents, and return the milliseconds per chunk of each."""
    random = np.random.default_rng()
    documents = [[mix(chunks, random) for _ in range(scale_library.CHUNKS_PER_DOCUMENT)] for _ in range(NEW_DOCUMENTS)]
    return asyncio.run(_ingest(service_url, model, documents))


async def _ingest(service_url: str, model: ProviderInfo, documents: Sequence[Sequence[MixedChunk]]) -> list[float]:
    database = Database(create_engine(service_url, statement_timeout_seconds=600))
    rates: list[float] = []
    for chunks in documents:
        started = time.perf_counter()
        async with database.session(SYSTEM_SCOPE) as session:
            await _store(session, await get_generation(session, model), chunks)
        rates.append((time.perf_counter() - started) * 1000 / len(chunks))
    await database.dispose()
    return rates


async def _store(session: Session, generation: Generation, chunks: Sequence[MixedChunk]) -> None:
    document_id, count = uuid.uuid4(), len(chunks)
    name = f"{NEW_FILENAME} {document_id}.txt"
    file = {"filename": name, "content_type": "text/plain", "size_bytes": 1, "status": "ready"}
    counts = {"chunk_count": count, "embedded_chunk_count": count, "language": chunks[0].chunk.language}
    document = Document(id=document_id, collection_id=corpora.LIBRARY, sha256=document_id.hex, **file, **counts)
    session.add(document)
    await session.flush()
    ids = [uuid.uuid5(document_id, str(index)) for index in range(count)]
    rows = [_row(chunk, document_id, ids[index], index) for index, chunk in enumerate(chunks)]
    await session.execute(insert(Chunk), rows)
    await index_document(session, document_id)
    vectors = np.stack([chunk.vector for chunk in chunks])
    await replace_embeddings(session, generation, chunk_ids=ids, window_numbers=[1] * count, vectors=vectors)


def _row(mixed: MixedChunk, document_id: uuid.UUID, chunk_id: uuid.UUID, index: int) -> dict[str, object]:
    chunk = mixed.chunk
    names = ("section_heading", "token_count", "importance", "language", "content_hash")
    return {name: getattr(chunk, name) for name in names} | {
        "id": chunk_id,
        "document_id": document_id,
        "chunk_index": index,
        "section_path": list(chunk.section_path),
        "page_number": 1,
        "last_page_number": 1,
        "char_start": 0,
        "char_end": len(mixed.text),
        "content_type": chunk.content_type.value,
        "text": mixed.text,
    }


def remove_new(service_url: str) -> None:
    """Remove the added documents. Their dead rows stay."""
    asyncio.run(_remove_new(service_url))


async def _remove_new(service_url: str) -> None:
    database = Database(create_engine(service_url, statement_timeout_seconds=600))
    new = f"SELECT id FROM documents WHERE filename LIKE '{NEW_FILENAME} %'"
    async with database.session(SYSTEM_SCOPE) as session:
        await session.execute(text(f"DELETE FROM chunk_lexical WHERE document_id IN ({new})"))
        await session.execute(text(f"DELETE FROM documents WHERE id IN ({new})"))
    await database.dispose()
