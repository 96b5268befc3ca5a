"""MSG: headers, body, attached messages, names of attachments, in every text encoding."""

import struct
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from tests.extraction.ole_writer import attachment, message, ole

from lectern.extraction.detection import detect_content_type
from lectern.extraction.errors import Corrupt, FileTooLarge
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractedDocument, ExtractionLimits

Read = Callable[..., ExtractedDocument]
SUBJECT, BODY, HTML, RTF = 0x0037, 0x1000, 0x1013, 0x1009
HEADERS = {SUBJECT: "Perché no?", 0x0C1A: "Ada Lovelace", 0x5D01: "ada@example.org", 0x0E04: "Bo; Cy"}
NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read_bytes(made: dict[str, Any] | bytes, **limits: Any) -> ExtractedDocument:
        content = made if isinstance(made, bytes) else ole(made)
        path = tmp_path / "made.msg"
        path.write_bytes(content)
        media_type = detect_content_type(content[:65_536], path.name)
        return extract_document(path, media_type, limits=ExtractionLimits(**limits))

    return read_bytes


def test_message_is_a_page_with_subject_headers_and_body(read: Read) -> None:
    document = read(message({**HEADERS, BODY: "Twelve euro.\r\n\r\n\r\n\r\nRegards\r\n"}, sent=NOON))
    assert document.content_type == "application/vnd.ms-outlook"
    assert document.pages[0].text == (
        "Perché no?\n\nFrom: Ada Lovelace <ada@example.org>\nTo: Bo; Cy\nDate: Fri, 01 Mar 2024 12:00:00 +0000\n\n"
        "Twelve euro.\n\nRegards"
    )
    assert document.metadata.title == "Perché no?"
    assert dict(document.metadata.information)["from"] == "Ada Lovelace <ada@example.org>"


def test_appointment_has_its_time_and_place(read: Read) -> None:
    def ticks(hour: int) -> int:
        return int((datetime(2026, 3, 3, hour, tzinfo=UTC) - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds()) * 10**7

    made = message({SUBJECT: "Fire drill", BODY: "Bring the list.", 0x8005: "Yard, north gate"})
    rows = [struct.pack("<HHIQ", 0x0040, key, 6, ticks(hour)) for key, hour in ((0x0060, 9), (0x0061, 10))]
    made["__properties_version1.0"] += b"".join(rows)
    sets = UUID("00062008-0000-0000-c000-000000000046").bytes_le + UUID("00062002-0000-0000-c000-000000000046").bytes_le
    entries = struct.pack("<IHHIHH", 0x8208, 3 << 1, 4, 0x8208, 4 << 1, 5)
    made["__nameid_version1.0"] = {"__substg1.0_00020102": sets, "__substg1.0_00030102": entries}
    assert read(made).pages[0].text == (
        "Fire drill\n\nWhen: Tue, 03 Mar 2026 09:00 to 10:00 (UTC)\nWhere: Yard, north gate\n\nBring the list."
    )


def test_eight_bit_text_is_decoded_in_the_code_page_of_the_message(read: Read) -> None:
    texts = {SUBJECT: "Отчёт", BODY: "Двенадцать рублей."}
    document = read(message(texts, code_page="cp1251", numbers={0x3FFD: 1251}))
    assert document.pages[0].text == "Отчёт\n\nДвенадцать рублей."


def test_code_page_is_detected_from_the_bytes_if_missing(read: Read) -> None:
    document = read(message({SUBJECT: "Fees", BODY: "Perché è così: la città è già là."}, code_page="utf-8"))
    assert document.pages[0].text.endswith("Perché è così: la città è già là.")


def test_html_is_read_without_plain_text(read: Read) -> None:
    page = "<h2>Fees</h2><script>x()</script><p>perché".encode("cp1252")
    document = read(message(HEADERS, binary={HTML: page}, numbers={0x3FDE: 1252}))
    assert document.pages[0].text.endswith("Fees\n\nperché")
    both = read(message({**HEADERS, BODY: "Plain words"}, binary={HTML: page}))
    assert both.pages[0].text.endswith("Plain words")


def test_rtf_only_text_is_reported_as_missing(read: Read) -> None:
    (page,) = read(message(HEADERS, binary={RTF: b"LZFu"})).pages
    assert page.note is not None
    assert "RTF" in page.note


def test_attached_messages_are_pages_and_other_attachments_are_listed(read: Read) -> None:
    deepest = message({SUBJECT: "Deepest", BODY: "Deepest words"}, is_inner=True)
    inner = message(
        {SUBJECT: "Inner one", BODY: "Deep words"}, is_inner=True, sent=NOON, attached=(attachment({}, inner=deepest),)
    )
    files = (attachment({0x3707: "Perché.pdf", 0x370E: "application/pdf"}), attachment({}, inner=inner))
    first, second, third = read(message({SUBJECT: "Outer one", BODY: "See below."}, attached=files)).pages
    assert "- Perché.pdf (application/pdf)" in first.text
    assert "Inner one" not in first.text
    assert "Deep words" not in first.text
    assert second.text.startswith("Inner one\n\nDate: Fri, 01 Mar 2024 12:00:00 +0000\n\nDeep words")
    assert third.text == "Deepest\n\nDeepest words"


def test_long_body_is_read_whole(read: Read) -> None:
    lines = [f"Line {number} of many." for number in range(2_000)]
    document = read(message({SUBJECT: "Long", BODY: "\r\n".join(lines)}))
    text = "\n".join(page.text for page in document.pages)
    assert all(line in text for line in lines)


def test_body_beyond_the_limit_is_rejected(read: Read) -> None:
    with pytest.raises(FileTooLarge):
        read(message({SUBJECT: "Long", BODY: "x" * 5_000}), max_characters=1_000)


def test_ole_file_named_msg_without_a_message_is_corrupt(read: Read) -> None:
    with pytest.raises(Corrupt, match="no message"):
        read(ole({"Something": b"else"}))


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_truncated_message_is_corrupt_or_partly_read(read: Read, share: float) -> None:
    whole = ole(message({**HEADERS, BODY: "x" * 9_000}, sent=NOON))
    with pytest.raises(Corrupt):
        read(whole[: int(len(whole) * share)])
