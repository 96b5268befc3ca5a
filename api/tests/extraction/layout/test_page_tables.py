"""Table rows of real pages, with their headers."""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectern.extraction.layout.boxes import WordBoxes, pack_boxes, unpack_boxes
from lectern.extraction.layout.page_tables import TableRows, read_rows
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractedPage, ExtractionLimits

DOCUMENTS = Path(__file__).parents[4] / "test-docs" / "documents"


@cache
def page(file: str, number: int) -> ExtractedPage:
    extracted = extract_document(DOCUMENTS / file, "application/pdf", limits=ExtractionLimits())
    return extracted.pages[number - 1]


def plain_text(file: str, number: int) -> str:
    """Return the text with spaces instead of tabs between cells."""
    return page(file, number).text.replace("\t", " ")


def read(file: str, number: int, first: str, last: str | None = None) -> TableRows | None:
    text = plain_text(file, number)
    start = text.index(first)
    end = text.index(last or first, start) + len(last or first)
    return read_rows(page(file, number).text, page(file, number).boxes, start, end)


@pytest.mark.parametrize(
    ("file", "number", "row", "header", "cells"),
    [
        (
            "annual-report-2025.pdf",
            11,
            "Adriana Quercetti Chair 1994 No",
            ["Name", "Office", "Since", "Independent"],
            ["Adriana Quercetti", "Chair", "1994", "No"],
        ),
        (
            "procedura-antiriciclaggio-filiali.pdf",
            4,
            "Prelievo in contante 8.000",
            ["Operazione", "Soglia in euro", "Che cosa fare"],
            ["Prelievo in contante", "8.000", "Prenotare due giorni prima"],
        ),
        (
            "travel-and-expenses-policy.pdf",
            3,
            "New York, San Francisco 290 90",
            ["Place", "Limit per night (EUR)", "Meals per day (EUR)"],
            ["New York, San Francisco", "290", "90"],
        ),
        (
            "annual-report-2025.pdf",
            14,
            "Social contributions",
            ["Personnel expenses", "2025", "2024"],
            ["Social contributions", "24,928", "23,702"],
        ),
        (
            "annual-report-2025.pdf",
            14,
            "Personnel expenses (118",
            ["EUR thousand", "2025", "2024", "2023"],
            ["Personnel expenses", "(118,226)", "(112,407)", "(107,655)"],
        ),
    ],
)
def test_a_row_has_the_names_of_its_columns(
    file: str, number: int, row: str, header: list[str], cells: list[str]
) -> None:
    found = read(file, number, row)
    assert found is not None
    assert (found.header, found.rows) == (header, [cells])
    assert plain_text(file, number)[found.start : found.end].startswith(row)


def test_several_rows_are_one_table() -> None:
    found = read("annual-report-2025.pdf", 20, "Within one year", "14,500 20,000")
    assert found is not None
    assert [row[0] for row in found.rows] == [
        "Within one year",
        "One to two years",
        "Two to five years",
        "After five years",
    ]


def test_a_range_that_begins_with_the_header_has_the_rows_below_it() -> None:
    found = read("annual-report-2025.pdf", 9, "Region 2025 2024", "North-west 202,118 195,542")
    assert found is not None
    assert (found.header, found.rows) == (["Region", "2025", "2024"], [["North-west", "202,118", "195,542"]])


def test_a_wrapped_cell_is_joined() -> None:
    found = read("product-catalogue.pdf", 3, "SKU-0001", "16.90")
    assert found is not None
    assert found.rows == [
        [
            "SKU-0001",
            "Forgia carpenter's hammer, 300 g. Ash handle, magnetic nail holder, face ground by hand.",
            "16.90",
        ]
    ]


def place(*lines: Sequence[str]) -> tuple[str, bytes]:
    """Place the cells of lines in columns of the same width. An empty cell has no words."""
    text = "\n".join(" ".join(filter(None, line)) for line in lines)
    starts, ends, corners = list[int](), list[int](), list[list[float]]()
    for number, line in enumerate(lines):
        for column, cell in enumerate(line):
            if cell:
                starts.append(text.index(cell, ends[-1] if ends else 0))
                ends.append(starts[-1] + len(cell))
                corners.append([column / 5, number / 10, column / 5 + 0.15, number / 10 + 0.06])
    runs = np.arange(len(starts))
    boxes = WordBoxes(starts=np.array(starts), ends=np.array(ends), runs=runs, corners=np.array(corners))
    return text, pack_boxes(boxes)


def test_short_names_below_long_ones_are_in_the_header() -> None:
    rows = [["Lazio", "24", "1,350.0", "1,414.8"], ["Apulia", "30", "1,425.0", "1,500.1"]]
    names = ["Region", "Branches", "(million)", "(thousand)"]
    text, boxes = place(["", "", "Loans 2025", "Deposits 2025"], names, *rows)
    found = read_rows(text, boxes, text.index("Lazio"), len(text))
    assert found is not None
    assert (found.header, found.rows) == (
        ["Region", "Branches", "Loans 2025 (million)", "Deposits 2025 (thousand)"],
        rows,
    )


def test_a_wrapped_header_may_name_its_first_column_last() -> None:
    rows = [["2025", "4,113", "$9,020"], ["2024", "4,032", "$6,756"]]
    text, boxes = place(["", "Litres (1) (in", "Cost (1)(2) (in"], ["Year", "millions)", "(1)(2)"], *rows)
    found = read_rows(text, boxes, text.index("2024"), len(text))
    assert found is not None
    assert (found.header, found.rows) == (["Year", "Litres (1) (in millions)", "Cost (1)(2) (in (1)(2)"], rows[1:])


@pytest.mark.parametrize("second", [["Losses", "(1)", "(2)"], ["Support", "E-mail", "Phone"]])
def test_a_row_below_names_without_a_first_one_is_no_header(second: list[str]) -> None:
    text, boxes = place(["", "Basic", "Premium"], second, ["Users", "5", "10"], ["Backups", "weekly", "daily"])
    found = read_rows(text, boxes, text.index("Users"), len(text))
    assert found is not None
    assert found.header == ["", "Basic", "Premium"]


def test_a_column_of_dashes_and_a_few_words_stays_a_column() -> None:
    rows = [["AST", "23", "-"], ["GGT", "47", "-"], ["ALT", "90", "high"], ["LDH", "180", "-"]]
    text, boxes = place(["Test", "Value", "Flag"], *rows)
    found = read_rows(text, boxes, text.index("AST"), len(text))
    assert found is not None
    assert (found.header, found.rows) == (["Test", "Value", "Flag"], rows)


def test_the_first_row_of_words_is_no_header() -> None:
    rows = [["Support", "E-mail", "Phone"], ["Backups", "Weekly", "Daily"]]
    text, boxes = place(["", "Basic", "Premium"], *rows)
    found = read_rows(text, boxes, text.index("Support"), len(text))
    assert found is not None
    assert (found.header, found.rows) == (["", "Basic", "Premium"], rows)


def test_a_footnote_below_a_table_does_not_hide_its_columns() -> None:
    rows = [["Resource plan", "145", "0"], ["Exit from Mexico", "2", "41"], ["Total", "147", "41"]]
    text, boxes = place(["In millions", "2023", "2022"], *rows)
    words = unpack_boxes(boxes)
    note = "(1) Includes six million of inventory markdowns that are a part of sales"
    corners = [[0, 0.4, 0.02, 0.46], *([0.1 + 0.03 * word, 0.4, 0.125 + 0.03 * word, 0.46] for word in range(12))]
    starts = [len(text) + 1, *(len(text) + 1 + match.end() for match in re.finditer(" ", note))]
    ends = [*(start - 1 for start in starts[1:]), len(text) + 1 + len(note)]
    all_boxes = pack_boxes(
        WordBoxes(
            starts=np.append(words.starts, starts),
            ends=np.append(words.ends, ends),
            runs=np.append(words.runs, [words.runs[-1] + 1, *[words.runs[-1] + 2] * 12]),
            corners=np.concatenate([words.corners, corners]),
        )
    )
    found = read_rows(f"{text}\n{note}", all_boxes, text.index("Exit"), text.index("41"))
    assert found is not None
    assert (found.header, found.rows) == (["In millions", "2023", "2022"], [rows[1]])


def test_a_name_above_two_columns_is_no_header_of_their_figures() -> None:
    rows = [["Net sales", "69", "10", "150"], ["Costs", "58", "9", "98"]]
    text, boxes = place(["", "Three months ended", "", "Six months ended"], *rows)
    words = unpack_boxes(boxes)
    corners = words.corners.copy()
    corners[0, [0, 2]] = 0.2, 0.55
    boxes = pack_boxes(WordBoxes(starts=words.starts, ends=words.ends, runs=words.runs, corners=corners))
    assert read_rows(text, boxes, text.index("Costs"), len(text)) is None


@pytest.mark.parametrize(
    "header",
    [
        ["", "January 28, 2023", "January 29, 2022"],
        ["Years ended December 31,", "2023", "2022"],
        ["Season", "Kept, 60 mm soil, %", "Kept, 120 mm soil, %"],
        ["Model", "Top-1 accuracy", "F1 (LLM)"],
    ],
)
def test_dates_and_figures_within_names_are_in_a_header(header: list[str]) -> None:
    rows = [["Deferred revenue", "1,874", "2,936"], ["Leases", "(229)", "$467"]]
    text, boxes = place(header, *rows)
    found = read_rows(text, boxes, text.index("Leases"), len(text))
    assert found is not None
    assert (found.header, found.rows) == (header, rows[1:])


@pytest.mark.parametrize(
    "first",
    [["Gold", "EUR 5", "12"], ["Gold", "from EUR 5", "no fee"], ["31.12.", "50", "60"], ["Balance of May 3", "—", "—"]],
)
def test_a_row_with_figures_is_no_header(first: list[str]) -> None:
    text, boxes = place(first, ["Silver", "EUR 7", "14"], ["Bronze", "EUR 9", "16"])
    assert read_rows(text, boxes, text.index("Silver"), len(text)) is None


@pytest.mark.parametrize(
    ("file", "number", "text"),
    [
        ("annual-report-2025.pdf", 11, "The pay of the Chief Executive Officer"),
        ("annual-report-2025.pdf", 11, "Name Office Since Independent"),
        ("travel-and-expenses-policy.pdf", 1, "Approved by Chief Executive Officer"),
        ("branch-queues-paper.pdf", 1, "First, we use a complete record"),
    ],
    ids=["prose", "header", "title page", "two columns of prose"],
)
def test_what_is_below_no_header_is_no_row(file: str, number: int, text: str) -> None:
    assert read(file, number, text) is None


@st.composite
def drawn_pages(draw: st.DrawFn) -> tuple[str, bytes]:
    """Draw lines of words at random places, in cells and in none."""
    words = st.tuples(
        st.sampled_from(["Sales", "1,200", "2024", "$", "(3)", "%", "of"]), st.floats(0, 0.9), st.integers(0, 1)
    )
    lines = draw(st.lists(st.lists(words, min_size=1, max_size=6), min_size=1, max_size=8))
    starts, ends, runs, corners = list[int](), list[int](), list[int](), list[list[float]]()
    text, run = "", 0
    for number, line in enumerate(lines):
        run += 1
        for word, left, step in line:
            run += step
            text += " " * (not text.endswith("\n") and bool(text))
            starts.append(len(text))
            text += word
            ends.append(len(text))
            runs.append(run)
            corners.append([left, number / 10, min(left + len(word) / 50, 1.0), number / 10 + 0.06])
        text += "\n"
    boxes = WordBoxes(starts=np.array(starts), ends=np.array(ends), runs=np.array(runs), corners=np.array(corners))
    return text, pack_boxes(boxes)


@given(drawn_pages(), st.data())
def test_cells_have_every_word_of_their_rows(drawn: tuple[str, bytes], data: st.DataObject) -> None:
    text, boxes = drawn
    start = data.draw(st.integers(0, len(text) - 1))
    found = read_rows(text, boxes, start, data.draw(st.integers(start + 1, len(text))))
    if found is None:
        return
    assert {len(row) for row in found.rows} == {len(found.header)}
    cells = "".join("".join(row) for row in found.rows)
    assert sorted(cells.replace(" ", "")) == sorted("".join(text[found.start : found.end].split()))
