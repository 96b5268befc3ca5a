"""PPTX, ODT and EPUB: slides, soft pages and chapters are pages."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.extraction.office_writer import epub, odt, pptx, relations, shape, slide_xml

from lectern.extraction.detection import detect_content_type
from lectern.extraction.errors import Corrupt, Encrypted
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractedDocument, ExtractionLimits

Read = Callable[[bytes], ExtractedDocument]

CELL = "<a:tc><a:txBody><a:p><a:r><a:t>{}</a:t></a:r></a:p></a:txBody></a:tc>"


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read_bytes(content: bytes) -> ExtractedDocument:
        path = tmp_path / "made"
        path.write_bytes(content)
        return extract_document(path, detect_content_type(content, ""), limits=ExtractionLimits())

    return read_bytes


def test_slide_is_a_page_with_title_first_and_notes_last(read: Read) -> None:
    first = slide_xml(shape("A remark") + shape("The cards", kind="title") + shape("12.3.2024", kind="dt"))
    second = slide_xml(shape("Fees", kind="title") + shape("Silver", kind="body") + shape("12 euro", level=1))
    notes = slide_xml(shape("Say it slowly", kind="body"), root="notes")
    parts = {
        "ppt/slides/_rels/slide2.xml.rels": relations(("n", "notesSlide", "../notesSlides/notes.xml")),
        "ppt/notesSlides/notes.xml": notes,
    }
    document = read(pptx(first, second, parts=parts))
    assert [page.text for page in document.pages] == [
        "The cards\n\nA remark",
        "Fees\n\n- Silver\n  - 12 euro\n\nNotes: Say it slowly",
    ]
    assert [(entry.title, entry.page_number) for entry in document.metadata.outline] == [("The cards", 1), ("Fees", 2)]


CLASSIC = """<p:cmLst xmlns:p="p"><p:cm authorId="1"><p:pos x="1" y="1"/><p:text>Say 12,50</p:text></p:cm>
<p:cm authorId="9"><p:text> </p:text></p:cm></p:cmLst>"""
CLASSIC_AUTHORS = '<p:cmAuthorLst xmlns:p="p"><p:cmAuthor id="1" name="Bob Ray"/></p:cmAuthorLst>'
MODERN = """<c:cmLst xmlns:c="c" xmlns:a="a"><c:cm authorId="{A}">
<c:replyLst><c:reply authorId="{B}"><c:txBody><a:p><a:r><a:t>Done</a:t></a:r></a:p></c:txBody></c:reply></c:replyLst>
<c:txBody><a:p><a:r><a:t>Say 12,50</a:t></a:r></a:p></c:txBody></c:cm></c:cmLst>"""
MODERN_AUTHORS = '<c:authorLst xmlns:c="c"><c:author id="{A}" name="Bob Ray"/></c:authorLst>'


@pytest.mark.parametrize(
    ("comments", "authors", "kind", "replies"),
    [(CLASSIC, CLASSIC_AUTHORS, "commentAuthors", []), (MODERN, MODERN_AUTHORS, "authors", ["[Comment: Done]"])],
)
def test_comments_of_a_slide_come_last(read: Read, comments: str, authors: str, kind: str, replies: list[str]) -> None:
    parts = {
        "ppt/_rels/presentation.xml.rels": relations(("r0", "slide", "slides/slide1.xml"), ("a", kind, "authors.xml")),
        "ppt/slides/_rels/slide1.xml.rels": relations(("c", "comments", "../comments/comment1.xml")),
        "ppt/comments/comment1.xml": comments,
        "ppt/authors.xml": authors,
    }
    page = read(pptx(slide_xml(shape("Fees", kind="title")), parts=parts)).pages[0]
    assert page.text.split("\n\n") == ["Fees", "[Comment of Bob Ray: Say 12,50]", *replies]


def test_merged_cells_of_a_slide_are_in_each_row_and_each_column_of_the_header(read: Read) -> None:
    fee = CELL.format("Fee").replace("<a:tc>", '<a:tc gridSpan="2">')
    year = CELL.format("2024").replace("<a:tc>", '<a:tc rowSpan="2">')
    covered = '<a:tc {}="1"><a:txBody><a:p/></a:txBody></a:tc>'.format
    rows = (
        f"<a:tr>{CELL.format('Year')}{fee}{covered('hMerge')}</a:tr>"
        f"<a:tr>{year}{CELL.format('Gold')}{CELL.format('20')}</a:tr>"
        f"<a:tr>{covered('vMerge')}{CELL.format('Silver')}{CELL.format('12')}</a:tr>"
    )
    frame = (
        f"<p:graphicFrame><a:graphic><a:graphicData><a:tbl>{rows}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )
    assert read(pptx(slide_xml(frame))).pages[0].text.splitlines() == [
        "| Year | Fee | Fee |",
        "| --- | --- | --- |",
        "| 2024 | Gold | 20 |",
        "| 2024 | Silver | 12 |",
    ]


def test_tables_charts_links_and_hidden_slides_are_read(read: Read) -> None:
    rows = "".join(f"<a:tr>{CELL.format(a)}{CELL.format(b)}</a:tr>" for a, b in [("Card", "Fee"), ("Gold", "20")])
    frame = "<p:graphicFrame><a:graphic><a:graphicData>{}</a:graphicData></a:graphic></p:graphicFrame>".format
    linked = '<a:r><a:rPr><a:hlinkClick r:id="l"/></a:rPr><a:t>the office</a:t></a:r>'
    shapes = frame(f"<a:tbl>{rows}</a:tbl>") + frame('<c:chart xmlns:c="c" r:id="c"/>')
    shapes += f"<p:sp><p:txBody><a:p>{linked}</a:p></p:txBody></p:sp>"
    values = "<c:pt idx='0'><c:v>7</c:v></c:pt><c:pt idx='1'><c:v>9</c:v></c:pt>"
    names = "<c:pt idx='0'><c:v>2023</c:v></c:pt><c:pt idx='1'><c:v>2024</c:v></c:pt>"
    series = f"<c:ser><c:tx><c:v>Sales</c:v></c:tx><c:cat>{names}</c:cat><c:val>{values}</c:val></c:ser>"
    parts = {
        "ppt/slides/_rels/slide1.xml.rels": relations(
            ("c", "chart", "../charts/chart1.xml"), ("l", "hyperlink", "https://example.org")
        ),
        "ppt/charts/chart1.xml": f'<c:chartSpace xmlns:c="c"><c:chart>{series}</c:chart></c:chartSpace>',
    }
    page = read(pptx(slide_xml(shapes, attributes='show="0"'), parts=parts)).pages[0]
    assert page.text.split("\n\n") == [
        "| Card | Fee |\n| --- | --- |\n| Gold | 20 |",
        "|  | Sales |\n| --- | --- |\n| 2023 | 7 |\n| 2024 | 9 |",
        "[the office](https://example.org)",
    ]
    assert page.note == "The slide is hidden in the presentation."


def test_opendocument_text_keeps_headings_lists_tables_notes_and_pages(read: Read) -> None:
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    row = f"<table:table-row>{cell}{cell}</table:table-row>"
    body = (
        '<text:h text:outline-level="2">Fees</text:h>'
        '<text:p>Twelve<text:s text:c="2"/>euro<text:note><text:note-citation>1</text:note-citation><text:note-body>'
        '<text:p>See the law.</text:p></text:note-body></text:note>, see <text:a xlink:href="https://example.org">here'
        "</text:a>.</text:p><text:soft-page-break/>"
        "<text:list><text:list-item><text:p>One</text:p><text:list><text:list-item><text:p>Deep</text:p>"
        "</text:list-item></text:list></text:list-item></text:list>"
        f"<table:table>{row.format('Card', 'Fee')}{row.format('Gold', '20')}</table:table>"
    )
    document = read(odt(body))
    assert [page.text for page in document.pages] == [
        "Fees\n\nTwelve  euro[^1], see [here](https://example.org).\n\n[^1]: See the law.",
        "- One\n  - Deep\n\n| Card | Fee |\n| --- | --- |\n| Gold | 20 |",
    ]
    assert [(entry.title, entry.level) for entry in document.metadata.outline] == [("Fees", 2)]


def test_protected_opendocument_text_is_reported(read: Read) -> None:
    manifest = "<m><e><encryption-data/></e></m>"
    with pytest.raises(Encrypted):
        read(odt("<text:p>x</text:p>", parts={"META-INF/manifest.xml": manifest}))


def test_book_chapters_are_pages_in_reading_order(read: Read) -> None:
    document = read(epub("<html><body><h1>One</h1><p>First.</p></body></html>", "<h1>Two</h1><p>Second.</p>"))
    assert [page.text for page in document.pages] == ["One\n\nFirst.", "Two\n\nSecond."]
    assert (document.metadata.title, document.metadata.language) == ("The cards", "en")
    assert [entry.page_number for entry in document.metadata.outline] == [1, 2]


def test_drm_is_reported_and_obfuscated_fonts_are_harmless(read: Read) -> None:
    cipher = '<e><CipherReference URI="OEBPS/{}"/></e>'.format
    font = {"META-INF/encryption.xml": cipher("font.otf")}
    assert read(epub("<p>First.</p>", parts=font)).pages
    with pytest.raises(Encrypted):
        read(epub("<p>First.</p>", parts={"META-INF/encryption.xml": cipher("text/c%200.xhtml")}))


@pytest.mark.parametrize("content", [pptx("<broken"), odt("<text:h>"), epub(parts={"OEBPS/book.opf": "<package/>"})])
def test_broken_parts_are_a_damaged_file(read: Read, content: bytes) -> None:
    with pytest.raises(Corrupt):
        read(content)
