"""Workbooks with number formats as their only styles. openpyxl refuses a whole file for one unknown font."""

import zipfile
from collections.abc import Iterator
from html import escape
from io import BytesIO

from lectern.extraction.formats.archive import Archive
from lectern.extraction.formats.xml_tree import Element, attribute, children, parse_xml

STYLES = "xl/styles.xml"


def with_number_formats_only(archive: Archive) -> bytes:
    """Copy a workbook without fonts, fills and borders, which its text does not need. Raises `Corrupt`."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as copy:
        for name in archive.names:
            if name.endswith("/"):
                continue
            with copy.open(name, "w", force_zip64=True) as part:
                for piece in [_reduced(archive.read(name))] if name == STYLES else archive.pieces(name):
                    part.write(piece)
    return buffer.getvalue()


def _reduced(styles: bytes) -> bytes:
    root = parse_xml(styles)
    formats = "".join(
        f'<numFmt numFmtId="{_number(each)}" formatCode="{escape(attribute(each, "formatCode") or "")}"/>'
        for each in _within(root, "numFmts", "numFmt")
    )
    cells = "".join(f'<xf numFmtId="{_number(each)}"/>' for each in _within(root, "cellXfs", "xf"))
    namespace = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return (
        f'<styleSheet xmlns="{namespace}"><numFmts>{formats}</numFmts><cellXfs>{cells}</cellXfs></styleSheet>'
    ).encode()


def _within(root: Element, group: str, name: str) -> Iterator[Element]:
    return (each for found in children(root, group) for each in children(found, name))


def _number(element: Element) -> int:
    number = attribute(element, "numFmtId") or ""
    return int(number) if number.isdecimal() and number.isascii() else 0
