"""Pages with 40 % lines of a table of contents are in the ledger and in no chunk."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectern.chunking.chunker import chunk_document
from lectern.chunking.table_of_contents import is_contents_page, page_number_at_end
from lectern.chunking.types import ChunkingOptions
from lectern.extraction.types import PageKind

from .papers import plain

PROSE = "These are words of an ordinary sentence without number"


@given(st.integers(3, 30), st.integers(0, 45))
def test_a_page_is_contents_from_forty_percent_of_entries_on(entries: int, others: int) -> None:
    lines = [f"Chapter about matter {chr(97 + number % 26)} {number * 3 + 1}" for number in range(entries)]
    mixed = [PROSE] * others + lines
    assert is_contents_page(mixed, page_count=120) == (entries >= 0.4 * (entries + others))


@pytest.mark.parametrize(
    ("line", "page"),
    [
        ("Introduction 5", 5),
        ("1.2 Scope of the policy 12", 12),
        ("Item 7A. Market Risk ..... 48", 48),
        ("Note 3 17", 17),
        ("Net income 596", None),  # beyond the last page
        ("Net sales 12 14", None),  # a figure after a figure is an amount
        ("Inventories $ 14", None),
        ("Growth 3% 14", None),
        ("12", None),
        ("Cash 1,014", None),
        ("Prose that ends in a word", None),
    ],
)
def test_an_entry_ends_in_a_page_that_may_exist_after_words(line: str, page: int | None) -> None:
    assert page_number_at_end(line, page_count=100) == page


def test_a_statement_of_small_figures_is_not_contents() -> None:
    lines = ["Marketing 12", "Rent 7", "Salaries 44", "Travel 3", "Interest 19", "Taxes 2", "Profit 8"]
    assert not is_contents_page(lines, page_count=60)


def test_lists_that_count_and_short_documents_are_not_contents() -> None:
    rooms = ["The rooms of the first floor", *(f"Meeting room {number}" for number in range(1, 9))]
    notes = [f"Note {number} {number * 2 + 10}" for number in range(1, 9)]
    assert not is_contents_page(rooms, page_count=60)
    assert is_contents_page(notes, page_count=60)
    assert not is_contents_page(notes, page_count=2)


def test_tables_of_contents_are_in_the_ledger_and_in_no_chunk() -> None:
    contents = "\n".join(f"Chapter about {name} {page}" for name, page in (("fees", 3), ("limits", 4), ("travel", 9)))
    document = plain("The handbook of the bank opens with this page of words.", contents, f"{PROSE}.\n" * 30)
    cut = chunk_document(document, options=ChunkingOptions(floor_tokens=0))
    assert [page.kind for page in cut.pages] == [PageKind.TEXT, PageKind.TOC, PageKind.TEXT]
    assert [page.chunk_count for page in cut.pages][1] == 0
    assert not any("Chapter about" in chunk.text for chunk in cut.chunks)
    assert {chunk.page_number for chunk in cut.chunks} == {1, 3}
    assert all(chunk.page_number == chunk.last_page_number for chunk in cut.chunks)
