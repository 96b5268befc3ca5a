"""Mailboxes: a page for each message, separated as mail programs do it."""

import mailbox
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from time import process_time

import pytest

from lectern.extraction.detection import detect_content_type
from lectern.extraction.errors import Corrupt, FileTooLarge
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractedDocument, ExtractionLimits

Read = Callable[..., ExtractedDocument]
LINE = b"From ada@example.org Fri Mar  1 12:00:00 2024\n"


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read_bytes(content: bytes, **limits: int) -> ExtractedDocument:
        path = tmp_path / "made.mbox"
        path.write_bytes(content)
        return extract_document(path, detect_content_type(content, path.name), limits=ExtractionLimits(**limits))

    return read_bytes


def simple(subject: str, body: str) -> bytes:
    return LINE + f"From: Ada\nSubject: {subject}\n\n{body}\n\n".encode()


def test_mailbox_of_python_is_read_message_by_message(read: Read, tmp_path: Path) -> None:
    box = mailbox.mbox(tmp_path / "written.mbox")
    for number in range(3):
        made = EmailMessage()
        made["From"], made["To"], made["Subject"] = "Ada <ada@example.org>", "Bo", f"Perché {number}?"
        made.set_content(f"From now on it is {number} euro.\n\n> From Bo")
        made.add_attachment(b"%PDF" * 1000, maintype="application", subtype="pdf", filename="a.pdf")
        box.add(made)
    box.close()
    document = read((tmp_path / "written.mbox").read_bytes())
    assert [page.text for page in document.pages] == [
        f"Perché {number}?\n\nFrom: Ada <ada@example.org>\nTo: Bo\n\nFrom now on it is {number} euro.\n\n> From Bo\n\n"
        "Attachments (listed, not read):\n\n- a.pdf (application/pdf)"
        for number in range(3)
    ]
    assert [(item.title, item.page_number) for item in document.metadata.outline] == [
        (f"Perché {number}?", number + 1) for number in range(3)
    ]
    assert document.metadata.title is None


@pytest.mark.parametrize(
    "line",
    [
        b"From - Fri Mar 01 12:00:00 2024",
        b"From 1792@xxx Fri Mar 01 12:00:00 +0000 2024",
        b"From ada at example.org  Fri Mar  1 12:00:00 2024",
        b"From ada@example.org Fri Mar  1 12:00 CET 2024",
        b"From ada@example.org Fri Mar  1 12:00:00 2024 remote from there",
    ],
)
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_separators_of_mail_programs_are_known(read: Read, line: bytes, end: bytes) -> None:
    raw = b"".join(line + b"\nFrom: Ada\nSubject: Day %d\n\nWords %d\n\n" % (day, day) for day in range(3))
    assert [page.text for page in read(raw.replace(b"\n", end)).pages] == [
        f"Day {day}\n\nFrom: Ada\n\nWords {day}" for day in range(3)
    ]


def test_lines_from_within_a_text_do_not_end_it(read: Read) -> None:
    body = f"From the start.\n>From then on.\n>>From me.\nFrom 12:00 on 3 March 2024\nno header\n{LINE.decode()}"
    first, second = read(simple("One", body) + simple("Two", "x")).pages
    assert first.text.endswith(
        f"From the start.\nFrom then on.\n\n>From me.\n\nFrom 12:00 on 3 March 2024\nno header\n{LINE.decode().strip()}"
    )
    assert second.text.startswith("Two")


def test_title_of_a_single_message_is_its_subject(read: Read) -> None:
    document = read(b"\xef\xbb\xbf" + simple("The yearly report", "x"))
    assert document.metadata.title == "The yearly report"
    assert dict(document.metadata.information)["from"] == "Ada"


def test_attached_messages_follow_theirs(read: Read) -> None:
    inner = b"Content-Type: message/rfc822\n\nFrom: Cy\nSubject: Inner\n\nDeep\n\n"
    first, second, third = read(LINE + b"From: Ada\nSubject: One\n" + inner + simple("Two", "x")).pages
    assert [page.text.partition("\n")[0] for page in (first, second, third)] == ["One", "Inner", "Two"]
    assert second.note == "An attached message."


def test_deleted_messages_of_thunderbird_are_left_out(read: Read) -> None:
    deleted = LINE + b"X-Mozilla-Status: 0009\nSubject: Gone\n\nx\n\n"
    document = read(deleted + simple("One", "x") + deleted)
    assert [page.text.partition("\n")[0] for page in document.pages] == ["One"]
    assert document.pages[0].note == "Messages marked as deleted are left out: 2."


def test_damaged_message_does_not_end_the_mailbox(read: Read) -> None:
    many = b'Content-Type: multipart/mixed; boundary="b"\n\n' + b"--b\n\nx\n" * 6_000
    first, second = read(LINE + b"Subject: One\n" + many + simple("Two", "words")).pages
    assert first.note == "A part of this message is damaged and was not read."
    assert second.text.endswith("words")


def test_message_without_an_end_is_read_to_the_end_of_the_file(read: Read) -> None:
    part = b'Content-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/plain\n\nWords to the e'
    assert read(simple("One", "x") + LINE + b"Subject: Two\n" + part).pages[1].text == "Two\n\nWords to the e"
    assert read(simple("One", "x") + LINE.strip()).pages[0].text.endswith("2024")


def test_large_mailbox_is_refused_by_its_messages_and_sizes(read: Read) -> None:
    with pytest.raises(FileTooLarge, match="51 pages"):
        read(simple("One", "x") * 60, max_pages=50)
    with pytest.raises(FileTooLarge, match="A message has at least"):
        read(simple("One", "x") + LINE + b"Subject: y\n\n" + b"y" * 100_000, max_characters=1_000)


def test_file_without_a_message_is_corrupt(tmp_path: Path) -> None:
    path = tmp_path / "made.mbox"
    path.write_bytes(b"Words\n" + LINE + b"\nwords")
    with pytest.raises(Corrupt, match="no message"):
        extract_document(path, "application/mbox", limits=ExtractionLimits())


def test_attachments_do_not_count_as_text(read: Read) -> None:
    attached = b"Subject: x\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\n" + b"QUJD" * 19 + b"\n"
    mailbox_bytes = (LINE + attached + (b"QUJD" * 19 + b"\n") * 2_000) * 40
    started = process_time()
    assert len(read(mailbox_bytes, max_characters=100_000).pages) == 40
    assert process_time() - started < 10
