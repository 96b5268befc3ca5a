"""Text of documents: cleaned, measured, cut."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectern_mcp.text import clean, count_tokens, cut, one_line
from samples import CODE, ENGLISH, GERMAN, IDENTIFIERS, ITALIAN, JAPANESE, TABLE, exact_tokens


@pytest.mark.parametrize("sample", [ENGLISH, ITALIAN, TABLE, IDENTIFIERS, GERMAN, JAPANESE, CODE])
def test_the_ruler_counts_at_least_what_cl100k_counts_and_not_twice_as_much(sample: str) -> None:
    exact = exact_tokens(sample)
    assert exact <= count_tokens(sample) <= 2 * exact


@given(st.text())
def test_clean_text_has_no_hidden_characters_and_cleaning_it_again_changes_nothing(text: str) -> None:
    cleaned = clean(text)
    assert clean(cleaned) == cleaned
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]", cleaned)


def test_cleaning_keeps_what_a_reader_sees() -> None:
    assert clean("Caffè\t€ 12 –\nnaïve 株式会社 🙂") == "Caffè\t€ 12 –\nnaïve 株式会社 🙂"
    assert clean("pay\u202egnp.exe\x00\x1b[31m\u200b!") == "paygnp.exe[31m!"


@given(st.text(), st.integers(1, 50))
def test_one_line_is_one_line_of_bounded_length(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert len(line) <= limit
    assert len(line.splitlines()) <= 1


@given(st.text(), st.integers(0, 200))
def test_a_cut_is_a_beginning_no_longer_than_asked(text: str, characters: int) -> None:
    kept = cut(text, characters)
    assert text.startswith(kept)
    assert len(kept) <= max(characters, 0) or kept == text


@pytest.mark.parametrize(
    ("characters", "kept"),
    [
        (30, "One sentence. Two sentences!"),
        (28, "One sentence. Two sentences!"),
        (27, "One sentence."),
        (13, "One sentence."),
        (12, "One"),
        (3, "One"),
    ],
)
def test_a_cut_ends_with_a_sentence_or_else_with_a_word(characters: int, kept: str) -> None:
    assert cut("One sentence. Two sentences! Three 3.14 here", characters) == kept


def test_a_number_with_a_point_is_no_end_of_a_sentence() -> None:
    assert cut("The total is 3.1415 in all", 17) == "The total is"


def test_the_rulers_worst_case_over_the_repositorys_own_papers_is_below_the_exact_count() -> None:
    """Every paragraph of the documentation, in pieces, as a wider sample than the ones written here."""
    root = Path(__file__).parents[2]
    texts = [path.read_text(encoding="utf-8") for path in [*root.glob("docs/**/*.md"), *root.glob("test-docs/**/*.md")]]
    pieces = [piece for text in texts for piece in text.split("\n\n") if len(piece) > 200]
    low = [piece for piece in pieces if count_tokens(piece) < exact_tokens(piece)]
    assert len(low) <= len(pieces) * 0.02
