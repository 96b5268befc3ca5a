"""A search goes by the model whose embeddings are searched, at once when another takes over, and loses nothing."""

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
    """Both models, their embeddings stored; and the number of the other's."""
    assert library.shelf.provider is not None
    generation = prepare_generation(library.addresses.owner_url, OTHER.info)
    document_id = await store(library, TEXTS)
    async with library.database.session(SYSTEM_SCOPE) as session:
        # the other way round, so that it shows which are compared
        ids = [chunk_id(document_id, index) for index in (1, 0)]
        vectors = await OTHER.embed_documents(TEXTS)
        await replace_embeddings(session, generation, chunk_ids=ids, window_numbers=[1, 1], vectors=vectors)
    return ActiveProvider([library.shelf.provider, OTHER]), generation.id


async def test_a_search_follows_a_switch_at_once_and_back(library: Library) -> None:
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


async def test_a_process_that_does_not_run_the_model_in_use_says_so(library: Library) -> None:
    models, other = await both_models(library)
    async with library.database.session(SYSTEM_SCOPE) as session:
        await switch_generation(session, other, fingerprints=list(models.models))
    with pytest.raises(SemanticSearchUnavailable, match="no complete embeddings of hash:64"):
        await library.engine().search_in_scope(MEANT, SYSTEM_SCOPE)


async def test_embeddings_are_searched_before_anybody_uses_them(library: Library) -> None:
    models, _ = await both_models(library)
    engine = library.engine(provider=models)
    tried = await engine.with_model(OTHER).search_in_scope(MEANT, SYSTEM_SCOPE)
    assert tried.data[0].text == TEXTS[1]
    assert (await engine.search_in_scope(MEANT, SYSTEM_SCOPE)).data[0].text == TEXTS[0]
    async with library.database.session(SYSTEM_SCOPE) as session:
        states = await session.scalars(text("SELECT state FROM embedding_generations ORDER BY id"))
        assert list(states) == ["active", "filling"]
