"""XLSX: a page for each sheet, with tables and values as shown. Formulas appear only where no value is stored."""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# openpyxl has no types

import re
import warnings
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import date, datetime, time, timedelta
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Protocol, cast

import openpyxl
from openpyxl.styles.stylesheet import Stylesheet
from openpyxl.xml.functions import fromstring

from lectern.extraction.errors import Corrupt, FileTooLarge
from lectern.extraction.formats.archive import PARSER_ERRORS, Archive, open_archive
from lectern.extraction.formats.merged_cells import MergedCells
from lectern.extraction.formats.office.package import Package
from lectern.extraction.formats.office.xlsx_notes import (
    CellPosition,
    SheetAnnotations,
    read_sheet_annotations,
    whole_tags,
)
from lectern.extraction.formats.page_builder import PageBuilder, link
from lectern.extraction.formats.spreadsheet import (
    Column,
    add_tables,
    described_columns,
    is_placeholder,
    join_header_levels,
)
from lectern.extraction.formats.xml_tree import Element, attribute, children, parse_xml
from lectern.extraction.metadata import sensible_title
from lectern.extraction.types import DocumentMetadata, ExtractionLimits, OnPage

_FORMULA_WITHOUT_VALUE = re.compile(rb"</f>\s*(?:<v>\s*</v>|<v\s*/>)?\s*</c>|<f[^>]*/>\s*</c>")
_OVERLAP_BYTES = 64
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/(\w+)")
_USUAL = rb"http://schemas.openxmlformats.org/\1/2006/\2"
_PERCENT = re.compile(r"0(?:\.(0+))?%")
_THOUSANDS = re.compile(r"#,##0(?:\.(0+))?")
_DECIMALS = re.compile(r"(?<![#,\d])0\.(0+)(?![0#?Ee%])")
_MAX_DIGITS = 15
_CELLS_PER_CHARACTER = 4
_STYLES = "xl/styles.xml"


class _Cell(Protocol):
    @property
    def value(self) -> object: ...


class _Worksheet(Protocol):
    title: str

    def reset_dimensions(self) -> None: ...
    def iter_rows(self) -> Iterator[Sequence[_Cell]]: ...


class _Workbook(Protocol):
    sheetnames: list[str]

    def __getitem__(self, name: str) -> _Worksheet: ...
    def close(self) -> None: ...


def extract(path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage) -> DocumentMetadata:
    """Pass every sheet to `on_page(page, page_count)`; return title, sheets as outline, columns and properties."""
    del password
    pages = PageBuilder(limits)
    with open_archive(path, limits=limits) as archive:
        archive.refuse_entities()
        has_bare_formulas = any(
            _has_bare_formula(archive.pieces(name)) for name in archive.names if name.startswith("xl/worksheets/")
        )
        try:
            information = Package(archive).information()
        except PARSER_ERRORS as error:
            raise Corrupt from error
        notes: dict[str, SheetAnnotations] = {}
        try:
            notes = read_sheet_annotations(archive)
        except Corrupt as failure:  # the values are read all the same
            pages.note(f"Links, text boxes, comments and merged cells could not be read. {failure.message}")
        source = _as_transitional(archive) or (
            path if _has_readable_styles(archive) else _with_number_formats_only(archive)
        )
    # Opening reads every sheet that does not state its size. Open again only for formulas.
    formulas = _open(source, values=False) if has_bare_formulas else nullcontext()
    try:
        with _open(source, values=True) as book, formulas as bare:
            information |= described_columns(_add_sheets(pages, book, bare, notes, limits))
    except PARSER_ERRORS as error:
        raise Corrupt from error
    outline, title = pages.finish(on_page), sensible_title(information.get("title", ""))
    return DocumentMetadata(title=title, outline=outline, information=tuple(information.items()))


def _has_readable_styles(archive: Archive) -> bool:
    if _STYLES not in archive:
        return True
    try:
        Stylesheet.from_tree(fromstring(archive.read(_STYLES)))  # pyright: ignore[reportArgumentType]
    except PARSER_ERRORS:
        return False
    return True


@contextmanager
def _open(source: Path | bytes, *, values: bool) -> Generator[_Workbook]:
    with BytesIO(source) if isinstance(source, bytes) else source.open("rb") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about styles and extensions that are ignored
        # Pass an open file: openpyxl judges a path by its suffix, and originals have none.
        book = cast("_Workbook", openpyxl.load_workbook(file, read_only=True, data_only=values, keep_links=False))
        try:
            yield book
        finally:
            book.close()


def _as_transitional(archive: Archive) -> bytes | None:
    """Rewrite a "Strict Open XML" workbook with transitional names; None for any other workbook.

    openpyxl knows only transitional names, which have another prefix (ISO/IEC 29500-1 and 29500-4, annex A).
    """
    book = "xl/workbook.xml"
    if book not in archive or not any(_STRICT.search(piece) for piece in archive.pieces(book)):
        return None

    def rewrite(name: str) -> Iterator[bytes]:
        if not name.lower().endswith((".xml", ".rels")):
            return archive.pieces(name)
        return (_STRICT.sub(_USUAL, piece) for piece in whole_tags(archive.pieces(name)))

    return archive.copy(rewrite)


def _with_number_formats_only(archive: Archive) -> bytes:
    """Copy a workbook without fonts, fills and borders, which its text does not need. Raises `Corrupt`.

    openpyxl refuses a whole file for one unknown font.
    """
    return archive.copy(lambda name: [_reduced(archive.read(name))] if name == _STYLES else archive.pieces(name))


def _reduced(styles: bytes) -> bytes:
    root = parse_xml(styles)
    formats = "".join(
        f'<numFmt numFmtId="{_format_number(each)}" formatCode="{escape(attribute(each, "formatCode") or "")}"/>'
        for each in _within(root, "numFmts", "numFmt")
    )
    cells = "".join(f'<xf numFmtId="{_format_number(each)}"/>' for each in _within(root, "cellXfs", "xf"))
    namespace = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return (
        f'<styleSheet xmlns="{namespace}"><numFmts>{formats}</numFmts><cellXfs>{cells}</cellXfs></styleSheet>'
    ).encode()


def _within(root: Element, group: str, name: str) -> Iterator[Element]:
    return (each for found in children(root, group) for each in children(found, name))


def _format_number(element: Element) -> int:
    number = attribute(element, "numFmtId") or ""
    return int(number) if number.isdecimal() and number.isascii() else 0


def _has_bare_formula(pieces: Iterator[bytes]) -> bool:
    """Return whether a sheet has formulas without stored values, as other programs write them."""
    tail = b""
    for piece in pieces:
        if _FORMULA_WITHOUT_VALUE.search(tail + piece):
            return True
        tail = piece[-_OVERLAP_BYTES:]
    return False


def _add_sheets(
    pages: PageBuilder,
    book: _Workbook,
    formulas: _Workbook | None,
    notes: dict[str, SheetAnnotations],
    limits: ExtractionLimits,
) -> dict[str, tuple[Column, ...]]:
    """Add every sheet on a page of its own, with its text boxes and comments; return the columns by sheet."""
    columns: dict[str, tuple[Column, ...]] = {}
    for position, name in enumerate(book.sheetnames):
        if position:
            pages.begin_page()
        if len(book.sheetnames) == 1 and is_placeholder(name):
            pages.paragraph(name)
        else:
            pages.heading(name, 1)
        bare, own = formulas[name] if formulas else None, notes.get(name, SheetAnnotations({}, (), {}))
        columns[name] = _add_sheet(pages, book[name], formulas=bare, annotations=own, limits=limits)
        for text in own.texts:
            pages.paragraph(text)
    return columns


def _add_sheet(
    pages: PageBuilder,
    sheet: _Worksheet,
    *,
    formulas: _Worksheet | None,
    annotations: SheetAnnotations,
    limits: ExtractionLimits,
) -> tuple[Column, ...]:
    if getattr(sheet, "sheet_state", "visible") != "visible":
        pages.note("The sheet is hidden in the workbook.")
    if not hasattr(sheet, "iter_rows"):
        pages.note("The sheet shows a chart only.")
        return ()
    rows: list[list[str]] = []
    cells = 0
    links, merged = annotations.links, MergedCells()
    linked = {place.row for place in links}
    heights: dict[int, dict[int, int]] = {}
    widths: dict[int, dict[int, int]] = {}
    for place, size in annotations.merged.items():
        heights.setdefault(place.row, {})[place.column] = size.rows
        widths.setdefault(place.row, {})[place.column] = size.columns
    across: dict[int, dict[int, int]] = {}
    for number, values in enumerate(_rows(sheet, formulas)):
        row = merged.fill(values, heights.get(number, {}))
        if not row and not (rows and rows[-1]):
            continue  # one blank row stands for the million that some programs write
        across[len(rows)] = widths.get(number, {})
        rows.append(_with_links(row, number, links) if number in linked else row)
        cells += len(row)
        if cells > limits.max_characters * _CELLS_PER_CHARACTER or len(rows) > limits.max_lines:
            raise FileTooLarge(f"The sheet {sheet.title} has more cells than the limits allow.")
    return add_tables(pages, join_header_levels(rows, across))


def _rows(sheet: _Worksheet, formulas: _Worksheet | None) -> Iterator[list[str]]:
    sheet.reset_dimensions()  # the stated size may be wrong
    if formulas is None:
        for row in sheet.iter_rows():
            yield _trimmed([_format(cell) for cell in row])
        return
    formulas.reset_dimensions()
    for row, others in zip(sheet.iter_rows(), formulas.iter_rows(), strict=False):
        yield _trimmed([_format(cell) or _formula(other) for cell, other in zip(row, others, strict=False)])


def _with_links(row: list[str], number: int, links: dict[CellPosition, str]) -> list[str]:
    targets = [links.get(CellPosition(number, column), "") for column in range(len(row))]
    return [link(text, target) if text else text for text, target in zip(row, targets, strict=True)]


def _trimmed(cells: list[str]) -> list[str]:
    while cells and not cells[-1].strip():
        cells.pop()
    return cells


def _formula(cell: _Cell) -> str:
    value = cell.value
    return value if isinstance(value, str) and value.startswith("=") else ""


def _format(cell: _Cell) -> str:
    """Format a value as the cell shows it, as far as search needs: dates, percentages, thousands, decimals."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return _number(value, str(getattr(cell, "number_format", None) or ""))
    if isinstance(value, datetime):
        is_day = value.time() == time()
        return value.date().isoformat() if is_day else value.isoformat(sep=" ", timespec="seconds")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    return str(value)


def _number(value: float, number_format: str) -> str:
    if value != value or value in {float("inf"), float("-inf")}:  # noqa: PLR0124 - only NaN differs from itself
        return str(value)
    percent, thousands = _PERCENT.search(number_format), _THOUSANDS.search(number_format)
    if percent:
        return f"{value * 100:.{min(len(percent.group(1) or ''), _MAX_DIGITS)}f}%"
    if thousands:
        return f"{value:,.{min(len(thousands.group(1) or ''), _MAX_DIGITS)}f}"
    if decimals := _DECIMALS.search(number_format):
        return f"{value:.{min(len(decimals.group(1)), _MAX_DIGITS)}f}"
    if isinstance(value, float) and value.is_integer() and abs(value) < 10**_MAX_DIGITS:
        return str(int(value))
    return f"{value:.{_MAX_DIGITS}g}" if isinstance(value, float) else str(value)
