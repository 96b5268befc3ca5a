"""CSV and TSV: a table with its header. Formulas are only text."""

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path

from lectern.extraction.errors import Corrupt, FileTooLarge
from lectern.extraction.formats.page_builder import PageBuilder
from lectern.extraction.formats.spreadsheet import add_tables
from lectern.extraction.formats.text import read_text
from lectern.extraction.types import DocumentMetadata, ExtractionLimits, OnPage

_SNIFFED_LINES = 50
_SNIFFED_CHARACTERS = 65_536
_COMPARED_CHARACTERS = 4_000_000  # to find out how quotation marks are escaped
_DELIMITERS = (",", ";", "\t", "|")
_NAMED_DELIMITER = re.compile(r'"?sep=([^"\n])"?\n', re.IGNORECASE)


def extract(path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage) -> DocumentMetadata:
    """Pass the table to `on_page(page, page_count)`; a long table continues on more pages with its header repeated."""
    del password
    text, note = read_text(path, limits)
    pages = PageBuilder(limits)
    if note:
        pages.note(note)
    delimiter, text = split_delimiter(text)
    escape = find_escape(text, delimiter)
    csv.field_size_limit(limits.max_page_characters)
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(text, newline="\n"), delimiter=delimiter, escapechar=escape):
            rows.append(row)
            if len(rows) > limits.max_lines:
                message = f"The file has more than {limits.max_lines:,} rows."
                raise FileTooLarge(message, details={"max_lines": limits.max_lines})
    except csv.Error as error:
        if "field limit" in str(error):
            message = f"A cell has more than {limits.max_page_characters:,} characters."
            raise FileTooLarge(message, details={"max_page_characters": limits.max_page_characters}) from error
        raise Corrupt("The file is damaged: its cells cannot be separated.") from error
    add_tables(pages, rows)
    return DocumentMetadata(outline=pages.finish(on_page))


def split_delimiter(text: str) -> tuple[str, str]:
    """Return the delimiter and the table. Excel reads the delimiter in a first line such as `sep=;`."""
    named = _NAMED_DELIMITER.match(text)
    return (named[1], text[named.end() :]) if named else (find_delimiter(text), text)


def find_delimiter(text: str) -> str:
    """Return the delimiter that gives the first lines the most even number of cells, else a comma."""
    lines = text[:_SNIFFED_CHARACTERS].split("\n")[:_SNIFFED_LINES]
    best, best_score = ",", 0.0
    for delimiter in _DELIMITERS:
        evenness, usual = _evenness(lines, delimiter)
        score = evenness + min(usual, 10) / 100 if usual > 1 else 0.0
        if score > best_score:
            best, best_score = delimiter, score
    return best


def find_escape(text: str, delimiter: str) -> str | None:
    r"""Return a backslash if quotation marks in cells are written `\"`, as MySQL and Spark do, else None.

    Rows must be at least as even that way: a cell may end with a backslash.
    """
    if '\\"' not in text:
        return None
    lines = text[:_COMPARED_CHARACTERS].split("\n")
    plain, escaped = (_evenness(lines, delimiter, escape=escape)[0] for escape in (None, "\\"))
    is_inside = re.search(rf'\\"[^"\n{re.escape(delimiter)}]', text) is not None
    return "\\" if escaped > plain or (escaped == plain and is_inside) else None


def _evenness(lines: Sequence[str], delimiter: str, *, escape: str | None = None) -> tuple[float, int]:
    """Return the share of rows with the usual number of cells, and this number."""
    try:
        counts = [len(row) for row in csv.reader(lines, delimiter=delimiter, escapechar=escape) if row]
    except csv.Error:
        return 0.0, 0
    usual = max(set(counts), key=counts.count, default=0)
    return (counts.count(usual) / len(counts) if counts else 0.0), usual
