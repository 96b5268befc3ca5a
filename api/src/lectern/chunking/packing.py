"""Pack the smallest pieces of text into drafts of chunks, by a token budget and with overlap."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from lectern.chunking.lines import DocumentLine, ends_sentence, gap_between, is_list_item
from lectern.chunking.sections import DocumentSection
from lectern.chunking.tables import Table
from lectern.chunking.tokens import count_tokens, cut_points
from lectern.chunking.types import ChunkingOptions

_LOOK_BACK_SHARE = 0.25
_PARAGRAPH_GAP = 0.5
_SENTENCE = re.compile(r"(?<=[.!?…;])[\"'”’»)\]]*\s+")


class Boundary(IntEnum):
    """The quality of a chunk boundary after a unit."""

    NONE = 0
    SENTENCE = 1
    PARAGRAPH = 2


@dataclass(frozen=True, slots=True)
class TextUnit:
    """Characters `start` to `end` of the document; `tokens` include the line end. A table has rows."""

    start: int
    end: int
    tokens: int
    boundary: Boundary
    rows: tuple["TextUnit", ...] = ()
    header: tuple["TextUnit", ...] = ()
    is_row: bool = False


@dataclass(frozen=True, slots=True)
class UnitBuilder:
    """Split sections into units: lines, sentences of lines above `max_tokens`, whole tables."""

    lines: Sequence[DocumentLine]
    line_tokens: Sequence[int]
    document_text: str
    max_tokens: int
    max_row_tokens: int

    def units(self, section: DocumentSection, tables: Sequence[Table]) -> list[TextUnit]:
        """Return the units of a section in order. Each table is one unit."""
        units: list[TextUnit] = []
        position = section.first
        for table in tables:
            units.extend(self._text(position, table.first))
            units.append(self._table(table))
            position = table.last
        units.extend(self._text(position, section.last))
        return units

    def _text(self, first: int, last: int) -> Iterator[TextUnit]:
        for position in range(first, last):
            yield from self._line(position, boundary=self._boundary(position))

    def _line(self, position: int, *, boundary: Boundary, is_row: bool = False) -> Iterator[TextUnit]:
        line, tokens = self.lines[position], self.line_tokens[position]
        if tokens <= (self.max_row_tokens if is_row else self.max_tokens):
            yield TextUnit(line.start, line.end, tokens, boundary, is_row=is_row)
            return
        start = line.start
        sentences = [match.end() for match in _SENTENCE.finditer(line.text)]
        for end in [line.start + offset for offset in (*sentences, len(line.text))]:
            if end > start:
                yield from self._pieces(
                    start, end, boundary=boundary if end == line.end else Boundary.SENTENCE, is_row=is_row
                )
            start = end

    def _pieces(self, start: int, end: int, *, boundary: Boundary, is_row: bool) -> Iterator[TextUnit]:
        text = self.document_text[start:end]
        begin = 0
        for cut in cut_points(text, self.max_tokens):
            tokens = count_tokens(text[begin:cut]) + 1
            yield TextUnit(
                start + begin, start + cut, tokens, boundary if cut == len(text) else Boundary.NONE, is_row=is_row
            )
            begin = cut

    def _table(self, table: Table) -> TextUnit:
        header_last = table.first + table.header_lines
        header = tuple(self._rows(table.first, header_last))
        rows = tuple(self._rows(table.first, table.last))
        return TextUnit(
            self.lines[table.first].start,
            self.lines[table.last - 1].end,
            sum(self.line_tokens[table.first : table.last]),
            Boundary.PARAGRAPH,
            rows=rows,
            header=header,
        )

    def _rows(self, first: int, last: int) -> Iterator[TextUnit]:
        for position in range(first, last):
            yield from self._line(position, boundary=Boundary.SENTENCE, is_row=True)

    def _boundary(self, position: int) -> Boundary:
        """Return how well a chunk can end after this line."""
        if position + 1 >= len(self.lines):
            return Boundary.PARAGRAPH
        line, following = self.lines[position], self.lines[position + 1]
        gap = gap_between(line, following, self.document_text)
        is_new_page = line.page_number != following.page_number
        if is_list_item(following) or (gap > _PARAGRAPH_GAP and not is_new_page):
            return Boundary.PARAGRAPH
        return Boundary.SENTENCE if ends_sentence(line.text) else Boundary.NONE


@dataclass(slots=True)
class ChunkDraft:
    """The units of a future chunk. The first `overlap` of them repeat the end of the draft before.

    `header` are the units of a table header to repeat in front.
    """

    units: list[TextUnit] = field(default_factory=list[TextUnit])
    overlap: int = 0
    header: tuple[TextUnit, ...] = ()

    @property
    def tokens(self) -> int:
        """Return the tokens of units and repeated header."""
        return sum(unit.tokens for unit in self.units) + sum(unit.tokens for unit in self.header)

    @property
    def own_tokens(self) -> int:
        """Return the tokens of units that are not repeated."""
        return sum(unit.tokens for unit in self.units[self.overlap :])


def pack(units: Sequence[TextUnit], options: ChunkingOptions) -> list[ChunkDraft]:
    """Return drafts up to the target, tables up to the hard cap. A small last draft joins the one before."""
    packer = _Packer(options)
    for unit in units:
        packer.add(unit)
    return packer.finish()


class _Packer:
    def __init__(self, options: ChunkingOptions) -> None:
        self._options = options
        self._done: list[ChunkDraft] = []
        self._draft = ChunkDraft()
        self._tokens = 0

    def add(self, unit: TextUnit) -> None:
        """Add a unit, closing the draft when it is full."""
        if self._tokens + unit.tokens <= self._options.target_tokens:
            self._append(unit)
        elif unit.rows:
            self._add_table(unit)
        else:
            self._close(with_overlap=True)
            if self._tokens + unit.tokens > self._options.target_tokens:
                self._drop_overlap()
            self._append(unit)

    def finish(self) -> list[ChunkDraft]:
        draft = self._draft
        if len(draft.units) > draft.overlap:
            if self._done and draft.own_tokens < self._options.floor_tokens and self._joins(self._done[-1], draft):
                self._done[-1].units.extend(draft.units[draft.overlap :])
            else:
                self._done.append(draft)
        return self._done

    def _joins(self, before: ChunkDraft, draft: ChunkDraft) -> bool:
        return not draft.header and before.tokens + draft.own_tokens <= self._options.cap_tokens

    def _append(self, unit: TextUnit) -> None:
        self._draft.units.append(unit)
        self._tokens += unit.tokens

    def _add_table(self, table: TextUnit) -> None:
        """Add a table above the target: whole up to the hard cap, with little text above it, else in parts."""
        options = self._options
        is_little = self._draft.own_tokens < options.floor_tokens
        room = options.cap_tokens - (self._tokens if is_little else 0)
        if table.tokens <= room:
            if not is_little:
                self._close(with_overlap=False)
            self._append(table)
            return
        if not is_little or table.tokens <= options.cap_tokens:
            self._close(with_overlap=False)
        if table.tokens <= options.cap_tokens:
            self._append(table)
        else:
            self._split_table(table)

    def _split_table(self, table: TextUnit) -> None:
        header = table.header
        if sum(unit.tokens for unit in header) * 3 > self._options.target_tokens:
            header = ()  # so long a header leaves no room for rows
        for row in table.rows:
            if self._tokens + row.tokens > self._options.target_tokens and self._draft.units:
                self._close(with_overlap=False)
                self._draft.header = header
                self._tokens = self._draft.tokens
            self._append(row)

    def _close(self, *, with_overlap: bool) -> None:
        """Finish the draft at the best boundary near its end, and begin the next one."""
        units = self._draft.units
        if len(units) <= self._draft.overlap:
            self._drop_overlap()
            return
        cut = self._best_cut() if with_overlap else len(units)
        rest = units[cut:]
        del units[cut:]
        self._done.append(self._draft)
        overlap = self._overlap(units) if with_overlap else []
        self._draft = ChunkDraft(units=[*overlap, *rest], overlap=len(overlap))
        self._tokens = self._draft.tokens

    def _drop_overlap(self) -> None:
        del self._draft.units[: self._draft.overlap]
        self._draft.overlap = 0
        self._tokens = self._draft.tokens

    def _best_cut(self) -> int:
        """Return the last end of a paragraph, else of a sentence, in the last quarter of the draft."""
        units, first = self._draft.units, self._draft.overlap + 1
        for minimum in (Boundary.PARAGRAPH, Boundary.SENTENCE):
            skipped = 0
            for cut in range(len(units), first - 1, -1):
                if units[cut - 1].boundary >= minimum:
                    return cut
                skipped += units[cut - 1].tokens
                if skipped > _LOOK_BACK_SHARE * self._options.target_tokens:
                    break
        return len(units)

    def _overlap(self, units: Sequence[TextUnit]) -> list[TextUnit]:
        """Return the last units within the overlap. Tables and their rows are not repeated."""
        repeated: list[TextUnit] = []
        room = self._options.overlap_tokens
        for unit in reversed(units[1:]):
            room -= unit.tokens
            if room < 0 or unit.rows or unit.is_row:
                break
            repeated.append(unit)
        return repeated[::-1]
