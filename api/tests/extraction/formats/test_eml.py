"""EML: headers, body, attached messages, names of attachments."""

from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

from lectern.extraction.detection import detect_content_type
from lectern.extraction.errors import Corrupt
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractedDocument, ExtractionLimits

Read = Callable[[bytes], ExtractedDocument]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read_bytes(content: bytes) -> ExtractedDocument:
        path = tmp_path / "made.eml"
        path.write_bytes(content)
        return extract_document(path, detect_content_type(content, path.name), limits=ExtractionLimits())

    return read_bytes


def message(subject: str, body: str) -> EmailMessage:
    made = EmailMessage()
    made["From"], made["To"], made["Date"] = "Ada <ada@example.org>", "Bo", "Fri, 1 Mar 2024 12:00:00 +0100"
    made["Subject"] = subject
    made.set_content(body)
    return made


def test_message_is_a_page_with_subject_headers_and_body(read: Read) -> None:
    document = read(message("Perché no?", "Twelve euro.\n\n\n\nRegards").as_bytes())
    assert document.pages[0].text == (
        "Perché no?\n\nFrom: Ada <ada@example.org>\nTo: Bo\nDate: Fri, 01 Mar 2024 12:00:00 +0100\n\n"
        "Twelve euro.\n\nRegards"
    )
    assert document.metadata.title == "Perché no?"
    assert dict(document.metadata.information)["from"] == "Ada <ada@example.org>"


def test_plain_text_is_preferred_over_html(read: Read) -> None:
    both = message("Fees of cards", "Plain words")
    both.add_alternative("<p>Marked words</p>", subtype="html")
    assert "Marked" not in read(both.as_bytes()).pages[0].text
    only = message("Fees of cards", "x")
    only.set_content("<h2>Fees</h2><script>x()</script><p>perché", subtype="html", charset="iso-8859-1")
    assert read(only.as_bytes()).pages[0].text.endswith("Fees\n\nperché")


def test_every_body_without_a_plain_alternative_is_read(read: Read) -> None:
    blank = message("Fees of cards", " ")
    blank.add_alternative("<p>Marked words</p>", subtype="html")
    assert "Marked words" in read(blank.as_bytes()).pages[0].text
    page = message("Fees of cards", "x")
    page.set_content("<p>Marked words</p>", subtype="html")
    page.make_mixed()
    footer = EmailMessage()
    footer.set_content("Sent to the list", disposition="inline")
    page.attach(footer)
    assert read(page.as_bytes()).pages[0].text.endswith("Marked words\n\nSent to the list")


def test_quoted_paragraph_is_marked_once(read: Read) -> None:
    body = "Yes.\nOn Monday, Bo wrote:\n> Is it free? The hall\n> has a stage.\n>\n> > Earlier\n> > words\n> Bo\nAda"
    text = read(message("Hall", body).as_bytes()).pages[0].text
    quoted = "> Is it free? The hall\nhas a stage.\n\n> > Earlier\nwords\n\n> Bo\n\nAda"
    assert text.endswith(f"Yes.\nOn Monday, Bo wrote:\n\n{quoted}")


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-8-sig"])
def test_headers_beyond_ascii_are_decoded_like_text(read: Read, encoding: str) -> None:
    raw = "From: Jörg Müller <j@example.org>\nTo: Bo\nDate: Fri, 1 Mar 2024 12:00:00 +0100\nSubject: Grüße\n\nHallo"
    document = read(raw.encode(encoding))
    assert document.metadata.title == "Grüße"
    assert "From: Jörg Müller <j@example.org>" in document.pages[0].text


def test_latin_1_is_read_as_windows_1252(read: Read) -> None:
    raw = b"From: a\nTo: b\nSubject: c\nContent-Type: text/plain; charset=ISO-8859-1\n\n\x93Yes\x94, \x80 5"
    assert read(raw).pages[0].text.endswith("“Yes”, € 5")


def test_attached_messages_are_pages_and_other_attachments_are_listed(read: Read) -> None:
    outer = message("Outer one", "See below.")
    outer.add_attachment(message("Inner one", "Deep words"))
    outer.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="Perché.pdf")
    first, second = read(outer.as_bytes()).pages
    assert "- Perché.pdf (application/pdf)" in first.text
    assert "Deep words" not in first.text
    assert second.text.startswith("Inner one\n\n")
    assert second.text.endswith("Deep words")


def test_wrong_charsets_and_broken_headers_are_tolerated(read: Read) -> None:
    raw = (
        b"From: =?no-such?q?Ada?= <a@b>\nTo: b\nSubject: =?utf-8?b?!!!?= fees \xe8\nDate: never\n"
        b"Content-Type: text/plain; charset=martian\n\nperch\xc3\xa9"
    )
    assert read(raw).pages[0].text.endswith("perché")


def test_endlessly_nested_parts_are_a_typed_failure(read: Read) -> None:
    head = b"From: a\nTo: b\nSubject: c\n"
    nested = b"".join(
        b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (number, number) for number in range(3_000)
    )
    with pytest.raises(Corrupt):
        read(head + nested + b"Content-Type: text/plain\n\nx")
    many = b'Content-Type: multipart/mixed; boundary="b"\n\n' + b"--b\n\nx\n" * 6_000
    with pytest.raises(Corrupt, match="5,000 parts"):
        read(head + many)
