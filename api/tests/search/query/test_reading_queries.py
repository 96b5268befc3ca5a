"""Keyword query parsing: term weights, candidate terms and unmatched languages."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectern.search.candidates.maxscore import USUAL_MAXIMUM, choose_candidates, first_pass_budget, quote_term
from lectern.search.query.question import parse_years
from lectern.search.query.terms import (
    KeywordQuery,
    QueryTerm,
    ReadWord,
    build_keyword_query,
    inverse_document_frequency,
    score_languages,
)

COUNTS = {
    "": {"en": 100, "it": 100},
    "margin": {"en": 20, "it": 1},
    "lord": {"it": 10},
    "amcor": {"en": 40},
    "2023": {"en": 50, "it": 50},
}


def read(words: Mapping[str, Mapping[str, str | None]]) -> list[ReadWord]:
    """Build words in the form of `lectern_tokenize_query`: {word: {language: term}}."""
    return [
        ReadWord(word, 1, language, term, abs(hash(term)) % 1000)
        for word, by_language in words.items()
        for language, term in by_language.items()
    ]


ITALIAN = {
    "il": {"it": None, "en": "il"},
    "margine": {"it": "margin", "en": "margin"},
    "lordo": {"it": "lord", "en": "lordo"},
    "di": {"it": None, "en": "di"},
    "amcor": {"it": "amcor", "en": "amcor"},
    "nel": {"it": None, "en": "nel"},
}


def test_query_language_is_detected_and_the_others_are_unmatched() -> None:
    assert build_keyword_query(read(ITALIAN), COUNTS).unmatched_languages == ("en",)
    english: Mapping[str, Mapping[str, str | None]] = {
        "the": {"it": "the", "en": None},
        "margin": {"it": "margin", "en": "margin"},
        "of": {"it": "of", "en": None},
        "amcor": {"it": "amcor", "en": "amcor"},
    }
    assert build_keyword_query(read(english), COUNTS).unmatched_languages == ("it",)


def test_two_words_are_too_few_to_detect_a_language() -> None:
    few: Mapping[str, Mapping[str, str | None]] = {name: ITALIAN[name] for name in ("il", "lordo")}
    query = build_keyword_query(read(few), COUNTS)
    assert (query.unmatched_languages, query.language) == ((), None)


def test_words_of_the_library_name_the_language_that_is_not_known() -> None:
    assert build_keyword_query(read(ITALIAN), COUNTS).language == "it"
    assert build_keyword_query(read(ITALIAN), COUNTS, query_language="en").language == "en"
    shared: Mapping[str, Mapping[str, str | None]] = {name: {"it": name, "en": name} for name in ("a", "b", "c")}
    counts = {"": {"en": 100, "it": 100}, **{name: {"en": 5, "it": 5} for name in shared}}
    assert build_keyword_query(read(shared), counts).language is None


def test_unknown_words_count_for_the_query_language() -> None:
    counts = {"": {"en": 100}, "amcor": {"en": 40}}
    words: Mapping[str, Mapping[str, str | None]] = {
        name: {"it": name, "en": name} for name in ("quanto", "vale", "azienda", "amcor")
    }
    assert score_languages(read(words), counts, query_language="it") == {"it": 3.0, "en": 1.0}
    assert build_keyword_query(read(words), counts, query_language="it").unmatched_languages == ("en",)
    assert build_keyword_query(read(words), counts).unmatched_languages == ()


def test_numbers_count_for_no_language() -> None:
    figure = ReadWord("2023", 1, None, "2023", 7)
    query = build_keyword_query([figure], COUNTS)
    assert [term.term for term in query.terms] == ["2023"]
    assert query.unmatched_languages == ()


def test_stop_word_of_the_query_language_is_not_searched_in_another() -> None:
    counts = {**COUNTS, "di": {"en": 1}}
    assert "di" not in {term.term for term in build_keyword_query(read(ITALIAN), counts).terms}


def test_unknown_words_are_reported() -> None:
    query = build_keyword_query(read({"zebra": {"en": "zebra"}, "margin": {"en": "margin"}}), COUNTS)
    assert query.unknown_words == {"zebra": {"zebra"}}


def test_idf_follows_the_formula_and_is_never_negative() -> None:
    assert inverse_document_frequency(1, total=10) == pytest.approx(1.9924301646902063)
    assert inverse_document_frequency(10, total=10) > 0
    assert inverse_document_frequency(12, total=10) >= 0


TERMS = st.lists(st.integers(1, 1_000), min_size=1, max_size=12).map(sorted)


@given(frequencies=TERMS, budget=st.integers(1, 2_000), selectivity=st.floats(0.001, 1))
def test_rarest_terms_fit_the_budget_and_the_rest_is_sorted_by_bound(
    frequencies: list[int], budget: int, selectivity: float
) -> None:
    terms = tuple(
        QueryTerm(f"t{number}", number + 1, 1, count, inverse_document_frequency(count, total=1_000))
        for number, count in enumerate(frequencies)
    )
    chosen = choose_candidates(KeywordQuery(terms, 1_000), budget=budget, selectivity=selectivity)
    rare = chosen.rare.count("'") // 2
    assert rare == 1 or sum(frequencies[:rare]) * selectivity <= budget
    assert rare == len(terms) or sum(frequencies[: rare + 1]) * selectivity > budget
    assert sorted(chosen.terms) == sorted(quote_term(term.term) for term in terms[rare:])
    assert list(chosen.upper_bounds) == sorted(chosen.upper_bounds, reverse=True)
    assert sum(chosen.upper_bounds) == pytest.approx(sum(term.weight * USUAL_MAXIMUM for term in terms[rare:]))
    assert all(0 < share <= 1 for share in chosen.shares)


def test_terms_are_quoted_for_tsquery() -> None:
    assert quote_term("o'neil\\x") == "'o''neil\\\\x'"


@pytest.mark.parametrize(
    ("budget", "chunks", "first"),
    [
        (5_000, 10_000, 1_000),
        (5_000, 100_000, 2_000),
        (5_000, 250_000, 5_000),
        (5_000, 10**7, 5_000),
        (100, 10**6, 100),
    ],
)
def test_first_pass_grows_with_the_library_up_to_the_budget(budget: int, chunks: int, first: int) -> None:
    assert first_pass_budget(budget, chunks=chunks) == first


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("net sales in 2019 and 2021.", {"2019", "2021"}),
        ("FY17, FY 2018, fy'19 and FY2020", {"2017", "2018", "2019", "2020"}),
        ("1/2019, 12-2019, 2019.5, 12019, 20190, 2,019", set[str]()),
        ("deify17 and 2100", set[str]()),
    ],
)
def test_years_are_told_from_dates_and_figures(text: str, years: set[str]) -> None:
    assert parse_years(text) == years
