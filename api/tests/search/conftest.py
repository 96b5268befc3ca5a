"""Fixtures: an empty library, its model and a search engine."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from lectern.db.scope import SYSTEM_SCOPE, Scope
from lectern.db.session import Database
from lectern.embedded.throwaway import ThrowawayDatabase
from lectern.embeddings.generations import prepare_generation
from lectern.embeddings.provider import EmbeddingProvider
from lectern.embeddings.providers.hash import HashProvider
from lectern.search.schemas import Hit, SearchRequest, SearchResponse
from lectern.search.service import SearchEngine
from lectern.settings import SearchSettings

from .library import Passage, Shelf, store_document

EXACT = SearchSettings(exact_dense_chunks=1_000_000, exact_lexical_chunks=1_000_000)
INDEXED = SearchSettings(exact_dense_chunks=0, exact_lexical_chunks=0)


@dataclass(frozen=True, slots=True)
class Library:
    """A separate database for one test, with a table for embeddings."""

    database: Database
    shelf: Shelf
    addresses: ThrowawayDatabase

    def engine(self, settings: SearchSettings = EXACT, *, provider: EmbeddingProvider | None = None) -> SearchEngine:
        """Build a search engine with the library's model or another one."""
        assert self.shelf.provider is not None
        return SearchEngine(self.database, provider or self.shelf.provider, settings)

    async def search(
        self, query: str, *, scope: Scope = SYSTEM_SCOPE, settings: SearchSettings = EXACT, **fields: object
    ) -> SearchResponse:
        """Search with the fields of a request."""
        request = SearchRequest.model_validate({"query": query, **fields})
        return await self.engine(settings).search_in_scope(request, scope)


@pytest.fixture
def library(engine: AsyncEngine, database: ThrowawayDatabase) -> Library:
    """An empty library with a model of 64 dimensions that places texts with shared words near each other."""
    provider = HashProvider(64)
    generation = prepare_generation(database.owner_url, provider.info)
    return Library(Database(engine), Shelf(provider=provider, generation=generation), database)


async def store(
    library: Library,
    passages: Sequence[Passage | str],
    *,
    filename: str = "a.pdf",
    title: str | None = None,
    tags: Sequence[str] = (),
) -> uuid.UUID:
    """Store a document with one page per passage."""
    async with library.database.session(SYSTEM_SCOPE) as session:
        return await store_document(session, passages, filename=filename, title=title, tags=tags, shelf=library.shelf)


def feature(hit: Hit, name: str) -> float:
    """Return the value of a feature that the ranker read of a hit, 0 if no model ranked it."""
    assert hit.explain
    return next((each.value for each in hit.explain.features if each.name == name), 0.0)
