"""Cells of the table rows that an answer cites."""

from collections.abc import Sequence
from typing import Final

from lectern.answers.schemas import CitedTable
from lectern.answers.text_analysis import split_cells
from lectern.db.session import Session
from lectern.documents.parts.service import read_table_rows
from lectern.search.presentation.sentences import Span
from lectern.search.presentation.snippets import PageSpan, PageText
from lectern.search.schemas import Hit

_MIN_COLUMNS: Final = 2


async def build_table(
    session: Session,
    hit: Hit,
    span: Span,
    *,
    header: Span | None,
    ranges: Sequence[PageSpan],
    pages: Sequence[PageText],
) -> CitedTable | None:
    """Return the rows of a span below their header. None if it is not made of whole rows.

    Args:
        session: The caller's session.
        hit: The chunk.
        span: The cited characters of the chunk.
        header: The header of a Markdown table, if it is not in the span.
        ranges: Where the span is on its pages.
        pages: The texts of these pages.
    """
    if any(line.startswith("|") for line in hit.text[span.start : span.end].split("\n")):
        return _read_markdown(hit.text, [header, span] if header else [span])
    if not ranges or any(part.page_number != ranges[0].page_number for part in ranges):
        return None
    page = next(page for page in pages if page.page_number == ranges[0].page_number)
    start, end = ranges[0].start, ranges[-1].end
    table = await read_table_rows(
        session, hit.document_id, page_number=page.page_number, text=page.text, start=start, end=end
    )
    is_whole = table is not None and start <= table.start and table.end <= end
    return CitedTable(header=table.header, rows=table.rows) if table and is_whole else None


def _read_markdown(text: str, parts: Sequence[Span]) -> CitedTable | None:
    """Split rows at their bars. None unless all have the same number of cells."""
    lines = [line.strip() for part in parts for line in text[part.start : part.end].split("\n")]
    every = [split_cells(line) for line in lines if line.startswith("|")]
    rows = [cells for cells in every if not all(set(cell) <= set("-: ") for cell in cells)]
    widths = {len(row) for row in rows}
    if len(rows) <= 1 or len(widths) > 1 or min(widths) < _MIN_COLUMNS:
        return None
    return CitedTable(header=rows[0], rows=rows[1:])
