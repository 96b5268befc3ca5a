"""Fixtures: an empty library, its model and a search engine."""

import uuid
from collections.abc import AsyncGenerator, Generator, Sequence
from dataclasses import dataclass

import pytest
from benchmarks.throwaway import ThrowawayDatabase, ThrowawayPostgres

from lectern.db.scope import SYSTEM_SCOPE, Scope
from lectern.db.session import Database, open_database
from lectern.embeddings.generations import Generation, prepare_generation
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


@pytest.fixture(scope="session")
def prepared(postgres: ThrowawayPostgres) -> Generator[tuple[str, Generation]]:
    """Return the name of a database with a table for embeddings, to be copied, and its generation."""
    with postgres.fresh_database() as template:
        yield template.name, prepare_generation(template.owner_url, HashProvider(64).info)


@pytest.fixture
async def library(postgres: ThrowawayPostgres, prepared: tuple[str, Generation]) -> AsyncGenerator[Library]:
    """An empty library with a model of 64 dimensions that places texts with shared words near each other."""
    template, generation = prepared
    with postgres.fresh_database(template=template) as addresses:
        async with open_database(addresses.service_url, pool_size=5) as database:
            yield Library(database, Shelf(provider=HashProvider(64), generation=generation), addresses)


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
