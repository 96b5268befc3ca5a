"""XLSX and CSV: headers are detected, columns analyzed, and every chunk of a table has its header."""

import io
import json
import re
import zipfile
from collections.abc import Callable, Sequence
from datetime import date, datetime
from pathlib import Path

import openpyxl
import pytest
from openpyxl.comments import Comment
from tests.extraction.office_writer import archive, xlsx

from lectern.chunking.chunker import chunk_document
from lectern.chunking.types import ChunkContent, ChunkingOptions
from lectern.extraction.detection import detect_content_type
from lectern.extraction.errors import FileTooLarge
from lectern.extraction.formats.csv_file import find_delimiter
from lectern.extraction.formats.spreadsheet import (
    analyse_columns,
    column_letters,
    common_columns,
    find_header,
    header_score,
    kind_of,
)
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractedDocument, ExtractionLimits, PageKind

Read = Callable[..., ExtractedDocument]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read_bytes(content: bytes, name: str = "made.xlsx", **limits: int) -> ExtractedDocument:
        path = tmp_path / "without-an-ending"
        path.write_bytes(content)
        return extract_document(path, detect_content_type(content, name), limits=ExtractionLimits(**limits))

    return read_bytes


def test_sheet_is_a_page_with_its_name_and_table(read: Read) -> None:
    document = read(xlsx({"Fees": [["Card", "Fee"], ["Silver", 12], ["Gold", 20.5]], "Empty": [], "Note": [["Hello"]]}))
    assert [page.text for page in document.pages] == [
        "Fees\n\n| Card | Fee |\n| --- | --- |\n| Silver | 12 |\n| Gold | 20.5 |",
        "Empty",
        "Note\n\nHello",
    ]
    assert [page.kind for page in document.pages] == [PageKind.TABLE, PageKind.TEXT, PageKind.TEXT]
    assert [(entry.title, entry.page_number) for entry in document.metadata.outline] == [
        ("Fees", 1),
        ("Empty", 2),
        ("Note", 3),
    ]
    assert document.pages[0].note == "Columns: Card (text), Fee (number)."


def test_values_are_formatted_as_displayed(read: Read, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.append(["Name", "Value"])
    for number, (value, number_format) in enumerate(
        [(0.153, "0.0%"), (222730, "#,##0"), (1234.5, "#,##0.00"), (82.0, "0.0"),
         (10.9, '0.00" kg"'), (1e6, "0.0E+00"), (date(2024, 3, 1), None), (True, None), (1e-7, None),
         (datetime.fromisoformat("2024-03-01 12:30"), None), ("=SUM(A1:A2)", None)]
    ):  # fmt: skip
        sheet.append([f"row {number}", value])
        if number_format:
            sheet.cell(row=number + 2, column=2).number_format = number_format
    path = tmp_path / "made.xlsx"
    book.save(path)
    rows = read(path.read_bytes()).pages[0].text.split("\n")[4:]
    assert [row.split(" | ")[1].removesuffix(" |") for row in rows] == [
        "15.3%", "222,730", "1,234.50", "82.0", "10.90", "1000000",
        "2024-03-01", "TRUE", "1e-07", "2024-03-01 12:30:00", "=SUM(A1:A2)",
    ]  # fmt: skip


def test_a_font_that_is_not_known_leaves_the_values_readable(read: Read) -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for row in (["Item", "Rate", "Day"], ["Tea", 0.25, date(2026, 3, 4)]):
        sheet.append(row)
    sheet["B2"].number_format = "0%"
    buffer = io.BytesIO()
    book.save(buffer)
    with zipfile.ZipFile(buffer) as packed:
        parts = {name: packed.read(name) for name in packed.namelist()}
    broken = parts["xl/styles.xml"].replace(b'<family val="2"', b'<family val="99"')
    assert broken != parts["xl/styles.xml"]
    document = read(archive(parts | {"xl/styles.xml": broken}))
    assert document.pages[0].text.endswith("| Tea | 25% | 2026-03-04 |")


def with_notes() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["Hotel", "Beds"], ["Roma & Sole", 40], ["Mare", 12]):
        sheet.append(row)
    sheet["A2"].hyperlink = "https://example.org/roma?a=1&b=2"
    sheet["B2"].hyperlink = "#Sheet!A1"
    sheet["B3"].comment = Comment("Rooms are\nbeing rebuilt.", "Ada")
    book.create_sheet("Empty")["A1"].comment = Comment("Nothing yet", "")
    output = io.BytesIO()
    book.save(output)
    return output.getvalue()


def changed(content: bytes, name: str, by: Callable[[bytes], bytes]) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as opened:
        return archive({one: by(opened.read(one)) if name in one else opened.read(one) for one in opened.namelist()})


def test_links_and_comments_of_cells_are_read(read: Read) -> None:
    sheet, empty = read(with_notes()).pages
    assert sheet.text.endswith(
        "| Hotel | Beds |\n| --- | --- |\n| [Roma & Sole](https://example.org/roma?a=1&b=2) | 40 |\n| Mare | 12 |\n\n"
        "[Comment of Ada on B3: Rooms are being rebuilt.]"
    )
    assert empty.text == "Empty\n\n[Comment on A1: Nothing yet]"


def test_text_boxes_follow_the_cells(read: Read) -> None:
    def box(*lines: str) -> str:
        written = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in lines)
        return f"<d:sp><d:txBody>{written}</d:txBody></d:sp>"

    drawing = (
        '<d:wsDr xmlns:d="d" xmlns:a="a" xmlns:m="m"><d:twoCellAnchor>'
        f"{box('Prices are net.', '', 'Ask Ada &amp; Bob.')}</d:twoCellAnchor><m:AlternateContent><m:Choice>"
        f"{box('Draft')}</m:Choice><m:Fallback>{box('Draft')}</m:Fallback></m:AlternateContent></d:wsDr>"
    )
    relation = b'<Relationship Id="z" Type="x/drawing" Target="/xl/drawings/boxes.xml"/></Relationships'
    related = changed(with_notes(), "_rels/sheet1", lambda raw: raw.replace(b"</Relationships", relation))
    with zipfile.ZipFile(io.BytesIO(related)) as opened:
        content = archive({**{name: opened.read(name) for name in opened.namelist()}, "xl/drawings/boxes.xml": drawing})
    assert read(content).pages[0].text.split("\n\n")[-3:] == [
        "Prices are net.\nAsk Ada & Bob.",
        "Draft",
        "[Comment of Ada on B3: Rooms are being rebuilt.]",
    ]


def test_comment_thread_of_a_cell_is_read_once(read: Read) -> None:
    talk = (
        '<ThreadedComments xmlns="x"><threadedComment ref="B3"><text>Why 12?</text></threadedComment>'
        '<threadedComment ref="B3"><text>One is locked.</text></threadedComment></ThreadedComments>'
    )
    relation = b'<Relationship Id="t" Type="x/threadedComment" Target="/xl/talk.xml"/>'
    content = changed(
        with_notes(),
        "worksheets/_rels/sheet1",
        lambda raw: raw.replace(b"</Relationships", relation + b"</Relationships"),
    )
    with zipfile.ZipFile(io.BytesIO(content)) as opened:
        content = archive({**{name: opened.read(name) for name in opened.namelist()}, "xl/talk.xml": talk})
    text = read(content).pages[0].text
    assert text.endswith("[Comment on B3: Why 12?]\n\n[Comment on B3: One is locked.]")
    assert "rebuilt" not in text


def test_damaged_comments_are_skipped_and_noted_in_the_ledger(read: Read) -> None:
    page = read(changed(with_notes(), "comments/comment1", lambda raw: raw[:60])).pages[0]
    assert "| Mare | 12 |" in page.text
    assert page.note is not None
    assert page.note.startswith("Links, text boxes, comments and merged cells could not be read. The file is damaged")


def test_strict_workbook_is_read(read: Read) -> None:
    usual = xlsx({"Fees": [["Card", "Fee"], ["Silver", 12]], "Days": [["Day"], [date(2024, 3, 1)]]})
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(usual)) as book, zipfile.ZipFile(made, "w") as strict:
        for name in book.namelist():
            content = book.read(name)
            if not name.startswith(("[", "docProps")):
                usual_names = rb"http://schemas\.openxmlformats\.org/(spreadsheetml|officeDocument|drawingml)/2006/"
                content = re.sub(usual_names, rb"http://purl.oclc.org/ooxml/\1/", content)
            strict.writestr(name, content)
    assert b"purl.oclc.org/ooxml/spreadsheetml/main" in zipfile.ZipFile(made).read("xl/worksheets/sheet1.xml")
    assert [page.text for page in read(made.getvalue()).pages] == [page.text for page in read(usual).pages]


def test_million_blank_rows_are_one(read: Read) -> None:
    content = xlsx({"Parts": [["Part", "Price"], ["EP1", 3]]})
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as book, zipfile.ZipFile(made, "w") as padded:
        for name in book.namelist():
            part = book.read(name).replace(b"</sheetData>", b'<row r="1048576"></row></sheetData>')
            padded.writestr(name, part)
    (page,) = read(made.getvalue()).pages
    assert page.text == "Parts\n\n| Part | Price |\n| --- | --- |\n| EP1 | 3 |"


def test_columns_and_shared_columns_are_listed_as_json(read: Read) -> None:
    sheets = {
        "North": [["Date", "Amount", "Who"], ["2024-03-01", 1, "A"], ["2024-03-02", 2, None]],
        "South": [["Date", "Amount", "Where"], ["2024-03-01", 1, "B"]],
    }
    information = dict(read(xlsx(sheets)).metadata.information)
    assert json.loads(information["columns"])["North"] == [
        {"name": "Date", "type": "date", "density": 1.0},
        {"name": "Amount", "type": "number", "density": 1.0},
        {"name": "Who", "type": "text", "density": 0.5},
    ]
    assert json.loads(information["common_columns"]) == ["Date", "Amount"]


@pytest.mark.parametrize(
    ("rows", "position"),
    [
        ([["Card", "Fee"], ["Silver", "12"]], 0),
        ([["Sales of the year", ""], ["in euro", ""], ["Card", "Fee"], ["Silver", "12"]], 2),
        ([["1", "2"], ["3", "4"]], None),
        ([["Name", "Town"], ["Ada", "Rome"], ["Bo", "Pisa"]], 0),
        ([["Card", "Fee"]], None),
        ([[str(n), "x"] for n in range(12)] + [["Card", "Fee"], ["a", "1"]], 0),
        ([["Item", "2024", "2025"], ["Sales", "1,200", "1,350"], ["Rent", "90", "95"]], 0),
        ([["Ada", "2019", "2020"], ["Bo", "2021", "2023"]], None),
        ([["Founded", "2010", "1995"], ["Staff", "120", "80"]], None),
        ([["Year", "Title", "Year", "Title"], ["1936", "Stompin'", "1945", "This Heart"]], 0),
        ([["Region", "Sales", "Sales"], ["Region", "First half", "Second half"], ["North", "1", "2"]], 1),
        ([["1", "0.5"], ["2002", "6,000"], ["2003", "***"], ["2004", "***"]], None),
        ([], None),
    ],
)
def test_header_is_detected_in_the_first_ten_rows(rows: list[list[str]], position: int | None) -> None:
    assert find_header(rows) == position


def test_header_score_weighs_uniqueness_text_and_coverage() -> None:
    assert header_score(["Card", "Fee"], width=2) == pytest.approx(1.0)
    assert header_score(["Card", "Card"], width=4) == pytest.approx(0.5 * 0.5 + 0.3 + 0.2 * 0.5)
    assert header_score(["1", "2"], width=2) == pytest.approx(0.7)
    assert header_score(["", ""], width=2) == 0


@pytest.mark.parametrize(
    ("cell", "kind"),
    [("12", "number"), ("-1.234,5 €", "number"), ("(12%)", "number"), ("2024-03-01", "date"), ("1/3/24", "date"),
     ("yes", "boolean"), ("12 euro", "text"), ("=1+1", "text"), (" ", "empty")],
)  # fmt: skip
def test_cell_kind_is_detected(cell: str, kind: str) -> None:
    assert kind_of(cell) == kind


def test_unnamed_columns_get_spreadsheet_letters() -> None:
    assert [column_letters(number) for number in (0, 25, 26, 701, 702)] == ["A", "Z", "AA", "ZZ", "AAA"]
    assert [column.name for column in analyse_columns(["Card"], [["x", "1"]])] == ["Card", "B"]
    assert common_columns([analyse_columns(["a"], [["1"]])]) == ()


def test_blank_row_separates_tables_with_their_own_headers(read: Read) -> None:
    rows = [["Card", "Fee"], ["Silver", 12], [], ["Town", "People"], ["Rome", 2800000], [], ["Pisa", 90000]]
    text = read(xlsx({"A": rows})).pages[0].text
    assert text.split("\n\n")[1:] == [
        "| Card | Fee |\n| --- | --- |\n| Silver | 12 |",
        "| Town | People |\n| --- | --- |\n| Rome | 2800000 |\n| Pisa | 90000 |",
    ]


@pytest.mark.parametrize(
    ("content", "delimiter"),
    [
        ("a,b\n1,2\n", ","),
        ("a;b\n1,5;2,5\n", ";"),
        ("a\tb\n1\t2", "\t"),
        ("a|b\n1|2", "|"),
        ("one\ntwo", ","),
        ("", ","),
    ],
)
def test_delimiter_is_the_one_with_equal_row_lengths(content: str, delimiter: str) -> None:
    assert find_delimiter(content) == delimiter


@pytest.mark.parametrize("first", [b"sep=;\r\n", b'"sep=;"\n', b"\xef\xbb\xbfSEP=;\n"])
def test_first_line_for_excel_names_the_delimiter(read: Read, first: bytes) -> None:
    content = first + b"Item;Price, net\r\nLamp;1,20\r\n"
    assert read(content, "made.csv").pages[0].text.split("\n") == [
        "| Item | Price, net |",
        "| --- | --- |",
        "| Lamp | 1,20 |",
    ]


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        (rb'"Horace \"Bubba\" Mitchell, Jazze Pha","a \\ b"', r'Horace "Bubba" Mitchell, Jazze Pha | a \ b'),
        (rb'"6\'5\"","190"', "6'5\" | 190"),
        (rb'"\"Poison\"","3:20"', '"Poison" | 3:20'),
        (rb'"12"" disc","C:\notes\"', '12" disc | C:\\notes\\'),
    ],
)
def test_quotation_marks_in_cells_are_escaped_or_doubled(read: Read, row: bytes, cells: str) -> None:
    text = read(b'"Name","Note"\n"Lamp","none"\n' + row + b"\n", "made.csv").pages[0].text
    assert text.split("\n")[2:] == ["| Lamp | none |", f"| {cells} |"]


def test_csv_formulas_stay_text(read: Read) -> None:
    content = b'Name,Value\n"=cmd|\' /C calc\'!A0",1\n"@SUM(1)","two\nlines"\n'
    assert read(content, "made.csv").pages[0].text.split("\n")[2:] == [
        "| =cmd\\|' /C calc'!A0 | 1 |",
        "| @SUM(1) | two lines |",
    ]


def test_huge_cell_is_too_large_and_long_table_repeats_its_header(read: Read) -> None:
    with pytest.raises(FileTooLarge, match="cell"):
        read(b"a,b\n1," + b"x" * 5_000, "made.csv", max_page_characters=2_000)
    rows = b"".join(b"%d,%s\n" % (number, b"y" * 20) for number in range(100))
    pages = read(b"Number,Words\n" + rows, "made.csv", max_page_characters=1_000).pages
    assert len(pages) > 2
    assert all(page.text.startswith("| Number | Words |\n| --- | --- |\n") for page in pages)
    assert sum(page.text.count("yyy |") for page in pages) == 100
    assert pages[1].note == "It continues the page before, which was full."


def test_every_chunk_of_a_table_has_its_header(read: Read) -> None:
    sheets = {name: [["Article", "Amount"], *[[f"{name} {n}", n] for n in range(300)]] for name in ("North", "South")}
    chunks = chunk_document(read(xlsx(sheets)), options=ChunkingOptions(target_tokens=200, overlap_tokens=20)).chunks
    assert len(chunks) > 10
    for chunk in chunks:
        assert "| Article | Amount |\n| --- | --- |" in chunk.text
        assert chunk.content_type is ChunkContent.TABLE
        name = ("North", "South")[chunk.page_number - 1]
        assert chunk.section_heading == name
        assert {"North": "South", "South": "North"}[name] not in chunk.text


def read_sheet(read: Read, rows: Sequence[Sequence[str | int | None]], *merged: str) -> list[str]:
    """Return the lines of a sheet with merged cells."""
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for row in rows:
        sheet.append(list(row))
    for area in merged:
        sheet.merge_cells(area)
    made = io.BytesIO()
    book.save(made)
    return read(made.getvalue()).pages[0].text.splitlines()


SALES = (["Shop", 1, 2, 3, 4], ["Web", 5, 6, 7, 8])


@pytest.mark.parametrize(
    ("header", "merged", "joined"),
    [
        (
            [[None, "Year ended 31 May", None, "Change", None], [None, 2025, 2024, "EUR", "%"]],
            ("B1:C1", "D1:E1"),
            "|  | Year ended 31 May / 2025 | Year ended 31 May / 2024 | Change / EUR | Change / % |",
        ),
        (
            [["Place", "Sales", "Costs", "Profit", "Tax"], [None, "million", None, "thousand", None]],
            ("A1:A2", "B2:C2", "D2:E2"),
            "| Place | Sales / million | Costs / million | Profit / thousand | Tax / thousand |",
        ),
        (
            [["Sales by place"], [None, "North", None, "South", None], ["(in million)", "Q1", "Q2", "Q1", "Q2"]],
            ("A1:E1", "B2:C2", "D2:E2"),
            "| (in million) | North / Q1 | North / Q2 | South / Q1 | South / Q2 |",
        ),
        (
            [[None, 2025, 2024, 2025, 2024], [None, "Gross", "Gross", "Net", "Net"]],
            (),
            "|  | 2025 / Gross | 2024 / Gross | 2025 / Net | 2024 / Net |",
        ),
    ],
)
def test_header_levels_are_joined_for_each_column(
    read: Read, header: Sequence[Sequence[str | int | None]], merged: Sequence[str], joined: str
) -> None:
    lines = read_sheet(read, [*header, *SALES], *merged)
    assert lines[-4:] == [
        joined,
        "| --- | --- | --- | --- | --- |",
        "| Shop | 1 | 2 | 3 | 4 |",
        "| Web | 5 | 6 | 7 | 8 |",
    ]


def test_merged_cells_of_values_stay_in_their_first_column(read: Read) -> None:
    rows = [["Room", "Mon", "Tue"], ["Blue", 1, 2], ["Red", "closed", None], ["Green", 3, 4]]
    assert "| Red | closed |  |" in read_sheet(read, rows, "B3:C3")


@pytest.mark.parametrize(
    ("names", "has_heading"), [(["Sheet1"], False), (["Fees"], True), (["Sheet1", "Sheet2"], True)]
)
def test_a_single_sheet_without_a_name_of_its_own_has_no_heading(
    read: Read, names: Sequence[str], *, has_heading: bool
) -> None:
    document = read(xlsx({name: [["Card", "Fee"], ["Silver", 12]] for name in names}))
    assert document.pages[0].text.startswith(names[0])
    assert [one.title for one in document.metadata.outline] == (names if has_heading else [])
    (chunk,) = chunk_document(document, options=ChunkingOptions()).chunks
    assert chunk.section_heading == (" · ".join(names) if has_heading else None)


def test_shares_of_nothing_name_no_column(read: Read) -> None:
    rows = [[None, "2025", "2024"], ["Hawaii", "15%", "19%"], ["Canada", "—%", "—%"], ["Total", "100%", "100%"]]
    assert "| Hawaii | 15% | 19% |" in read_sheet(read, rows)


def test_merged_cells_are_in_each_row_that_they_cover(read: Read) -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for row in [
        ["Year", "Sex", "Share"],
        [1991, "Men", 11],
        [None, "Women", 12],
        [],
        [1996, "Men", 9],
        [None, "Women", 8],
    ]:
        sheet.append(row)
    sheet.merge_cells("A2:A3")
    sheet.merge_cells("A5:A6")
    made = io.BytesIO()
    book.save(made)
    rows = [line for line in read(made.getvalue()).pages[0].text.splitlines() if line.startswith("| 19")]
    assert rows == ["| 1991 | Men | 11 |", "| 1991 | Women | 12 |", "| 1996 | Men | 9 |", "| 1996 | Women | 8 |"]
