"""Passages in another language are found by translated words."""

import pytest
from tests.search.conftest import EXACT, INDEXED, Library, store
from tests.search.library import Passage

from lectern.settings import SearchSettings

DEPOSIT = "Tenants pay a refundable deposit of two months."
OTHERS = ["The garden belongs to everybody.", "Parties end at midnight.", "The yard is for bicycles."]


async def matched_terms(library: Library, query: str, settings: SearchSettings = EXACT) -> dict[str, set[str]]:
    """Search for a query; return each hit's matched terms by its text."""
    response = await library.search(query, settings=settings, top_k=10, explain=True)
    return {
        hit.text: {term.term for term in hit.explain.terms if term.is_matched}
        for hit in response.data
        if hit.explain is not None
    }


@pytest.mark.parametrize("settings", [EXACT, INDEXED], ids=["exact", "index"])
async def test_italian_query_finds_an_english_passage_by_its_words(library: Library, settings: SearchSettings) -> None:
    await store(library, [DEPOSIT, *OTHERS], filename="lease.pdf")
    await store(library, [Passage("Il giardino appartiene a tutti.", "it")], filename="giardino.pdf")
    found = await matched_terms(library, "Quanto deposito devo pagare?", settings)
    assert found[DEPOSIT] >= {"deposit", "pay"}
    assert all(not found.get(other) for other in OTHERS)


async def test_query_is_not_translated_into_a_language_that_the_library_lacks(library: Library) -> None:
    await store(library, [Passage("Il deposito si paga subito.", "it")], filename="affitto.pdf")
    response = await library.search("Quanto deposito devo pagare?", explain=True)
    assert response.data[0].explain is not None
    assert {term.term for term in response.data[0].explain.terms} == {"depos", "pag"}


async def test_query_is_not_translated_into_a_language_that_the_filter_lacks(library: Library) -> None:
    italian = await store(library, [Passage("Il deposito si paga subito.", "it")], filename="affitto.pdf")
    await store(library, [DEPOSIT], filename="lease.pdf")
    response = await library.search("Quanto deposito devo pagare?", documents=[str(italian)], explain=True)
    assert response.data[0].explain is not None
    assert {term.term for term in response.data[0].explain.terms} == {"depos", "pag"}
