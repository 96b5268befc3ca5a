"""A passage that has an e-mail address, a web address or a telephone number is found by who asks for one."""

import time

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from lectern.search.query.addresses import find_addresses
from lectern.settings import SearchSettings

from .conftest import EXACT, INDEXED, Library
from .test_search import store

TERMS = ("@e-mail", "@web", "@tel")
CARD = "Office of the registrar\nHarbour Road 4, Porto Vento\n(308) 236-5137\nregistrar@vento.example.org"
OTHERS = [
    "An e-mail was sent to all members on the second of May.",
    "The binding has two covers. The second one names the printer.",
    "What is in the document is told on its page of contents.",
    "Members meet twice a year, in May and in October.",
]
PAGE_OF_CARD = len(OTHERS) + 1

SAMPLES: list[tuple[str, dict[str, list[str]]]] = [
    ("Write to Ada.Lovelace+desk@mail.example.co.uk.", {"@e-mail": ["Ada.Lovelace+desk@mail.example.co.uk"]}),
    ("{ada, bob}@cs.example.edu", {"@e-mail": ["bob}@cs.example.edu"]}),
    ("by post @ the gate, or a@b", {}),
    ("see https://example.org/a?b=c, and www.example.com.", {"@web": ["https://example.org/a?b=c", "www.example.com"]}),
    ("http://www.example.com/x", {"@web": ["http://www.example.com/x"]}),
    ("Amazon.com, Inc. is a company; awww.no", {}),
    ("Tel. 055 123 4567", {"@tel": ["Tel. 055 123 4567"]}),
    ("telefono: 055/1234567 · fax +39 055 123456", {"@tel": ["telefono: 055/1234567", "fax +39 055 123456"]}),
    ("call +44 (0)20 7946 0958 or (612) 291-1000", {"@tel": ["+44 (0)20 7946 0958", "(612) 291-1000"]}),
    ("800-555-0199", {"@tel": ["800-555-0199"]}),
    ("1,234 5,678 (308) 236 and 2017-2018, 63/2013, 1.234.567,89, +5 000", {}),
    ("IBAN IT60 X054 2811 1010 0000 0123 456", {}),
]


@pytest.mark.parametrize(("body", "expected"), SAMPLES)
async def test_addresses_are_told_by_their_form_alike_in_the_index_and_for_the_eye(
    connection: AsyncConnection, body: str, expected: dict[str, list[str]]
) -> None:
    counted = text("SELECT term, frequency FROM lectern_extract_contact_terms(lectern_normalize_text(:body))")
    rows = await connection.execute(counted, {"body": body})
    assert {row.term: row.frequency for row in rows} == {term: len(found) for term, found in expected.items()}
    shown: dict[str, list[str]] = {}
    for start, end, term in find_addresses(body, TERMS):
        shown.setdefault(term, []).append(body[start:end])
    assert shown == expected


def test_a_text_without_blanks_is_read_as_fast_as_any() -> None:
    for long in ("a" * 200_000, "a." * 100_000 + "@" + "a." * 100_000, "+1" + "2 " * 100_000, "tel " + "1(" * 100_000):
        begun = time.perf_counter()
        find_addresses(long, TERMS)
        assert time.perf_counter() - begun < 2


async def test_no_word_of_a_question_is_the_term_of_an_address(connection: AsyncConnection) -> None:
    asked = text("SELECT term FROM lectern_tokenize_query('@e-mail @web @tel what is a@b.org', ARRAY['en', 'xx'])")
    assert not set(TERMS) & set((await connection.execute(asked)).scalars())


async def test_addresses_do_not_make_a_passage_longer_for_its_words(connection: AsyncConnection) -> None:
    weight = text("""
        SELECT with_one.lex <#> query.lex, without.lex <#> query.lex
        FROM lectern_build_lexical_entry('english', '', '', '', 'harbour office a@b.org') AS with_one,
             lectern_build_lexical_entry('english', '', '', '', 'harbour office a b org') AS without,
             lectern_build_lexical_entry('english', '', '', '', 'harbour') AS query""")
    with_one, without = (await connection.execute(weight)).one()
    assert with_one == pytest.approx(without)


@pytest.mark.parametrize("settings", [EXACT, INDEXED], ids=["exact", "index"])
@pytest.mark.parametrize(
    ("question", "term", "shown"),
    [
        ("What is the email address in the document?", "@e-mail", "registrar@vento.example.org"),
        ("Qual è l'indirizzo di posta elettronica del documento?", "@e-mail", "registrar@vento.example.org"),
        ("Which phone numbers does the document give?", "@tel", "(308) 236-5137"),
    ],
)
async def test_a_question_for_an_address_finds_the_passage_that_has_one(
    library: Library, settings: SearchSettings, question: str, term: str, shown: str
) -> None:
    await store(library, [*OTHERS, CARD])
    response = await library.search(question, settings=settings, explain=True)
    hit = next(hit for hit in response.data if hit.page_number == PAGE_OF_CARD)
    assert hit.keyword_rank == 1
    assert term in response.metadata.expansions[0].synonyms
    assert f"Also searched for {term} (synonyms of " in response.message
    marked = [hit.snippet.text[match.start : match.end] for match in hit.snippet.matches]
    assert shown in marked
    assert hit.explain is not None
    (explained,) = [one for one in hit.explain.terms if one.term == term]
    assert explained.is_expansion
    assert explained.is_matched


async def test_a_question_about_e_mail_asks_for_no_address(library: Library) -> None:
    await store(library, [*OTHERS, CARD])
    response = await library.search("When was the e-mail sent to the members?")
    assert response.metadata.expansions == []
    assert response.data[0].page_number == 1


async def test_where_no_passage_has_an_address_a_question_for_one_is_answered_by_its_words(library: Library) -> None:
    await store(library, OTHERS)
    response = await library.search("To which e-mail address did the members send it?")
    assert response.data[0].keyword_rank == 1
    assert response.data[0].page_number == 1
    assert response.metadata.expansions[0].synonyms == ["@e-mail"]
