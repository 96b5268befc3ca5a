"""From drafts to chunks: text, place, size, kind, language."""

import bisect
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lectern.chunking.importance import importance_of
from lectern.chunking.languages import detect_language
from lectern.chunking.lines import DocumentLine, DocumentText
from lectern.chunking.packing import Draft
from lectern.chunking.rows import gap_between, is_list_item
from lectern.chunking.sections import DocumentSection
from lectern.chunking.tables import Table
from lectern.chunking.tokens import count_tokens
from lectern.chunking.types import ChunkContent, ChunkingOptions, TextChunk
from lectern.chunking.units import Unit

_MOST = 0.5
_LIST_GAP = 0.6


@dataclass(frozen=True, slots=True)
class RemovedText:
    """Parts of the stream that no chunk repeats: boilerplate lines and pages of contents, sorted."""

    starts: list[int]
    ends: list[int]

    @staticmethod
    def of(stream: DocumentText, *, boilerplate: set[int], contents: set[int]) -> "RemovedText":
        """Lines with their line feed, so that no empty line stays behind."""
        lines = (
            line
            for position, line in enumerate(stream.lines)
            if position in boilerplate or line.page_number in contents
        )
        spans = sorted((line.start, min(line.end + 1, len(stream.text))) for line in lines)
        return RemovedText([start for start, _ in spans], [end for _, end in spans])

    def text_between(self, text: str, start: int, end: int) -> str:
        """The stream from `start` to `end` without the removed parts."""
        parts: list[str] = []
        position = start
        for number in range(bisect.bisect_right(self.ends, start), len(self.starts)):
            if self.starts[number] >= end:
                break
            parts.append(text[position : self.starts[number]])
            position = self.ends[number]
        parts.append(text[position:end])
        return "".join(parts)


@dataclass(frozen=True, slots=True)
class ChunkBuilder:
    """What drafts become chunks with."""

    stream: DocumentText
    lines: Sequence[DocumentLine]
    removed: RemovedText
    tables: Sequence[Table]
    heading_lines: set[int]
    language: str
    options: ChunkingOptions
    _starts: list[int] = field(init=False)
    _in_table: set[int] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_starts", [line.start for line in self.lines])
        in_table = {position for table in self.tables for position in range(table.first, table.last)}
        object.__setattr__(self, "_in_table", in_table)

    def make(self, section: DocumentSection, draft: Draft, *, first_index: int) -> Iterator[TextChunk]:
        """The chunk of a draft; two where the sum of its units' tokens fell short of the whole's."""
        header = self._header(draft.header)
        text = header + self._text(draft.units)
        token_count = count_tokens(text)
        if token_count > self.options.cap_tokens and _can_be_halved(draft):
            for half in _halves(draft):
                for chunk in self.make(section, half, first_index=first_index):
                    first_index = chunk.chunk_index + 1
                    yield chunk
            return
        start, end = self._trimmed(draft.units)
        positions = range(bisect.bisect_right(self._starts, start) - 1, bisect.bisect_left(self._starts, end))
        own_first = bisect.bisect_right(self._starts, draft.units[draft.overlap].start) - 1
        has_heading = not self.heading_lines.isdisjoint(range(own_first, positions.stop))
        yield TextChunk(
            chunk_index=first_index,
            text=text,
            section_heading=section.title,
            section_path=section.path,
            page_number=self.stream.page_number_at(start),
            last_page_number=self.stream.page_number_at(end - 1),
            char_start=start,
            char_end=end,
            token_count=token_count,
            content_type=self._content_type(positions),
            importance=importance_of(text, has_heading=has_heading),
            language=self._language_of(text),
            content_hash=hashlib.sha256(text.encode()).digest(),
            repeated_header_characters=len(header),
        )

    def _header(self, units: Sequence[Unit]) -> str:
        return self._text(units) + "\n" if units else ""

    def _text(self, units: Sequence[Unit]) -> str:
        return self.removed.text_between(self.stream.text, *self._trimmed(units))

    def _trimmed(self, units: Sequence[Unit]) -> tuple[int, int]:
        """Where these units begin and end, without white space at either end."""
        start, end = units[0].start, units[-1].end
        while start < end and self.stream.text[start].isspace():
            start += 1
        while end > start and self.stream.text[end - 1].isspace():
            end -= 1
        return start, end

    def _language_of(self, text: str) -> str:
        if self.options.language:
            return self.options.language
        return detect_language(text, languages=self.options.languages, otherwise=self.language)

    def _content_type(self, positions: range) -> ChunkContent:
        """What most characters belong to; `heading` only when there is nothing else."""
        sizes = {position: len(self.lines[position].text) for position in positions}
        half = _MOST * sum(sizes.values())
        if all(position in self.heading_lines for position in positions):
            return ChunkContent.HEADING
        if sum(size for position, size in sizes.items() if position in self._in_table) > half:
            return ChunkContent.TABLE
        if sum(sizes[position] for position in self._in_lists(positions)) > half:
            return ChunkContent.LIST
        return ChunkContent.TEXT

    def _in_lists(self, positions: range) -> Iterator[int]:
        """The lines that are items of a list or go on with one."""
        is_in_list = False
        for position in positions:
            line = self.lines[position]
            if is_list_item(line):
                is_in_list = True
            elif (
                position in self.heading_lines
                or position in self._in_table
                or position == positions.start
                or gap_between(self.lines[position - 1], line, self.stream.text) > _LIST_GAP
            ):
                is_in_list = False
            if is_in_list:
                yield position


def _can_be_halved(draft: Draft) -> bool:
    return len(draft.units) > 1 or len(draft.units[0].rows) > 1


def _halves(draft: Draft) -> tuple[Draft, Draft]:
    units = [row for unit in draft.units for row in (unit.rows or (unit,))]
    middle = max(len(units) // 2, 1)
    first = Draft(units[:middle], min(draft.overlap, middle - 1), draft.header)
    return first, Draft(units[middle:], 0, draft.header)
