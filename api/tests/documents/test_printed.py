"""A passage is found on the printed pages by its letters."""

import pytest
from tests.extraction.pdf_writer import Pdf

from lectern.documents.images.printed import PrintedPage, find_printed
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractionLimits


@pytest.fixture
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[PrintedPage]:
    made = Pdf()
    made.page().text(60, 700, "The harbour closes at ten.").text(60, 650, "Ships wait at the northern pier.")
    made.page().text(60, 700, "The harbour closes at ten.").text(60, 650, "Berth 7 costs 120 EUR a night.")
    path = tmp_path_factory.mktemp("printed") / "a.pdf"
    path.write_bytes(made.render())
    extracted = extract_document(path, "application/pdf", limits=ExtractionLimits())
    return [PrintedPage(page.text, page.boxes) for page in extracted.pages]


def found(pages: list[PrintedPage], passage: str, *, share: float = 0.0) -> list[int]:
    return [place.page_number for place in find_printed(pages, passage, share=share)]


def test_a_table_row_is_found_without_its_rules(pages: list[PrintedPage]) -> None:
    assert found(pages, "| Berth 7 | costs | 120 EUR | a night |") == [2]


def test_of_two_places_the_nearest_counts(pages: list[PrintedPage]) -> None:
    assert found(pages, "The harbour closes at ten.", share=0.1) == [1]
    assert found(pages, "The harbour closes at ten.", share=0.6) == [2]


def test_a_passage_may_go_over_a_page_break(pages: list[PrintedPage]) -> None:
    assert found(pages, "northern pier. The harbour closes") == [1, 2]


def test_a_passage_with_further_words_is_found_by_its_parts(pages: list[PrintedPage]) -> None:
    assert found(pages, "Ships wait at the northern pier [note 1: not in winter].") == [1]


def test_what_is_not_printed_is_not_placed(pages: list[PrintedPage]) -> None:
    assert found(pages, "Speaker notes are never printed on any slide.") == []
    assert found(pages, "—") == []
