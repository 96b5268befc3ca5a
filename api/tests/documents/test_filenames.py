"""Filenames from clients cannot change folders, headers or terminal output."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectern.documents.filenames import build_content_disposition, parse_content_disposition, sanitize_filename


@pytest.mark.parametrize(
    ("given_name", "expected"),
    [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\report.pdf", "report.pdf"),
        ("a\x00b\n.txt", "ab.txt"),
        ("invoice\u202efdp.exe", "invoicefdp.exe"),
        ("in\u200bvoice\u200e\u061c\ufeff.txt", "invoice.txt"),
        ("\u0646\u0627\u0645\u0647\u200c\u0647\u0627.txt", "\u0646\u0627\u0645\u0647\u200c\u0647\u0627.txt"),
        ("  spaced   out .txt ", "spaced out .txt"),
        ("..", "upload.txt"),
        ("", "upload.txt"),
        (None, "upload.txt"),
        ("x" * 300 + ".pdf", "x" * 251 + ".pdf"),
        ("e\u0301.txt", "é.txt"),
    ],
)
def test_filename_is_sanitized(given_name: str | None, expected: str) -> None:
    assert sanitize_filename(given_name, content_type="text/plain") == expected


@given(st.text(max_size=600))
def test_sanitized_filename_is_always_safe(name: str) -> None:
    safe = sanitize_filename(name)
    assert 0 < len(safe) <= 255
    assert not {"/", "\\", "\x00", "\r", "\n"} & set(safe)
    safe.encode()


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=300), st.booleans())
def test_content_disposition_round_trips_a_filename(name: str, is_inline: bool) -> None:  # noqa: FBT001 - drawn
    safe = sanitize_filename(name)
    header = build_content_disposition(safe, is_inline=is_inline)
    assert header.isascii()
    assert header.isprintable()
    assert parse_content_disposition(header) == safe


@pytest.mark.parametrize(
    ("header", "filename"),
    [
        (None, None),
        ("attachment", None),
        ('attachment; filename="a b.txt"', "a b.txt"),
        ("attachment; filename*=UTF-8''%C3%BC.txt", "ü.txt"),
        ('attachment; filename="\xc3\xbc.txt"', "ü.txt"),
        ("attachment; filename=\"plain.txt\"; filename*=UTF-8''%C3%BC.txt", "ü.txt"),
    ],
)
def test_header_filename_is_parsed_in_both_forms(header: str | None, filename: str | None) -> None:
    assert parse_content_disposition(header) == filename
