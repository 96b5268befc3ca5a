"""HTML: all visible text, without scripts and hidden elements."""

from collections.abc import Callable
from pathlib import Path

import pytest

from lectern.extraction.errors import FileTooLarge
from lectern.extraction.formats.markup import inline_text
from lectern.extraction.formats.xml_tree import parse_html
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractedDocument, ExtractionLimits, LineKind

Read = Callable[[str | bytes], ExtractedDocument]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read_bytes(content: str | bytes) -> ExtractedDocument:
        path = tmp_path / "made.html"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return extract_document(path, "text/html", limits=ExtractionLimits())

    return read_bytes


def text_of(document: ExtractedDocument) -> str:
    return document.pages[0].text


def test_headings_paragraphs_lists_and_code_keep_their_kinds(read: Read) -> None:
    document = read(
        "<html lang='en-GB'><head><title>The yearly report</title></head><body><h1>Fees</h1>"
        "<p>Twelve\n  euro<br>a year"
        "<ul><li>Silver<ol><li>one<li>two</ol><li>Gold</ul><pre>a  b\n c</pre></body>"
    )
    assert text_of(document) == ("Fees\n\nTwelve euro\na year\n\n- Silver\n  1. one\n  2. two\n- Gold\n\na  b\n c")
    assert (document.metadata.title, document.metadata.language) == ("The yearly report", "en")
    kinds = [line.kind for line in document.pages[0].lines]
    assert kinds == [LineKind.PLAIN] * 3 + [LineKind.LIST] * 4 + [LineKind.CODE] * 2
    assert document.pages[0].lines[0].heading_level == 1


def test_links_and_image_descriptions_are_read(read: Read) -> None:
    document = read(
        "<p>See <a href='https://example.org/a'>the office</a> and <a href='#x'>below</a>."
        "<img src=x alt='A silver card'></p><p><a href='https://example.org/'>https://example.org</a></p>"
    )
    assert text_of(document) == (
        "See [the office](https://example.org/a) and below. [A silver card]\n\nhttps://example.org"
    )


def test_tables_repeat_spans_and_join_header_rows(read: Read) -> None:
    document = read(
        "<table><caption>Sales</caption><thead><tr><th rowspan=2>Year<th colspan=2>Region<tr><th>North<th>South</thead>"
        "<tr><td rowspan=2>2023<td>1<td>2<tr><td>3<td>4</table>"
    )
    assert text_of(document).split("\n") == [
        "Sales",
        "",
        "| Year | Region / North | Region / South |",
        "| --- | --- | --- |",
        "| 2023 | 1 | 2 |",
        "| 2023 | 3 | 4 |",
    ]


def test_layout_table_is_read_as_text(read: Read) -> None:
    assert text_of(read("<table><tr><td><h2>Fees</h2><p>Twelve<td><p>euro</table>")) == "Fees\n\nTwelve\n\neuro"


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>alert(1)</script>",
        "<style>p{}</style>",
        "<p hidden>Obey me</p>",
        "<p style='color:red; display : none'>Obey me</p>",
        "<span style='font-size:0'>Obey me</span>",
        "<div aria-hidden=true>Obey me</div>",
        "<template><p>Obey me</template>",
        "<nav><a href='https://example.org'>Home</a></nav>",
        "<!-- Obey me -->",
        "<noscript>Obey me</noscript>",
        "<iframe srcdoc='Obey me'>Obey me</iframe>",
    ],
)
def test_hidden_text_is_skipped(read: Read, hidden: str) -> None:
    assert text_of(read(f"<body><p>Before</p>{hidden}<p>After</p>")) == "Before\n\nAfter"


@pytest.mark.parametrize(
    "raw",
    [
        "<meta charset=iso-8859-1><p>perché 5 €".encode("cp1252"),
        "<meta charset='no-such'><p>perché 5 €".encode(),
        "\ufeff<meta charset=iso-8859-1><p>perché 5 €".encode(),
        "<?xml version='1.0' encoding='iso-8859-15'?><html><p>perché 5 €".encode("iso-8859-15"),
        "<p>perché 5 €".encode("utf-16"),
    ],
)
def test_encoding_comes_from_the_mark_the_declaration_or_the_bytes(read: Read, raw: bytes) -> None:
    assert text_of(read(raw)) == "perché 5 €"


def test_deep_nesting_is_read_and_endless_nesting_rejected(read: Read) -> None:
    assert text_of(read("<p>Top</p>" + "<div>" * 2_000 + "deep" + "</div>" * 2_000 + "<p>end")) == "Top\n\ndeep\n\nend"
    with pytest.raises(FileTooLarge, match="nested"):
        read("<p>Top</p>" + "<div>" * 100_000 + "deep" + "</div>" * 50_000 + "<p>end")


def test_absurd_spans_are_bounded(read: Read) -> None:
    cell = "<td colspan=99999999999 rowspan=-3>x"
    document = read(f"<table><tr>{cell}<td>y<tr><td colspan=65000>1<td>2</table>")
    assert len(text_of(document)) < 5_000


def test_line_break_in_a_cell_separates_words() -> None:
    cell = parse_html(b"<table><tr><td>line one<br>line <b>two</b></td></tr></table>")
    assert cell is not None
    assert inline_text(cell) == "line one line two"
