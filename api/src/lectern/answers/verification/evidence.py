"""Evidence cut into sentences and table rows, with the header of each figure (pure)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from lectern.answers.text_analysis import is_instruction
from lectern.answers.verification.quantities import ParsedText, Quantity, parse_text
from lectern.answers.verification.tokens import UNITS
from lectern.search.presentation.sentences import Span, split_sentences

_RULE: Final = re.compile(r"\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?")
_NUMBER: Final = re.compile(r"\d")
_SENTENCE_END: Final = re.compile(r"[^\W\d]{3}[.?!] [A-ZÀ-ÖØ-Þ]")
_ENDS_LIKE_PROSE: Final = (".", ";", ":", ",", "-")
_TAIL_WORDS: Final = 3  # a row has a number among its last words
_MAX_HEADER_WORDS: Final = 16
_MAX_WRAPPED_WORDS: Final = 3  # of a header that goes on in the next line
_MIN_ROWS: Final = 2  # of a table that is not marked as one
_MIN_YEARS: Final = 2
_MAX_CAPTION_LINES: Final = 3
_SEGMENT: Final = re.compile(r"(?:^|(?<=[\s]))(?=[A-ZÀ-ÖØ-Þ])")
_PARENTHESES: Final = re.compile(r"\([^)]*\)")
_EMPTY: Final = parse_text("")


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceText:
    """A chunk's text, and the filename, title and headings above it, one a line."""

    text: str
    names: str = ""
    content_type: str = "text"
    language: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A quantity and the header of its column, after that of the labels. A label may hold quantities too."""

    quantity: Quantity
    column: ParsedText
    is_label: bool = False


@dataclass(frozen=True, slots=True)
class EvidenceUnit:
    """A sentence or a table row. `header` is the line above the table, `caption` the text above that."""

    source: int
    span: Span
    parsed: ParsedText
    cells: tuple[Cell, ...]
    header: ParsedText = _EMPTY
    caption: ParsedText = _EMPTY
    is_row: bool = False


@dataclass(frozen=True, slots=True)
class _Line:
    span: Span
    text: str


def parse_evidence(evidence: EvidenceText, source: int) -> list[EvidenceUnit]:
    """Return the sentences and rows of a chunk that do not address a model."""
    units = _units(evidence, source)
    return [unit for unit in units if not is_instruction(evidence.text[unit.span.start : unit.span.end])]


def usable_names(evidence: EvidenceText) -> str:
    """Return the names above a chunk that do not address a model."""
    return "\n".join(line for line in evidence.names.split("\n") if not is_instruction(line))


def _units(evidence: EvidenceText, source: int) -> Iterator[EvidenceUnit]:
    lines = list(_lines(evidence.text))
    min_rows = 1 if evidence.content_type == "table" else _MIN_ROWS
    place, prose = 0, 0
    while place < len(lines):
        end = _end_of_table(lines, place)
        rows = sum(not _is_header(lines[row].text) for row in range(place, end))
        if rows < min_rows:
            place = max(end, place + 1)
            continue
        caption = _text(lines[max(0, place - _MAX_CAPTION_LINES) : place])
        yield from _sentences(evidence, source, lines[prose:place])
        yield from _rows(lines, place, end, source=source, caption=parse_text(caption))
        place = prose = end
    yield from _sentences(evidence, source, lines[prose:])


def _lines(text: str) -> Iterator[_Line]:
    position = 0
    for line in text.split("\n"):
        stripped = line.strip()
        start = position + (len(line) - len(line.lstrip()))
        yield _Line(Span(start, start + len(stripped)), stripped)
        position += len(line) + 1


def _text(lines: Sequence[_Line]) -> str:
    return "\n".join(line.text for line in lines if not is_instruction(line.text))


def _end_of_table(lines: Sequence[_Line], place: int) -> int:
    end = place
    while end < len(lines) and _is_row(lines[end].text):
        end += 1
    return end


def _is_row(line: str) -> bool:
    """Return True for a Markdown row, or a short line with a label and numbers at its end."""
    if line.startswith("|"):
        return True
    words = line.split()
    is_prose = line.endswith(_ENDS_LIKE_PROSE) or _SENTENCE_END.search(line) is not None
    if not words or is_prose or not (line[0].isupper() or line[0].isdigit()):
        return False
    return any(_NUMBER.search(word) for word in words[1:][-_TAIL_WORDS:]) and any(map(str.isalpha, line))


def _is_header(line: str) -> bool:
    """Return True if the numbers of a line are years, two at least."""
    quantities = parse_text(line).quantities
    return len(quantities) >= _MIN_YEARS and all(quantity.is_year for quantity in quantities)


def _sentences(evidence: EvidenceText, source: int, lines: Sequence[_Line]) -> Iterator[EvidenceUnit]:
    if not lines:
        return
    start, end = lines[0].span.start, lines[-1].span.end
    content_type = "list" if evidence.content_type == "list" else "text"
    for span in split_sentences(evidence.text[start:end], content_type=content_type):
        parsed = parse_text(evidence.text[start + span.start : start + span.end])
        cells = tuple(Cell(quantity, _EMPTY) for quantity in parsed.quantities)
        yield EvidenceUnit(source, Span(start + span.start, start + span.end), parsed, cells)


def _rows(lines: Sequence[_Line], place: int, end: int, *, source: int, caption: ParsedText) -> Iterator[EvidenceUnit]:
    """Yield the rows of consecutive tables. A line of years, or one above a Markdown rule, starts a table."""
    above = _text(lines[place - 1 : place]) if place and not lines[place].text.startswith("|") else ""
    if place > 1 and above[:1].islower() and len(above.split()) <= _MAX_WRAPPED_WORDS:
        above = f"{_text(lines[place - 2 : place - 1])} {above}"
    header = above if len(above.split()) <= _MAX_HEADER_WORDS and not above.endswith(_ENDS_LIKE_PROSE) else ""
    for row in range(place, end):
        line = lines[row]
        is_ruled = row + 1 < end and _RULE.fullmatch(lines[row + 1].text) is not None
        if _RULE.fullmatch(line.text):
            continue
        if is_ruled or _is_header(line.text):
            header = line.text
        cells = tuple(_markdown_cells(line.text, header) if line.text.startswith("|") else _cells(line.text, header))
        yield EvidenceUnit(
            source, line.span, parse_text(line.text), cells, parse_text(header), caption, is_row=header != line.text
        )


def _markdown_cells(line: str, header: str) -> Iterator[Cell]:
    names = _split_cells(header)
    for place, cell in enumerate(_split_cells(line)):
        column = parse_text(f"{names[0]} | {names[place]}") if place < len(names) else _EMPTY
        yield from (Cell(quantity, column, is_label=place == 0) for quantity in parse_text(cell).quantities)


def _split_cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []


def _cells(line: str, header: str) -> Iterator[Cell]:
    """Give each number of a row the name of its column, counted from the right, or from the left if a word ends it."""
    quantities = parse_text(line).quantities
    names = _column_names(header, line)
    ends_in_words = not any(_NUMBER.search(word) for word in line.split()[-2:])
    for place, quantity in enumerate(quantities):
        index = place + 1 if ends_in_words else len(names) - len(quantities) + place
        is_named = 0 <= index < len(names) and len(names) > 1
        column = parse_text(f"{names[0]} | {names[index]}") if is_named else _EMPTY
        yield Cell(quantity, column, is_label=is_named and index == 0)


def _column_names(header: str, line: str) -> list[str]:
    """Return the years of a header, or its parts that begin with a capital letter."""
    parsed = parse_text(header)
    years = [quantity.written for quantity in parsed.quantities if quantity.is_year]
    if len(years) >= _MIN_YEARS:
        return ["", *years, *_parts(header[header.rindex(years[-1]) + len(years[-1]) :].strip())]
    parts = _parts(header)
    return parts if len(parts) <= 1 + len(parse_text(line).quantities) + 1 else []


def _parts(header: str) -> list[str]:
    """Split a header before its capital letters."""
    plain = _PARENTHESES.sub(lambda match: match[0].lower(), header)
    starts = [match.start() for match in _SEGMENT.finditer(plain)]
    parts: list[str] = []
    for start, end in pairwise([*starts, len(header)]):
        if parts and header[start:end].strip().lower() in UNITS:
            parts[-1] += header[start:end]  # "Price EUR"
        else:
            parts.append(header[start:end])
    return parts
