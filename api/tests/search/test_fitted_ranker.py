"""Searches use the stored fit of the ranker at once, and only with the embeddings it was made for."""

import uuid
from dataclasses import replace
from typing import Any

import pytest

from lectern.accounts.principals import Principal
from lectern.db.scope import SYSTEM_SCOPE, Scope
from lectern.embeddings.active import ActiveProvider
from lectern.embeddings.generations import prepare_generation
from lectern.embeddings.providers.hash import HashProvider
from lectern.embeddings.service import replace_embeddings, store_ranker_fit, switch_generation
from lectern.search.ranking.fitted import RankerFit, shipped_version
from lectern.search.result_cache import ResultCache
from lectern.search.schemas import SearchRequest, SearchResponse
from lectern.search.service import SearchEngine

from .conftest import Library, store
from .library import LIBRARY, Passage, chunk_id

PASSAGES = (
    Passage("Replace the filter. The filter is replaced."),
    Passage("Pull the lever.", heading="Filter replaced"),
)
ASKED = SearchRequest(query="filter replaced", explain=True)
FIT = RankerFit(ranker=shipped_version(), weights={"heading_share": 20.0}).to_json()
SCOPES = (Scope(actor="key:1"), Scope(actor="key:1", collections=frozenset([LIBRARY])))


async def keep(library: Library, fit: dict[str, Any] | None) -> None:
    assert library.shelf.provider is not None
    async with library.database.session(SYSTEM_SCOPE) as session:
        await store_ranker_fit(session, library.shelf.provider.info, fit)


async def ask(engine: SearchEngine, scope: Scope) -> SearchResponse:
    caller = Principal(kind="key", id=uuid.uuid4(), name="k", role=None, scope=scope, writable_collections=None)
    return await engine.search(ASKED, caller)


def first(response: SearchResponse) -> tuple[int, bool]:
    """Return the page of the first hit, and whether a fitted ranker put it there."""
    hit = response.data[0]
    assert hit.explain is not None
    return hit.page_number, hit.explain.is_fitted


@pytest.mark.parametrize("scope", SCOPES)
async def test_every_process_uses_and_forgets_a_fit_at_once(library: Library, scope: Scope) -> None:
    await store(library, PASSAGES)
    engines = [replace(library.engine(), cache=ResultCache(max_bytes=1_000_000)) for _ in range(2)]
    shipped = [first(await ask(engine, scope)) for engine in engines]
    assert (await ask(engines[0], scope)).metadata.is_cached

    await keep(library, FIT)
    fitted = [first(await ask(engine, scope)) for engine in engines]
    await keep(library, None)
    removed = [first(await ask(engine, scope)) for engine in engines]

    assert shipped == removed == [(1, False)] * 2
    assert fitted == [(2, True)] * 2


async def test_fit_is_explained(library: Library) -> None:
    await store(library, PASSAGES)
    await keep(library, FIT)

    explain = (await ask(library.engine(), SCOPES[0])).data[0].explain

    assert explain is not None
    assert (explain.features[0].name, explain.features[0].contribution > 10) == ("heading_share", True)


async def test_fit_for_another_shipped_ranker_is_not_used(library: Library) -> None:
    await store(library, PASSAGES)
    await keep(library, FIT | {"ranker": "of another version"})

    assert first(await ask(library.engine(), SCOPES[0])) == (1, False)


async def test_fit_belongs_to_its_embedding_model(library: Library) -> None:
    other = HashProvider(48)
    generation = prepare_generation(library.addresses.owner_url, other.info)
    document_id = await store(library, PASSAGES)
    async with library.database.session(SYSTEM_SCOPE) as session:
        ids = [chunk_id(document_id, index) for index in range(2)]
        vectors = await other.embed_documents([passage.text for passage in PASSAGES])
        await replace_embeddings(session, generation, chunk_ids=ids, window_numbers=[1, 1], vectors=vectors)
    await keep(library, FIT)
    assert library.shelf.provider is not None
    assert library.shelf.generation is not None
    models = ActiveProvider([library.shelf.provider, other])
    found: list[bool] = []

    for number in (library.shelf.generation.id, generation.id, library.shelf.generation.id):
        async with library.database.session(SYSTEM_SCOPE) as session:
            await switch_generation(session, number, fingerprints=list(models.models))
        found.append(first(await ask(library.engine(provider=models), SCOPES[0]))[1])

    assert found == [True, False, True]
