"""Detect the type of a file from its first bytes. The name only distinguishes text types and some archives."""

import re
import struct
import zlib
from collections.abc import Iterator
from typing import Final

from lectern.extraction.errors import Corrupt, EmptyFile, Encrypted
from lectern.extraction.formats.encodings import looks_like_text
from lectern.extraction.formats.text import decode
from lectern.extraction.registry import EXTRACTORS, find_extractor, unsupported

HEAD_BYTES = 65_536
"""The bytes of a file that `detect_content_type` needs."""

_PDF_MARK = b"%PDF-"
_PDF_MARK_WITHIN = 1024

_IMAGE_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"II+\x00", "image/tiff"),  # BigTIFF
    (b"MM\x00+", "image/tiff"),
)
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
_MAILBOX = re.compile(r"From .{0,400}\d:\d\d.{0,40}\b(?:19|20)\d\d\b.{0,40}\n(?:[!-9;-~]{1,76}:|>From )")
_CALENDAR = "BEGIN:VCALENDAR"
_LINE_OF_HEADER = re.compile(r"(?:[\w-]{1,76}:.*|[ \t].*)")
_MIN_MAIL_HEADERS = 3

_OFFICE = "application/vnd.openxmlformats-officedocument."
_ENTRY = struct.Struct("<4s5H3L2H")
_ENTRY_MARK = b"PK\x03\x04"
_MAX_ENTRIES = 60
_MAX_INFLATED_BYTES = 65_536
_CONTENT_TYPES = "[Content_Types].xml"
_STORED, _DEFLATED = 0, 8

_MAIN_PARTS: tuple[tuple[bytes, str], ...] = (
    (b"wordprocessingml.document.main+xml", f"{_OFFICE}wordprocessingml.document"),
    (b"wordprocessingml.template.main+xml", f"{_OFFICE}wordprocessingml.document"),
    (b"ms-word.document.macroEnabled.main+xml", f"{_OFFICE}wordprocessingml.document"),
    (b"presentationml.presentation.main+xml", f"{_OFFICE}presentationml.presentation"),
    (b"presentationml.slideshow.main+xml", f"{_OFFICE}presentationml.presentation"),
    (b"presentationml.template.main+xml", f"{_OFFICE}presentationml.presentation"),
    (b"ms-powerpoint.presentation.macroEnabled.main+xml", f"{_OFFICE}presentationml.presentation"),
    (b"spreadsheetml.sheet.main+xml", f"{_OFFICE}spreadsheetml.sheet"),
    (b"spreadsheetml.template.main+xml", f"{_OFFICE}spreadsheetml.sheet"),
    (b"ms-excel.sheet.macroEnabled.main+xml", f"{_OFFICE}spreadsheetml.sheet"),
)
_FOLDERS = {
    "word/": f"{_OFFICE}wordprocessingml.document",
    "ppt/": f"{_OFFICE}presentationml.presentation",
    "xl/": f"{_OFFICE}spreadsheetml.sheet",
}
_BINARY_SHEET = b"ms-excel.sheet.binary"
_UNSUPPORTED_TYPES = {
    "application/vnd.oasis.opendocument.graphics": ("It is an OpenDocument drawing (.odg).", "Save it as PDF."),
}  # fmt: skip
_OLD_FORMATS = {
    ".doc": ("It is a document of an old Word version (.doc).", "Open it in Word or LibreOffice and save it as DOCX."),
    ".xls": (
        "It is a workbook of an old Excel version (.xls).",
        "Open it in Excel or LibreOffice and save it as XLSX.",
    ),
    ".ppt": (
        "It is a presentation of an old PowerPoint version (.ppt).",
        "Open it in PowerPoint or LibreOffice and save it as PPTX.",
    ),
}
_OLE_STREAMS = (
    ("EncryptedPackage", ""),
    ("__properties_version1.0", ".msg"),
    ("__nameid_version1.0", ".msg"),
    ("WordDocument", ".doc"),
    ("PowerPoint Document", ".ppt"),
    ("Workbook", ".xls"),
)


def detect_content_type(head: bytes, filename: str) -> str:
    """Return the media type of a file from its first `HEAD_BYTES`.

    Raises:
        EmptyFile: There are no bytes.
        UnsupportedFile: The file is of another type; the message names it.
        Encrypted: The file is an Office document with a password.
        Corrupt: The file is called PDF and lost its beginning.
    """
    if not head:
        raise EmptyFile
    if (image_type := _image_type(head)) is not None:
        return image_type
    if (known := match_unsupported(head)) is not None:
        raise unsupported(known[0], hint=known[1])
    if head.startswith(_OLE_MARK):
        return _ole_type(head, filename)
    if head.startswith(_ENTRY_MARK):
        return _archive_type(head, filename)
    if _is_pdf(head):
        return "application/pdf"
    _require_text(head, filename)
    return _text_type(decode(head)[0].lstrip(), filename)


def _require_text(head: bytes, filename: str) -> None:
    if not looks_like_text(head):
        raise unsupported(
            "It is a binary file of unknown type.", hint="Convert it to one of these formats, or save text as UTF-8."
        )
    if filename.lower().endswith(".pdf") and (b"endobj" in head or b"%%EOF" in head):
        raise Corrupt("The file is called PDF, but its beginning is missing.")


def _image_type(head: bytes) -> str | None:
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "image/webp"
    return next((media_type for mark, media_type in _IMAGE_SIGNATURES if head.startswith(mark)), None)


def _is_pdf(head: bytes) -> bool:
    """Find the PDF header within the first 1,024 bytes (ISO 32000-1, annex H, note 13).

    Text that merely mentions the mark has no binary comment or object after it.
    """
    position = head.find(_PDF_MARK, 0, _PDF_MARK_WITHIN + len(_PDF_MARK))
    if position <= 0:
        return position == 0
    return not looks_like_text(head) or b" obj" in head[position:]


def _is_mail(start: str) -> bool:
    """Return whether a text begins with mail headers: the sender and two more."""
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
    if _MAILBOX.match(start):
        return "application/mbox"
    if start[: len(_CALENDAR)].upper() == _CALENDAR:
        return "text/calendar"
    name = filename.lower()
    for extractor in EXTRACTORS:
        if extractor.content_type.startswith(("text/", "message/")) and name.endswith(extractor.suffixes):
            return extractor.content_type
    if start.lower().startswith(_MARKUP_STARTS):
        raise unsupported("It is XML.", hint="Name it .txt to have it read as text.")
    return "text/plain"


def _archive_type(head: bytes, filename: str) -> str:
    names: list[str] = []
    for name, content in _entries(head):
        names.append(name)
        if name == _CONTENT_TYPES:
            if _BINARY_SHEET in content:
                raise unsupported("It is a binary Excel workbook (.xlsb).", hint="Save it as XLSX.")
            for mark, media_type in _MAIN_PARTS:
                if mark in content:
                    return media_type
        if name == "mimetype":
            return _declared(content.decode("ascii", "replace").strip())
    return _by_names(names) or _by_suffix(filename)


def _ole_type(head: bytes, filename: str) -> str:
    """Return the media type of an OLE file: an Outlook message.

    Raises `UnsupportedFile` for an old Office format, `Encrypted` for an Office document with a password.
    """
    lower = filename.lower()
    suffix = next((ending for ending in (*_OLD_FORMATS, ".msg") if lower.endswith(ending)), None)
    for stream, ending in _OLE_STREAMS:
        if stream.encode("utf-16-le") in head:
            suffix = ending
            break
    if suffix == ".msg":
        return "application/vnd.ms-outlook"
    is_new = lower.endswith((".docx", ".xlsx", ".pptx", ".docm", ".xlsm", ".pptm"))
    if suffix == "" or (suffix is None and is_new):
        raise Encrypted(
            "The Office document is protected by a password.",
            hint="Open it, remove the password, save it, and upload that copy.",
        )
    what, hint = _OLD_FORMATS.get(
        suffix or "",
        (
            "It is a document of an old Office version (.doc, .xls, .ppt).",
            "Open it in an office program and save it as DOCX, XLSX, PPTX or PDF.",
        ),
    )
    raise unsupported(what, hint=hint)


def _declared(media_type: str) -> str:
    """Return the type that the part `mimetype` of OpenDocument and EPUB declares."""
    if find_extractor(media_type):
        return media_type
    what, hint = _UNSUPPORTED_TYPES.get(media_type, (f"It is a file of type {media_type[:80]}.", None))
    raise unsupported(what, hint=hint)


def _by_names(names: list[str]) -> str | None:
    types = (media_type for name in names for folder, media_type in _FOLDERS.items() if name.startswith(folder))
    return next(types, None)


def _by_suffix(filename: str) -> str:
    """Judge by the name when large parts come first in the archive."""
    for extractor in EXTRACTORS:
        is_archive = extractor.content_type.startswith(("application/vnd.", "application/epub"))
        if is_archive and filename.lower().endswith(extractor.suffixes):
            return extractor.content_type
    raise unsupported("It is a ZIP archive.", hint="Unpack it and upload the files in it.")


def _entries(head: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield names and contents of the entries in the first bytes. Search for marks, because sizes may be missing."""
    position = 0
    for _ in range(_MAX_ENTRIES):
        position = head.find(_ENTRY_MARK, position)
        if position < 0 or position + _ENTRY.size > len(head):
            return
        fields = _ENTRY.unpack_from(head, position)
        method, packed_size, name_length, extra_length = fields[3], fields[7], fields[9], fields[10]
        start = position + _ENTRY.size + name_length + extra_length
        name = head[position + _ENTRY.size : start - extra_length].decode("utf-8", "replace")
        end = start + packed_size if packed_size else len(head)
        yield name, _content(head[start:end], method) if name in {_CONTENT_TYPES, "mimetype"} else b""
        position += len(_ENTRY_MARK)


def _content(packed: bytes, method: int) -> bytes:
    if method == _STORED:
        return packed[:_MAX_INFLATED_BYTES]
    if method != _DEFLATED:
        return b""
    try:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, _MAX_INFLATED_BYTES)
    except zlib.error:
        return b""


_PNG: Final = "Convert it to PNG."
_PDF: Final = "Convert it to PDF."
_UNPACK: Final = "Unpack it first."
_TRANSCRIPT: Final = "Save a transcript of it as text."
_MANUAL: Final = "Use its documentation instead."
_TABLES: Final = "Export its tables as CSV."
_PROGRAM: Final = "It is a program."
_COMPRESSED: Final = "It is a compressed file."
_SOUND: Final = "It is a sound file"
_FILM: Final = "It is a film"

# A signature of letters alone could begin a text. It continues with bytes that no text has there.
_SIGNATURES: Final = tuple(
    (re.compile(pattern, re.DOTALL), what, hint)
    for pattern, what, hint in (
        (rb"BM.{4}\0{4}.{4}[\x0c\x28\x34\x38\x40\x6c\x7c]\0{3}", "It is a picture (BMP).", _PNG),
        (rb"GIF8[79]a", "It is a picture (GIF).", _PNG),
        (rb"P[1-6]\s(?:#[^\n]*\n)?\d{1,6}\s\d{1,6}\s", "It is a picture (PNM).", _PNG),
        (rb"\0\0[\x01\x02]\0[^\0]\0.{3}\0", "It is an icon (ICO).", _PNG),
        (rb"icns\0", "It is an icon (ICNS).", _PNG),
        (rb"8BPS\0", "It is a Photoshop picture (PSD).", _PNG),
        (rb"DDS \x7c\0", "It is a picture (DDS).", _PNG),
        (rb"\0{3}\x0cjP  |\xff\x4f\xff\x51", "It is a picture (JPEG 2000).", _PNG),
        (rb"\0{3}.ftyp(?:hei|hev|mif1|msf1|avi[fs])", "It is a picture (HEIC or AVIF).", _PNG),
        (rb"\xd7\xcd\xc6\x9a|\x01\0{3}.{36} EMF", "It is a Windows drawing (EMF or WMF).", _PNG),
        (rb"AT&TFORM.{4}DJV", "It is a DjVu document.", _PDF),
        (rb"%!PS|\xc5\xd0\xd3\xc6.{3}\0", "It is a PostScript file.", "Convert it to PDF, for example with ps2pdf."),
        (rb"{\\rtf", "It is a Rich Text document.", "Open it in a text processor and save it as PDF or text."),
        (rb"MZ.{0,62}[\0-\x06\x0e-\x19]", "It is a Windows program.", _MANUAL),
        (rb"\x7fELF|[\xce\xcf]\xfa\xed\xfe.\0\0|\xfe\xed\xfa[\xce\xcf].\0\0", _PROGRAM, _MANUAL),
        (rb"\xca\xfe\xba\xbe\0", "It is a Java class or a Mach-O program.", _MANUAL),
        (rb"\0asm", "It is a WebAssembly program.", _MANUAL),
        (rb"PK\x05\x06", "It is an empty ZIP archive.", None),
        (rb"\x1f\x8b|BZh[1-9](?:1AY&SY|\x17rE8P)|\xfd7zXZ\0|\x28\xb5\x2f\xfd|\x04\x22M\x18", _COMPRESSED, _UNPACK),
        (rb"7z\xbc\xaf\x27\x1c", "It is a 7z archive.", _UNPACK),
        (rb"Rar!\x1a\x07", "It is a RAR archive.", _UNPACK),
        (rb".{257}ustar[\0 ]", "It is a tar archive.", _UNPACK),
        (rb"ID3[\x02-\x04]\0|\xff\xfb[\x10-\xef]|\xff[\xf2\xf3\xfa][\x10-\xbf]", f"{_SOUND} (MP3).", _TRANSCRIPT),
        (rb"OggS\0", f"{_SOUND} (OGG).", _TRANSCRIPT),
        (rb"fLaC\0", f"{_SOUND} (FLAC).", _TRANSCRIPT),
        (rb"RIFF.{4}WAVE", f"{_SOUND} (WAV).", _TRANSCRIPT),
        (rb"FORM.{4}AIF[FC]", f"{_SOUND} (AIFF).", _TRANSCRIPT),
        (rb"RIFF.{4}AVI ", f"{_FILM} (AVI).", _TRANSCRIPT),
        (rb"\0.{3}(?:ftyp|moov|mdat|wide|free)", f"{_FILM} or sound file (MP4 or MOV).", _TRANSCRIPT),
        (rb"RIFF.{3}[\0-\x08]", f"{_FILM} or sound file (RIFF).", _TRANSCRIPT),
        (rb"\x1aE\xdf\xa3", f"{_FILM} (MKV or WebM).", _TRANSCRIPT),
        (rb"SQLite format 3\0", "It is a SQLite database.", _TABLES),
        (rb"PAR1.{0,64}[\0-\x08\x80-\xff]", "It is a Parquet table.", _TABLES),
    )
)


def match_unsupported(head: bytes) -> tuple[str, str | None] | None:
    """Return what an unsupported file is and a hint, or None if no signature matches."""
    return next(((what, hint) for pattern, what, hint in _SIGNATURES if pattern.match(head)), None)
