"""Plain text in common encodings, with form feeds as page breaks."""

import codecs
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.extraction.conftest import ReadText

from lectern.extraction.errors import EmptyFile
from lectern.extraction.formats.encodings import codec_of
from lectern.extraction.formats.text import decode
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractionLimits, PageKind

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
def test_encoding_is_detected(raw: bytes, encoding: str) -> None:
    assert decode(raw) == (ITALIAN, encoding)


TEXTS = {
    "shift-jis": "東京都の宿泊税は一泊につき百円です。子供は免除されます。①カタカナも使います。",
    "euc-jp": "東京都の宿泊税は一泊につき百円です。子供は免除されます。カタカナも使います。",
    "iso-2022-jp": "東京都の宿泊税は一泊につき百円です。",
    "gb18030": "城市住宿税为每晚十二元，儿童免征。请在离店前支付。",
    "big5": "城市住宿稅為每晚十二元，兒童免徵。請在離店前支付。",
    "euc-kr": "숙박세는 하룻밤에 백 원입니다. 어린이는 면제됩니다.",
    "windows-1251": "Туристический налог составляет двенадцать евро за ночь.",
    "koi8-r": "Туристический налог составляет двенадцать евро за ночь.",
    "windows-1253": "Ο φόρος διαμονής ανέρχεται σε δώδεκα ευρώ ανά διανυκτέρευση.",
    "windows-1255": "מס העירוני הוא שנים עשר אירו ללילה; ילדים פטורים מתשלום.",
    "windows-1250": "Płatność należy uregulować do końca miesiąca, bez opłat dodatkowych.",
    "iso-8859-2": "Každý uživatel platí služby včas; jinak se účtuje pokuta.",
    "windows-1256": "ضريبة الإقامة هي اثنا عشر يورو في الليلة؛ الأطفال معفون من الدفع.",
}


@pytest.mark.parametrize("encoding", TEXTS)
@pytest.mark.parametrize("shape", ["{}", "Invoice No. 12\n{}\nThank you.\n", "plain words. " * 9_000 + "\n{}\n"])
def test_other_scripts_and_central_european_texts_are_decoded_in_their_encoding(encoding: str, shape: str) -> None:
    text = shape.format(TEXTS[encoding])
    assert decode(text.encode(codec_of(encoding))) == (text, encoding)


@pytest.mark.parametrize(
    "text",
    [
        ITALIAN,
        "Perché no? È così.",
        "Titolarità",
        "Die Gebühr beträgt zwölf Euro; Kinder sind größtenteils befreit.",
        "Les élèves français ont déjà reçu leur bulletin à l’école.",
        "El año próximo ¿cómo está la niña? ¡Qué mañana!",
        "A informação não está disponível; o cão do João é são.",
        "Över på ön är vägen så smal; Åsa åt äpplen.",
        "Prices: 24 € – £20, 50° ± 2 § 3, “quotes” • points…",
        "Each m³, cm² and kg¹ counts; ½ of it³ is free. The note¹ says so.",
    ],
)
def test_latin_text_is_windows_1252(text: str) -> None:
    assert decode(text.encode("cp1252")) == (text, "windows-1252")


def test_broken_byte_loses_only_its_character(read_text: ReadText) -> None:
    page = read_text(ITALIAN.encode() * 3 + b" \xff\n").pages[0]
    assert page.text == ITALIAN * 3 + " \ufffd\n"
    assert page.note == "Read as utf-8; 1 character is damaged."


@given(st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=200))
def test_ascii_is_read_unchanged(text: str) -> None:
    assert decode(text.encode()) == (text, "utf-8")


def test_encoding_other_than_utf_8_is_noted(read_text: ReadText) -> None:
    assert read_text(ITALIAN.encode("cp1252")).pages[0].note == "Read as windows-1252."
    assert read_text(ITALIAN).pages[0].note is None


def test_form_feeds_split_a_text_into_pages(read_text: ReadText) -> None:
    assert [page.text for page in read_text("one\n\ntwo").pages] == ["one\n\ntwo"]
    pages = read_text("first page\fsecond page\f\fthe fourth\f").pages
    assert [(page.page_number, page.text, page.kind) for page in pages] == [
        (1, "first page", PageKind.TEXT),
        (2, "second page", PageKind.TEXT),
        (3, "", PageKind.EMPTY),
        (4, "the fourth", PageKind.TEXT),
    ]


def test_line_ends_nulls_and_ligatures_are_normalized(read_text: ReadText) -> None:
    assert read_text("a\r\nb\rc\x00d \ufb01le\u00ad").pages[0].text == "a\nb\ncd file"


def test_lines_point_into_the_text(read_text: ReadText) -> None:
    page = read_text("  indented line  \n\n\tsecond\n").pages[0]
    assert [page.text[line.start : line.end] for line in page.lines] == ["indented line", "second"]


@settings(max_examples=30)
@given(words=st.lists(st.sampled_from(["word", "another\n", "x" * 40, "\n\n"]), min_size=1, max_size=200))
def test_very_long_text_continues_on_more_pages_without_loss(words: list[str]) -> None:
    text = " ".join(words)
    if not text.strip():
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.txt"
        path.write_text(text)
        pages = extract_document(path, "text/plain", limits=ExtractionLimits(max_page_characters=100)).pages
    assert all(len(page.text) <= 100 for page in pages)
    assert "".join("".join(page.text.split()) for page in pages) == "".join(text.split())


@pytest.mark.parametrize("content", [b" ", b"   \n\n\f  ", b"\x00\x00\x00"])
def test_file_with_only_white_space_is_empty(read_text: ReadText, content: bytes) -> None:
    with pytest.raises(EmptyFile, match=r"^The file has only white space\.$") as caught:
        read_text(content)
    assert (caught.value.code, caught.value.hint) == ("empty", "Choose a file with content.")
