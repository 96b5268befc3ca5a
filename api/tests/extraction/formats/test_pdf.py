"""PDF: metadata, kinds of pages, and errors of broken files."""

import io
from pathlib import Path
from typing import Any

import pypdf
import pytest
from pypdf.generic import DecodedStreamObject, NameObject
from tests.extraction.conftest import ReadPdf
from tests.extraction.pdf_writer import Pdf

from lectern.extraction.errors import Corrupt, Encrypted, FileTooLarge, NoText
from lectern.extraction.layout.boxes import unpack_boxes
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractionLimits, OutlineItem, PageImageStatus, PageKind

LIMITS = ExtractionLimits()


def test_page_kind_follows_its_content(read_pdf: ReadPdf) -> None:
    pdf = Pdf()
    pdf.page().lines(60, 700, "Only words stand here.", "And a second line of words.")
    pdf.page()
    pdf.page().box(100, 100, 300, 300)
    table = pdf.page()
    for number in range(6):
        table.text(60, 700 - 20 * number, f"Item {number}").text(300, 700 - 20 * number, "10").text(
            400, 700 - 20 * number, "20"
        )
    pages = read_pdf(pdf).pages
    assert [page.kind for page in pages] == [PageKind.TEXT, PageKind.EMPTY, PageKind.UNREADABLE, PageKind.TABLE]
    assert [page.page_number for page in pages] == [1, 2, 3, 4]
    assert pages[1].note is None
    assert "pictures or drawings" in (pages[2].note or "")


def test_page_with_letters_mapped_to_symbols_is_unreadable(read_pdf: ReadPdf) -> None:
    pdf = Pdf()
    pdf.page().lines(60, 700, *["! \" # $%& ' ) + , : ; < = > ? @ % & ! # $ ' + < 1 ="] * 4)
    pdf.page().text(60, 700, "A readable page.")
    pages = read_pdf(pdf).pages
    assert [page.kind for page in pages] == [PageKind.UNREADABLE, PageKind.TEXT]
    assert pages[0].text == ""
    assert "no meaning" in (pages[0].note or "")


def test_characters_beyond_16_bits_are_read_and_mathematical_letters_are_plain(tmp_path: Path) -> None:
    pdf = Pdf()
    pdf.page().lines(60, 700, "A is the speed in metres, and # says that all is well.", "No more is said.")
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf.render()))
    page: Any = writer.pages[0]
    mapping = DecodedStreamObject()
    pairs = "<41> <D835DC49> <23> <D83DDE00>"  # A is a mathematical V, # a smiling face
    space = "1 begincodespacerange <00> <FF> endcodespacerange"
    mapping.set_data(f"begincmap {space} 2 beginbfchar {pairs} endbfchar endcmap".encode())
    page["/Resources"]["/Font"]["/Plain"][NameObject("/ToUnicode")] = writer._add_object(mapping)  # pyright: ignore[reportPrivateUsage]
    writer.write(tmp_path / "formula.pdf")

    read = extract_document(tmp_path / "formula.pdf", "application/pdf", limits=LIMITS).pages[0]

    assert read.text == "V is the speed in metres, and \U0001f600 says that all is well.\nNo more is said."
    assert len(unpack_boxes(read.boxes).starts) == len(read.text.split())


def test_page_is_unreadable_if_the_font_of_its_text_has_no_mapping(read_pdf: ReadPdf) -> None:
    pdf = Pdf()
    page = pdf.page()
    page.lines(60, 700, *["\x04\x05\x06\x07\x0e\x0f\x10\x11\x12\x13\x14\x15 \x16\x17\x18\x19"] * 6)
    page.text(60, 500, "Figure 2: the caption has another font, which has a mapping.")
    pdf.page().text(60, 700, "A readable page.")
    pages = read_pdf(pdf).pages
    assert [page.text for page in pages] == ["", "A readable page."]
    assert pages[0].kind is PageKind.UNREADABLE


def test_outline_is_read_with_its_pages(read_pdf: ReadPdf) -> None:
    pdf = Pdf(outline=[("Part one", 1), ("Part two", 2)])
    pdf.page().text(60, 700, "Part one")
    pdf.page().text(60, 700, "Part two")
    assert read_pdf(pdf).metadata.outline == (OutlineItem("Part one", 1, 1), OutlineItem("Part two", 1, 2))


@pytest.mark.parametrize(
    ("stated", "title"),
    [
        ("Travel policy 2024", "Travel policy 2024"),
        ("Microsoft Word - policy.doc", "The largest line"),
        ("untitled", "The largest line"),
        ("0001018724-18-000005", "The largest line"),
        ("report_final.pdf", "The largest line"),
        ("", "The largest line"),
    ],
)
def test_title_is_the_sensible_metadata_title_or_the_largest_line(read_pdf: ReadPdf, stated: str, title: str) -> None:
    pdf = Pdf(information={"Title": stated})
    page = pdf.page().text(60, 760, "The largest line", size=20)
    page.lines(60, 700, "Body text of the usual size follows,", "in more than one line,", "and then some more.")
    assert read_pdf(pdf).metadata.title == title


def test_report_title_has_large_lines_and_year_but_no_letterhead(read_pdf: ReadPdf) -> None:
    pdf = Pdf()
    page = pdf.page().text(200, 800, "UNITED STATES", size=15)
    page.text(150, 780, "SECURITIES AND EXCHANGE COMMISSION", size=15).text(200, 750, "FORM 10-K", size=15)
    page.text(150, 700, "For the fiscal year ended January 28, 2017", size=9)
    page.text(200, 640, "NORTHERN BANK, INC.", size=16)
    page.lines(60, 600, *["The small print of a cover page runs on and on here."] * 8, size=9)
    assert (
        read_pdf(pdf).metadata.title == "FORM 10-K · NORTHERN BANK, INC. · For the fiscal year ended January 28, 2017"
    )


def test_title_has_all_cover_words_even_after_an_empty_page(read_pdf: ReadPdf) -> None:
    pdf = Pdf()
    pdf.page()
    pdf.page().text(60, 700, "NORTHERN HISTORIC", size=40).text(60, 640, "BUILDINGS SURVEY", size=40)
    pdf.page().text(60, 760, "Contents", size=20).lines(60, 700, *["Body text of the usual size."] * 9)
    assert read_pdf(pdf).metadata.title == "NORTHERN HISTORIC BUILDINGS SURVEY"


def test_page_without_a_larger_line_has_no_title(read_pdf: ReadPdf) -> None:
    pdf = Pdf()
    pdf.page().lines(60, 700, "All lines here", "are of one size", "and none stands out")
    assert read_pdf(pdf).metadata.title is None


def test_file_without_text_keeps_its_page_ledger(read_pdf: ReadPdf) -> None:
    pdf = Pdf()
    pdf.page().box(100, 100, 300, 300)
    pdf.page()
    with pytest.raises(NoText) as caught:
        read_pdf(pdf)
    assert [(page["page_number"], page["kind"]) for page in caught.value.details["pages"]] == [
        (1, "unreadable"),
        (2, "empty"),
    ]
    assert caught.value.hint


def protected(tmp_path: Path) -> Path:
    pdf = Pdf()
    pdf.page().text(60, 700, "A secret sentence.")
    writer = pypdf.PdfWriter(clone_from=pdf.write(tmp_path / "open.pdf"))
    writer.encrypt("open sesame", algorithm="AES-256")
    path = tmp_path / "protected.pdf"
    writer.write(path)
    return path


def test_protected_file_opens_only_with_its_password(tmp_path: Path) -> None:
    path = protected(tmp_path)
    with pytest.raises(Encrypted, match="protected by a password"):
        extract_document(path, "application/pdf", limits=LIMITS)
    with pytest.raises(Encrypted, match="does not open"):
        extract_document(path, "application/pdf", limits=LIMITS, password="wrong")
    opened = extract_document(path, "application/pdf", limits=LIMITS, password="open sesame")
    assert opened.pages[0].text == "A secret sentence."
    assert opened.metadata.page_images is PageImageStatus.LOCKED


def test_unneeded_password_is_ignored(tmp_path: Path) -> None:
    protected(tmp_path)
    opened = extract_document(tmp_path / "open.pdf", "application/pdf", limits=LIMITS, password="open sesame")
    assert opened.metadata.page_images is PageImageStatus.AVAILABLE


@pytest.mark.parametrize("content", [b"%PDF-1.7\nnothing else\n%%EOF\n", b"%PDF-", b"%PDF-1.4\n" + b"\x00\xff" * 900])
def test_damaged_file_is_corrupt(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "damaged.pdf"
    path.write_bytes(content)
    with pytest.raises(Corrupt):
        extract_document(path, "application/pdf", limits=LIMITS)


def test_wrong_cross_reference_table_is_ignored(tmp_path: Path) -> None:
    pdf = Pdf()
    pdf.page().text(60, 700, "Still readable")
    path = tmp_path / "shifted.pdf"
    path.write_bytes(pdf.render().replace(b"startxref\n", b"startxref\n9"))
    page = extract_document(path, "application/pdf", limits=LIMITS).pages[0]
    assert page.text == "Still readable"
    assert page.boxes


def test_page_that_pdfium_rejects_is_read_without_boxes(tmp_path: Path) -> None:
    pdf = Pdf(information={"Title": "A second opinion"})
    pdf.page().text(60, 700, "Read by the other reader")
    path = tmp_path / "odd.pdf"
    path.write_bytes(pdf.render().replace(b"/Root 1 0 R", b"/Root 9 0 R"))
    document = extract_document(path, "application/pdf", limits=LIMITS)
    page = document.pages[0]
    assert (page.text, page.boxes, document.metadata.title) == ("Read by the other reader", b"", "A second opinion")
    assert "damaged" in (page.note or "")


def test_file_with_only_damaged_pages_is_corrupt(tmp_path: Path) -> None:
    pdf = Pdf()
    pdf.page().text(60, 700, "Lost")
    path = tmp_path / "pages.pdf"
    path.write_bytes(pdf.render().replace(b"/Kids [6 0 R]", b"/Kids 6 0 R  "))
    with pytest.raises(Corrupt):
        extract_document(path, "application/pdf", limits=LIMITS)


def test_misspelt_filter_name_loses_only_its_page(tmp_path: Path) -> None:
    pdf = Pdf()
    pdf.page().text(60, 700, "Lost")
    pdf.page().text(60, 700, "Kept")
    path = tmp_path / "filter.pdf"
    refused_by_pdfium = pdf.render().replace(b"/Root 1 0 R", b"/Root 99 0 R")
    path.write_bytes(refused_by_pdfium.replace(b"/FlateDecode", b"/Fl1teDecode", 1))
    lost, intact = extract_document(path, "application/pdf", limits=LIMITS).pages
    assert (lost.kind, lost.text, lost.note) == ("unreadable", "", "The page is damaged.")
    assert intact.text == "Kept"


def test_exceeded_page_and_character_limits_are_named(tmp_path: Path) -> None:
    pdf = Pdf()
    for number in range(3):
        pdf.page().text(60, 700, f"Page {number} has forty characters, give or take")
    path = pdf.write(tmp_path / "long.pdf")
    with pytest.raises(FileTooLarge, match="3 pages; the limit is 2"):
        extract_document(path, "application/pdf", limits=ExtractionLimits(max_pages=2))
    with pytest.raises(FileTooLarge, match="Page 1 has"):
        extract_document(path, "application/pdf", limits=ExtractionLimits(max_page_characters=20))
    with pytest.raises(FileTooLarge, match="more than 100 characters"):
        extract_document(path, "application/pdf", limits=ExtractionLimits(max_characters=100))


def test_letters_drawn_twice_for_boldness_are_read_once(tmp_path: Path) -> None:
    pdf = Pdf()
    page = pdf.page()
    for number, letter in enumerate("SURVEY"):
        for shift in (0.0, 0.4):
            page.text(60 + number * 8 + shift, 700, letter)
    page.text(60, 600, "OOTT").text(60, 500, "1122")
    document = extract_document(pdf.write(tmp_path / "bold.pdf"), "application/pdf", limits=ExtractionLimits())
    assert document.pages[0].text == "SURVEY\nOOTT\n1122"
