"""A sheet of an OpenDocument workbook: its tables with values as shown, links and comments of cells."""

from collections.abc import Iterator

from lectern.extraction.errors import Corrupt, FileTooLarge
from lectern.extraction.formats.comments import format_comment
from lectern.extraction.formats.merged_cells import MergedCells
from lectern.extraction.formats.office.docx_styles import to_number
from lectern.extraction.formats.page_builder import PageBuilder, link
from lectern.extraction.formats.spreadsheet import Column, add_tables, column_letters, join_header_levels
from lectern.extraction.formats.xml_tree import Element, attribute, children, name_of, text_with
from lectern.extraction.types import ExtractionLimits

_ROW_GROUPS = frozenset({"table-rows", "table-header-rows", "table-row-group"})
_CELLS = ("table-cell", "covered-table-cell")
_MAX_COLUMNS = 16_384
_MAX_NESTING = 60
_CELLS_PER_CHARACTER = 4


def add_sheet(pages: PageBuilder, table: Element, *, name: str, limits: ExtractionLimits) -> tuple[Column, ...]:
    """Add the tables of a sheet, then its comments; return the columns of the largest table.

    Raises `Corrupt`, `FileTooLarge`.
    """
    sheet = _Sheet(name, limits)
    for row in _rows(table, depth=0):
        sheet.add_row(row)
    columns = add_tables(pages, join_header_levels(sheet.rows, sheet.widths))
    for comment in sheet.comments:
        pages.paragraph(comment)
    return columns


class _Sheet:
    """Collect the cells of a sheet as shown, and its comments."""

    def __init__(self, name: str, limits: ExtractionLimits) -> None:
        self.rows: list[list[str]] = []
        self.widths: dict[int, dict[int, int]] = {}
        self.comments: list[str] = []
        self._name, self._limits = name, limits
        self._cell_count = self._row_number = 0
        self._merged = MergedCells()

    def add_row(self, row: Element) -> None:
        """Add a row as often as it is repeated. One blank row stands for the million that some programs write."""
        repeated = max(1, to_number(attribute(row, "number-rows-repeated"), otherwise=1))
        cells, heights, widths = self._cells(row)
        if cells and widths:
            self.widths[len(self.rows)] = widths
        self._row_number += repeated
        if cells:
            for _ in range(repeated):
                self._append(self._merged.fill(list(cells), heights))
        else:
            self._merged.fill([], {}, rows=repeated)
            if self.rows and self.rows[-1]:
                self._append([])

    def _append(self, cells: list[str]) -> None:
        self.rows.append(cells)
        self._cell_count += len(cells)
        max_cells = self._limits.max_characters * _CELLS_PER_CHARACTER
        if self._cell_count > max_cells or len(self.rows) > self._limits.max_lines:
            raise self._too_large()

    def _too_large(self) -> FileTooLarge:
        return FileTooLarge(f"The sheet {self._name[:100]} has more cells than the limits allow.")

    def _cells(self, row: Element) -> tuple[list[str], dict[int, int], dict[int, int]]:
        """Return the cells of a row up to the last with text, and the rows and columns of merged ones, by column."""
        cells: list[str] = []
        heights: dict[int, int] = {}
        widths: dict[int, int] = {}
        blank = 0
        for cell in children(row, *_CELLS):
            repeated = min(max(1, to_number(attribute(cell, "number-columns-repeated"), otherwise=1)), _MAX_COLUMNS)
            text = self._text(cell, column=len(cells) + blank)
            if not text:
                blank = min(blank + repeated, _MAX_COLUMNS)
                continue
            cells += [""] * blank + [text] * repeated
            blank = 0
            if len(cells) > _MAX_COLUMNS:
                raise self._too_large()
            height = to_number(attribute(cell, "number-rows-spanned"), otherwise=1)
            if height > 1:
                heights[len(cells) - 1] = height
            width = min(to_number(attribute(cell, "number-columns-spanned"), otherwise=1), _MAX_COLUMNS)
            if width > 1:
                widths[len(cells) - 1] = width
        return cells, heights, widths

    def _text(self, cell: Element, *, column: int) -> str:
        lines: list[str] = []
        for part in cell:
            name = name_of(part)
            if name == "p":
                lines.append(text_with(part, whole=_replacement, linked=link_text))
            elif name == "annotation":
                comment = " ".join(text_with(one, whole=_replacement) for one in children(part, "p"))
                if comment.strip():
                    where = f"{column_letters(column)}{self._row_number + 1}"
                    self.comments.append(format_comment(comment, cell=where))
        return "\n".join(lines).strip()


def _rows(parent: Element, *, depth: int) -> Iterator[Element]:
    if depth > _MAX_NESTING:
        raise Corrupt("The file is nested too deeply.")
    for child in parent:
        name = name_of(child)
        if name == "table-row":
            yield child
        elif name in _ROW_GROUPS:
            yield from _rows(child, depth=depth + 1)


def _replacement(element: Element) -> str | None:
    """Return the text that an element stands for; None for the text below it."""
    name = name_of(element)
    if name in {"s", "tab", "line-break"}:
        return " "
    return None if name else ""


def link_text(element: Element, text: str) -> str:
    """Return the text of a link with its address."""
    return link(text, attribute(element, "href") or "")
