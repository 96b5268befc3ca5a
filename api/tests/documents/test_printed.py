"""A passage is found on the printed pages by its letters."""

import pytest
from tests.extraction.pdf_writer import Pdf

from lectern.documents.images.printed import PrintedPage, PrintedText, TextInContext
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractionLimits


@pytest.fixture
def printed(tmp_path_factory: pytest.TempPathFactory) -> PrintedText:
    made = Pdf()
    made.page().text(60, 700, "The harbour closes at ten.").text(60, 650, "Ships wait at the northern pier.")
    made.page().text(60, 700, "The harbour closes at ten.").text(60, 650, "Berth 7 costs 120 EUR a night.")
    path = tmp_path_factory.mktemp("printed") / "a.pdf"
    path.write_bytes(made.render())
    extracted = extract_document(path, "application/pdf", limits=ExtractionLimits())
    return PrintedText([PrintedPage(page.text, page.boxes) for page in extracted.pages])


def found(printed: PrintedText, passage: str, *, share: float = 0.0, before: str = "", after: str = "") -> list[int]:
    return [place.page_number for place in printed.find(TextInContext(passage, share, before, after))]


def test_a_table_row_is_found_without_its_rules(printed: PrintedText) -> None:
    assert found(printed, "| Berth 7 | costs | 120 EUR | a night |") == [2]


def test_of_two_places_the_nearest_counts(printed: PrintedText) -> None:
    assert found(printed, "The harbour closes at ten.", share=0.1) == [1]
    assert found(printed, "The harbour closes at ten.", share=0.6) == [2]


def test_the_text_around_a_word_says_which_place_it_is(printed: PrintedText) -> None:
    assert found(printed, "closes", before="northern pier.\n\nThe harbour ", after=" at ten.") == [2]
    assert found(printed, "closes", share=0.9, before="The harbour ", after=" at ten.\nShips") == [1]


def test_a_passage_may_go_over_a_page_break(printed: PrintedText) -> None:
    assert found(printed, "northern pier. The harbour closes") == [1, 2]


def test_a_passage_with_further_words_is_found_by_its_parts(printed: PrintedText) -> None:
    assert found(printed, "Ships wait at the northern pier [note 1: not in winter].") == [1]


def test_what_is_not_printed_is_not_placed(printed: PrintedText) -> None:
    assert found(printed, "Speaker notes are never printed on any slide.") == []
    assert found(printed, "—") == []
