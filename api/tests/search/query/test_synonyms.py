"""Query expansion with synonyms, and its report in the response."""

import tomllib
from pathlib import Path

import pytest
from tests.search.conftest import EXACT, INDEXED, Library
from tests.search.test_search import store

from lectern.db.scope import SYSTEM_SCOPE
from lectern.search.errors import SynonymsMisconfigured
from lectern.search.query import synonyms
from lectern.search.query.synonyms import load_synonyms
from lectern.search.query.terms import ReadWord, build_keyword_query
from lectern.search.schemas import SearchRequest
from lectern.search.service import SearchEngine
from lectern.settings import SearchSettings

OWN = """
[[entry]]
terms = ["RTO", "recovery time"]
synonyms = { en = ["recovery time objective"], it = ["tempo di ripristino"] }

[[entry]]
terms = ["quick ratio"]
synonyms = { en = ["acid test"] }
"""
STATEMENT = "Total current assets 4,120 3,870. Inventories 1,010 990. Total current liabilities 2,040 1,960."
OTHERS = ["The board met in May to talk about the quick delivery of goods.", "Our stores are open on Sundays."]


def names(question: str) -> list[str]:
    return [match.term for match in load_synonyms().match(question)]


def test_terms_match_in_any_spelling_and_the_longest_wins() -> None:
    assert names("Has the Quick-Ratio improved?") == ["Quick-Ratio"]
    assert names("Are gross margins stable, and what is the ROE?") == ["gross margins", "ROE"]
    assert names("What is fixed asset turnover?") == ["fixed asset turnover"]
    assert names("What are the stores' opening hours?") == []
    assert names("Net revenues by region, staff turnover") == ["revenues"]


def test_acronyms_that_are_also_words_match_in_capitals_only() -> None:
    assert names("Who is in HR?") == ["HR"]
    assert names("Dio mio, 3 hr late") == []
    assert names("what is the ebitda and the capex?") == ["ebitda", "capex"]
    assert names("Q&A about AR&DX") == []


def test_words_of_the_query_are_not_added_again() -> None:
    (match,) = load_synonyms().match("Quick ratio from inventories and total current assets")
    assert "inventories" not in match.phrases
    assert "total current liabilities" in match.phrases
    assert load_synonyms().match("R&D, which is research and development, ricerca e sviluppo") == ()
    assert names("the EPS, or utile per azione") == ["EPS"]  # one entry


def test_synonyms_are_in_the_query_language_or_english() -> None:
    (match,) = load_synonyms().match("Com'è il margine lordo?")
    assert match.in_language("it") == ("utile lordo", "costo del venduto")
    assert match.in_language("de") == match.in_language(None) == match.synonyms["en"]


def test_built_in_terms_are_unique_and_have_other_synonyms() -> None:
    entries = tomllib.loads(Path(synonyms.__file__).with_suffix(".toml").read_text(encoding="utf-8"))["entry"]
    every = [name.lower() for entry in entries for name in entry["terms"]]
    assert len(entries) > 40
    assert len(set(every)) == len(every)
    for entry in entries:
        phrases = {phrase.lower() for phrases in entry["synonyms"].values() for phrase in phrases}
        assert phrases - {term.lower() for term in entry["terms"]}, entry


def test_synonyms_file_adds_and_replaces_entries(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(OWN, encoding="utf-8")
    own = load_synonyms(file)
    assert [one.phrases for one in own.match("What is the RTO?")] == [
        ("recovery time objective", "tempo di ripristino")
    ]
    assert [one.phrases for one in own.match("the quick ratio")] == [("acid test",)]
    assert own.match("the EBITDA")
    alone = tmp_path / "alone.toml"
    alone.write_text("use_built_in = false\n" + OWN, encoding="utf-8")
    assert not load_synonyms(alone).match("the EBITDA")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot be read"),
        ("[[entry]\n", "is not TOML"),
        ('[[entry]]\nterms = []\nsynonyms = { en = ["a"] }', "entry.0.terms"),
        ('[[entry]]\nterms = ["-"]\nsynonyms = { en = ["a"] }', "entry.0.terms.0"),
        ('[[entry]]\nterms = ["a"]\nsynonyms = { english = ["a"] }', "entry.0.synonyms"),
        ('[[entry]]\nterms = ["a"]', "entry.0.synonyms"),
        ('[[entry]]\nterm = ["a"]\nsynonyms = { en = ["a"] }', "entry.0"),
    ],
)
def test_invalid_synonyms_file_is_rejected_with_its_location(tmp_path: Path, content: str | None, said: str) -> None:
    file = tmp_path / "wrong.toml"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    with pytest.raises(SynonymsMisconfigured, match=r"wrong\.toml") as refused:
        load_synonyms(file)
    assert said in refused.value.message
    assert "[[entry]]" in (refused.value.hint or "")


def test_expansions_have_weight_but_no_language_and_are_never_unknown() -> None:
    counts = {"": {"en": 10, "it": 10}, "ratio": {"en": 2}, "asset": {"en": 3}, "and": {"it": 9}}
    asked = [
        ReadWord(word, 1, language, word, number)
        for number, word in enumerate(("quick", "ratio", "improved"))
        for language in ("en", "it")
    ]
    added = [
        ReadWord("asset", 1, "en", "asset", 11, source="synonym"),
        ReadWord("and", 1, "en", None, 0, source="synonym"),
        ReadWord("and", 1, "it", "and", 12, source="synonym"),
        ReadWord("rimanenze", 1, "it", "rimanent", 13, source="synonym"),
    ]
    plain, expanded = [build_keyword_query(words, counts, query_language="en") for words in (asked, [*asked, *added])]
    assert [(term.term, term.is_expansion) for term in expanded.terms] == [("ratio", False), ("asset", True)]
    assert expanded.unmatched_languages == plain.unmatched_languages
    assert expanded.unknown_words == plain.unknown_words
    assert list(plain.unknown_words) == ["quick", "improved"]


@pytest.mark.parametrize("settings", [EXACT, INDEXED], ids=["exact", "index"])
async def test_statement_is_found_by_a_synonym_that_the_response_lists(
    library: Library, settings: SearchSettings
) -> None:
    await store(library, [*OTHERS, STATEMENT])
    response = await library.search("Has the quick ratio improved?", settings=settings, explain=True)
    hit = response.data[0]
    assert hit.page_number == 3
    assert hit.keyword_rank == 1
    assert [(one.term, one.synonyms[0]) for one in response.metadata.expansions] == [("quick ratio", "balance sheet")]
    assert "Also searched for balance sheet, total current assets" in response.message
    assert "(synonyms of quick ratio)" in response.message
    assert hit.snippet.matches
    assert hit.explain is not None
    assert {term.term for term in hit.explain.terms if term.is_expansion} >= {"current", "asset", "inventori"}


async def test_without_synonyms_only_query_words_match(library: Library) -> None:
    await store(library, [*OTHERS, STATEMENT])
    plain = EXACT.model_copy(update={"synonyms": False})
    response = await library.search("Has the quick ratio improved?", settings=plain)
    assert response.metadata.expansions == []
    assert all(hit.keyword_rank is None for hit in response.data if hit.page_number == 3)


async def test_matched_expansions_count_for_confidence(library: Library) -> None:
    await store(library, [*OTHERS, STATEMENT, *("Nothing of the sort is said here.",) * 5])
    plain = EXACT.model_copy(update={"synonyms": False})
    question = "Has the quick ratio improved?"
    expansions, without = [await library.search(question, settings=settings) for settings in (EXACT, plain)]
    assert expansions.metadata.confidence is not None
    assert without.metadata.confidence is not None
    assert without.metadata.confidence < expansions.metadata.confidence
    await store(library, ["Cash and goods."], filename="b.txt")
    elsewhere = await library.search(question, documents=["b.txt"])
    assert elsewhere.metadata.confidence is not None
    assert elsewhere.metadata.confidence < expansions.metadata.confidence


async def test_engine_uses_a_synonyms_file(library: Library, tmp_path: Path) -> None:
    await store(library, ["Systems are back within their recovery time objective of 4 hours.", *OTHERS])
    file = tmp_path / "own.toml"
    file.write_text(OWN, encoding="utf-8")
    assert library.shelf.provider is not None
    engine = SearchEngine(library.database, library.shelf.provider, EXACT, synonyms=load_synonyms(file))
    response = await engine.search_in_scope(SearchRequest(query="What is the RTO?"), SYSTEM_SCOPE)
    assert response.data[0].page_number == 1
    assert response.metadata.expansions[0].synonyms == ["recovery time objective", "tempo di ripristino"]
