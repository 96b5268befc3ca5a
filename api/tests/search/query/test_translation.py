"""Translations of a query's words, from the shipped dictionary."""

from pathlib import Path

import pytest

import dictionary
from lectern.search.query import translation
from lectern.search.query.terms import ReadWord, build_keyword_query, inverse_document_frequency
from lectern.search.query.translation import Translation, join_by_language, translate

FILES = sorted((Path(translation.__file__).parent / "dictionary").glob("*.tsv"))


def english(text: str, language: str = "it") -> set[str]:
    return {each.word for each in translate(text, language) if each.language == "en"}


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("la tassa", "it", {"tax", "fee"}),
        ("le tasse", "it", {"tax", "fee"}),  # another form than the entry
        ("Il RIMBORSO della cauzione", "it", {"refund"}),
        ("las universidades", "es", {"university"}),
        ("die Verträge", "de", {"contract"}),
        ("ging", "de", {"go"}),
    ],
)
def test_word_is_translated_in_each_of_its_forms(text: str, language: str, expected: set[str]) -> None:
    assert expected <= english(text, language)


def test_exact_word_is_preferred_to_others_with_its_stem() -> None:
    assert "house" in english("casa")
    assert "case" not in english("casa")
    assert "case" in english("caso")


def test_other_form_is_translated_by_the_nearest_word_with_its_stem() -> None:
    assert "condition" in english("condizioni")
    assert "conditioning" not in english("condizioni")


@pytest.mark.parametrize(
    ("compound", "parts"),
    [
        ("Wartungsvertrag", {"maintenance", "contract"}),
        ("Hundeversicherung", {"dog", "insurance"}),
        ("Hauptbahnhofstunnel", {"main", "station", "tunnel"}),
    ],
)
def test_german_compound_is_translated_by_its_parts(compound: str, parts: set[str]) -> None:
    assert parts <= english(f"der {compound}", "de")


def test_word_with_an_unknown_part_is_no_compound() -> None:
    assert english("Xqzvwvertrag", "de") == set()


def test_compound_translates_no_english_word() -> None:
    assert "wärmepumpe" not in {each.word for each in translate("heat pump", "en")}


def test_stop_word_with_the_stem_of_another_word_is_not_translated() -> None:
    assert "boredom" in english("noia")
    assert english("noi") == set()
    assert english("ferie non godute") == english("ferie godute")


def test_english_is_translated_into_each_other_language() -> None:
    assert set(join_by_language(translate("the contract", "en"))) == {"de", "es", "fr", "it", "nl", "pt"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rimborso ferie", {"refund", "vacation"}),
        ("opening hours", {"orario"}),
        ("universidad pública", {"university"}),
    ],
)
def test_short_query_is_in_the_language_whose_dictionary_has_its_words(text: str, expected: set[str]) -> None:
    assert expected <= {each.word for each in translate(text, None)}


@pytest.mark.parametrize(("text", "language"), [("sono felice", "it"), ("quem aluga", "pt"), ("seine Miete", "de")])
def test_stop_words_tell_the_language_of_a_short_query(text: str, language: str) -> None:
    assert translate(text, None) == translate(text, language) != ()


def test_word_of_several_languages_is_translated_as_in_each() -> None:
    found = join_by_language(translate("contrato", None))  # Spanish and Portuguese
    assert "contract" in found["en"].split()
    assert found.keys().isdisjoint({"es", "pt"})


def test_german_is_translated_into_italian_by_way_of_english() -> None:
    assert "contratto" in join_by_language(translate("Der Vertrag endet.", "de"))["it"].split()


@pytest.mark.parametrize(
    ("text", "language"),
    [("umowa", "pl"), ("Xqzvw 2023 di non", "it"), ("", "it"), ("", None)],
    ids=["no dictionary", "unknown words", "empty", "empty, unknown language"],
)
def test_no_translation_without_a_dictionary_entry(text: str, language: str | None) -> None:
    assert translate(text, language) == ()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_file_is_sorted_and_its_probabilities_are_shares(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines == sorted(lines)
    assert len(lines) > 3_000
    stem = dictionary.cached_stemmer(path.stem[:2])
    for line in lines:
        key, word, translations = line.split("\t")
        tenths = [int(each.partition(":")[2]) for each in translations.split()]  # none: a stop word
        assert key == stem(word)
        assert all(1 <= each <= 9 for each in tenths)
        assert sum(tenths) <= 12, "rounded up at most"


def test_files_are_what_the_word_lists_say() -> None:
    files = {path.name: path.read_text(encoding="utf-8") for path in FILES}
    assert files == dictionary.build(), "run: python api/tools/dictionary.py"


def test_translation_counts_its_probability_and_the_querys_own_word_counts_fully() -> None:
    words = [
        ReadWord("porta", 1, "it", "port", 1),
        ReadWord("door", 1, "en", "door", 2, source="translation"),
        ReadWord("port", 1, "en", "port", 1, source="translation"),
    ]
    counts = {"": {"en": 10, "it": 10}, "port": {"en": 1, "it": 2}, "door": {"en": 3}}
    translations = [Translation("en", "door", 0.6), Translation("en", "port", 0.2)]
    weights = {term.term: term.weight for term in build_keyword_query(words, counts, translations=translations).terms}
    assert weights == {
        "door": pytest.approx(0.6 * inverse_document_frequency(3, total=20)),
        "port": pytest.approx(inverse_document_frequency(3, total=20)),
    }


def test_synonym_counts_fully_even_if_it_is_a_translation_too() -> None:
    words = [
        ReadWord("porta", 1, "it", "port", 1),
        ReadWord("door", 1, "en", "door", 2, source="synonym"),
        ReadWord("door", 1, "en", "door", 2, source="translation"),
    ]
    counts = {"": {"en": 10, "it": 10}, "port": {"it": 2}, "door": {"en": 3}}
    query = build_keyword_query(words, counts, translations=[Translation("en", "door", 0.6)])
    weights = {term.term: term.weight for term in query.terms}
    assert weights["door"] == pytest.approx(inverse_document_frequency(3, total=20))
