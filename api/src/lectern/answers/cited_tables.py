"""Cells of the table rows that an answer cites."""

from collections.abc import Sequence
from typing import Final

from lectern.answers.schemas import CitedTable
from lectern.db.session import Session
from lectern.documents.parts.service import list_cells
from lectern.search.presentation.sentences import Span
from lectern.search.presentation.snippets import PageText, locate
from lectern.search.schemas import Hit

_MIN_COLUMNS: Final = 2


async def build_table(
    session: Session, hit: Hit, span: Span, *, header: Span | None, pages: Sequence[PageText]
) -> CitedTable | None:
    """Return the header and the lines of the span as a table. None unless all have the same number of cells."""
    if header is None and hit.content_type != "table":
        return None
    parts = [header, span] if header else [span]
    lines = [line for part in parts for line in _split_lines(hit.text, part)]
    rows = [row for line in lines if (row := await _read_cells(session, hit, line, pages=pages))]
    widths = {len(row) for row in rows}
    if len(rows) <= 1 or len(widths) > 1 or min(widths) < _MIN_COLUMNS:
        return None
    return CitedTable(header=rows[0], rows=rows[1:])


def _split_lines(text: str, part: Span) -> list[Span]:
    lines: list[Span] = []
    start = part.start
    for line in text[part.start : part.end].split("\n"):
        if line.strip():
            lines.append(Span(start, start + len(line)))
        start += len(line) + 1
    return lines


async def _read_cells(session: Session, hit: Hit, line: Span, *, pages: Sequence[PageText]) -> list[str]:
    """Split a Markdown row at its bars, and a line of a page at its gaps. Empty for the rule below a header."""
    text = hit.text[line.start : line.end].strip()
    if text.startswith("|"):
        cells = [cell.strip() for cell in text.strip("|").split("|")]
        return [] if all(set(cell) <= set("-: ") for cell in cells) else cells
    starts = {page.page_number: page for page in pages}
    cells: list[str] = []
    for place in locate(hit.text, line.start, line.end, char_start=hit.char_start, pages=pages):
        page = starts[place.page_number]
        first, last = page.char_start + place.start, page.char_start + place.end
        for start, end in await list_cells(session, hit.document_id, char_start=first, char_end=last):
            cells.append(page.text[start - page.char_start : end - page.char_start])
    return cells
