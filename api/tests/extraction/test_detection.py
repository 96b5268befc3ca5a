"""The bytes of a file decide its type; names only distinguish text types."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectern.extraction.detection import HEAD_BYTES, detect_content_type
from lectern.extraction.errors import Corrupt, EmptyFile, Encrypted, UnsupportedFile
from lectern.extraction.registry import ACCEPTED_TYPES

from .office_writer import archive, docx, epub, odt, paragraph, pptx, slide_xml, xlsx
from .pdf_writer import Pdf

OFFICE = "application/vnd.openxmlformats-officedocument."
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 50
PDF_FILE = Pdf().render()


@pytest.mark.parametrize(
    ("head", "filename", "content_type"),
    [
        (PDF_FILE, "report.pdf", "application/pdf"),
        (PDF_FILE, "report.txt", "application/pdf"),
        (b"\x00\x01junk" * 60 + PDF_FILE, "late.pdf", "application/pdf"),
        (b"From: a mail\n\n" + PDF_FILE, "mail.pdf", "application/pdf"),
        (b"plain words", "notes.txt", "text/plain"),
        (b"plain words", "notes.pdf", "text/plain"),
        (b"plain words", "no-ending", "text/plain"),
        (b"code;name\n1;x\n", "table.csv", "text/csv"),
        (b"code;name\n1;x\n", "table.txt", "text/plain"),
        (b"<!DOCTYPE html><html>", "page.txt", "text/html"),
        (b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- x -->\n<html lang='it'>", "page.xhtml", "text/html"),
        (b"<p>A part of a page", "page.html", "text/html"),
        (b"From: a@b\nTo: c\nSubject: d\n e\n\nwords", "no-ending", "message/rfc822"),
        (b"From a@b Fri Mar  1 12:00:00 2024\nSubject: d\n\nwords", "no-ending", "application/mbox"),
        (b"From - Fri Mar 01 12:00:00 2024\r\nX-Status: 0\r\n\r\nwords", "Inbox.txt", "application/mbox"),
        (b"From noon, 12:00, in 2024\nwe went away", "travel.mbox", "text/plain"),
        (b"\xef\xbb\xbfBegin:VCalendar\r\nVERSION:2.0\r\n", "no-ending", "text/calendar"),
        (OLE + "__properties_version1.0".encode("utf-16-le"), "mail.doc", "application/vnd.ms-outlook"),
        (OLE, "mail.MSG", "application/vnd.ms-outlook"),
        (b"From: here\nTo: there\nwe went. Subject: none\n\nwords", "travel.txt", "text/plain"),
        (b"\x89PNG\r\n\x1a\n", "scan.pdf", "image/png"),
        (b"\xff\xd8\xff\xe0", "photo", "image/jpeg"),
        (b"II*\x00", "scan.tif", "image/tiff"),
        (b"RIFF\x00\x00\x00\x00WEBPVP8 ", "scan.png", "image/webp"),
        (docx(paragraph("x")), "report.docx", f"{OFFICE}wordprocessingml.document"),
        (docx(paragraph("x")), "wrong.pdf", f"{OFFICE}wordprocessingml.document"),
        (pptx(slide_xml("")), "wrong.xlsx", f"{OFFICE}presentationml.presentation"),
        (xlsx({"A": [[1]]}), "wrong.txt", f"{OFFICE}spreadsheetml.sheet"),
        (odt(""), "wrong.zip", "application/vnd.oasis.opendocument.text"),
        (epub("x"), "book", "application/epub+zip"),
        (archive({"word/document.xml": "x"}), "no-types", f"{OFFICE}wordprocessingml.document"),
        (archive({"media/large.bin": "x"}), "late.docx", f"{OFFICE}wordprocessingml.document"),
        (b"# Title", "README.MD", "text/markdown"),
        (b"# Title", "notes.markdown", "text/markdown"),
        ("Perché no".encode("cp1252"), "it.txt", "text/plain"),
        (codecs.BOM_UTF16_LE + "Perché".encode("utf-16-le"), "it.txt", "text/plain"),
        ("Perché no? Perché sì.".encode("utf-16-be"), "it.txt", "text/plain"),
        (b"A header begins with %PDF-1.7 in such files.\n", "about-pdf.md", "text/markdown"),
        (b"\x1b[32mgreen\x1b[0m log line\n", "run.log", "text/plain"),
        ("è".encode() * HEAD_BYTES, "cut.txt", "text/plain"),
        ("宿泊税は一泊百円です。".encode("cp932"), "ja.txt", "text/plain"),
        (("宿泊税は一泊百円です。" * HEAD_BYTES).encode("cp932")[:HEAD_BYTES], "cut.txt", "text/plain"),
        ("x".join(["宿泊税は一泊百円です。"] * HEAD_BYTES).encode("cp932")[:HEAD_BYTES], "cut.txt", "text/plain"),
        ("A log said “ready”.\n".encode() * 9 + b"and broke: \xff\n", "run.log", "text/plain"),
        (b"<?xml version='1.0'?><feed/>", "feed.txt", "text/plain"),
        (b"<svg width='9'></svg>\n\n# Lectern", "README.md", "text/markdown"),
    ],
)
def test_type_is_detected_from_the_bytes(head: bytes, filename: str, content_type: str) -> None:
    assert detect_content_type(head[:HEAD_BYTES], filename) == content_type


@pytest.mark.parametrize(
    ("head", "filename", "words"),
    [
        (b"MZ\x90\x00\x03" + b"\x00" * 60, "report.pdf", "program"),
        (b"MZ\x90\x03 made without zeros", "setup.exe", "program"),
        (b"MZ" + b"\x00" * 60 + b"%PDF-1.7\n1 0 obj", "report.pdf", "program"),
        (archive({"photo.jpg": "x"}), "photos.zip", "ZIP archive"),
        (archive({"mimetype": "application/vnd.oasis.opendocument.graphics"}), "a.odg", "drawing (.odg)"),
        (archive({"mimetype": "application/x-other"}), "a.docx", "application/x-other"),
        (archive({"[Content_Types].xml": "application/vnd.ms-excel.sheet.binary.macroEnabled"}), "a.xlsb", ".xlsb"),
        (OLE, "old.doc", "old Word version (.doc)"),
        (OLE, "old.xls", "old Excel version (.xls)"),
        (OLE, "old.ppt", "old PowerPoint version (.ppt)"),
        (OLE, "unknown", "old Office"),
        (OLE + "WordDocument".encode("utf-16-le"), "renamed.xls", "old Word version"),
        (b"GIF89a", "moving.gif", "picture"),
        (b"<!DOCTYPE svg><svg>", "drawing.svg", "XML"),
        (b"\xef\xbb\xbf  <?xml version='1.0'?>", "data.xml", "XML"),
        (b"<?xml version='1.0'?><feed/>", "no-ending", "XML"),
        (b"{\\rtf1\\ansi", "letter.rtf", "Rich Text"),
        (bytes(range(256)) * 4, "noise.bin", "binary"),
        (b"text with many\x00\x01\x02\x03 controls" * 3, "noise.txt", "binary"),
    ],
)
def test_rejection_names_the_type_and_the_accepted_types(head: bytes, filename: str, words: str) -> None:
    with pytest.raises(UnsupportedFile) as caught:
        detect_content_type(head, filename)
    assert words in caught.value.message
    assert "PDF, plain text, Markdown, HTML" in caught.value.message
    assert caught.value.details["accepted"] == list(ACCEPTED_TYPES)
    assert (caught.value.code, caught.value.status) == ("unsupported_type", 415)
    assert caught.value.hint


def test_protected_office_document_is_reported() -> None:
    for head, filename in [(OLE, "report.docx"), (OLE + "EncryptedPackage".encode("utf-16-le"), "old.doc")]:
        with pytest.raises(Encrypted, match="password"):
            detect_content_type(head, filename)


def test_a_file_without_bytes_has_no_type() -> None:
    with pytest.raises(EmptyFile):
        detect_content_type(b"", "empty.pdf")


def test_pdf_without_its_beginning_is_corrupt() -> None:
    with pytest.raises(Corrupt, match="beginning is missing"):
        detect_content_type(b"1 0 obj << /Type /Catalog >> endobj\ntrailer\n%%EOF", "cut.pdf")


@given(
    st.sampled_from([b"", b"PK\x03\x04", OLE, b"From: "]).flatmap(
        lambda mark: st.binary(max_size=2000).map(mark.__add__)
    ),
    st.sampled_from(["a.pdf", "a.txt", "a.md", "a", "a.exe", "a.docx", "a.csv"]),
)
def test_any_bytes_have_a_type_or_a_typed_failure(head: bytes, filename: str) -> None:
    try:
        content_type = detect_content_type(head, filename)
    except (UnsupportedFile, Corrupt, Encrypted, EmptyFile):
        return
    assert content_type in ACCEPTED_TYPES
