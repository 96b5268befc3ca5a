"""Text that was embedded before is not embedded again: one suite over the cache's twins."""

from collections.abc import Sequence

import numpy as np
import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from lectern.db.scope import SYSTEM_SCOPE
from lectern.db.session import Database
from lectern.embeddings.cache import CachedQueries, EmbeddingCache, content_hash, embed_with_cache
from lectern.embeddings.errors import EmbeddingsMismatch
from lectern.embeddings.provider import Vectors
from lectern.embeddings.providers.hash import HashProvider
from lectern.embeddings.service import PostgresCache
from lectern.logs import ACTOR

from .test_generations import add_document


class CountingProvider(HashProvider):
    """Remembers what it was asked."""

    def __init__(self, dimensions: int = 32) -> None:
        super().__init__(dimensions)
        self.documents: list[str] = []
        self.queries: list[str] = []

    async def embed_documents(self, texts: Sequence[str]) -> Vectors:
        self.documents.extend(texts)
        return await super().embed_documents(texts)

    async def embed_query(self, text: str) -> Vectors:
        self.queries.append(text)
        return (await super().embed_documents([text]))[0]


async def cache_of_a_document(database: Database) -> PostgresCache:
    async with database.session(SYSTEM_SCOPE) as session:
        document_id, *_ = await add_document(session)
    return PostgresCache(database, document_id)


@pytest.fixture
async def cache(engine: AsyncEngine) -> EmbeddingCache:
    return await cache_of_a_document(Database(engine))


async def test_only_new_texts_reach_the_model_and_each_of_them_once(cache: EmbeddingCache) -> None:
    provider = CountingProvider()
    first = await embed_with_cache(provider, cache, ["one cat", "two dogs", "one cat"])
    second = await embed_with_cache(provider, cache, ["two dogs", "three birds"])

    assert provider.documents == ["one cat", "two dogs", "three birds"]
    assert np.array_equal(first[0], first[2])
    assert np.array_equal(first[1], second[0])
    assert not np.array_equal(second[0], second[1])


async def test_the_first_time_gives_the_same_values_as_every_later_time(cache: EmbeddingCache) -> None:
    provider = CountingProvider()
    texts = [f"text number {number} about something" for number in range(20)]

    assert np.array_equal(
        await embed_with_cache(provider, cache, texts), await embed_with_cache(provider, cache, texts)
    )
    assert len(provider.documents) == len(texts)


async def test_no_texts_give_no_vectors(cache: EmbeddingCache) -> None:
    assert (await embed_with_cache(CountingProvider(), cache, [])).shape == (0, 32)


async def test_models_do_not_see_each_others_vectors(cache: EmbeddingCache) -> None:
    small, large = CountingProvider(32), CountingProvider(64)
    await embed_with_cache(small, cache, ["text"])

    assert (await embed_with_cache(large, cache, ["text"])).shape == (1, 64)
    assert large.documents == ["text"]


async def test_a_cache_with_vectors_of_another_length_is_refused(cache: EmbeddingCache) -> None:
    provider = CountingProvider()

    await cache.put_many(provider.info.fingerprint, {content_hash("text"): np.ones(5, np.float32)})

    with pytest.raises(EmbeddingsMismatch):
        await embed_with_cache(provider, cache, ["text"])


async def test_what_is_in_the_cache_already_may_be_put_again(cache: EmbeddingCache) -> None:
    vectors = {b"key": np.ones(3, np.float32)}
    await cache.put_many("model", vectors)
    await cache.put_many("model", vectors)
    await cache.put_many("model", {})

    assert list(await cache.get_many("model", [b"key", b"unknown"])) == [b"key"]


async def test_the_last_queries_are_answered_without_the_model() -> None:
    counting = CountingProvider()
    provider = CachedQueries(counting, size=2)

    first = await provider.embed_query("travel costs")
    assert np.array_equal(await provider.embed_query("  travel\n costs "), first)
    await provider.embed_query("second")
    await provider.embed_query("travel costs")
    await provider.embed_query("third")  # pushes out "second", which was used longest ago
    await provider.embed_query("travel costs")
    await provider.embed_query("second")

    assert counting.queries == ["travel costs", "second", "third", "second"]


async def test_documents_share_no_vectors(engine: AsyncEngine) -> None:
    provider, database = CountingProvider(), Database(engine)
    first, second = await cache_of_a_document(database), await cache_of_a_document(database)
    await embed_with_cache(provider, first, ["one cat"])
    await embed_with_cache(provider, second, ["one cat"])
    await embed_with_cache(provider, second, ["one cat"])

    assert provider.documents == ["one cat", "one cat"]


async def test_actors_share_no_queries() -> None:
    counting = CountingProvider()
    provider = CachedQueries(counting)
    for actor in ("user:1", "key:2", "user:1", "key:2"):
        ACTOR.set(actor)
        await provider.embed_query("merger with acme")

    assert counting.queries == ["merger with acme"] * 2


async def test_a_remembered_query_cannot_be_changed_by_its_reader() -> None:
    provider = CachedQueries(CountingProvider())
    vector = await provider.embed_query("travel costs")

    with pytest.raises(ValueError, match="read-only"):
        vector += 1
