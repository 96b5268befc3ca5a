"""Repeated searches return cached responses, and never outdated ones."""

import asyncio
import contextlib
import itertools
import random
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import psycopg
import pytest
from sqlalchemy import text
from tests.search.reranking.rerank_server import rerank_server

from lectern.accounts.principals import Principal
from lectern.collections.models import Collection
from lectern.db import lexical_index
from lectern.db.engine import libpq_url
from lectern.db.scope import SYSTEM_SCOPE, Scope
from lectern.embeddings.errors import EmbeddingsUnavailable
from lectern.embeddings.generations import prepare_generation
from lectern.embeddings.provider import Vectors
from lectern.embeddings.providers.hash import HashProvider
from lectern.http.references import UnknownReference
from lectern.search import repository
from lectern.search.reranking.registry import create_reranker
from lectern.search.reranking.rerank import RerankerConfig
from lectern.search.result_cache import ResultCache
from lectern.search.schemas import SearchRequest, SearchResponse
from lectern.search.service import SearchEngine
from lectern.settings import RerankingSettings

from .conftest import EXACT, INDEXED, Library, store
from .library import LIBRARY, Passage, store_document

EVERYBODY = Scope(actor="key:1")
PEARS = ("Pears are sold here.", "Pears and apples of page two.", Passage("Le pere si vendono qui.", "it"))


def principal(scope: Scope) -> Principal:
    return Principal(kind="key", id=uuid.uuid4(), name="k", role=None, scope=scope, writable_collections=None)


@dataclass(frozen=True, slots=True)
class Asker:
    """Searches as a principal, with a result cache."""

    engine: SearchEngine

    @property
    def cache(self) -> ResultCache:
        assert self.engine.cache is not None
        return self.engine.cache

    async def ask(self, query: str = "pears", *, scope: Scope = EVERYBODY, **fields: object) -> SearchResponse:
        request = SearchRequest.model_validate({"query": query, **fields})
        return await self.engine.search(request, principal(scope))

    async def ask_uncached(self, query: str = "pears", *, scope: Scope = EVERYBODY, **fields: object) -> SearchResponse:
        request = SearchRequest.model_validate({"query": query, **fields})
        return await self.engine.search_in_scope(request, scope)


def asker(library: Library, *, max_bytes: int = 1_000_000, seconds: float = 60.0, **engine: Any) -> Asker:
    cache = ResultCache(max_bytes=max_bytes, seconds=seconds)
    return Asker(replace(library.engine(**engine), cache=cache))


def without_timings(response: SearchResponse) -> dict[str, Any]:
    """Return the response without its timings."""
    return response.model_dump(exclude={"metadata": {"took_ms", "is_cached"}})


async def change(library: Library, *statements: str, **values: object) -> None:
    async with library.database.session(SYSTEM_SCOPE) as session:
        for statement in statements:
            await session.execute(text(statement), values)


async def test_repeated_request_returns_the_cached_response(library: Library) -> None:
    await store(library, PEARS)
    asked = asker(library)
    first, again = await asked.ask(explain=True, context=1), await asked.ask(explain=True, context=1)
    assert (first.metadata.is_cached, again.metadata.is_cached) == (False, True)
    assert len(first.data) == 3
    assert without_timings(again) == without_timings(first)
    assert again.metadata.took_ms.search == 0
    assert again.metadata.took_ms.total > 0


async def test_other_request_or_scope_misses_the_cache(library: Library) -> None:
    mine = await store(library, PEARS)
    await store(library, ["Secret pears."], filename="secret.pdf")
    asked = asker(library)
    await asked.ask()
    assert not (await asked.ask("pears?")).metadata.is_cached
    assert not (await asked.ask(top_k=4)).metadata.is_cached
    assert not (await asked.ask(rectangles=False)).metadata.is_cached
    for other in (
        Scope(actor="key:2"),
        Scope(actor="key:1", documents=frozenset({mine})),
        Scope(actor="key:1", collections=frozenset()),
        SYSTEM_SCOPE,
    ):
        response = await asked.ask(scope=other)
        assert not response.metadata.is_cached
        assert without_timings(response) == without_timings(await asked.ask_uncached(scope=other))
    assert (await asked.ask()).metadata.is_cached


async def test_callers_without_a_principal_bypass_the_cache(library: Library) -> None:
    await store(library, PEARS)
    asked = asker(library)
    await asked.ask()
    assert not (await asked.ask_uncached()).metadata.is_cached
    assert asked.engine.with_settings(EXACT).cache is None
    assert asked.engine.with_model(HashProvider(64)).cache is None


CHANGES = {
    "a document is put into the trash": "UPDATE documents SET deleted_at = now() WHERE id = :id",
    "a document is purged": "DELETE FROM documents WHERE id = :id",
    "a document gets a title": "UPDATE documents SET title = 'Orchard' WHERE id = :id",
    "a passage is corrected": "UPDATE chunks SET text = text || '.' WHERE document_id = :id",
    "a passage leaves the keyword index": "DELETE FROM chunk_lexical WHERE document_id = :id",
    "an embedding is gone": "DELETE FROM chunk_embeddings_1 WHERE document_id = :id",
    "embeddings go out of use": "UPDATE embedding_generations SET state = 'retired'",
    "a page has other words": "UPDATE pages SET text = text || '.' WHERE document_id = :id",
    "a tag is hung on it": "INSERT INTO document_tags (document_id, tag_id) SELECT :id, id FROM tags",
    "a tag has another name": "UPDATE tags SET name = 'Fruits'",
    "a collection has another name": "UPDATE collections SET name = 'Fruits'",
}


@pytest.mark.parametrize("what", CHANGES)
async def test_change_invalidates_the_cache(library: Library, what: str) -> None:
    document_id = await store(library, PEARS)
    await store(library, ["Pears, tagged."], filename="b.pdf", tags=["fruit"])
    asked = asker(library)
    await asked.ask()
    assert (await asked.ask()).metadata.is_cached
    await change(library, CHANGES[what] + " -- :id", id=document_id)
    response = await asked.ask()
    assert not response.metadata.is_cached
    assert without_timings(response) == without_timings(await asked.ask_uncached())


async def test_unrelated_writes_keep_the_library_version(library: Library) -> None:
    await store(library, PEARS)
    asked = asker(library)
    await asked.ask()
    await change(
        library,
        "INSERT INTO rate_buckets (key, tokens, updated_at) VALUES ('k', 1, now())",
        "INSERT INTO audit_events (actor, action) VALUES ('system', 'test')",
        "SELECT lectern_merge_document_counts()",
        "SELECT lectern_merge_lexeme_deltas()",
    )
    assert (await asked.ask()).metadata.is_cached


async def test_rolled_back_change_keeps_the_library_version(library: Library) -> None:
    document_id = await store(library, PEARS)
    asked = asker(library)
    await asked.ask()
    async with library.database.session(SYSTEM_SCOPE) as session, session.begin_nested() as savepoint:
        await session.execute(text("DELETE FROM documents"))
        await savepoint.rollback()
    assert (await asked.ask()).metadata.is_cached
    async with library.database.session(SYSTEM_SCOPE) as session:
        async with session.begin_nested() as savepoint:
            await session.execute(text("UPDATE documents SET title = 'a'"))
            await savepoint.rollback()
        await session.execute(text("DELETE FROM documents WHERE id = :id"), {"id": document_id})
    assert (await asked.ask()).data == []


async def test_long_transaction_invalidates_the_cache_on_commit(library: Library) -> None:
    """Comparing only the highest transaction id would miss an older transaction that commits later."""
    early = await store(library, PEARS)
    late = await store(library, ["Pears again."], filename="b.pdf")
    asked = asker(library)
    async with library.database.session(SYSTEM_SCOPE) as session:
        await session.execute(text("UPDATE documents SET deleted_at = now() WHERE id = :id"), {"id": early})
        await change(library, "UPDATE documents SET deleted_at = now() WHERE id = :id", id=late)
        assert {hit.document_id for hit in (await asked.ask()).data} == {early}
        assert (await asked.ask()).metadata.is_cached
    assert (await asked.ask()).data == []


async def test_response_for_an_older_library_version_is_not_cached(library: Library) -> None:
    await store(library, PEARS)
    asked = asker(library)
    request = SearchRequest(query="pears")
    async with library.database.session(EVERYBODY, prelude_sql=repository.library_version_sql(EVERYBODY)) as session:
        old = repository.read_library_version(session)
    assert asked.cache.get(old, request, EVERYBODY) is None
    await change(library, "UPDATE documents SET deleted_at = now()")
    assert (await asked.ask(top_k=1)).data == []
    asked.cache.put(old, request, EVERYBODY, await library.search("pears"))
    assert not (await asked.ask()).metadata.is_cached


async def test_transaction_adds_one_version_and_merging_keeps_the_cache(library: Library) -> None:
    async def version_tokens() -> Sequence[int]:
        async with library.database.session(SYSTEM_SCOPE) as session:
            return (
                await session.scalars(text("SELECT token FROM library_version_tokens WHERE collection_id IS NULL"))
            ).all()

    before = len(await version_tokens())
    await store(library, PEARS)
    assert len(await version_tokens()) == before + 1
    await store(library, ["Pears."], filename="b.pdf")
    asked = asker(library)
    await asked.ask()
    async with library.database.session(SYSTEM_SCOPE) as session:
        assert await lexical_index.merge_library_versions(session)
    assert len(await version_tokens()) == 1
    assert (await asked.ask()).metadata.is_cached


async def test_repair_invalidates_the_cache(library: Library) -> None:
    await store(library, PEARS)
    asked = asker(library)
    await asked.ask()
    await change(library, "SELECT lectern_recount_documents(), lectern_bump_library_version()")
    assert not (await asked.ask()).metadata.is_cached


# Searches read these. Transactions that change a watched table derive them.
DERIVED = {"document_counts", "lexeme_deltas", "lexeme_stats", "library_version_tokens"}
WATCHED = """
SELECT relname, EXISTS (SELECT FROM pg_trigger WHERE tgrelid = c.oid AND tgname = 'bump_library_version') AS is_watched
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE nspname = 'public' AND relkind IN ('r', 'p')
"""
NARROWED: tuple[dict[str, Any], ...] = (
    {},
    {"tags": ["fruit"]},
    {"tags": {"all": ["fruit"], "none": ["stone"]}},
    {"documents": ["acme_2021.pdf"]},
    {"collections": ["Orchard"]},
    {"language": "en"},
    {"created_after": "2000-01-01T00:00:00Z", "created_before": "2100-01-01T00:00:00Z"},
    {"hybrid": False, "nearest_sentence": True},
    {"context": 2, "fold": True, "explain": True, "top_k": 20},
    {"rectangles": False},
)
QUESTIONS = ("pears", "what of pears on page 2 of acme 2021", "SKU-0042 of the pears, section 2.1", "e-mail of ACME")


async def test_searches_read_only_watched_tables(library: Library) -> None:
    """All other tables are locked, so a search that reads one of them never ends."""
    orchard = uuid.uuid4()
    async with library.database.session(SYSTEM_SCOPE) as session:
        session.add(Collection(id=orchard, name="Orchard"))
        await session.flush()
        shelf = replace(library.shelf, collection=orchard)
        await store_document(session, ["Stones."], tags=["stone"], shelf=shelf)
        tagged = await store_document(
            session,
            [*PEARS, "SKU-0042: pears. 2.1 Pears"],
            filename="acme_2021.pdf",
            tags=["fruit", "stone"],
            shelf=shelf,
        )
        fruit = await session.scalar(text("SELECT id FROM tags WHERE name = 'fruit'"))
        is_watched = {row.relname: row.is_watched for row in await session.execute(text(WATCHED))}
    unread = [name for name, watched in is_watched.items() if not watched and name not in DERIVED]
    assert {"jobs", "audit_events", "document_versions", "users"} <= set(unread)
    assert {"documents", "pages", "chunk_embeddings_1"} <= set(is_watched) - set(unread)
    assert isinstance(fruit, uuid.UUID)
    scopes = (
        SYSTEM_SCOPE,
        EVERYBODY,
        Scope(actor="key:2", tags=frozenset({fruit})),
        Scope(actor="key:3", collections=frozenset({orchard})),
        Scope(actor="key:4", documents=frozenset({tagged})),
    )
    seen = 0
    with psycopg.connect(libpq_url(library.addresses.superuser_url)) as other:
        other.execute(f"LOCK TABLE {', '.join(unread)} IN ACCESS EXCLUSIVE MODE")
        async with asyncio.timeout(60):
            for settings, scope, fields in itertools.product((EXACT, INDEXED), scopes, NARROWED):
                asked = asker(library, settings=settings)
                with contextlib.suppress(UnknownReference):  # a key limited to a tag sees no other
                    seen += len([await asked.ask(query, scope=scope, **fields) for query in QUESTIONS])
        other.rollback()
    assert seen == 2 * (len(scopes) * len(NARROWED) - 1) * len(QUESTIONS)


async def test_new_embeddings_table_is_watched(library: Library) -> None:
    made = prepare_generation(library.addresses.owner_url, HashProvider(32).info)
    async with library.database.session(SYSTEM_SCOPE) as session:
        is_watched = {row.relname: row.is_watched for row in await session.execute(text(WATCHED))}
    assert is_watched[made.table_name]


RANDOM_CHANGES = (
    "UPDATE documents SET deleted_at = now() WHERE random() < .3",
    "UPDATE documents SET deleted_at = NULL WHERE random() < .3",
    "UPDATE documents SET title = 'Pears ' || random()::text WHERE random() < .3",
    "UPDATE documents SET status = 'failed' WHERE random() < .2",
    "INSERT INTO document_tags SELECT d.id, t.id FROM documents d, tags t WHERE random() < .3 ON CONFLICT DO NOTHING",
    "DELETE FROM document_tags WHERE random() < .5",
    "UPDATE collections SET name = 'Fruits ' || random()::text WHERE id <> :library",
    "UPDATE documents SET collection_id = (SELECT id FROM collections ORDER BY random() LIMIT 1) WHERE random() < .3",
    "DELETE FROM documents WHERE random() < .1",
    "UPDATE chunks SET section_heading = 'Prices' WHERE random() < .3",
    "DELETE FROM chunk_embeddings_1 WHERE random() < .1",
    "SELECT lectern_merge_library_versions()",
    "SELECT lectern_merge_document_counts()",
    "INSERT INTO audit_events (actor, action) VALUES ('system', 'test')",
)


async def test_cached_responses_equal_fresh_searches_after_random_changes(library: Library) -> None:
    async with library.database.session(SYSTEM_SCOPE) as session:
        session.add(Collection(id=uuid.uuid4(), name="Orchard"))
    for number in range(6):
        passages = [f"Pears of {number}.", f"Number {number} sells pears"]
        await store(library, passages, filename=f"{number}.pdf", tags=["fruit"])
    order = random.Random(11)
    asked = asker(library)
    scopes = (SYSTEM_SCOPE, EVERYBODY, Scope(actor="key:2", collections=frozenset({LIBRARY})))
    cached = 0
    for _ in range(60):
        async with library.database.session(SYSTEM_SCOPE) as session:
            await session.execute(text("SELECT setseed(:seed)"), {"seed": order.random()})
            statement = text(order.choice(RANDOM_CHANGES) + " -- :library")
            await session.execute(statement, {"library": LIBRARY})
        for scope in scopes:
            response = await asked.ask(scope=scope, top_k=20)
            cached += response.metadata.is_cached
            assert without_timings(response) == without_timings(await asked.ask_uncached(scope=scope, top_k=20))
    assert cached > 10


class Unreachable(HashProvider):
    """A model whose server is down."""

    async def embed_query(self, text: str) -> Vectors:
        raise EmbeddingsUnavailable


async def test_response_without_the_model_is_not_cached(library: Library) -> None:
    await store(library, PEARS)
    asked = asker(library, provider=Unreachable(64))
    for _ in range(2):
        response = await asked.ask()
        assert response.metadata.strategy.is_degraded
        assert not response.metadata.is_cached


async def test_response_of_a_failed_reranking_is_not_cached(library: Library) -> None:
    await store(library, PEARS)
    with rerank_server(lambda passage: float("apples" in passage)) as server:
        section = RerankingSettings.model_validate({"provider": f"rerank:{server.url}"}, by_name=True)
        reranker = create_reranker(section)
        assert reranker is not None
        made = asker(library)
        asked = Asker(replace(made.engine, reranker=RerankerConfig(reranker, section)))
        reranked = [await asked.ask(), await asked.ask()]
        assert [response.metadata.is_cached for response in reranked] == [False, True]
        server.status = 500
        failed = [await asked.ask("pears here"), await asked.ask("pears here")]
        assert {response.metadata.is_cached for response in failed} == {False}
        assert (await asked.ask()).metadata.is_cached
        await reranker.close()


async def test_least_recently_used_response_is_evicted_first(library: Library) -> None:
    await store(library, PEARS)
    size = len((await asker(library).ask()).model_dump_json())
    asked = asker(library, max_bytes=int(size * 2.5))
    for query in ("pears", "apples", "pears", "here"):
        await asked.ask(query)
    assert len(asked.cache) == 2
    assert (await asked.ask("pears")).metadata.is_cached
    assert not (await asked.ask("apples")).metadata.is_cached


async def test_too_large_response_is_not_cached(library: Library) -> None:
    await store(library, PEARS)
    asked = asker(library, max_bytes=100)
    await asked.ask()
    assert len(asked.cache) == 0
    assert not (await asked.ask()).metadata.is_cached


class ObservedCache(ResultCache):
    """A cache that signals when it is cleared."""

    def __init__(self) -> None:
        super().__init__(max_bytes=1_000_000, seconds=0.05)
        self.is_cleared = asyncio.Event()

    def clear(self) -> None:
        if len(self):
            self.is_cleared.set()
        super().clear()


async def test_cache_expires_without_requests(library: Library) -> None:
    await store(library, PEARS)
    cache = ObservedCache()
    asked = Asker(replace(library.engine(), cache=cache))
    await asked.ask()
    assert len(cache) == 1
    async with asyncio.timeout(10):
        await cache.is_cleared.wait()
    assert len(cache) == 0
    assert not (await asked.ask()).metadata.is_cached
