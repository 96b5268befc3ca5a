"""ODS and ODP: sheets and slides are pages. Cells have their displayed values."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.extraction.office_writer import ODF_SPACES, odp, ods, ods_rows, odt

from lectern.extraction.detection import detect_content_type
from lectern.extraction.errors import Corrupt, Encrypted, FileTooLarge
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractedDocument, ExtractionLimits

Read = Callable[..., ExtractedDocument]
HIDDEN_SHEET = '<style:style style:name="off"><style:table-properties table:display="false"/></style:style>'
HIDDEN_SLIDE = (
    '<style:style style:name="off"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>'
)
X = "<table:table-cell><text:p>x</text:p></table:table-cell>"
MANY = X.replace("cell>", 'cell table:number-columns-repeated="16384">', 1)
LOCKED = {"META-INF/manifest.xml": "<m><e><encryption-data/></e></m>"}


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read_bytes(content: bytes, **limits: Any) -> ExtractedDocument:
        path = tmp_path / "made"
        path.write_bytes(content)
        return extract_document(path, detect_content_type(content, "made"), limits=ExtractionLimits(**limits))

    return read_bytes


def sheet(name: str, rows: str, *, style: str = "") -> str:
    return f'<table:table table:name="{name}" table:style-name="{style}">{rows}</table:table>'


def test_sheets_are_pages_with_their_tables_and_columns(read: Read) -> None:
    cards = ods_rows(("Card", "Fee"), ("Silver", "12.00"), ("Gold", "20.00"))
    towns = ods_rows(("Town", "People"), ("Rome", "2,800,000"))
    document = read(ods(sheet("Cards", cards) + sheet("Towns", towns, style="off"), styles=HIDDEN_SHEET))
    assert document.pages[0].text == "Cards\n\n| Card | Fee |\n| --- | --- |\n| Silver | 12.00 |\n| Gold | 20.00 |"
    assert document.pages[1].text.startswith("Towns\n\n| Town | People |")
    assert [(entry.title, entry.page_number) for entry in document.metadata.outline] == [("Cards", 1), ("Towns", 2)]
    assert document.pages[0].note == "Columns: Card (text), Fee (number)."
    assert document.pages[1].note == "The sheet is hidden in the workbook. Columns: Town (text), People (number)."
    assert '"Fee", "type": "number"' in dict(document.metadata.information)["columns"]


def test_repeated_cells_and_rows_are_expanded_and_blank_ones_skipped(read: Read) -> None:
    rows = (
        ods_rows(("Card", "Fee", "Fee again"))
        + '<table:table-row table:number-rows-repeated="2"><table:table-cell><text:p>Gold</text:p></table:table-cell>'
        '<table:table-cell table:number-columns-repeated="2"><text:p>20</text:p></table:table-cell>'
        '<table:table-cell table:number-columns-repeated="16000"/></table:table-row>'
        '<table:table-row table:number-rows-repeated="1048000"><table:table-cell/></table:table-row>'
    )
    (page,) = read(ods(sheet("A", rows))).pages
    assert page.text.endswith("| Fee again |\n| --- | --- | --- |\n| Gold | 20 | 20 |\n| Gold | 20 | 20 |")


def test_grouped_rows_links_comments_and_cell_lines_are_read(read: Read) -> None:
    rows = (
        f"<table:table-header-rows>{ods_rows(('Card', 'Where'))}</table:table-header-rows><table:table-row-group>"
        "<table:table-row><table:table-cell><office:annotation><text:p>Ask Ada.</text:p></office:annotation>"
        "<text:p>Gold</text:p><text:p>and more</text:p></table:table-cell><table:table-cell><text:p>"
        '<text:a xlink:href="https://example.org">here</text:a></text:p></table:table-cell></table:table-row>'
        "</table:table-row-group>"
    )
    (page,) = read(ods(sheet("A", rows))).pages
    assert "| Gold and more | [here](https://example.org) |" in page.text
    assert page.text.endswith("[Comment on A2: Ask Ada.]")


@pytest.mark.parametrize(
    "row",
    [
        f'<table:table-row table:number-rows-repeated="1000000">{X}</table:table-row>',
        f"<table:table-row>{MANY}{X}</table:table-row>",
    ],
)
def test_few_bytes_for_millions_of_cells_are_too_large(read: Read, row: str) -> None:
    with pytest.raises(FileTooLarge, match="more cells"):
        read(ods(sheet("A", row)), max_lines=100_000)


def test_slides_are_pages_with_title_lists_tables_pictures_and_notes(read: Read) -> None:
    shape = "<draw:frame {}><draw:text-box>{}</draw:text-box></draw:frame>".format
    table = "<draw:frame><table:table>" + ods_rows(("Card", "Fee"), ("Gold", "20")) + "</table:table></draw:frame>"
    items = "<text:list><text:list-item><text:p>One</text:p></text:list-item></text:list>"
    first = (
        "<draw:page>"
        + shape("", "<text:p>Drawn before the title</text:p>")
        + shape('presentation:class="title"', "<text:p>Fees</text:p>")
        + shape('presentation:class="outline"', items)
        + "<draw:g><draw:custom-shape><text:p>In a box</text:p></draw:custom-shape></draw:g>"
        + table
        + "<draw:frame><draw:image/><svg:desc>A chart of fees</svg:desc></draw:frame>"
        + "<presentation:notes>"
        + shape("", "<text:p>Say it slowly.</text:p>")
        + "</presentation:notes></draw:page>"
    )
    second = '<draw:page draw:style-name="off">' + shape("", "<text:p>Secret</text:p>") + "</draw:page>"
    document = read(odp(first + second, styles=HIDDEN_SLIDE))
    assert document.pages[0].text.split("\n\n") == [
        "Fees",
        "Drawn before the title",
        "- One",
        "In a box",
        "| Card | Fee |\n| --- | --- |\n| Gold | 20 |",
        "[A chart of fees]",
        "Notes: Say it slowly.",
    ]
    assert (document.pages[1].text, document.pages[1].note) == ("Secret", "The slide is hidden in the presentation.")
    assert document.metadata.title == "Fees"


@pytest.mark.parametrize("make", [ods, odp])
def test_password_and_missing_body_raise_different_errors(read: Read, make: Callable[..., bytes]) -> None:
    with pytest.raises(Encrypted):
        read(make("", parts=LOCKED))
    with pytest.raises(Corrupt):
        read(make("", parts={"content.xml": "<office/>"}))


def ruled(**breaks: str) -> str:
    """Return paragraph styles by name that break the page before."""
    return "".join(
        f'<style:style style:name="{name}" style:family="paragraph">'
        f'<style:paragraph-properties style:break-before="{kind}"/></style:style>'
        for name, kind in breaks.items()
    )


SOFT_BREAK = "<text:soft-page-break/>"


def test_texts_have_the_pages_of_their_recorded_and_own_breaks(read: Read) -> None:
    styles = ruled(New="page", Same="auto")
    styles += '<style:style style:name="Heir" style:family="paragraph" style:parent-style-name="New"/>'
    body = (
        '<text:p text:style-name="New">First</text:p>'
        f"<text:p>goes over {SOFT_BREAK}the end</text:p>"
        '<text:h text:style-name="Heir">Second heading</text:h><text:p text:style-name="Same">below</text:p>'
        f"<text:list><text:list-item><text:p>One</text:p></text:list-item><text:list-item><text:p>{SOFT_BREAK}Two</text:p>"
        "</text:list-item></text:list>"
    )
    assert [page.text for page in read(odt(body, styles=styles)).pages] == [
        "First\n\ngoes over the end",
        "",
        "Second heading\n\nbelow\n\n- One",
        "- Two",
    ]


def test_table_of_a_text_has_its_header_on_each_page(read: Read) -> None:
    rows = [
        ods_rows([name, fee]) for name, fee in [("Card", "Fee"), ("Silver", "12"), ("Gold", f"20 {SOFT_BREAK}or 21")]
    ]
    body = f"<table:table>{rows[0]}{rows[1]}{SOFT_BREAK}{rows[2]}</table:table><text:p>After</text:p>"
    top = "| Card | Fee |\n| --- | --- |\n"
    assert [page.text for page in read(odt(body)).pages] == [
        f"{top}| Silver | 12 |",
        f"{top}| Gold | 20 or 21 |",
        "After",
    ]


def test_headers_and_footers_of_a_text_are_read_once_without_page_numbers(read: Read) -> None:
    def master(name: str, *headers: str, footer: str = "", following: str = "") -> str:
        lines = "".join(f"<text:p>{header}</text:p>" for header in headers)
        return (
            f'<style:master-page style:name="{name}" style:next-style-name="{following}">'
            f"<style:header>{lines}</style:header><style:footer><text:p>{footer}</text:p></style:footer></style:master-page>"
        )

    number = "Page <text:page-number>1</text:page-number>"
    masters = master("Cover", "Harbour Office", following="Standard") + master("Annex", "Annex A", footer=number)
    masters += master("Standard", "Travel policy", number, footer="Registered in Trieste")
    parts = {
        "styles.xml": f"<office:document-styles {ODF_SPACES}><office:master-styles>{masters}</office:master-styles>"
        "</office:document-styles>"
    }
    styles = "".join(
        f'<style:style style:name="{name}" style:family="paragraph" style:master-page-name="{name}"/>'
        for name in ("Cover", "Annex")
    )
    body = (
        f'<text:p text:style-name="Cover">Title</text:p>{SOFT_BREAK}<text:p>Two</text:p>{SOFT_BREAK}'
        '<text:p>Three</text:p><text:p text:style-name="Annex">Four</text:p>'
    )
    assert [page.text for page in read(odt(body, styles=styles, parts=parts)).pages] == [
        "Harbour Office\n\nTitle",
        "Travel policy\n\nTwo\n\nRegistered in Trieste",
        "Three",
        "Annex A\n\nFour",
    ]


MERGED_ROWS = (
    "<table:table-row>"
    '<table:table-cell table:number-rows-spanned="2"><text:p>Year</text:p></table:table-cell>'
    '<table:table-cell table:number-columns-spanned="2"><text:p>Share</text:p></table:table-cell>'
    "<table:covered-table-cell/></table:table-row>"
    "<table:table-row><table:covered-table-cell/>{men}{women}</table:table-row>"
    '<table:table-row><table:table-cell table:number-rows-spanned="2"><text:p>1991</text:p></table:table-cell>'
    "{a}{b}</table:table-row>"
    "<table:table-row><table:covered-table-cell/>{c}{d}</table:table-row>"
).format(
    **{
        name: f"<table:table-cell><text:p>{text}</text:p></table:table-cell>"
        for name, text in {"men": "Men", "women": "Women", "a": "11", "b": "12", "c": "13", "d": "14"}.items()
    }
)


def test_merged_cells_of_a_sheet_are_in_each_row_and_each_column_of_a_header(read: Read) -> None:
    (page,) = read(ods(sheet("A", MERGED_ROWS))).pages
    assert page.text.splitlines()[-2:] == ["| 1991 | 11 | 12 |", "| 1991 | 13 | 14 |"]
    assert "| Year | Share / Men | Share / Women |" in page.text


def test_merged_cells_of_a_text_are_in_each_row_and_each_column_of_a_header(read: Read) -> None:
    (page,) = read(odt(f"<table:table>{MERGED_ROWS}</table:table>")).pages
    assert page.text.splitlines() == [
        "| Year | Share | Share |",
        "| --- | --- | --- |",
        "| Year | Men | Women |",
        "| 1991 | 11 | 12 |",
        "| 1991 | 13 | 14 |",
    ]


NUMBERED = (
    '<text:list-style style:name="Steps">'
    '<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="." />'
    '<text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")" text:start-value="2" />'
    '<text:list-level-style-number text:level="3" style:num-format="I" style:num-suffix="." text:display-levels="3" />'
    '<text:list-level-style-bullet text:level="4" text:bullet-char="•" />'
    "</text:list-style>"
)


def items(*contents: str, attributes: str = "") -> str:
    each = "".join(f"<text:list-item>{content}</text:list-item>" for content in contents)
    return f"<text:list {attributes}>{each}</text:list>"


def test_numbered_lists_have_their_numbers(read: Read) -> None:
    deepest = items("<text:p>Knot</text:p>" + items("<text:p>Loop</text:p>"), "<text:p>Bow</text:p>")
    body = (
        items(
            "<text:p>Open</text:p><text:p>the box</text:p>",
            "<text:p>Tie</text:p>" + items("<text:p>left</text:p>", "<text:p>right</text:p>" + deepest),
            attributes='text:style-name="Steps"',
        )
        + "<text:p>Between</text:p>"
        + items("<text:p>Close</text:p>", attributes='text:style-name="Steps" text:continue-numbering="true"')
        + items("<text:p>Again</text:p>", attributes='text:style-name="Steps"')
        + items("<text:p>Plain</text:p>")
    )
    (page,) = read(odt(body, styles=NUMBERED)).pages
    assert page.text.split("\n") == [
        "1. Open",
        "- the box",
        "2. Tie",
        "  b) left",
        "  c) right",
        "    2.c.I. Knot",
        "      - Loop",
        "    2.c.II. Bow",
        "",
        "Between",
        "",
        "3. Close",
        "1. Again",
        "- Plain",
    ]
