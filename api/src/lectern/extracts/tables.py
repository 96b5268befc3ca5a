"""Tables of a file as rows of cells, and search in their rows."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from lectern.extraction.formats.spreadsheet import Column, analyse_columns
from lectern.extraction.types import ExtractedDocument, ExtractedPage, LineKind
from lectern.search.query.question import fold

_CELL: Final = re.compile(r"(?<!\\)\|")
_RULE: Final = re.compile(r"\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?")
_WORD: Final = re.compile(r"[^\W_]+(?:[.,:/-][^\W_]+)*")
_EQUAL: Final = 1.0
_CONTAINED: Final = 0.9
_BY_WORDS: Final = 0.8
_SHORTEST_PART: Final = 3


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
    """A matching row. `row_number` counts from 1 below the header."""

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


def find_rows(tables: Sequence[FileTable], query: str) -> list[FoundRow]:
    """Return the rows that match, best first, ties in table order. Without a query, return every row.

    Rows that contain the query match, those with a cell equal to it first. Without such a row, rows with any of its
    words match, most words first. Case and accents do not count. Words that name a column do not count either.
    """
    rows = [FoundRow(table, number, row, 1.0) for table in tables for number, row in enumerate(table.rows, start=1)]
    wanted = _fold(query)
    if not wanted:
        return rows
    folded = [[_fold(cell) for cell in row.cells] for row in rows]
    found = [
        replace(row, score=_EQUAL if wanted in cells else _CONTAINED)
        for row, cells in zip(rows, folded, strict=True)
        if wanted in " ".join(cells)
    ]
    if not found:
        names = {word for table in tables for name in table.header for word in _WORD.findall(_fold(name))}
        terms = set(_WORD.findall(wanted))
        scores = [_score_words(terms - names or terms, " ".join(cells)) for cells in folded]
        found = [replace(row, score=score) for row, score in zip(rows, scores, strict=True) if score]
    return sorted(found, key=lambda row: -row.score)


def _score_words(terms: set[str], row: str) -> float:
    """Return the share of the words in a row, below `_CONTAINED`. A part of a longer word counts half."""
    words = set(_WORD.findall(row))
    has = sum(1.0 if term in words else 0.5 for term in terms if term in words or _is_part(term, row))
    return round(_BY_WORDS * has / len(terms), 3) if terms else 0.0


def _is_part(term: str, row: str) -> bool:
    return len(term) >= _SHORTEST_PART and term in row


def _fold(text: str) -> str:
    return " ".join(fold(text).split())
