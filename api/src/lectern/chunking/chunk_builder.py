"""Build chunks from drafts: text, position, size, kind, importance, language."""

import bisect
import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lectern.chunking.languages import detect_language
from lectern.chunking.lines import DocumentLine, DocumentText, gap_between, is_list_item
from lectern.chunking.packing import ChunkDraft, TextUnit
from lectern.chunking.sections import DocumentSection
from lectern.chunking.tables import Table
from lectern.chunking.tokens import count_tokens
from lectern.chunking.types import PATTERNS, ChunkContent, ChunkingOptions, TextChunk
from lectern.extraction.patterns import any_of, load_patterns

_MAJORITY = 0.5
_LIST_GAP = 0.6
_BASE, _HEADING_BONUS, _NUMBER_BONUS, _KEY_WORD_BONUS, _SHORT_MALUS = 0.5, 0.2, 0.15, 0.1, 0.2
_SHORT_CHARACTERS = 50
# an amount, a percentage or a number with a separator
_AMOUNT = re.compile(rf"\d(?:[.,]\d|\s?(?:[%€$£]|\b(?:{any_of('amount_units', PATTERNS)})\b))|[$€£¥]\s?\d")
_WORD = re.compile(r"\w+")
_KEY_WORDS = frozenset(load_patterns(PATTERNS)["key_words"])
_KEY_STEMS = load_patterns(PATTERNS)["key_stems"]


@dataclass(frozen=True, slots=True)
class RemovedText:
    """Spans of the document that no chunk contains: boilerplate lines and tables of toc_pages, sorted."""

    starts: list[int]
    ends: list[int]

    @staticmethod
    def of(document_text: DocumentText, *, boilerplate: set[int], toc_pages: set[int]) -> "RemovedText":
        """Collect lines with their line feed, to leave no empty lines."""
        lines = (
            line
            for position, line in enumerate(document_text.lines)
            if position in boilerplate or line.page_number in toc_pages
        )
        spans = sorted((line.start, min(line.end + 1, len(document_text.text))) for line in lines)
        return RemovedText([start for start, _ in spans], [end for _, end in spans])

    def text_between(self, text: str, start: int, end: int) -> str:
        """Return the text from `start` to `end` without the removed spans."""
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
    """Build the chunks of a document."""

    document_text: DocumentText
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

    def build(self, section: DocumentSection, draft: ChunkDraft, *, first_index: int) -> Iterator[TextChunk]:
        """Yield the chunk of a draft, or two if its text has more tokens than its units."""
        header = self._header(draft.header)
        text = header + self._text(draft.units)
        token_count = count_tokens(text)
        if token_count > self.options.cap_tokens and _can_be_halved(draft):
            for half in _halves(draft):
                for chunk in self.build(section, half, first_index=first_index):
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
            page_number=self.document_text.page_number_at(start),
            last_page_number=self.document_text.page_number_at(end - 1),
            char_start=start,
            char_end=end,
            token_count=token_count,
            content_type=self._content_type(positions),
            importance=importance_of(text, has_heading=has_heading),
            language=self._language_of(text),
            content_hash=hashlib.sha256(text.encode()).digest(),
            repeated_header_characters=len(header),
        )

    def _header(self, units: Sequence[TextUnit]) -> str:
        return self._text(units) + "\n" if units else ""

    def _text(self, units: Sequence[TextUnit]) -> str:
        return self.removed.text_between(self.document_text.text, *self._trimmed(units))

    def _trimmed(self, units: Sequence[TextUnit]) -> tuple[int, int]:
        """Return start and end of these units, without white space at either end."""
        start, end = units[0].start, units[-1].end
        while start < end and self.document_text.text[start].isspace():
            start += 1
        while end > start and self.document_text.text[end - 1].isspace():
            end -= 1
        return start, end

    def _language_of(self, text: str) -> str:
        if self.options.language:
            return self.options.language
        language = detect_language(text, languages=self.options.languages)
        return self.language if language is None else language

    def _content_type(self, positions: range) -> ChunkContent:
        """Return the kind of most characters; `table` from `table_share` on, `heading` only for headings alone."""
        sizes = {position: len(self.lines[position].text) for position in positions}
        total = sum(sizes.values())
        if all(position in self.heading_lines for position in positions):
            return ChunkContent.HEADING
        if (
            sum(size for position, size in sizes.items() if position in self._in_table)
            > self.options.table_share * total
        ):
            return ChunkContent.TABLE
        if sum(sizes[position] for position in self._in_lists(positions)) > _MAJORITY * total:
            return ChunkContent.LIST
        return ChunkContent.TEXT

    def _in_lists(self, positions: range) -> Iterator[int]:
        """Yield the lines that begin or continue a list item."""
        is_in_list = False
        for position in positions:
            line = self.lines[position]
            if is_list_item(line):
                is_in_list = True
            elif (
                position in self.heading_lines
                or position in self._in_table
                or position == positions.start
                or gap_between(self.lines[position - 1], line, self.document_text.text) > _LIST_GAP
            ):
                is_in_list = False
            if is_in_list:
                yield position


def _can_be_halved(draft: ChunkDraft) -> bool:
    return len(draft.units) > 1 or len(draft.units[0].rows) > 1


def _halves(draft: ChunkDraft) -> tuple[ChunkDraft, ChunkDraft]:
    units = [row for unit in draft.units for row in (unit.rows or (unit,))]
    middle = max(len(units) // 2, 1)
    first = ChunkDraft(units[:middle], min(draft.overlap, middle - 1), draft.header)
    return first, ChunkDraft(units[middle:], 0, draft.header)


def _has_key_word(text: str) -> bool:
    """Compare words as a set, which is several times as fast as a pattern."""
    words = set(_WORD.findall(text.lower()))
    return not words.isdisjoint(_KEY_WORDS) or any(
        word.startswith(_KEY_STEMS) and word not in _KEY_STEMS for word in words
    )


def importance_of(text: str, *, has_heading: bool) -> float:
    """Rate a chunk 0..1: base .5, heading +.2, amounts or percent +.15, key words +.1, under 50 characters -.2."""
    value = _BASE
    value += _HEADING_BONUS if has_heading else 0
    value += _NUMBER_BONUS if _AMOUNT.search(text) else 0
    value += _KEY_WORD_BONUS if _has_key_word(text) else 0
    value -= _SHORT_MALUS if len(text) < _SHORT_CHARACTERS else 0
    return round(min(1.0, max(0.0, value)), 2)
