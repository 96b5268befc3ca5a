"""Repeat the text of cells that are merged downwards."""

from collections.abc import Mapping

from lectern.extraction.formats.page_breaks import remove_breaks


class MergedCells:
    """Fill the rows of a table, from top to bottom."""

    def __init__(self) -> None:
        self._spans: dict[int, tuple[int, str]] = {}

    def fill(self, cells: list[str], heights: Mapping[int, int], *, rows: int = 1) -> list[str]:
        """Return the next row with the texts of merged cells above it. Empty rows stay empty.

        `heights` are the rows that its own merged cells span, by column. `rows` is the number of rows like this one.
        """
        if not self._spans and not heights:
            return cells
        filled = list(cells)
        for column, (rows_left, text) in list(self._spans.items()):
            if cells:
                filled.extend([""] * (column + 1 - len(filled)))
                filled[column] = filled[column] or text
            self._spans[column] = (rows_left - rows, text)
        started = {
            column: (height - rows, remove_breaks(cells[column]))
            for column, height in heights.items()
            if column < len(cells)
        }
        self._spans = {column: span for column, span in (self._spans | started).items() if span[0] > 0 and span[1]}
        return filled
