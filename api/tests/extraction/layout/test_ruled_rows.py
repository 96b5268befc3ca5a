"""Rows that rules enclose stay together, also where cells are wrapped."""

from collections.abc import Sequence
from time import process_time

import pytest
from tests.extraction.conftest import ReadPdf
from tests.extraction.pdf_writer import Page, Pdf

from lectern.extraction.layout.boxes import rectangles
from lectern.extraction.layout.page_tables import read_rows

STEP, PADDING = 13, 6
ROWS = (
    ("Kind of work", "Paid by", "Limit"),
    ("Ordinary repairs\nof the boiler", "tenant", "200 euro"),
    ("Extraordinary maintenance\nof the lift and\nthe stairs", "owner", "none"),
    ("Paint", "tenant, after a\nnotice of a month", "300 euro\na year"),
    ("Gutters", "owner", "none"),
)
ON_ONE_LINE = [
    "Kind of work\tPaid by\tLimit",
    "Ordinary repairs of the boiler\ttenant\t200 euro",
    "Extraordinary maintenance of the lift and the stairs\towner\tnone",
    "Paint\ttenant, after a notice of a month\t300 euro a year",
    "Gutters\towner\tnone",
]


def draw_table(
    page: Page, rows: Sequence[Sequence[str]], *, x: Sequence[float], top: float, rules: str, is_centred: bool = True
) -> float:
    """Draw a table cell by cell; return its lower end.

    `rules` are `grid`, `rows`, `edges` (of each cell, above and below) or `boxes`.
    """
    for row in rows:
        height = max(cell.count("\n") + 1 for cell in row) * STEP + PADDING
        for left, right, cell in zip(x, x[1:], row, strict=False):
            lines = cell.split("\n")
            shift = (height - PADDING - len(lines) * STEP) / 2 if is_centred else 0
            page.lines(left + 4, top - shift - STEP, *lines, size=10, step=STEP)
            if rules == "grid":
                page.box(left, top - height, 0.5, height)
            if rules == "boxes":
                page.operators.append(f"{left + 1} {top - height + 1} {right - left - 2} {height - 2} re S")
            if rules == "edges":
                page.box(left, top - height, right - left, 0.5).box(left, top, right - left, 0.5)
        if rules in {"grid", "rows"}:
            page.box(x[0], top, x[-1] - x[0], 0.5).box(x[0], top - height, x[-1] - x[0], 0.5)
        if rules == "grid":
            page.box(x[-1], top - height, 0.5, height)
        top -= height
    return top


def test_row_without_wrapped_cells_stays_whole_where_others_look_like_two_columns(read_pdf: ReadPdf) -> None:
    wrapped = ("E1", "Spindle is too hot", "No coolant, or dust\nin the radiator", "Fill it up")
    single = ("E2", "Brake is not released", "Relay without power", "Measure its voltage")
    pdf = Pdf()
    draw_table(pdf.page(), [wrapped, single] * 8, x=(60, 90, 200, 310, 430), top=700, rules="rows", is_centred=False)
    lines = read_pdf(pdf).pages[0].text.split("\n")
    assert lines == ["\t".join(row).replace("\n", " ") for row in (wrapped, single)] * 8


@pytest.mark.parametrize("rules", ["grid", "rows", "edges", "boxes"])
def test_wrapped_row_with_centred_cells_is_one_line(read_pdf: ReadPdf, rules: str) -> None:
    pdf = Pdf()
    draw_table(pdf.page(), ROWS, x=(60, 220, 340, 460), top=700, rules=rules)
    assert read_pdf(pdf).pages[0].text.split("\n") == ON_ONE_LINE


@pytest.mark.parametrize("rules", ["grid", "edges", "boxes"])
def test_wrapped_row_with_cells_at_the_top_is_one_line(read_pdf: ReadPdf, rules: str) -> None:
    pdf = Pdf()
    draw_table(pdf.page(), ROWS, x=(60, 220, 340, 460), top=700, rules=rules, is_centred=False)
    assert read_pdf(pdf).pages[0].text.split("\n") == ON_ONE_LINE


def test_page_with_table_of_figures_keeps_wrapped_labels(read_pdf: ReadPdf) -> None:
    rows = [(f"Account {number}\nof the bank", f"{number}.100,00", f"{number}.200,50") for number in range(1, 9)]
    pdf = Pdf()
    draw_table(pdf.page(), rows, x=(60, 220, 340, 460), top=700, rules="rows")
    assert read_pdf(pdf).pages[0].text.split("\n") == ["\t".join(row).replace("\n", " ") for row in rows]


def test_words_of_a_wrapped_cell_have_a_rectangle_for_each_line(read_pdf: ReadPdf) -> None:
    pdf = Pdf()
    draw_table(pdf.page(), ROWS, x=(60, 220, 340, 460), top=700, rules="grid")
    page = read_pdf(pdf).pages[0]
    start = page.text.index("Ordinary")
    first, second = rectangles(page.boxes, start, page.text.index("\ttenant", start))
    assert first.y + first.height <= second.y + 0.003
    assert max(first.x + first.width, second.x + second.width) < 220 / 595
    assert [line.cells for line in page.lines] == [3] * 5


def test_rows_of_a_table_are_read_below_its_header(read_pdf: ReadPdf) -> None:
    pdf = Pdf()
    draw_table(pdf.page(), ROWS, x=(60, 220, 340, 460), top=700, rules="grid")
    page = read_pdf(pdf).pages[0]
    start = page.text.index("Extraordinary")
    table = read_rows(page.text, page.boxes, start, start + 10)
    assert table is not None
    assert table.header == list(ROWS[0])
    assert table.rows == [["Extraordinary maintenance of the lift and the stairs", "owner", "none"]]


def test_halves_of_a_broken_word_are_joined_in_a_cell(read_pdf: ReadPdf) -> None:
    rows = [*ROWS[:4], ("Inter-\nnational calls", "tenant", "none")]
    pdf = Pdf()
    draw_table(pdf.page(), rows, x=(60, 220, 340, 460), top=700, rules="grid")
    last = read_pdf(pdf).pages[0].text.split("\n")[-1]
    assert last in {"International calls\ttenant\tnone", "Inter-national calls\ttenant\tnone"}


def test_prose_between_tables_is_not_cut_at_their_columns(read_pdf: ReadPdf) -> None:
    pdf = Pdf()
    page = pdf.page()
    prose = [
        f"The tenant of flat {number} pays the works that the table above and the one below list."
        for number in range(4)
    ]
    end = draw_table(page, ROWS, x=(60, 220, 340, 460), top=800, rules="edges")
    page.lines(64, end - 20, *prose, size=10, step=STEP)
    draw_table(page, ROWS, x=(60, 220, 340, 460), top=end - 30 - 4 * STEP, rules="edges")
    assert read_pdf(pdf).pages[0].text.split("\n") == [*ON_ONE_LINE, *prose, *ON_ONE_LINE]


def test_several_rows_between_two_rules_stay_rows(read_pdf: ReadPdf) -> None:
    pdf = Pdf()
    page = pdf.page()
    for band in range(4):
        page.box(60, 700 - 40 * band, 400, 0.5)
        for x in (60, 260, 460):
            page.box(x, 660 - 40 * band, 0.5, 40)
        for row in range(2):
            y = 685 - 40 * band - row * STEP
            page.text(64, y, f"Item {band}{row} of stock", size=10).text(264, y, f"Shelf {row}", size=10)
    page.box(60, 540, 400, 0.5)
    lines = read_pdf(pdf).pages[0].text.split("\n")
    assert lines == [f"Item {band}{row} of stock\tShelf {row}" for band in range(4) for row in range(2)]


def test_shaded_lines_do_not_cut_wrapped_cells(read_pdf: ReadPdf) -> None:
    pdf = Pdf()
    page = pdf.page()
    for row in range(4):
        for x, name in ((60, "Left"), (260, "Right")):
            for line in range(2):
                y = 700 - 40 * row - line * STEP
                page.operators.append("0.9 g")
                page.box(x, y - 3, 200, STEP)
                page.operators.append("0 g")
                page.text(x + 4, y, f"{name} {row}, line {line}", size=10)
    lines = read_pdf(pdf).pages[0].text.split("\n")
    assert lines == [
        f"{name} {row}, line {line}" for row in range(4) for name in ("Left", "Right") for line in range(2)
    ]


def test_long_cells_stay_paragraphs(read_pdf: ReadPdf) -> None:
    text = "\n".join(f"Sentence {number} of a clause." for number in range(20))
    pdf = Pdf()
    draw_table(pdf.page(), [("Name", "Clause"), *[("Duty", text)] * 2], x=(60, 200, 460), top=780, rules="grid")
    assert "Sentence 0 of a clause.\nSentence 1 of a clause." in read_pdf(pdf).pages[0].text


def test_drawing_of_many_lines_costs_little(read_pdf: ReadPdf) -> None:
    pdf = Pdf()
    page = pdf.page()
    for number in range(2_900):
        page.box(60 + number % 50 * 8, 100 + number // 50 * 10, 7, 0.5)
    for number in range(400):
        page.text(60 + number % 20 * 22, 700 - number // 20 * 14, f"w{number}", size=8)
    started = process_time()
    assert "w399" in read_pdf(pdf).pages[0].text
    assert process_time() - started < 3
