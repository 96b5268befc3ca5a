"""Table rows stay whole, columns follow each other, dot leaders and line-end hyphens are removed."""

import pytest
from tests.extraction.conftest import ReadPdf
from tests.extraction.pdf_writer import Pdf

from lectern.extraction.layout.boxes import rectangles

STATEMENT = (
    ("Net sales", "222,730", "192,052"),
    ("Cost of sales", "(111,934)", "(88,265)"),
    ("Gross margin", "110,796", "103,787"),
    ("Marketing", "10,069", "7,233"),
    ("Operating income", "4,106", "4,186"),
    ("Net income", "3,033", "2,371"),
)
PROSE_LEFT = [
    "The",
    "committee",
    "met",
    "on",
    "the",
    "first",
    "of",
    "May",
    "and",
    "heard",
    "the",
    "report",
    "of",
    "the",
    "auditors",
]
PROSE_RIGHT = [
    "Members",
    "asked",
    "whether",
    "reserves",
    "would",
    "cover",
    "losses",
    "expected",
    "during",
    "autumn",
    "and",
    "early",
    "winter",
    "months",
]


def test_statement_drawn_by_row_keeps_its_rows(read_pdf: ReadPdf) -> None:
    pdf = Pdf()
    page = pdf.page()
    for number, (label, this_year, last_year) in enumerate(STATEMENT):
        y = 700 - 18 * number
        page.text(60, y, label).text(350, y, this_year).text(450, y, last_year)
    assert read_pdf(pdf).pages[0].text.split("\n") == ["\t".join(row) for row in STATEMENT]


def test_statement_drawn_by_column_keeps_its_rows(read_pdf: ReadPdf) -> None:
    pdf = Pdf()
    page = pdf.page()
    for column, x in enumerate((60, 350, 450)):
        for number, row in enumerate(STATEMENT):
            page.text(x, 700 - 18 * number, row[column])
    assert read_pdf(pdf).pages[0].text.split("\n") == ["\t".join(row) for row in STATEMENT]


def test_step_numbers_drawn_last_stand_before_their_steps(read_pdf: ReadPdf) -> None:
    prose = [f"Sentence {number} about the headset and its case." for number in range(30)]
    steps = ["Turn on the headset.", "Hold the button down.", "Listen to the voice."]
    pdf = Pdf()
    page = pdf.page().lines(50, 780, *prose, size=10)
    for number, step in enumerate(steps):
        page.text(70, 300 - 20 * number, step, size=10)
    for number in range(3):
        page.text(50, 300 - 20 * number, f"{number + 1}", size=10)
    assert read_pdf(pdf).pages[0].text.split("\n") == [
        *prose,
        *(f"{number}\t{step}" for number, step in enumerate(steps, 1)),
    ]


def column(words: list[str], repeat: int) -> list[str]:
    return [" ".join((*words[start : start + 5], f"mark{turn}")) for turn in range(repeat) for start in (0, 5, 10)]


def test_columns_drawn_row_by_row_are_read_in_sequence(read_pdf: ReadPdf) -> None:
    left, right = column(PROSE_LEFT, 8), column(PROSE_RIGHT, 8)
    pdf = Pdf()
    page = pdf.page()
    for number, (one, other) in enumerate(zip(left, right, strict=True)):
        page.text(50, 780 - 14 * number, one, size=10).text(320, 780 - 14 * number, other, size=10)
    assert read_pdf(pdf).pages[0].text.split("\n") == [*left, *right]


def test_column_of_short_lines_is_read_after_the_prose_next_to_it(read_pdf: ReadPdf) -> None:
    """A third of the column's lines are full, as next to a list or figure. All lines of the prose are full."""
    left, full = column(PROSE_LEFT, 12), column(PROSE_RIGHT, 12)
    right = [line if number % 3 == 0 else " ".join(line.split()[:4]) for number, line in enumerate(full)]
    pdf = Pdf()
    page = pdf.page()
    for number, (one, other) in enumerate(zip(left, right, strict=True)):
        page.text(50, 780 - 14 * number, one, size=10).text(320, 780 - 14 * number, other, size=10)
    assert read_pdf(pdf).pages[0].text.split("\n") == [*left, *right]


def test_columns_drawn_in_sequence_keep_their_order(read_pdf: ReadPdf) -> None:
    left, right = column(PROSE_LEFT, 8), column(PROSE_RIGHT, 8)
    pdf = Pdf()
    pdf.page().lines(50, 780, *left, size=10).lines(320, 780, *right, size=10)
    assert read_pdf(pdf).pages[0].text.split("\n") == [*left, *right]


def test_superscript_footnote_mark_does_not_break_its_row(read_pdf: ReadPdf) -> None:
    pdf = Pdf()
    pdf.page().text(60, 700, "Net sales").text(112, 704, "(1)", size=7).text(350, 700, "222,730").text(450, 700, "1")
    assert read_pdf(pdf).pages[0].text == "Net sales (1)\t222,730\t1"


def test_dot_leaders_are_removed(read_pdf: ReadPdf) -> None:
    pdf = Pdf()
    pdf.page().lines(60, 700, "Introduction ........................ 5", "Method . . . . . . . . . 12", "Wait... what")
    assert read_pdf(pdf).pages[0].text == "Introduction\t5\nMethod\t12\nWait... what"


def test_hyphenated_word_is_joined_and_keeps_both_boxes(read_pdf: ReadPdf) -> None:
    pdf = Pdf()
    pdf.page().lines(60, 700, "This speaks of inter-", "national trade and more", "of the AES-", "256 cipher")
    page = read_pdf(pdf).pages[0]
    assert page.text == "This speaks of international\ntrade and more\nof the AES-256\ncipher"
    start = page.text.index("international")
    first, second = rectangles(page.boxes, start, start + len("international"))
    assert first.x > second.x
    assert first.y < second.y


def test_compound_keeps_its_hyphen_on_a_page_without_hyphenation(read_pdf: ReadPdf) -> None:
    lines = [f"an ordinary line {letter} of the page" for letter in "abcdefghijklmnopqrstuvwxyz"]
    pdf = Pdf()
    pdf.page().lines(60, 800, *lines, "technology- and content-", "based assets", "and more")
    assert "technology- and content-based\nassets" in read_pdf(pdf).pages[0].text


def test_other_occurrence_on_the_page_decides_about_a_hyphen(read_pdf: ReadPdf) -> None:
    pdf = Pdf()
    pdf.page().lines(60, 700, "The value is content-based here", "and thus content-", "based there")
    assert read_pdf(pdf).pages[0].text == "The value is content-based here\nand thus content-based\nthere"


def test_superscript_between_label_and_numbers_does_not_split_them(read_pdf: ReadPdf) -> None:
    pdf = Pdf()
    page = pdf.page()
    for number in range(4):
        y = 700 - 16 * number
        page.text(60, y, "Other projects", size=8).text(114, y + 4, f"({number})", size=5)
        page.text(350, y, "355", size=8).text(450, y, "178", size=8)
    assert read_pdf(pdf).pages[0].text.split("\n") == [f"Other projects ({number})\t355\t178" for number in range(4)]


def test_cells_are_counted_by_wide_gaps(read_pdf: ReadPdf) -> None:
    pdf = Pdf()
    pdf.page().text(60, 700, "Net sales").text(350, 700, "222,730").text(450, 700, "192,052").text(60, 680, "One run")
    assert [line.cells for line in read_pdf(pdf).pages[0].lines] == [3, 1]


@pytest.mark.parametrize(
    ("second", "lines"),
    [
        ("Tank", ["Pump pressure\t15 bar", "Tank\t1.8 litres", "Everything is made of steel"]),
        ("", ["Pump pressure 15 bar", "1.8 litres", "Everything is made of steel"]),
    ],
    ids=["a cell below", "no cell below"],
)
def test_widest_cell_of_a_column_ends_where_the_next_row_has_a_cell(
    read_pdf: ReadPdf, second: str, lines: list[str]
) -> None:
    pdf = Pdf()
    page = pdf.page().text(60, 700, "Pump pressure").text(141, 700, "15 bar")
    if second:
        page.text(60, 680, second)
    page.text(141, 680, "1.8 litres").text(60, 660, "Everything is made of steel")
    assert read_pdf(pdf).pages[0].text.split("\n") == lines


def test_lines_have_size_weight_and_position(read_pdf: ReadPdf) -> None:
    pdf = Pdf()
    pdf.page().text(60, 760, "Annual report", size=22, bold=True).text(60, 700, "Plain words follow here.", size=11)
    heading, body = read_pdf(pdf).pages[0].lines
    assert heading.is_bold
    assert not body.is_bold
    assert 1.9 < heading.font_size / body.font_size < 2.1
    assert heading.top < body.top < body.bottom < 1
    assert heading.left == body.left


def test_sideways_margin_note_is_last_and_whole(read_pdf: ReadPdf) -> None:
    pdf = Pdf()
    page = pdf.page().text(20, 200, "stamped on 3 May 2020", turn=1, size=9)
    page.lines(60, 700, "The first line of the body", "and the second line of it", "then the last one")
    assert read_pdf(pdf).pages[0].text.split("\n") == [
        "The first line of the body",
        "and the second line of it",
        "then the last one",
        "stamped on 3 May 2020",
    ]


def test_font_size_does_not_depend_on_the_letters_in_fonts_without_ascent(read_pdf: ReadPdf) -> None:
    pdf = Pdf(has_ascent=False)
    pdf.page().lines(60, 700, "once more a sum", "Salary: 34,200 pay", size=11).text(60, 600, "sum", size=22)
    (small, other, large) = read_pdf(pdf).pages[0].lines

    assert small.font_size == pytest.approx(other.font_size, rel=0.05)
    assert large.font_size == pytest.approx(2 * small.font_size, rel=0.05)
