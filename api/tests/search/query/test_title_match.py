"""Matching documents by title words and numbers, and boosting their chunks."""

import uuid
from dataclasses import replace

import pytest
from tests.search.conftest import Library, feature, store
from tests.search.library import Passage

from lectern.search.query.terms import ReadWord, build_keyword_query
from lectern.search.query.title_match import TitleMatch, match_documents_by_title, parse_periods

ACME_21, ACME_23, ACME_Q2, BOLT_21, BOLT_8K = sorted(uuid.uuid4() for _ in range(5))


def name(document_id: uuid.UUID, words: str, figures: str) -> TitleMatch:
    return TitleMatch(
        document_id,
        100,
        frozenset(words.split()),
        frozenset(figures.split()),
        frozenset([*words.split(), *figures.split()]),
    )


NAMES = (
    name(ACME_21, "acme", "2021"),
    name(ACME_23, "acme", "2023"),
    name(ACME_Q2, "acme", "2023 2022 q2"),
    name(BOLT_21, "bolt", "2021"),
    name(BOLT_8K, "bolt report", "8k 12"),
)
NOTHING: set[uuid.UUID] = set()
COUNTS = {"": {"en": 1000}, "acme": {"en": 300}, "bolt": {"en": 200}, "report": {"en": 900}, "year": {"en": 500}}


def match(question: str, names: tuple[TitleMatch, ...] = NAMES, *, most: int = 10_000) -> set[uuid.UUID]:
    """Match a question against a library of five documents, with only the terms the question has."""
    words = [word.strip("?.,'") for word in question.lower().split()]
    terms = set(words) | set(parse_periods(question))
    held = [replace(one, words=one.words & terms, figures=one.figures & terms) for one in names]
    read = [ReadWord(word, 1, "en", word, number) for number, word in enumerate(words)]
    held = [one for one in held if one.words or {"2023", "q2"} <= one.figures]
    return set(match_documents_by_title(held, question, build_keyword_query(read, COUNTS), words=read, max_chunks=most))


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What did Acme earn in 2021?", {ACME_21}),
        ("What did Acme earn in FY21?", {ACME_21}),
        ("What did Acme earn in 2023?", {ACME_23}),
        ("What did Acme earn in Q2 2023?", {ACME_Q2}),
        ("Has Acme earned more in 2023 than in 2022 and 2021?", {ACME_21, ACME_23}),
        ("What did Acme earn in 2022?", {ACME_Q2}),
        ("What did Acme and Bolt earn in 2021?", {ACME_21, BOLT_21}),
        ("What does the 8K of Bolt say?", {BOLT_8K}),
        ("What does the report 12 of Bolt say?", {BOLT_8K}),
        ("What are the 12 shares of Bolt?", NOTHING),
        ("Has Acme grown 12 %?", {ACME_23, ACME_Q2}),
        ("What did Acme earn?", {ACME_23, ACME_Q2}),
        ("What did Bolt earn?", NOTHING),
        ("What did Bolt and Acme earn?", {ACME_23, ACME_Q2}),
        ("Who earned most?", NOTHING),
        ("Who earned most in 2021?", NOTHING),
        ("Who earned most in Q2 of FY23?", {ACME_Q2}),
        ("Who earned most in the second quarter of 2023?", {ACME_Q2}),
        ("Chi ha guadagnato di più nel secondo trimestre 2023?", {ACME_Q2}),
        ("Did Bolt earn more in 2021 than in Q2 of 2023?", {BOLT_21}),
        ("Who earned most in Q2?", NOTHING),
    ],
)
def test_title_matches_by_a_word_and_a_number(question: str, named: set[uuid.UUID]) -> None:
    assert match(question) == named


def test_low_weight_word_does_not_match_beside_a_better_one() -> None:
    other = name(uuid.uuid4(), "report", "2021")
    assert match("What does the report of Acme say of 2021?", (*NAMES, other)) == {ACME_21}
    assert match("What does the report say of 2021?", (*NAMES, other)) == {other.document_id}


def test_titles_that_share_one_word_are_not_versions() -> None:
    older, newer, plan = (uuid.uuid4() for _ in range(3))
    reports = (name(older, "acme report works", "2019"), name(newer, "acme report works", "2024"))
    assert match("What does the report say?", reports) == {newer}
    others = (*reports, name(plan, "report budget plan sales", "2025"))
    assert match("What does the report say?", others) == NOTHING
    assert match("What does the report of Acme say?", others) == {newer}


def test_too_many_chunks_disable_title_match() -> None:
    assert match("What did Acme earn?", most=200) == {ACME_23, ACME_Q2}
    assert match("What did Acme earn?", most=199) == set()


def test_title_match_is_a_proper_subset_of_the_filtered_documents() -> None:
    words = [ReadWord("acme", 1, "en", "acme", 1)]
    names, query = NAMES[:3], build_keyword_query(words, COUNTS)

    def within(*allowed: uuid.UUID) -> tuple[uuid.UUID, ...]:
        return match_documents_by_title(names, "Acme 2023", query, words=words, max_chunks=10_000, allowed=allowed)

    assert within(ACME_21, ACME_23) == (), "both have a year, so that nothing is told apart"
    assert within(ACME_23, BOLT_21) == (ACME_23,)


@pytest.mark.parametrize(
    ("question", "years"),
    [
        ("between FY20 and FY'21", ("2020", "2021")),
        ("in Q22023 and 4Q2022", ("2023", "2022", "q2", "2q", "q4", "4q")),
        ("2Q23, Q3'22", ("2023", "2022", "q2", "2q", "q3", "3q")),
        ("the first quarter, then the terzo trimestre", ("q1", "1q", "q3", "3q")),
        ("the first half, Q5 and Q20", ()),
        ("in 2019", ()),
        ("FY2022", ("2022",)),
        ("20 of 21", ()),
    ],
)
def test_period_after_an_abbreviation_is_recognized(question: str, years: tuple[str, ...]) -> None:
    assert parse_periods(question) == years


async def test_chunk_of_the_named_document_is_found_among_better_matches(library: Library) -> None:
    for year in range(2000, 2012):
        passages = [f"The dividend of the year was {place} cents a share of the dividend." for place in range(8)]
        await store(library, passages, filename=f"Gamma_{year}_report.pdf")
    named_document = await store(
        library, ["Shareholders were paid once.", "Dividend: none."], filename="Acme_2005_report.pdf"
    )
    response = await library.search("What was the dividend of Acme in the report of 2005?", top_k=20, explain=True)
    found = [hit for hit in response.data if hit.document_id == named_document]
    assert len(found) == 2
    assert response.data[0] == found[0]
    assert all(feature(hit, "is_titled") > 0 for hit in found)
    assert not any(feature(hit, "is_titled") for hit in response.data if hit not in found)


async def test_name_without_a_year_matches_the_latest_document(library: Library) -> None:
    passages = ["Meals are paid up to 40 euro a day.", "Hotels are booked by the office."]
    for year in (2021, 2025, 2023):
        await store(library, passages, filename=f"travel-policy-{year}.pdf")
    await store(library, ["The canteen is open at noon."], filename="canteen-2026.pdf")
    response = await library.search("How much does the travel policy pay for meals a day?", explain=True)
    assert response.data[0].document == "travel-policy-2025.pdf"
    assert {hit.document for hit in response.data if feature(hit, "is_titled")} == {"travel-policy-2025.pdf"}
    response = await library.search("How much did the travel policy of 2021 pay for meals a day?")
    assert response.data[0].document == "travel-policy-2021.pdf"


async def test_quarter_and_year_match_a_document_without_words(library: Library) -> None:
    passages = ["Cash and cash equivalents fell.", "Cash and cash equivalents at the end of the period: 12."]
    for name in ("Acme_2023_10K.pdf", "Acme_2024_10K.pdf", "Acme_2024Q1_10Q.pdf", "Bolt_2023Q2_10Q.pdf"):
        await store(library, passages, filename=name)
    named_document = await store(library, passages, filename="Acme_2024Q2_10Q.pdf")
    question = "Did cash and cash equivalents fall between 2023 and Q2 of 2024?"
    response = await library.search(question, top_k=20, explain=True)
    # of 2023 is asked, too
    named = {hit.document for hit in response.data if feature(hit, "is_titled")}
    assert named == {"Acme_2024Q2_10Q.pdf", "Bolt_2023Q2_10Q.pdf"}
    response = await library.search("Did cash and cash equivalents fall in Q2 of FY24?", explain=True)
    assert {hit.document_id for hit in response.data if feature(hit, "is_titled")} == {named_document}


async def test_common_word_matches_no_title(library: Library) -> None:
    await store(library, [Passage("What the committee decides.", "en")], filename="committee_2021.pdf")
    for number in range(6):
        await store(
            library, ["The committee met in 2021.", "The committee met again."], filename=f"minutes-{number}.pdf"
        )
    response = await library.search("What did the committee decide in 2021?", explain=True)
    assert not any(feature(hit, "is_titled") for hit in response.data)
