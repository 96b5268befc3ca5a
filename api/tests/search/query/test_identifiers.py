"""Detection of identifiers in a query, and the rank of chunks that contain them."""

import pytest
from tests.search.conftest import EXACT, INDEXED, Library, feature, store
from tests.search.library import Passage

from lectern.search.query.terms import KeywordQuery, QueryTerm
from lectern.settings import SearchSettings


def query(term: str, *, chunks: int = 1, total: int = 100, is_expansion: bool = False) -> KeywordQuery:
    return KeywordQuery((QueryTerm(term, 1, 1, chunks, 5.0, is_expansion=is_expansion),), total)


@pytest.mark.parametrize(
    "term",
    [
        "sku-0042",
        "63/2013",
        "12-bis",
        "fv101",
        "e27",
        "iso9001",
        "222730",
        "05/19/2022",
        "ver-2025-88",
        "10k-3",
        "2013/36",
        "fy-20",
    ],
)
def test_codes_of_letters_and_digits_and_long_numbers_are_identifiers(term: str) -> None:
    assert query(term).identifiers == (term,)


@pytest.mark.parametrize("term", ["fy20", "fy2021", "cy21", "q32021", "4q22", "1h2023", "h122", "2002-03", "1999/2000"])
def test_periods_are_no_identifiers(term: str) -> None:
    assert query(term).identifiers == ()


@pytest.mark.parametrize("term", ["2022", "42", "12.5", "4.5%", "12345%", "1st", "22nd", "3º", "q2", "policy", "a-b"])
def test_years_short_numbers_and_words_are_no_identifiers(term: str) -> None:
    assert query(term).identifiers == ()


def test_frequent_terms_and_expansions_are_no_identifiers() -> None:
    assert query("10-k", chunks=10).identifiers == ("10-k",)
    assert query("10-k", chunks=11).identifiers == ()
    assert query("10-k", chunks=20, total=1_000).identifiers == ("10-k",)
    assert query("10-k", is_expansion=True).identifiers == ()


@pytest.mark.parametrize(
    "asked",
    [
        "What is the price of SKU-0042?",
        "How much does SKU-0042 cost, and who is responsible for it?",
        "Qual è il prezzo di SKU-0042?",
        "sku-0042",
    ],
)
@pytest.mark.parametrize("settings", [EXACT, INDEXED], ids=["exact", "index"])
async def test_chunk_with_the_identifier_ranks_first(library: Library, asked: str, settings: SearchSettings) -> None:
    prices = [f"What the price is of things, and how much they cost: {number} euro." for number in range(1, 40)]
    await store(library, prices, filename="prices.pdf")
    italian = [
        Passage(f"Qual è il prezzo delle cose e chi ne risponde: {number} euro.", "it") for number in range(1, 40)
    ]
    await store(library, italian, filename="prezzi.pdf")
    rows = ["SKU-0041 Anchor, M8. 17.20", "SKU-0042 Anchor, M10. 22.60", "SKU-0043 Anchor, M12. 28.90"]
    await store(library, rows, filename="catalogue.pdf")
    response = await library.search(asked, settings=settings, explain=True)
    best = response.data[0]
    assert best.text == rows[1]
    assert feature(best, "identifier_share") > 0
    assert not any(feature(hit, "identifier_share") for hit in response.data[1:])
