"""Lectern's own row, in a process of its own."""

import asyncio
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import corpora
import psutil
from peers.rows import Asked, Row
from sqlalchemy import func, select
from throwaway import ThrowawayDatabase

from lectern.db.engine import create_engine
from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.embeddings.cache import CachedQueries
from lectern.embeddings.generations import Generation, prepare_generation
from lectern.embeddings.provider import EmbeddingProvider
from lectern.embeddings.registry import create_provider
from lectern.evaluation.sets import LabelledQuestion
from lectern.search.schemas import Hit, SearchRequest
from lectern.search.service import SearchEngine
from lectern.settings import EmbeddingsSettings, SearchSettings

TOP_K = 20


def measure(
    folder: Path, questions: Sequence[LabelledQuestion], cache: Path, addresses: Sequence[ThrowawayDatabase]
) -> Row:
    """Fill twice, the second time against the clock with every embedding at hand, and ask.

    Ingestion is reading, text recognition where pages need it, cutting, windowing, storing and indexing.
    """
    provider = create_provider(EmbeddingsSettings(threads=1), model_dir=cache / "models")
    asyncio.run(_fill(corpora.cut_sets([folder], cache), provider, cache, addresses[0]))
    with tempfile.TemporaryDirectory() as empty:
        began = time.perf_counter()
        cuts = corpora.cut_sets([folder], Path(empty))
        generation = asyncio.run(_fill(cuts, provider, cache, addresses[1]))
        seconds = time.perf_counter() - began
    asked, embedded = asyncio.run(_ask(questions, provider, addresses[1], generation))
    return Row(
        name="Lectern",
        asked=asked,
        pages=sum(len(cut.extracted.pages) for cut in cuts),
        ingestion_seconds=seconds,
        embedded=embedded,
        process_mib=psutil.Process().memory_info().rss / 2**20,
    )


async def _fill(
    cuts: Sequence[corpora.CutDocument], provider: EmbeddingProvider, cache: Path, address: ThrowawayDatabase
) -> Generation:
    database = Database(create_engine(address.service_url, statement_timeout_seconds=600))
    generation = await asyncio.to_thread(prepare_generation, address.owner_url, provider.info)
    kept = corpora.KeptEmbeddings(cache)
    for cut in cuts:
        await corpora.store(database, cut, generation=generation, provider=provider, kept=kept)
    await database.dispose()
    return generation


async def _ask(
    questions: Sequence[LabelledQuestion],
    provider: EmbeddingProvider,
    address: ThrowawayDatabase,
    generation: Generation,
) -> tuple[list[Asked], int]:
    database = Database(create_engine(address.service_url, statement_timeout_seconds=600))
    engine = SearchEngine(database, CachedQueries(provider), SearchSettings())
    asked: list[Asked] = []
    for question in questions:
        narrowed, _ = await _search(engine, question, sorted(question.documents))
        whole, seconds = await _search(engine, question, [])  # the question's embedding is known by now
        asked.append(Asked(question=question, narrowed=narrowed, whole=whole, whole_seconds=seconds))
    async with database.session(SYSTEM_SCOPE) as session:
        embedded = (await session.execute(select(func.count()).select_from(generation.table))).scalar_one()
    await database.dispose()
    return asked, embedded


async def _search(engine: SearchEngine, question: LabelledQuestion, documents: list[str]) -> tuple[list[Hit], float]:
    request = SearchRequest(query=question.text, top_k=TOP_K, documents=documents, rectangles=False)
    began = time.perf_counter()
    response = await engine.search_in_scope(request, SYSTEM_SCOPE)
    seconds = time.perf_counter() - began
    return response.data, seconds
