"""Searches switch to another embedding model at once and lose nothing."""

import pytest
from sqlalchemy import text

from lectern.db.scope import SYSTEM_SCOPE
from lectern.embeddings.active import ActiveProvider
from lectern.embeddings.generations import prepare_generation
from lectern.embeddings.providers.hash import HashProvider
from lectern.embeddings.service import replace_embeddings, switch_generation
from lectern.search.errors import SemanticSearchUnavailable
from lectern.search.schemas import SearchRequest

from .conftest import Library, store
from .library import chunk_id

OTHER = HashProvider(48)
TEXTS = ("The ferry leaves at noon.", "Salaries are paid on Friday.")
MEANT = SearchRequest(query="ferry leaves noon", hybrid=False)


async def both_models(library: Library) -> tuple[ActiveProvider, int]:
    """Both models with stored embeddings, and the number of the second."""
    assert library.shelf.provider is not None
    generation = prepare_generation(library.addresses.owner_url, OTHER.info)
    document_id = await store(library, TEXTS)
    async with library.database.session(SYSTEM_SCOPE) as session:
        # swapped, to show which embeddings are compared
        ids = [chunk_id(document_id, index) for index in (1, 0)]
        vectors = await OTHER.embed_documents(TEXTS)
        await replace_embeddings(session, generation, chunk_ids=ids, window_numbers=[1, 1], vectors=vectors)
    return ActiveProvider([library.shelf.provider, OTHER]), generation.id


async def test_search_follows_a_model_switch_in_both_directions(library: Library) -> None:
    models, other = await both_models(library)
    engine = library.engine(provider=models)
    found: list[tuple[str, int]] = []
    assert library.shelf.generation is not None

    for generation in (library.shelf.generation.id, other, other, library.shelf.generation.id):
        async with library.database.session(SYSTEM_SCOPE) as session:
            await switch_generation(session, generation, fingerprints=list(models.models))
        response = await engine.search_in_scope(MEANT, SYSTEM_SCOPE)
        assert response.metadata.strategy.semantic == "exact"
        found.append((response.data[0].text, models.info.dimensions))

    assert found == [(TEXTS[0], 64), (TEXTS[1], 48), (TEXTS[1], 48), (TEXTS[0], 64)]


async def test_process_without_the_active_model_reports_it(library: Library) -> None:
    models, other = await both_models(library)
    async with library.database.session(SYSTEM_SCOPE) as session:
        await switch_generation(session, other, fingerprints=list(models.models))
    with pytest.raises(SemanticSearchUnavailable, match="no complete embeddings of hash:64"):
        await library.engine().search_in_scope(MEANT, SYSTEM_SCOPE)


async def test_embeddings_can_be_searched_before_activation(library: Library) -> None:
    models, _ = await both_models(library)
    engine = library.engine(provider=models)
    tried = await engine.with_model(OTHER).search_in_scope(MEANT, SYSTEM_SCOPE)
    assert tried.data[0].text == TEXTS[1]
    assert (await engine.search_in_scope(MEANT, SYSTEM_SCOPE)).data[0].text == TEXTS[0]
    async with library.database.session(SYSTEM_SCOPE) as session:
        states = await session.scalars(text("SELECT state FROM embedding_generations ORDER BY id"))
        assert list(states) == ["active", "filling"]
