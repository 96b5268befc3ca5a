"""What a ZIP archive or an OLE file is, from its first bytes and, where they do not say, from its name."""

import struct
import zlib
from collections.abc import Iterator

from lectern.extraction.errors import Encrypted
from lectern.extraction.registry import EXTRACTORS, unsupported

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
_NOT_READ = {
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


def archive_type(head: bytes, filename: str) -> str:
    """The media type of a ZIP archive. Raises `UnsupportedFile` for one that is no document that is read here."""
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


def ole_type(head: bytes, filename: str) -> str:
    """The media type of an OLE file that is read: an Outlook message.

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
    """The type that the part `mimetype` declares, which OpenDocument and EPUB have in front."""
    if any(extractor.content_type == media_type for extractor in EXTRACTORS):
        return media_type
    what, hint = _NOT_READ.get(media_type, (f"It is a file of type {media_type[:80]}.", None))
    raise unsupported(what, hint=hint)


def _by_names(names: list[str]) -> str | None:
    for name in names:
        for folder, media_type in _FOLDERS.items():
            if name.startswith(folder):
                return media_type
    return None


def _by_suffix(filename: str) -> str:
    """By the name: the first bytes of an archive with large parts in front say nothing of it."""
    for extractor in EXTRACTORS:
        is_archive = extractor.content_type.startswith(("application/vnd.", "application/epub"))
        if is_archive and filename.lower().endswith(extractor.suffixes):
            return extractor.content_type
    raise unsupported("It is a ZIP archive.", hint="Unpack it and upload the files in it.")


def _entries(head: bytes) -> Iterator[tuple[str, bytes]]:
    """Names and beginnings of the entries that the first bytes show; sizes may be missing, so the marks lead."""
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
