"""What the indexes of a large library lose, and what it costs to add to them.

Recall is that of `SearchEngine` itself: the ranks of its arms by index against those of the same arms with everything
compared.
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
from scale_pool import MixedPassage, PoolPassage, mix, read_pool
from scale_requests import load, quantiles, running_server
from sqlalchemy import insert, text

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
ADDED: Final = "added by the benchmark"
ADDED_DOCUMENTS: Final = 60


async def measure_indexes(service_url: str, provider: EmbeddingProvider, questions: Sequence[str]) -> None:
    """Recall@10 of the semantic arm and overlap@10 of the keyword arm, without and with a filter of 30 %."""
    database = Database(create_engine(service_url, statement_timeout_seconds=600))
    by_index = SearchEngine(database, provider, SearchSettings())
    compared = SearchEngine(
        database, provider, SearchSettings(exact_dense_chunks=EVERYTHING, exact_lexical_chunks=EVERYTHING)
    )
    for name, extra in (("no filter", {}), ("30 % of tags", {"tags": ["broad"]})):
        semantic: list[float] = []
        keyword: list[float] = []
        for question in questions:
            request = SearchRequest.model_validate({"query": question, **extra})
            approximate, exact = [await _trace(engine, request) for engine in (by_index, compared)]
            semantic.append(_share(approximate, exact, arm="semantic_rank"))
            keyword.append(_share(approximate, exact, arm="keyword_rank"))
        print(
            f"{name:14s} semantic recall@{TOP} {statistics.mean(semantic):.4f} (least {min(semantic):.2f})   "
            f"keyword overlap@{TOP} {statistics.mean(keyword):.4f} (least {min(keyword):.2f})",
            flush=True,
        )
    await database.dispose()


async def _trace(engine: SearchEngine, request: SearchRequest) -> Trace:
    async with engine.database.session(SYSTEM_SCOPE, is_snapshot=True) as session:
        return await engine.trace(session, request, scope=SYSTEM_SCOPE, deepest=engine.settings.candidates)


def _share(approximate: Trace, exact: Trace, *, arm: str) -> float:
    """How many of the true first are among those found as the first."""
    found, true = (
        {row.chunk_id for row in trace.deep if (getattr(row, arm) or EVERYTHING) <= TOP}
        for trace in (approximate, exact)
    )
    return len(found & true) / len(true) if true else 1.0


async def measure_ingestion(
    server: Server, provider: EmbeddingProvider, arguments: argparse.Namespace, questions: Sequence[str]
) -> None:
    """Documents written as ingestion does, alone and while one client searches; and what that client notices.

    They are written by a process of its own, as a worker is: in this one they would stop the client's clock.
    """
    pool = await read_pool(arguments.sets, provider, cache=arguments.cache, size=arguments.pool)
    task = (server.database.service_url, provider.info, max(pool.values(), key=len))
    options = {"folder": arguments.folder / "api", "models": arguments.cache / "models"}
    bodies = [{"query": question} for question in questions]
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as worker:
        async with running_server(server.database.service_url, processes=arguments.processes, **options) as (url, _):
            client = {"Authorization": f"Bearer {await _sign_in(url)}"}
            await load(url, client, bodies, clients=1, requests=len(bodies))
            idle, _ = await load(url, client, bodies, clients=1, requests=arguments.requests)
            alone = await loop.run_in_executor(worker, ingest, *task)
            writing = loop.run_in_executor(worker, ingest, *task)
            busy = []
            while not writing.done():
                taken, _ = await load(url, client, bodies, clients=1, requests=len(bodies))
                busy += taken
            beside = await writing
        for name, rates in (("alone", alone), ("beside a search", beside)):
            print(f"ingestion {name:16s} {statistics.median(rates):7.2f} ms a passage (all but its embedding)")
        for name, taken in (("idle", idle), ("during ingestion", busy)):
            p50, p95, _ = quantiles([one.total for one in taken])
            print(f"search {name:19s} p50 {p50:7.1f}  p95 {p95:7.1f} ms ({len(taken)} requests)")
        await loop.run_in_executor(worker, remove_added, server.database.service_url)


async def _sign_in(url: str) -> str:
    from search_scale import sign_in_as_admin

    return await sign_in_as_admin(url)


def ingest(service_url: str, model: ProviderInfo, passages: Sequence[PoolPassage]) -> list[float]:
    """Milliseconds a passage of each document. They are made before the first is written."""
    random = np.random.default_rng()
    documents = [[mix(passages, random) for _ in range(scale_library.CHUNKS_EACH)] for _ in range(ADDED_DOCUMENTS)]
    return asyncio.run(_ingest(service_url, model, documents))


async def _ingest(service_url: str, model: ProviderInfo, documents: Sequence[Sequence[MixedPassage]]) -> list[float]:
    database = Database(create_engine(service_url, statement_timeout_seconds=600))
    rates: list[float] = []
    for made in documents:
        begun = time.perf_counter()
        async with database.session(SYSTEM_SCOPE) as session:
            await _store(session, await get_generation(session, model), made)
        rates.append((time.perf_counter() - begun) * 1000 / len(made))
    await database.dispose()
    return rates


async def _store(session: Session, generation: Generation, made: Sequence[MixedPassage]) -> None:
    document_id, count = uuid.uuid4(), len(made)
    file = {"filename": f"{ADDED} {document_id}.txt", "content_type": "text/plain", "size_bytes": 1, "status": "ready"}
    counts = {"chunk_count": count, "embedded_chunk_count": count, "language": made[0].chunk.language}
    document = Document(id=document_id, collection_id=corpora.LIBRARY, sha256=document_id.hex, **file, **counts)
    session.add(document)
    await session.flush()
    ids = [uuid.uuid5(document_id, str(index)) for index in range(count)]
    rows = [_row(passage, document_id, ids[index], index) for index, passage in enumerate(made)]
    await session.execute(insert(Chunk), rows)
    await index_document(session, document_id)
    vectors = np.stack([passage.vector for passage in made])
    await replace_embeddings(session, generation, chunk_ids=ids, window_numbers=[1] * count, vectors=vectors)


def _row(passage: MixedPassage, document_id: uuid.UUID, chunk_id: uuid.UUID, index: int) -> dict[str, object]:
    chunk = passage.chunk
    names = ("section_heading", "token_count", "importance", "language", "content_hash")
    return {name: getattr(chunk, name) for name in names} | {
        "id": chunk_id,
        "document_id": document_id,
        "chunk_index": index,
        "section_path": list(chunk.section_path),
        "page_number": 1,
        "last_page_number": 1,
        "char_start": 0,
        "char_end": len(passage.text),
        "content_type": chunk.content_type.value,
        "text": passage.text,
    }


def remove_added(service_url: str) -> None:
    """The library is left as it was, but for the dead rows."""
    asyncio.run(_remove_added(service_url))


async def _remove_added(service_url: str) -> None:
    database = Database(create_engine(service_url, statement_timeout_seconds=600))
    added = f"SELECT id FROM documents WHERE filename LIKE '{ADDED} %'"
    async with database.session(SYSTEM_SCOPE) as session:
        await session.execute(text(f"DELETE FROM chunk_lexical WHERE document_id IN ({added})"))
        await session.execute(text(f"DELETE FROM documents WHERE id IN ({added})"))
    await database.dispose()
