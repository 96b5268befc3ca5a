"""Indexed terms: stems of each language, numbers and identifiers unchanged."""

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection


async def terms(connection: AsyncConnection, body: str, *, language: str = "en") -> dict[str, int]:
    statement = text(
        "SELECT term, frequency FROM lectern_tokenize_text(lectern_get_search_configuration(:language), :body)"
    )
    rows = await connection.execute(statement, {"language": language, "body": body})
    return {row.term: row.frequency for row in rows}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("$222,730", {"222730"}),
        ("222.730", {"222730"}),
        ("(1,234.56)", {"1234.56"}),
        ("1.234.567,89", {"1234567.89"}),
        ("4.5%", {"4.5", "4.5%"}),
        ("4,5 %", {"4.5", "4.5%"}),
        ("12-bis", {"12-bis", "12", "bis"}),
        ("SKU-0042", {"sku-0042", "0042", "sku"}),
        ("63/2013", {"63/2013", "63", "2013"}),
        ("31/12/2016", {"31/12/2016", "31", "12", "2016"}),
        ("FY2017", {"fy2017", "2017"}),
        ("10-K", {"10-k", "10", "k"}),
        ("2016-2017", {"2016-2017", "2016", "2017"}),
        ("-5", {"5"}),
        ("192.168.1.1", {"192.168.1.1", "192", "168", "1"}),
        ("and/or", set[str]()),
        ("cats/dogs", {"cat", "dog"}),
        ("info@example.com", {"info", "exampl", "com"}),
        ("naïve ﬁnance", {"naiv", "financ"}),
        ("", set[str]()),
        ("…!?", set[str]()),
    ],
)
async def test_numbers_and_identifiers_are_indexed_unchanged(
    connection: AsyncConnection, body: str, expected: set[str]
) -> None:
    assert set(await terms(connection, body)) == expected


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("it", "perché città", "perché citta"),
        ("it", "dell'università", "università"),
        ("es", "información", "informaciones"),
        ("fr", "générale", "général"),
        ("pt", "informação", "informações"),
        ("de", "Verträge", "Vertrag"),
        ("nl", "financiën", "financien"),
        ("en", "acquisitions", "acquisition"),
    ],
)
async def test_words_are_stemmed_in_each_language(
    connection: AsyncConnection, language: str, one: str, other: str
) -> None:
    assert set(await terms(connection, one, language=language)) == set(
        await terms(connection, other, language=language)
    )


async def test_language_without_a_stemmer_is_indexed_unstemmed(connection: AsyncConnection) -> None:
    assert await terms(connection, "Łódź the cats the", language="pl") == {"lodz": 1, "the": 2, "cats": 1}
