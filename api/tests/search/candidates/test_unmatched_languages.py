"""A language without a word of the query has candidates of its own."""

import pytest
from sqlalchemy import text
from tests.search.conftest import Library, store
from tests.search.library import Passage

from lectern.db.scope import SYSTEM_SCOPE
from lectern.search.schemas import SearchRequest
from lectern.settings import SearchSettings

QUERY = "quanto costa la cauzione della casa affittata"
ITALIAN = [Passage(f"quanto costa la casa affittata numero{number}", "it") for number in range(30)]
ENGLISH = ("Both keys open the garage.", "Parties end at midnight.")  # no translation of a word of the query


async def count_english(library: Library, settings: SearchSettings, **fields: object) -> int:
    """Count the English candidates of the Italian query."""
    request = SearchRequest.model_validate({"query": QUERY, **fields})
    async with library.database.session(SYSTEM_SCOPE) as session:
        found = await library.engine(settings).find_candidates(session, request, scope=SYSTEM_SCOPE)
    return sum(one.language == "en" for one in found.candidates)


@pytest.mark.parametrize(
    ("exact_dense_chunks", "expected"), [(1_000, 2), (10, 2), (1, 0)], ids=["exact", "index", "both are large"]
)
async def test_other_language_has_candidates_although_the_query_has_nearer_passages(
    library: Library, exact_dense_chunks: int, expected: int
) -> None:
    await store(library, ITALIAN, filename="affitto.pdf")
    await store(library, [*ENGLISH], filename="keys.pdf")
    settings = SearchSettings(candidates=20, exact_dense_chunks=exact_dense_chunks)
    assert await count_english(library, settings) == expected


async def test_candidates_of_the_other_language_are_within_the_filter_and_outside_of_the_trash(
    library: Library,
) -> None:
    italian = await store(library, ITALIAN, filename="affitto.pdf")
    english = await store(library, [ENGLISH[0]], filename="keys.pdf")
    await store(library, [ENGLISH[1]], filename="other.pdf")
    settings = SearchSettings(candidates=20)
    assert await count_english(library, settings) == 2
    assert await count_english(library, settings, documents=[str(italian), str(english)]) == 1
    assert await count_english(library, settings, documents=[str(italian)]) == 0
    async with library.database.session(SYSTEM_SCOPE) as session:
        await session.execute(text("UPDATE documents SET deleted_at = now() WHERE id = :id"), {"id": english})
    assert await count_english(library, settings) == 1


async def test_passages_in_none_of_the_languages_are_found_and_their_language_is_not_recommended(
    library: Library,
) -> None:
    await store(library, [Passage("مفاتيح المرآب موجودة في المكتب الرئيسي", "")], filename="garage.pdf")
    await store(library, [*ENGLISH], filename="keys.pdf")
    engine = library.engine(SearchSettings())
    arabic = await engine.search_in_scope(SearchRequest(query="أين مفاتيح المرآب"), SYSTEM_SCOPE)
    english = await engine.search_in_scope(SearchRequest(query="Which door do both keys open?"), SYSTEM_SCOPE)
    assert (arabic.data[0].document, arabic.data[0].keyword_rank) == ("garage.pdf", 1)
    assert english.data[0].document == "keys.pdf"
    assert english.metadata.strategy.unmatched_languages == []
