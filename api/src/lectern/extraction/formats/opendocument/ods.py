"""ODS: a sheet is a page, with its tables' headers and values as shown, links and comments of cells."""

from collections.abc import Iterator
from pathlib import Path

from lectern.extraction.errors import Corrupt, FileTooLarge
from lectern.extraction.formats.archive import PARSER_ERRORS, open_archive
from lectern.extraction.formats.html import language_of
from lectern.extraction.formats.office.docx_styles import to_number
from lectern.extraction.formats.opendocument.common import properties, refuse_encrypted
from lectern.extraction.formats.page_builder import PageBuilder, link
from lectern.extraction.formats.spreadsheet import Column, add_tables, column_letters, described_columns
from lectern.extraction.formats.xml_tree import (
    Element,
    attribute,
    children,
    descendants,
    find,
    name_of,
    parse_xml,
    text_with,
)
from lectern.extraction.metadata import sensible_title
from lectern.extraction.types import DocumentMetadata, ExtractionLimits, OnPage

_ROW_GROUPS = frozenset({"table-rows", "table-header-rows", "table-row-group"})
_CELLS = ("table-cell", "covered-table-cell")
_MOST_COLUMNS = 16_384
_MOST_NESTING = 60
_CELLS_PER_CHARACTER = 4


def extract(path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage) -> DocumentMetadata:
    """Hand every sheet to `on_page(page, page_count)`; return title, sheets as outline, columns and properties.

    Raises `Corrupt`, `Encrypted`, `FileTooLarge`.
    """
    del password
    pages = PageBuilder(limits)
    sheets: dict[str, tuple[Column, ...]] = {}
    with open_archive(path, limits=limits) as archive:
        try:
            refuse_encrypted(archive)
            root = parse_xml(archive.read("content.xml"))
            book = find(root, "body", "spreadsheet")
            if book is None:
                raise Corrupt("The file is damaged: it has no sheets.")
            hidden = _hidden_styles(root)
            for position, sheet in enumerate(children(book, "table")):
                if position:
                    pages.begin_page()
                name = attribute(sheet, "name") or f"Sheet {position + 1}"
                pages.heading(name, 1)
                if attribute(sheet, "style-name") in hidden:
                    pages.note("The sheet is hidden in the workbook.")
                sheets[name] = _Sheet(name, limits).add(pages, sheet)
            information = properties(archive)
        except PARSER_ERRORS as error:
            raise Corrupt from error
    language = language_of(information.get("language", ""))
    title = sensible_title(information.get("title", ""))
    information.update(described_columns(sheets))
    outline = pages.finish(on_page)
    return DocumentMetadata(title=title, language=language, outline=outline, information=tuple(information.items()))


def _hidden_styles(root: Element) -> set[str | None]:
    """The names of the styles of sheets that are not shown."""
    return {
        attribute(style, "name")
        for style in descendants(root, "style", without=frozenset({"body"}))
        if any(attribute(shown, "display") == "false" for shown in children(style, "table-properties"))
    }


class _Sheet:
    """Reads a sheet: its cells as they are shown, and what is said of them."""

    def __init__(self, name: str, limits: ExtractionLimits) -> None:
        self._name, self._limits = name, limits
        self._rows: list[list[str]] = []
        self._comments: list[str] = []
        self._cells = self._number = 0

    def add(self, pages: PageBuilder, sheet: Element) -> tuple[Column, ...]:
        """Add its tables, then the comments; return the columns of the largest. Raises `Corrupt`, `FileTooLarge`."""
        for row in _rows(sheet, depth=0):
            repeated = max(1, to_number(attribute(row, "number-rows-repeated"), otherwise=1))
            cells = self._row(row)
            self._number += repeated
            if cells:
                for _ in range(repeated):
                    self._keep(list(cells))
            elif self._rows and self._rows[-1]:
                self._keep([])  # one blank row parts tables as well as the million that some programs write
        columns = add_tables(pages, self._rows)
        for comment in self._comments:
            pages.paragraph(comment)
        return columns

    def _keep(self, cells: list[str]) -> None:
        self._rows.append(cells)
        self._cells += len(cells)
        most = self._limits.max_characters * _CELLS_PER_CHARACTER
        if self._cells > most or len(self._rows) > self._limits.max_lines:
            raise FileTooLarge(f"The sheet {self._name[:100]} has more cells than the limits allow.")

    def _row(self, row: Element) -> list[str]:
        """Its cells up to the last that has something."""
        cells: list[str] = []
        blank = 0
        for cell in children(row, *_CELLS):
            repeated = min(max(1, to_number(attribute(cell, "number-columns-repeated"), otherwise=1)), _MOST_COLUMNS)
            text = self._text(cell, column=len(cells) + blank)
            if not text:
                blank = min(blank + repeated, _MOST_COLUMNS)
                continue
            cells += [""] * blank + [text] * repeated
            blank = 0
            if len(cells) > _MOST_COLUMNS:
                raise FileTooLarge(f"The sheet {self._name[:100]} has more cells than the limits allow.")
        return cells

    def _text(self, cell: Element, *, column: int) -> str:
        lines: list[str] = []
        for part in cell:
            name = name_of(part)
            if name == "p":
                lines.append(text_with(part, whole=_whole, linked=_linked))
            elif name == "annotation":
                said = " ".join(" ".join(text_with(one, whole=_whole) for one in children(part, "p")).split())
                if said:
                    self._comments.append(f"[Comment on {column_letters(column)}{self._number + 1}: {said}]")
        return "\n".join(lines).strip()


def _rows(parent: Element, *, depth: int) -> Iterator[Element]:
    if depth > _MOST_NESTING:
        raise Corrupt("The file is nested too deeply.")
    for child in parent:
        name = name_of(child)
        if name == "table-row":
            yield child
        elif name in _ROW_GROUPS:
            yield from _rows(child, depth=depth + 1)


def _whole(element: Element) -> str | None:
    """What an element stands for in a line; None where it is what lies below it."""
    name = name_of(element)
    if name == "s":
        return " "
    if name in {"tab", "line-break"}:
        return " "
    return None if name else ""


def _linked(element: Element, text: str) -> str:
    return link(text, attribute(element, "href") or "")
