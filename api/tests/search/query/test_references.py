"""Page and section references in queries, in several languages."""

import re
from typing import Any

import pytest
from sqlalchemy import text
from tests.search.conftest import Library, feature, store
from tests.search.library import Passage

from lectern.db.scope import SYSTEM_SCOPE
from lectern.search.query.references import parse_page_references, parse_section_references
from lectern.search.schemas import SearchResponse


@pytest.mark.parametrize(
    ("question", "pages"),
    [
        ("What does the chart on page 9 say?", (9,)),
        ("PAGE 5's table", (5,)),
        ("see p. 12, please", (12,)),
        ("pp. 3-5 and p.8", (3, 4, 5, 8)),
        ("compare pages 3, 4 and 7", (3, 4, 7)),
        ("pages 3,4", (3, 4)),
        ("What date is on the second page?", (2,)),
        ("the 12th page", (12,)),
        ("the last slide", (-1,)),
        ("slide 4 of the talk", (4,)),
        ("Che cosa dice la tabella a pagina 7?", (7,)),
        ("le firme alle pagine 3 e 4", (3, 4)),
        ("pag. 7", (7,)),
        ("pagina n. 7 di 20", (7,)),
        ("L'ultima pagina e la prima pagina", (-1, 1)),
        ("the address on the second cover page", (2,)),
        ("What is on the cover page and on the 3rd page?", (1, 3)),
        ("who is named on the title page", (1,)),
        ("the picture on the cover", (1,)),
        ("the back cover", (-1,)),
        ("Che cosa c'è in copertina?", (1,)),
        ("il prezzo in quarta di copertina", (-1,)),
        ("auf dem Deckblatt", (1,)),
        ("auf der 12. Seite und Seite 3", (3, 12)),
        ("à la dernière page", (-1,)),
        ("en la página 6", (6,)),
    ],
)
def test_page_references_are_parsed(question: str, pages: tuple[int, ...]) -> None:
    assert parse_page_references(question) == pages


@pytest.mark.parametrize(
    "question",
    [
        'How many pages have an address? Answer as ["p1", "p2"].',
        "a report of 20 pages in 2019",
        "homepage 3",
        "page 3.5 of the scale",
        "p. 12,500 units",
        "pages 1 to 400",
        "page 0",
        "The first pageant",
        "Does the policy cover pages that were printed?",
        "What does the insurance cover?",
        "What is the limit of the cover?",
        "discover a title",
        "the balance sheet 2018",
    ],
)
def test_lookalikes_are_not_page_references(question: str) -> None:
    assert parse_page_references(question) == ()


TALK = [
    "Growth of sales by region and quarter, with all figures of growth.",
    "Growth of sales.",
    "Thank you.",
    "Growth of costs and sales, region by region.",
]
QUESTION = "growth of sales by region and quarter"


def raised(response: SearchResponse) -> list[int]:
    return [hit.page_number for hit in response.data if feature(hit, "is_referenced")]


def place_of(page: int, response: SearchResponse) -> int:
    return [hit.page_number for hit in response.data].index(page)


@pytest.mark.parametrize(("named", "page"), [("page 2", 2), ("last page", 4), ("pagina 3", 3), ("p. 4", 4)])
async def test_chunk_on_the_named_page_is_boosted(library: Library, named: str, page: int) -> None:
    await store(library, TALK, filename="talk.pdf")
    before = await library.search(QUESTION, documents=["talk.pdf"])
    response = await library.search(f"{QUESTION}, {named}", documents=["talk.pdf"], explain=True)
    assert raised(response) == [page]
    assert place_of(page, response) < place_of(page, before)
    assert page == 3 or place_of(page, response) == 0, "where it has something of the question it is first"


SEVERAL = [f"talk-{number}.pdf" for number in range(6)]


@pytest.mark.parametrize(
    ("named", "fields"),
    [
        ("page 90", {"documents": SEVERAL[:1]}),
        ("page 2", {}),
        ("page 2", {"documents": SEVERAL}),
        ("page 2", {"documents": SEVERAL[:1], "hybrid": False}),
    ],
    ids=["no such page", "library", "many documents", "by meaning alone"],
)
async def test_page_number_is_an_ordinary_word_elsewhere(library: Library, named: str, fields: dict[str, Any]) -> None:
    for name in SEVERAL:
        await store(library, TALK, filename=name)
    assert raised(await library.search(f"{QUESTION}, {named}", explain=True, **fields)) == []


@pytest.mark.parametrize(("named", "pages"), [("page 2", [2] * 5), ("last page", [4, 4, 4, 4, 3])])
async def test_named_page_of_each_of_few_documents_is_boosted(library: Library, named: str, pages: list[int]) -> None:
    for name in SEVERAL[:4]:
        await store(library, TALK, filename=name)
    await store(library, TALK[:3], filename="short.pdf")
    response = await library.search(f"{QUESTION}, {named}", top_k=20, explain=True)
    assert sorted(raised(response), reverse=True) == pages, "the last page of each is its own"


async def test_among_many_documents_only_the_named_one_is_boosted(library: Library) -> None:
    for name in SEVERAL:
        await store(library, TALK, filename=name)
    named_document = await store(library, TALK, filename="Acme_2021.pdf")
    response = await library.search(f"{QUESTION} of Acme in 2021, page 2", top_k=20, explain=True)
    rising = [hit for hit in response.data if feature(hit, "is_referenced")]
    assert [(hit.document_id, hit.page_number) for hit in rising] == [(named_document, 2)]
    assert response.data[0] == rising[0]


async def test_page_with_more_chunks_than_candidates_boosts_nothing(library: Library) -> None:
    await store(
        library,
        [f"Row {number} of {'sales' if number < 140 else 'costs'}." for number in range(150)],
        filename="sheet.xlsx",
    )
    async with library.database.session(SYSTEM_SCOPE) as session:
        sheet = "CASE WHEN chunk_index < 140 THEN 1 ELSE 2 END"
        await session.execute(text(f"UPDATE chunks SET page_number = {sheet}, last_page_number = {sheet}"))
    assert raised(await library.search("sales on page 1", documents=["sheet.xlsx"], explain=True)) == []
    second = await library.search("costs on page 2", documents=["sheet.xlsx"], explain=True)
    assert set(raised(second)) == {2}


def heads(question: str, heading: str) -> tuple[bool, bool]:
    """Match a heading, and a line of text, against the section reference of a question."""
    sections = parse_section_references(question)
    plain = heading.lower()
    return any(re.match(one.heading, plain) for one in sections), any(re.match(one.line, plain) for one in sections)


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("What does art. 7 say?", "Art. 7 - Penalties"),
        ("What does article 7 of the contract say?", "ARTICLE 7. Penalties"),
        ("Che cosa prevede l'articolo 12-bis?", "Art. 12 bis - Energia"),
        ("What does section 4.2 of the policy say?", "4.2 Identification"),
        ("What is in section 4.2?", "Section 4.2: Identification"),
        ("Cosa dice il paragrafo 8.1?", "8.1. Registri"),
        ("§ 3.1.2", "3.1.2 Scope"),
        ("Show me annex B", "Annex B - Prices"),
        ("Che cosa c'è nell'allegato A?", "Allegato A - Prodotti e prezzi"),
        ("Summarise chapter 3", "Chapter 3: Results"),
    ],
)
def test_section_is_referenced_by_word_and_label(question: str, heading: str) -> None:
    assert heads(question, heading) == (True, True)


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("What does art. 7 say?", "Art. 71 - Costs"),
        ("What does art. 7 say?", "Art. 7-bis - Costs"),
        ("What does section 4.2 say?", "4.2.1 Details"),
        ("What does section 4.2 say?", "4.21 kilograms"),
        ("What does section 4.2 say?", "14.2 Others"),
        ("What does section 4.2 say?", "4.2 12 March 2026"),
        ("Show me annex B", "Annex Bologna"),
        ("What is section about?", "4.2 Identification"),
        ("It rose by 5 points and 7 % in part", "7 reasons"),
    ],
)
def test_another_label_is_another_section(question: str, heading: str) -> None:
    assert heads(question, heading) == (False, False)


def test_whole_number_starts_a_section_only_in_a_heading() -> None:
    assert heads("What does section 4 say?", "4. Due diligence") == (True, False)
    assert heads("What does section 4 say?", "Section 4. Due diligence") == (True, True)


async def test_chunk_of_the_named_section_ranks_first(library: Library) -> None:
    articles = [
        Passage(f"Art. {number} - Clause\nWhat art. 7 says of penalties holds for the contract, article by article.")
        for number in (1, 2, 3, 4, 5, 6, 17, 70)
    ]
    await store(library, [*articles, Passage("Art. 7 - Delay\nOne per cent a week is owed.")], filename="contract.pdf")
    for question in ("What does art. 7 of the contract say?", "Explain article 7 to me please."):
        (best, *others) = (await library.search(question, explain=True)).data
        assert best.text.startswith("Art. 7 - Delay")
        assert feature(best, "is_referenced") > 0
        assert not any(feature(hit, "is_referenced") for hit in others)
