"""The smallest pieces that a chunk is packed from: lines, sentences of long lines, rows, whole tables."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from lectern.chunking.lines import DocumentLine
from lectern.chunking.rows import ends_sentence, gap_between, is_list_item
from lectern.chunking.sections import DocumentSection
from lectern.chunking.tables import Table
from lectern.chunking.tokens import count_tokens, cut_points

_PARAGRAPH_GAP = 0.5
_SENTENCE = re.compile(r"(?<=[.!?…;])[\"'”’»)\]]*\s+")


class Border(IntEnum):
    """How good a place the end of a unit is to cut a chunk."""

    INSIDE = 0
    SENTENCE = 1
    PARAGRAPH = 2


@dataclass(frozen=True, slots=True)
class Unit:
    """Characters `start` to `end` of the stream, `tokens` long with the line end; rows are set for a table."""

    start: int
    end: int
    tokens: int
    border: Border
    rows: tuple["Unit", ...] = ()
    header: tuple["Unit", ...] = ()
    is_row: bool = False


@dataclass(frozen=True, slots=True)
class UnitBuilder:
    """Makes the units of sections; lines above `most_tokens` are cut into sentences, rows above `most_row_tokens`."""

    lines: Sequence[DocumentLine]
    line_tokens: Sequence[int]
    stream_text: str
    most_tokens: int
    most_row_tokens: int

    def units(self, section: DocumentSection, tables: Sequence[Table]) -> list[Unit]:
        """The section's units in order; its tables are one unit each."""
        found: list[Unit] = []
        position = section.first
        for table in tables:
            found.extend(self._text(position, table.first))
            found.append(self._table(table))
            position = table.last
        found.extend(self._text(position, section.last))
        return found

    def _text(self, first: int, last: int) -> Iterator[Unit]:
        for position in range(first, last):
            yield from self._line(position, border=self._border(position))

    def _line(self, position: int, *, border: Border, is_row: bool = False) -> Iterator[Unit]:
        line, tokens = self.lines[position], self.line_tokens[position]
        if tokens <= (self.most_row_tokens if is_row else self.most_tokens):
            yield Unit(line.start, line.end, tokens, border, is_row=is_row)
            return
        start = line.start
        sentences = [match.end() for match in _SENTENCE.finditer(line.text)]
        for end in [line.start + offset for offset in (*sentences, len(line.text))]:
            if end > start:
                yield from self._pieces(
                    start, end, border=border if end == line.end else Border.SENTENCE, is_row=is_row
                )
            start = end

    def _pieces(self, start: int, end: int, *, border: Border, is_row: bool) -> Iterator[Unit]:
        """A sentence, cut by tokens where it is longer than a unit may be."""
        text = self.stream_text[start:end]
        begin = 0
        for cut in cut_points(text, self.most_tokens):
            tokens = count_tokens(text[begin:cut]) + 1
            yield Unit(start + begin, start + cut, tokens, border if cut == len(text) else Border.INSIDE, is_row=is_row)
            begin = cut

    def _table(self, table: Table) -> Unit:
        header_last = table.first + table.header_lines
        header = tuple(self._rows(table.first, header_last))
        rows = tuple(self._rows(table.first, table.last))
        return Unit(
            self.lines[table.first].start,
            self.lines[table.last - 1].end,
            sum(self.line_tokens[table.first : table.last]),
            Border.PARAGRAPH,
            rows=rows,
            header=header,
        )

    def _rows(self, first: int, last: int) -> Iterator[Unit]:
        for position in range(first, last):
            yield from self._line(position, border=Border.SENTENCE, is_row=True)

    def _border(self, position: int) -> Border:
        """How good it is to cut after this line."""
        if position + 1 >= len(self.lines):
            return Border.PARAGRAPH
        line, following = self.lines[position], self.lines[position + 1]
        gap = gap_between(line, following, self.stream_text)
        is_new_page = line.page_number != following.page_number
        if is_list_item(following) or (gap > _PARAGRAPH_GAP and not is_new_page):
            return Border.PARAGRAPH
        return Border.SENTENCE if ends_sentence(line.text) else Border.INSIDE
