"""Tables of a file as rows of cells, and search in their rows."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lectern.extraction.formats.spreadsheet import Column, analyse_columns
from lectern.extraction.types import ExtractedDocument, ExtractedPage, LineKind

_CELL: Final = re.compile(r"(?<!\\)\|")
_RULE: Final = re.compile(r"\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?")
_WORD: Final = re.compile(r"[^\W_]+(?:[.,][^\W_]+)*")
_SHARE_OF_WORDS: Final = 0.5


@dataclass(frozen=True, slots=True)
class FileTable:
    """A table: its page (a sheet is a page), the first line of that page, header and rows."""

    page_number: int
    name: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def columns(self) -> tuple[Column, ...]:
        """Return the name, kind and density of each column."""
        return analyse_columns(self.header, self.rows)


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A matching row. `row_number` counts from 1 below the header; `score` is the share of matched words."""

    table: FileTable
    row_number: int
    cells: tuple[str, ...]
    score: float


def tables_of(document: ExtractedDocument) -> list[FileTable]:
    """Return the marked tables of all pages in order. A table that continues on the next page counts there again."""
    return [table for page in document.pages for table in _tables_of_page(page)]


def _tables_of_page(page: ExtractedPage) -> Iterator[FileTable]:
    lines = [(line.kind is LineKind.TABLE, page.text[line.start : line.end].strip()) for line in page.lines]
    name = next(
        (text.lstrip("# ").strip() for is_row, text in lines if text and not is_row), f"Page {page.page_number}"
    )
    current: list[tuple[str, ...]] = []
    for position, (is_row, text) in enumerate([*lines, (False, "")]):
        begins = position + 1 < len(lines) and bool(_RULE.fullmatch(lines[position + 1][1]))
        if current and (not is_row or begins):
            yield FileTable(page.page_number, name, current[0], tuple(current[1:]))
            current = []
        if is_row and not _RULE.fullmatch(text):
            current.append(_cells(text))


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip().replace("\\|", "|") for cell in _CELL.split(line.strip("|")))


def find_rows(tables: Sequence[FileTable], query: str, *, limit: int) -> list[FoundRow]:
    """Return the rows with most of the query's words, best first, ties in table order.

    Without a query it returns the first rows. A word matches a cell whatever its case and accents.
    Column names do not count, or every row would match.
    """
    wanted = set(_words(query)) - {word for table in tables for name in table.header for word in _words(name)}
    wanted = wanted or set(_words(query))
    found: list[FoundRow] = []
    for table in tables:
        for number, row in enumerate(table.rows, start=1):
            has = wanted & {word for cell in row for word in _words(cell)}
            score = len(has) / len(wanted) if wanted else 1.0
            if not wanted or score >= min(_SHARE_OF_WORDS, 1 / len(wanted)):
                found.append(FoundRow(table, number, row, round(score, 3)))
    return sorted(found, key=lambda row: -row.score)[:limit]


def _words(text: str) -> list[str]:
    plain = "".join(c for c in unicodedata.normalize("NFKD", text).casefold() if not unicodedata.combining(c))
    return _WORD.findall(plain)
