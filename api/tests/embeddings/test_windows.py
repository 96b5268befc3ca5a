"""Chunks are cut into windows that fit the model, and nothing of them is lost."""

from hypothesis import given
from hypothesis import strategies as st

from lectern.embeddings.windows import (
    MAX_CONTEXT_CHARACTERS,
    MAX_WINDOWS,
    chunk_windows,
    split_windows,
    window_context,
    without_numbers,
)


def words(text: str) -> int:
    """A tokenizer for which words are tokens and the model adds two."""
    return len(text.split()) + 2


def sentence(number: int) -> str:
    return f"This is sentence number {number} of the text."


def test_a_text_that_fits_is_one_window_led_by_its_context() -> None:
    windows = split_windows(" Some text.\n", context="Travel policy > Hotels", count_tokens=words, max_tokens=50)

    assert [(window.window_number, window.text) for window in windows] == [(1, "Travel policy > Hotels\nSome text.")]


def test_a_longer_text_becomes_windows_of_about_equal_length_that_end_with_sentences() -> None:
    text = " ".join(sentence(number) for number in range(30))  # 240 words
    windows = split_windows(text, context="Title", count_tokens=words, max_tokens=100)

    assert [window.window_number for window in windows] == [1, 2, 3]
    assert all(window.text.startswith("Title\nThis is") and window.text.endswith("text.") for window in windows)
    assert all(72 <= len(window.text.split()) <= 90 for window in windows)


def test_windows_prefer_whole_lines_over_whole_sentences() -> None:
    rows = "\n".join(f"Row {number}. Net sales 1,2{number:02} 3,4{number:02}" for number in range(40))
    windows = split_windows(rows, count_tokens=words, max_tokens=150)

    assert len(windows) == 2
    assert "\n".join(window.text for window in windows) == rows


def test_a_text_without_any_break_is_cut_all_the_same() -> None:
    windows = split_windows("x" * 1000, count_tokens=len, max_tokens=300)

    assert "".join(window.text for window in windows) == "x" * 1000
    assert [len(window.text) for window in windows] == [250] * 4


def test_a_text_beyond_eight_windows_still_has_eight() -> None:
    assert len(split_windows("x" * 10_000, count_tokens=len, max_tokens=100)) == MAX_WINDOWS


def test_an_empty_text_is_one_window() -> None:
    assert [window.text for window in split_windows("  ", context="T", count_tokens=words, max_tokens=9)] == ["T\n"]


@given(
    st.lists(st.text(alphabet="ab.;\n\t é", max_size=30), max_size=60).map(" ".join),
    st.integers(min_value=6, max_value=60),
)
def test_every_word_is_in_a_window_in_order_and_windows_fit(text: str, max_tokens: int) -> None:
    windows = split_windows(text, count_tokens=words, max_tokens=max_tokens)

    assert "".join("".join(window.text for window in windows).split()) == "".join(text.split())
    assert len(windows) == MAX_WINDOWS or all(words(window.text) <= max_tokens for window in windows)
    assert [window.window_number for window in windows] == list(range(1, len(windows) + 1))


def test_the_context_names_title_and_sections_once_each() -> None:
    assert window_context("Travel  policy", ["Travel policy", "3 Hotels\n", "", "3.1 Limits"]) == (
        "Travel policy > 3 Hotels > 3.1 Limits"
    )
    assert window_context(None) == ""
    assert window_context(None, ["Only a section"]) == "Only a section"


def test_sections_above_that_are_only_numbered_do_not_take_part() -> None:
    assert (
        window_context("Report", ["PART I", "Item 1. Business", "Section 6"]) == "Report > Item 1. Business > Section 6"
    )
    assert window_context("Module 3", ["Part B", "Sezione 12"]) == "Module 3 > Part B > Sezione 12"


def test_a_long_context_loses_its_outermost_sections_first() -> None:
    path = [f"{number} {'section ' * 6}" for number in range(9)]
    context = window_context("Title", path)

    assert context.startswith("Title > ")
    assert context.endswith(path[-1].strip())
    assert len(context) <= MAX_CONTEXT_CHARACTERS
    assert len(window_context("t" * 900, ["s" * 900])) <= MAX_CONTEXT_CHARACTERS


STATEMENT = """Year Ended December 31, 2022 2021
Net sales $ 14,694 100.0 % $ 14,544 100.0 %
Cost of sales (11,969) (81.5) (11,724) (80.6)
Gross profit 2,725 18.5 — 18.9"""


def test_a_table_of_figures_is_embedded_by_its_labels_too() -> None:
    windows = chunk_windows(STATEMENT, context="Report", count_tokens=words, max_tokens=100)

    assert [window.window_number for window in windows] == [1, 2]
    assert windows[0].text == f"Report\n{STATEMENT}"
    assert windows[1].text == "Report\nYear Ended December 2022 2021\nNet sales\nCost of sales\nGross profit"


def test_text_with_few_figures_is_embedded_once() -> None:
    text = "In 2022 the 3 stores sold 1,250 bicycles, which is more than all of them sold in the two years before."

    assert chunk_windows(text, count_tokens=words, max_tokens=100) == split_windows(
        text, count_tokens=words, max_tokens=100
    )


def test_figures_without_any_words_are_embedded_once() -> None:
    assert without_numbers("1,250 (3) 42 %\n17 18 — 19") is None
    assert without_numbers("") is None
