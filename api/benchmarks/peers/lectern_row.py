"""Measure Lectern for its row of the table, in a process of its own."""

import asyncio
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import corpora
import psutil
from peers.rows import QuestionHits, Row
from sqlalchemy import func, select
from throwaway import ThrowawayDatabase

from lectern.db.engine import create_engine
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.embeddings.cache import CachedQueries
from lectern.embeddings.provider import EmbeddingProvider
from lectern.embeddings.registry import create_provider
from lectern.embeddings.service import get_generation
from lectern.evaluation.sets import LabelledQuestion
from lectern.search.schemas import Hit, SearchRequest
from lectern.search.service import SearchEngine
from lectern.settings import EmbeddingsSettings, SearchSettings

TOP_K = 20


def measure(
    folder: Path, questions: Sequence[LabelledQuestion], cache: Path, addresses: Sequence[ThrowawayDatabase]
) -> Row:
    """Fill a library, fill another one with cached embeddings and time that, and search it.

    Ingestion is extraction with text recognition, chunking, windowing, storing and indexing.
    """
    provider = create_provider(EmbeddingsSettings(threads=1), model_dir=cache / "models")
    asyncio.run(_fill(corpora.chunk_sets([folder], cache), provider, cache, addresses[0]))
    with tempfile.TemporaryDirectory() as empty:
        started = time.perf_counter()
        files = corpora.chunk_sets([folder], Path(empty))
        asyncio.run(_fill(files, provider, cache, addresses[1]))
        seconds = time.perf_counter() - started
    hits, embedded = asyncio.run(_search_all(questions, provider, addresses[1]))
    return Row(
        name="Lectern",
        questions=hits,
        pages=sum(len(file.extracted.pages) for file in files),
        ingestion_seconds=seconds,
        embedded=embedded,
        process_mib=psutil.Process().memory_info().rss / 2**20,
    )


async def _fill(
    files: Sequence[corpora.ChunkedFile], provider: EmbeddingProvider, cache: Path, address: ThrowawayDatabase
) -> None:
    database = Database(create_engine(address.service_url, statement_timeout_seconds=600))
    await corpora.fill(database, files, address, provider=provider, cache=cache)
    await database.dispose()


async def _search_all(
    questions: Sequence[LabelledQuestion], provider: EmbeddingProvider, address: ThrowawayDatabase
) -> tuple[list[QuestionHits], int]:
    database = Database(create_engine(address.service_url, statement_timeout_seconds=600))
    engine = SearchEngine(database, CachedQueries(provider), SearchSettings())
    hits: list[QuestionHits] = []
    for question in questions:
        narrowed, _ = await _search(engine, question, sorted(question.documents))
        whole, seconds = await _search(engine, question, [])  # the question's embedding is cached by now
        hits.append(QuestionHits(question=question, narrowed=narrowed, whole=whole, whole_seconds=seconds))
    async with database.session(SYSTEM_SCOPE) as session:
        generation = await get_generation(session, provider.info)
        embedded = (await session.execute(select(func.count()).select_from(generation.table))).scalar_one()
    await database.dispose()
    return hits, embedded


async def _search(engine: SearchEngine, question: LabelledQuestion, documents: list[str]) -> tuple[list[Hit], float]:
    request = SearchRequest(query=question.text, top_k=TOP_K, documents=documents, rectangles=False)
    started = time.perf_counter()
    response = await engine.search_in_scope(request, SYSTEM_SCOPE)
    return response.data, time.perf_counter() - started
