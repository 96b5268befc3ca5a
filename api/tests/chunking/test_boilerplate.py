"""Lines on half of the pages are headers or footers; lines that vary are content."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectern.chunking.boilerplate import find_boilerplate
from lectern.chunking.chunker import chunk_document
from lectern.chunking.lines import build_document_text
from lectern.chunking.types import ChunkingOptions
from lectern.extraction.types import ExtractedDocument

from .papers import Set, plain, typeset

BODY = [f"Body line {number} with words of its own kind" for number in range(40)]


def removed(document: ExtractedDocument) -> list[str]:
    lines = build_document_text(document).lines
    return [lines[position].text for position in sorted(find_boilerplate(lines))]


def body_of(page: int, count: int = 8) -> list[str]:
    return [f"{line} {page}x{number}" for number, line in enumerate(BODY[:count])]


@given(st.integers(2, 24), st.data())
def test_a_header_goes_if_and_only_if_it_is_on_half_of_the_pages(page_count: int, data: st.DataObject) -> None:
    bearing = data.draw(st.sets(st.integers(0, page_count - 1)))
    at_top = data.draw(st.booleans())
    pages: list[str] = []
    for page in range(page_count):
        lines = body_of(page)
        if page in bearing:
            lines.insert(0 if at_top else len(lines), "Bank of the North · confidential")
        pages.append("\n".join(lines))
    expected = len(bearing) if len(bearing) >= max(2, math.ceil(page_count / 2)) else 0
    assert removed(plain(*pages)) == ["Bank of the North · confidential"] * expected


@pytest.mark.parametrize(
    ("content_type", "count"),
    [("message/rfc822", 3), ("application/mbox", 3), ("text/plain", 1), ("application/pdf", 1)],
)
def test_lines_that_repeat_stay_in_formats_that_print_no_headers(content_type: str, count: int) -> None:
    pages = plain(*("\n".join(["From: Ada Lovelace", *body_of(page)]) for page in range(3)))
    chunks = chunk_document(replace(pages, content_type=content_type), options=ChunkingOptions()).chunks
    assert sum(chunk.text.count("Ada Lovelace") for chunk in chunks) == count


def test_first_header_and_last_footer_are_in_a_chunk_and_page_numbers_in_none() -> None:
    pages = [
        [
            Set("Bank of the North"),
            *map(Set, body_of(page, 60)),
            Set("Reference FA-24, March 2025"),
            Set(f"Page {page} of 4"),
        ]
        for page in range(1, 5)
    ]
    chunks = chunk_document(typeset(*pages), options=ChunkingOptions()).chunks
    text = "\n".join(chunk.text for chunk in chunks)
    assert text.startswith("Bank of the North\n")
    assert text.endswith("\nReference FA-24, March 2025")
    assert (text.count("Bank of the North"), text.count("FA-24")) == (1, 1)
    assert (chunks[0].page_number, chunks[-1].last_page_number) == (1, 4)
    assert "Page" not in text


def test_document_that_repeats_a_whole_page_keeps_its_text() -> None:
    memo = "May 5, 2023\nTo whom it may concern:\nThere were 20,000 bottles of water in the trucks."
    assert removed(plain(memo, memo)) == []


@given(
    st.integers(3, 20),
    st.integers(-3, 40),
    st.sampled_from(["{}", "Page {}", "- {} -", "Policy 2024 | {}", "{} of 90"]),
)
def test_a_page_number_may_vary(page_count: int, shift: int, form: str) -> None:
    footers = [form.format(page + 1 + max(shift, 0)) for page in range(page_count)]
    pages = ["\n".join([*body_of(page), footer]) for page, footer in enumerate(footers)]
    assert removed(plain(*pages)) == footers


@pytest.mark.parametrize("form", ["{}", "- {} -", "F-{}", "Page {} of 40", "pag. {}"])
def test_page_numbers_of_parts_that_count_anew_are_page_numbers(form: str) -> None:
    parts = (
        (4, 1),
        (6, 30),
        (5, 1),
        (9, None),
    )  # none of them on half of the pages
    numbers = [first and first + page for count, first in parts for page in range(count)]
    footers = [form.format(number) for number in numbers if number]
    pages = [[*body_of(page), *([form.format(number)] if number else [])] for page, number in enumerate(numbers)]
    assert removed(plain(*("\n".join(lines) for lines in pages))) == footers


def test_three_numbers_in_a_row_or_numbers_of_another_step_are_not_page_numbers() -> None:
    figures = ["7", "8", "9", "", "25", "27", "29", "31", "33", "", "", "", ""]
    pages = ["\n".join([*body_of(page), *([figure] if figure else [])]) for page, figure in enumerate(figures)]
    assert removed(plain(*pages)) == []


def test_roman_page_numbers_are_page_numbers() -> None:
    footers = ["i", "ii", "iii", "iv", "v", "vi"]
    assert removed(plain(*("\n".join([*body_of(page), footer]) for page, footer in enumerate(footers)))) == footers


def test_figures_that_are_not_the_page_number_stay() -> None:
    codes = [17, 4, 96, 23, 58, 71]
    pages = ["\n".join([*body_of(page), f"Item {code}"]) for page, code in enumerate(codes)]
    assert removed(plain(*pages)) == []


def test_identifiers_that_count_with_the_pages_stay() -> None:
    pages = ["\n".join([f"SKU-00{page + 1}", *body_of(page)]) for page in range(6)]
    assert removed(plain(*pages)) == []


def test_a_field_that_repeats_in_the_body_at_changing_places_stays() -> None:
    pages = [
        [
            *(Set(line) for line in body_of(page, 4 + page)),
            Set("Material: steel"),
            *(Set(line) for line in body_of(page + 50)),
        ]
        for page in range(6)
    ]
    assert removed(typeset(*pages)) == []


def test_a_watermark_in_one_place_goes() -> None:
    pages = [
        [*(Set(line) for line in body_of(page, 6)), Set("DRAFT"), *(Set(line) for line in body_of(page + 50, 6))]
        for page in range(6)
    ]
    assert removed(typeset(*pages)) == ["DRAFT"] * 6


def test_a_single_page_has_no_boilerplate() -> None:
    assert removed(plain("only\nonly\nonly")) == []
