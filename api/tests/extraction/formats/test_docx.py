"""DOCX: all visible text in reading order."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.extraction.office_writer import RELATIONS, STRICT_WORD, WORD, archive, docx, paragraph, relations, word_table

from lectern.extraction.errors import Corrupt
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractedDocument, ExtractionLimits, LineKind

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

Read = Callable[[bytes], ExtractedDocument]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read_bytes(content: bytes) -> ExtractedDocument:
        path = tmp_path / "made.docx"
        path.write_bytes(content)
        return extract_document(path, DOCX, limits=ExtractionLimits())

    return read_bytes


def text_of(document: ExtractedDocument) -> str:
    return "\n\f\n".join(page.text for page in document.pages)


def test_headings_keep_their_levels_and_the_title_style_is_the_title(read: Read) -> None:
    body = paragraph("The cards", style="Top") + paragraph("Fees", style="H1") + paragraph("Reduced", style="H2")
    document = read(docx(body + paragraph("Twelve euro.")))
    assert [(entry.title, entry.level) for entry in document.metadata.outline] == [
        ("The cards", 1),
        ("Fees", 1),
        ("Reduced", 2),
    ]
    assert document.metadata.title == "The cards"
    levels = [line.heading_level for line in document.pages[0].lines]
    assert levels == [1, 1, 2, 0]


def test_headings_of_a_file_without_styles_are_known_by_the_ids_of_word(read: Read) -> None:
    body = paragraph("Policy", style="Heading1") + paragraph("Scope", style="Titolo2") + paragraph("Words.", style="x")
    document = read(docx(body, parts={"word/styles.xml": f'<w:styles xmlns:w="{WORD}"/>'}))
    assert [line.heading_level for line in document.pages[0].lines] == [1, 2, 0]


def test_title_from_the_properties_has_priority(read: Read) -> None:
    assert read(docx(paragraph("Fees", style="H1"), title="The yearly report")).metadata.title == "The yearly report"


def test_table_becomes_rows_below_its_header(read: Read) -> None:
    page = read(docx(word_table([["Card", "Fee"], ["Silver", "12 | 13"], ["Gold", "20"]]))).pages[0]
    assert page.text.split("\n") == ["| Card | Fee |", "| --- | --- |", "| Silver | 12 \\| 13 |", "| Gold | 20 |"]
    assert {line.kind for line in page.lines} == {LineKind.TABLE}


def test_merged_cells_repeat_their_text_in_every_row(read: Read) -> None:
    merged = '<w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr>' + paragraph("2023") + "</w:tc>"
    goes_on = "<w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc>"
    wide = '<w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>' + paragraph("Sales") + "</w:tc>"
    cell = "<w:tc>{}</w:tc>".format
    header = "<w:trPr><w:tblHeader/></w:trPr>"
    body = (
        f"<w:tbl><w:tr>{header}{cell(paragraph('Year'))}{wide}</w:tr>"
        f"<w:tr>{header}{cell(paragraph('Year'))}{cell(paragraph('North'))}{cell(paragraph('South'))}</w:tr>"
        f"<w:tr>{merged}{cell(paragraph('1'))}{cell(paragraph('2'))}</w:tr>"
        f"<w:tr>{goes_on}{cell(paragraph('3'))}{cell(paragraph('4'))}</w:tr></w:tbl>"
    )
    lines = read(docx(body)).pages[0].text.split("\n")
    assert lines == [
        "| Year | Sales / North | Sales / South |",
        "| --- | --- | --- |",
        "| 2023 | 1 | 2 |",
        "| 2023 | 3 | 4 |",
    ]


def test_numbered_paragraphs_keep_their_printed_numbers(read: Read) -> None:
    def numbered(text: str, level: int) -> str:
        return paragraph(text, extra=f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="3"/></w:numPr>')

    body = numbered("One", 0) + numbered("Deeper", 1) + numbered("Deeper still", 1) + numbered("Two", 0)
    lines = read(docx(body + numbered("Again", 1))).pages[0].text.split("\n")
    assert lines == ["1. One", "  1.a) Deeper", "  1.b) Deeper still", "2. Two", "  2.a) Again"]


SAVED_BREAK = "<w:lastRenderedPageBreak/>"


def words(*runs: str, before: str = "") -> str:
    """Return a paragraph of runs, each a text or an element."""
    made = "".join(run if run.startswith("<") else f"<w:t>{run}</w:t>" for run in runs)
    return f"<w:p>{before}<w:r>{made}</w:r></w:p>"


def pages_of(read: Read, body: str) -> list[str]:
    return [page.text for page in read(docx(body)).pages]


def test_pages_follow_the_page_breaks_saved_by_word(read: Read) -> None:
    own = words('<w:br w:type="page"/>')
    broken = words("goes over ", SAVED_BREAK, "the end.")
    body = paragraph("First") + broken + words(SAVED_BREAK, "Third, after a page of pictures") + own
    body += words(SAVED_BREAK, "Fourth: one break, by the author", '<w:br w:type="page"/>', "and one within")
    assert pages_of(read, body) == [
        "First\n\ngoes over the end.",
        "",
        "Third, after a page of pictures",
        "Fourth: one break, by the author\nand one within",
    ]


def test_paragraph_over_pages_is_on_the_first_and_counts_the_others(read: Read) -> None:
    body = words("A long ", SAVED_BREAK, "paragraph ", SAVED_BREAK, "ends.") + paragraph("Next")
    assert pages_of(read, body) == ["A long paragraph ends.", "", "Next"]


def test_break_within_a_link_is_a_page_break(read: Read) -> None:
    link = f'<w:hyperlink r:id="x"><w:r>{SAVED_BREAK}<w:t>Fees</w:t></w:r></w:hyperlink>'
    assert pages_of(read, paragraph("Contents") + f"<w:p>{link}</w:p>") == ["Contents", "Fees"]


@pytest.mark.parametrize(
    ("kind", "pages"),
    [
        ("", ["One", "Two"]),
        ("continuous", ["One\n\nTwo"]),
        ("oddPage", ["One", "", "Two"]),
        ("evenPage", ["One", "Two"]),
    ],
)
def test_section_begins_on_the_page_that_its_type_says(read: Read, kind: str, pages: list[str]) -> None:
    begin = f'<w:type w:val="{kind}"/>' if kind else ""
    body = paragraph("One", extra="<w:sectPr/>") + paragraph("Two") + f"<w:sectPr>{begin}</w:sectPr>"
    assert pages_of(read, body) == pages


def row(*cells: str) -> str:
    return f"<w:tr>{''.join(f'<w:tc>{cell}</w:tc>' for cell in cells)}</w:tr>"


def test_table_over_pages_has_its_header_on_each_and_a_row_where_it_begins(read: Read) -> None:
    rows = [
        row(paragraph("Card"), paragraph("Fee")),
        row(paragraph("Silver"), words("12 ", SAVED_BREAK, "or 13")),
        row(words(SAVED_BREAK, "Gold"), paragraph("20")),  # the break of the row before
        row(paragraph("Black"), paragraph("30")),
        row(words(SAVED_BREAK, "White"), words(SAVED_BREAK, "40")),
    ]
    top = "| Card | Fee |\n| --- | --- |\n"
    assert pages_of(read, f"<w:tbl>{''.join(rows)}</w:tbl>" + paragraph("After")) == [
        f"{top}| Silver | 12 or 13 |",
        f"{top}| Gold | 20 |\n| Black | 30 |",
        f"{top}| White | 40 |\n\nAfter",
    ]


def test_row_over_several_pages_is_divided(read: Read) -> None:
    rows = [
        row(paragraph("Topic"), paragraph("Text")),
        row(paragraph("Scope"), words("one ", SAVED_BREAK, "two ", SAVED_BREAK, "three")),
        row(paragraph("Terms"), paragraph("four")),
    ]
    top = "| Topic | Text |\n| --- | --- |\n"
    assert pages_of(read, f"<w:tbl>{''.join(rows)}</w:tbl>") == [
        f"{top}| Scope | one |",
        f"{top}|  | two |",
        f"{top}|  | three |\n| Terms | four |",
    ]


def test_merged_cell_that_begins_a_page_breaks_it(read: Read) -> None:
    merge = "<w:tcPr><w:vMerge{}/></w:tcPr>".format
    first, second = merge(' w:val="restart"') + paragraph("2023"), merge("") + words(SAVED_BREAK)
    rows = row(paragraph("Year"), paragraph("Sum")) + row(first, paragraph("1")) + row(second, paragraph("2"))
    top = "| Year | Sum |\n| --- | --- |\n"
    assert pages_of(read, f"<w:tbl>{rows}</w:tbl>") == [f"{top}| 2023 | 1 |", f"{top}| 2023 | 2 |"]


def test_charts_and_diagrams_are_read(read: Read) -> None:
    series = (
        '<c:ser><c:tx><c:v>Sales</c:v></c:tx><c:cat><c:pt idx="0"><c:v>2023</c:v></c:pt></c:cat>'
        '<c:val><c:pt idx="0"><c:v>7</c:v></c:pt></c:val></c:ser>'
    )
    parts = {
        "word/chart.xml": f'<c:chartSpace xmlns:c="c"><c:chart>{series}</c:chart></c:chartSpace>',
        "word/data.xml": '<dataModel xmlns="d"><pt><t>Apply</t></pt><pt><t>Wait</t></pt></dataModel>',
    }
    graphics = (
        '<w:drawing><c:chart xmlns:c="c" r:id="c"/></w:drawing><w:drawing><d:relIds xmlns:d="d" r:dm="d"/></w:drawing>'
    )
    body = words("Results", graphics) + paragraph("After")
    links = [("c", "chart", "chart.xml"), ("d", "diagramData", "data.xml")]
    text = text_of(read(docx(body, parts=parts, links=links)))
    assert text.split("\n\n") == ["Results", "|  | Sales |\n| --- | --- |\n| 2023 | 7 |", "- Apply\n- Wait", "After"]


def test_links_notes_comments_and_text_boxes_are_read_without_deleted_text(read: Read) -> None:
    body = (
        '<w:p><w:hyperlink r:id="x"><w:r><w:t>the office</w:t></w:r></w:hyperlink>'
        '<w:r><w:footnoteReference w:id="2"/><w:commentReference w:id="5"/></w:r>'
        "<w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins><w:r><w:t> added</w:t></w:r></w:ins>"
        f"<w:r><w:pict><w:txbxContent>{paragraph('in a box')}</w:txbxContent></w:pict></w:r></w:p>"
    )
    notes = f'<w:footnotes xmlns:w="{WORD}"><w:footnote w:id="2">{paragraph("See the law.")}</w:footnote></w:footnotes>'
    comment = f'<w:comment w:id="5" w:author="Ada">{paragraph("Check this.")}</w:comment>'
    parts = {"word/footnotes.xml": notes, "word/comments.xml": f'<w:comments xmlns:w="{WORD}">{comment}</w:comments>'}
    text = text_of(read(docx(body, parts=parts, links=[("x", "hyperlink", "https://example.org/a")])))
    assert text.split("\n\n") == [
        "[the office](https://example.org/a)[^2] added",
        "in a box",
        "[^2]: See the law.",
        "[Comment of Ada: Check this.]",
    ]


def test_strict_variant_is_read(read: Read) -> None:
    body = f'<w:document xmlns:w="{STRICT_WORD}"><w:body>{paragraph("Some text")}</w:body></w:document>'
    kind = "http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument"
    rels = f'<Relationships xmlns="x"><Relationship Id="a" Type="{kind}" Target="/word/document.xml"/></Relationships>'
    assert text_of(read(archive({"_rels/.rels": rels, "word/document.xml": body}))) == "Some text"


@pytest.mark.parametrize(
    "parts",
    [
        {"word/document.xml": "<w:document/>"},
        {"_rels/.rels": relations(("a", "officeDocument", "word/gone.xml"))},
        {"_rels/.rels": relations(("a", "officeDocument", "word/document.xml")), "word/document.xml": "<w:docu"},
        {"_rels/.rels": relations(("a", "officeDocument", "d.xml")), "d.xml": "<w xmlns='a'><nobody/></w>"},
    ],
)
def test_file_without_required_parts_is_damaged(read: Read, parts: dict[str, str]) -> None:
    with pytest.raises(Corrupt):
        read(archive(parts))


def test_endlessly_nested_paragraphs_are_rejected(read: Read) -> None:
    deep = "<w:sdt><w:sdtContent>" * 100 + paragraph("x") + "</w:sdtContent></w:sdt>" * 100
    with pytest.raises(Corrupt, match="nested too deeply"):
        read(docx(deep))


def margin(kind: str, *paragraphs: str) -> str:
    return f'<w:{kind} xmlns:w="{WORD}" xmlns:r="{RELATIONS}">{"".join(paragraphs)}</w:{kind}>'


def test_headers_and_footers_of_each_section_are_read_once_without_page_numbers(read: Read) -> None:
    field = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGE </w:instrText></w:r>'
    number = f"<w:p><w:r><w:t>Page </w:t></w:r>{field}<w:r><w:t>1</w:t></w:r></w:p>"
    named = paragraph("Travel policy, edition 3 of May 2024").replace("</w:p>", f"{field}</w:p>")
    parts = {
        "word/first.xml": margin("hdr", paragraph("Harbour Office"), word_table([["Our reference", "HO-17"]])),
        "word/default.xml": margin("hdr", named, number),
        "word/even.xml": margin("hdr", paragraph("Even pages")),
        "word/foot.xml": margin("ftr", number, paragraph("Registered in Trieste")),
        "word/later.xml": margin("hdr", paragraph("Annex")),
    }
    kinds = {"default": "d", "first": "h", "even": "e"}
    headers = "".join(f'<w:headerReference w:type="{kind}" r:id="{key}"/>' for kind, key in kinds.items())
    section = f'<w:sectPr>{headers}<w:footerReference w:type="default" r:id="g"/></w:sectPr>'
    last = section.replace('r:id="d"', 'r:id="l"')
    body = paragraph("Dear Ms Ray,") + paragraph("Yours", extra=section) + words(SAVED_BREAK, "Second page") + last
    links = [("h", "header", "first.xml"), ("d", "header", "default.xml"), ("e", "header", "even.xml")]
    document = read(docx(body, parts=parts, links=[*links, ("g", "footer", "foot.xml"), ("l", "header", "later.xml")]))

    first, second = (page.text for page in document.pages)
    assert first.split("\n\n") == [
        "Harbour Office\nOur reference\nHO-17",
        "Travel policy, edition 3 of May 2024",
        "Dear Ms Ray,",
        "Yours",
        "Registered in Trieste",
    ]
    assert second == "Annex\n\nSecond page"
