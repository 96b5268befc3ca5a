"""Wrapped rows without rules stay together if their cells are drawn one after the other."""

from collections.abc import Sequence

import pytest
from tests.extraction.conftest import ReadPdf
from tests.extraction.layout.test_ruled_rows import STEP, draw_table
from tests.extraction.pdf_writer import Pdf

COLUMNS = (60, 220, 340, 460)
ROWS = (
    ("Kind of work", "Paid by", "Limit"),
    ("Ordinary repairs\nof the boiler", "tenant", "200 euro"),
    ("Extraordinary maintenance\nof the lift", "owner", "none"),
    ("Paint of walls\nand ceilings", "tenant, after a notice\nof at least two months\nto the owner", "300 euro"),
)
ON_ONE_LINE = ["\t".join(row).replace("\n", " ") for row in ROWS]


def lines_of(read_pdf: ReadPdf, rows: Sequence[Sequence[str]], *, is_centred: bool = True) -> list[str]:
    """Return the lines of a page with a table without rules."""
    pdf = Pdf()
    draw_table(pdf.page(), rows, x=COLUMNS, top=700, rules="none", is_centred=is_centred)
    return read_pdf(pdf).pages[0].text.split("\n")


def one_by_one(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return each line of each cell."""
    return [line for row in rows for cell in row for line in cell.split("\n")]


@pytest.mark.parametrize("is_centred", [True, False])
def test_wrapped_row_is_one_line(read_pdf: ReadPdf, *, is_centred: bool) -> None:
    assert lines_of(read_pdf, ROWS, is_centred=is_centred) == ON_ONE_LINE


def test_wrapped_label_stays_with_its_figures(read_pdf: ReadPdf) -> None:
    rows = [(f"Account {number}\nof the bank", f"{number}.100,00", f"{number}.200,50") for number in range(1, 5)]
    assert lines_of(read_pdf, rows) == ["\t".join(row).replace("\n", " ") for row in rows]


def test_text_on_its_side_does_not_split_the_rows_of_a_page(read_pdf: ReadPdf) -> None:
    pdf = Pdf()
    page = pdf.page()
    draw_table(page, ROWS, x=COLUMNS, top=700, rules="none")
    page.operators.append("BT /F1 10 Tf 0 1 -1 0 30 400 Tm (Confidential) Tj ET")
    assert read_pdf(pdf).pages[0].text.split("\n")[:4] == ON_ONE_LINE


def test_lists_side_by_side_keep_their_lines(read_pdf: ReadPdf) -> None:
    rows = [
        ("Ground floor\nHall\nBath\nCellar", "Bright\nSouth", "1"),
        ("Upper floor\nBath\nAttic\nRoof", "Dark\nNorth", "2"),
    ]
    assert lines_of(read_pdf, rows, is_centred=False) == one_by_one(rows)


def test_heading_above_the_first_label_is_no_part_of_it(read_pdf: ReadPdf) -> None:
    pdf = Pdf()
    page = pdf.page()
    for number, heading in enumerate(("Current assets", "Fixed assets", "Other assets")):
        top = 700 - 3 * STEP * number
        page.lines(64, top, heading, f"Item {number} of the balance sheet", size=10, step=STEP)
        page.text(344, top - STEP, f"{number}.100,00", size=10)
    lines = read_pdf(pdf).pages[0].text.split("\n")
    assert [line for line in lines if "assets" in line] == ["Current assets", "Fixed assets", "Other assets"]


def test_single_pair_of_texts_stays_as_it_is(read_pdf: ReadPdf) -> None:
    rows = [("Harbour Lodge Ltd, a company\nof Porto Levante", "Invoice 2024-17", "Page 1")]
    assert lines_of(read_pdf, rows, is_centred=False) == [
        "Harbour Lodge Ltd, a company",
        "of Porto Levante",
        "Invoice 2024-17\tPage 1",
    ]
