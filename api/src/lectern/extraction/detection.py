"""The type of a file from its bytes; the name only tells text types (Markdown, CSV) from each other."""

import re

from lectern.extraction.container_detection import archive_type, ole_type
from lectern.extraction.errors import Corrupt
from lectern.extraction.formats.encodings import UNDEFINED_IN_1252, codec_of, encoding_of
from lectern.extraction.formats.text import decode
from lectern.extraction.registry import EXTRACTORS, unsupported

HEAD_BYTES = 65_536
"""How much of a file `detect_content_type` wants to see."""

_PDF_MARK = b"%PDF-"
_PDF_MARK_WITHIN = 1024
_CONTROL_SHARE = 0.02

_SIGNATURES: tuple[tuple[bytes, str, str | None], ...] = (
    (b"MZ", "It is a Windows program.", None),
    (b"\x7fELF", "It is a program.", None),
    (b"\xcf\xfa\xed\xfe", "It is a program.", None),
    (b"PK\x05\x06", "It is an empty ZIP archive.", None),
    (b"{\\rtf", "It is a Rich Text document.", "Open it in a text processor and save it as PDF or text."),
    (b"%!PS", "It is a PostScript file.", "Convert it to PDF, for example with ps2pdf."),
    (b"GIF8", "It is a picture (GIF).", "Save it as PNG."),
    (b"RIFF", "It is a sound or film.", None),
    (b"\x1f\x8b", "It is a compressed file.", "Unpack it first."),
    (b"BZh", "It is a compressed file.", "Unpack it first."),
    (b"\xfd7zXZ\x00", "It is a compressed file.", "Unpack it first."),
    (b"7z\xbc\xaf\x27\x1c", "It is a compressed file.", "Unpack it first."),
)
_PICTURES: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"II+\x00", "image/tiff"),  # larger than four gigabytes, or written as if it might be
    (b"MM\x00+", "image/tiff"),
)
_ARCHIVE_MARK = b"PK\x03\x04"
_OLE_MARK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_WEB_PAGE = re.compile(
    r"(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html[\s>])", re.DOTALL | re.IGNORECASE
)
_MARKUP_STARTS = ("<?xml", "<svg", "<!doctype")
_MAIL_HEADER = re.compile(
    r"^(from|to|subject|date|message-id|received|return-path|mime-version|delivered-to|content-type|reply-to|sender|"
    r"cc|x-[\w-]+|content-transfer-encoding|dkim-signature|authentication-results|arc-[\w-]+):",
    re.MULTILINE | re.IGNORECASE,
)
_LINE_OF_HEADER = re.compile(r"(?:[\w-]{1,76}:.*|[ \t].*)")
_MIN_MAIL_HEADERS = 3


def detect_content_type(head: bytes, filename: str) -> str:
    """The media type of a file from its first bytes (`HEAD_BYTES` are enough) and, among text types, its name.

    Raises `UnsupportedFile` that says what the file is and names the accepted types, `Encrypted` for an Office document
    with a password, and `Corrupt` for a file that is called PDF and lost its beginning. An empty file is `text/plain`:
    reading it then says that it has no text.
    """
    if (picture := _picture_type(head)) is not None:
        return picture
    _refuse_known(head)
    if head.startswith(_OLE_MARK):
        return ole_type(head, filename)
    if head.startswith(_ARCHIVE_MARK):
        return archive_type(head, filename)
    if _is_pdf(head):
        return "application/pdf"
    if not looks_like_text(head):
        raise unsupported("It is a binary file of unknown type.")
    if filename.lower().endswith(".pdf") and (b"endobj" in head or b"%%EOF" in head):
        raise Corrupt("The file is called PDF, but its beginning is missing.")
    return _text_type(decode(head)[0].lstrip(), filename)


def _picture_type(head: bytes) -> str | None:
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "image/webp"
    return next((media_type for mark, media_type in _PICTURES if head.startswith(mark)), None)


def _refuse_known(head: bytes) -> None:
    for signature, what, hint in _SIGNATURES:
        if head.startswith(signature):
            raise unsupported(what, hint=hint)


def looks_like_text(head: bytes) -> bool:
    """Whether these bytes are text in an encoding that is read here, allowing for a character cut at the end."""
    encoding = encoding_of(head)
    if encoding == "windows-1252" and any(byte in head for byte in UNDEFINED_IN_1252):
        return False
    if head.count(0) and not encoding.startswith(("utf-16", "utf-32")):
        return head.count(0) * 100 < len(head) and _controls(head) <= _CONTROL_SHARE * len(head)
    text = head.decode(codec_of(encoding), "ignore")
    return _controls(text.encode()) <= _CONTROL_SHARE * max(len(text), 1)


def _controls(raw: bytes) -> int:
    """How many control characters there are beside tab, line ends, form feed and escape (terminal logs)."""
    return sum(raw.count(byte) for byte in range(32) if byte not in {9, 10, 12, 13, 27})


def _is_pdf(head: bytes) -> bool:
    """The header may follow other bytes within the first 1,024 (ISO 32000-1, annex H, note 13).

    A text that merely speaks of the mark is told apart by having no binary comment or object after it.
    """
    position = head.find(_PDF_MARK, 0, _PDF_MARK_WITHIN + len(_PDF_MARK))
    if position <= 0:
        return position == 0
    return not looks_like_text(head) or b" obj" in head[position:]


def _is_mail(start: str) -> bool:
    """Whether a text begins with lines of headers, among them the sender and two more that messages have."""
    head = start.partition("\n\n")[0]
    names = {name.lower() for name in _MAIL_HEADER.findall(head)}
    return (
        "from" in names
        and len(names) >= _MIN_MAIL_HEADERS
        and all(_LINE_OF_HEADER.fullmatch(line) for line in head.split("\n"))
    )


def _text_type(start: str, filename: str) -> str:
    if _WEB_PAGE.match(start):
        return "text/html"
    if _is_mail(start):
        return "message/rfc822"
    name = filename.lower()
    for extractor in EXTRACTORS:
        if extractor.content_type.startswith(("text/", "message/")) and name.endswith(extractor.suffixes):
            return extractor.content_type
    if start.lower().startswith(_MARKUP_STARTS):
        raise unsupported("It is XML.", hint="Name it .txt to have it read as text.")
    return "text/plain"
