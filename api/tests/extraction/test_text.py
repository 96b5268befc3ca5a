"""Plain text in the encodings that people send, as one page or as form feeds say."""

import codecs
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lectern.extraction.errors import NoText
from lectern.extraction.registry import extract_document
from lectern.extraction.text import decode
from lectern.extraction.types import ExtractionLimits, PageKind

from .conftest import ReadText

ITALIAN = "Perché la città è così: «tariffe» da 12 € – già note."


@pytest.mark.parametrize(
    ("raw", "encoding"),
    [
        (ITALIAN.encode(), "utf-8"),
        (codecs.BOM_UTF8 + ITALIAN.encode(), "utf-8"),
        (codecs.BOM_UTF16_LE + ITALIAN.encode("utf-16-le"), "utf-16-le"),
        (codecs.BOM_UTF16_BE + ITALIAN.encode("utf-16-be"), "utf-16-be"),
        (codecs.BOM_UTF32_LE + ITALIAN.encode("utf-32-le"), "utf-32-le"),
        (ITALIAN.encode("utf-16-le"), "utf-16-le"),
        (ITALIAN.encode("utf-16-be"), "utf-16-be"),
        (ITALIAN.encode("cp1252"), "windows-1252"),
    ],
)
def test_the_encoding_is_found(raw: bytes, encoding: str) -> None:
    assert decode(raw) == (ITALIAN, encoding)


@given(st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=200))
def test_ascii_is_read_as_it_stands(text: str) -> None:
    assert decode(text.encode()) == (text, "utf-8")


def test_an_encoding_that_is_not_utf_8_is_noted(read_text: ReadText) -> None:
    assert read_text(ITALIAN.encode("cp1252")).pages[0].note == "Read as windows-1252."
    assert read_text(ITALIAN).pages[0].note is None


def test_a_text_is_one_page_and_form_feeds_part_it(read_text: ReadText) -> None:
    assert [page.text for page in read_text("one\n\ntwo").pages] == ["one\n\ntwo"]
    pages = read_text("first page\fsecond page\f\fthe fourth\f").pages
    assert [(page.page_number, page.text, page.kind) for page in pages] == [
        (1, "first page", PageKind.TEXT),
        (2, "second page", PageKind.TEXT),
        (3, "", PageKind.EMPTY),
        (4, "the fourth", PageKind.TEXT),
    ]


def test_line_ends_nulls_and_ligatures_are_tidied(read_text: ReadText) -> None:
    assert read_text("a\r\nb\rc\x00d \ufb01le\u00ad").pages[0].text == "a\nb\ncd file"


def test_lines_point_into_the_text(read_text: ReadText) -> None:
    page = read_text("  indented line  \n\n\tsecond\n").pages[0]
    assert [page.text[line.start : line.end] for line in page.lines] == ["indented line", "second"]


@settings(max_examples=30)
@given(words=st.lists(st.sampled_from(["word", "another\n", "x" * 40, "\n\n"]), min_size=1, max_size=200))
def test_a_very_long_text_continues_on_further_pages_without_loss(words: list[str]) -> None:
    text = " ".join(words)
    if not text.strip():
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.txt"
        path.write_text(text)
        pages = extract_document(path, "text/plain", limits=ExtractionLimits(max_page_characters=100)).pages
    assert all(len(page.text) <= 100 for page in pages)
    assert "".join("".join(page.text.split()) for page in pages) == "".join(text.split())


@pytest.mark.parametrize("content", [b"", b"   \n\n\f  ", b"\x00\x00\x00"])
def test_an_empty_text_is_no_text(read_text: ReadText, content: bytes) -> None:
    with pytest.raises(NoText, match="empty"):
        read_text(content)
