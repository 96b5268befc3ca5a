"""Evidence cut into sentences and table rows, with the header of each figure (pure)."""

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from lectern.answers.text_analysis import is_instruction, split_cells
from lectern.answers.verification.quantities import ParsedText, Quantity, parse_text
from lectern.answers.verification.tokens import UNITS
from lectern.search.presentation.sentences import Span, split_sentences

_RULE: Final = re.compile(r"\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?")
_NUMBER: Final = re.compile(r"\d")
_STARTS_WITH_FIGURE: Final = re.compile(r"[^\w\s]*\d")
_FIGURE: Final = re.compile(r"(?<!\w)\d")  # not NO3
_SENTENCE_END: Final = re.compile(r"[^\W\d]{3}[.?!] [A-ZÀ-ÖØ-Þ]")
_ENDS_LIKE_PROSE: Final = (".", ";", ":", ",", "-")
_TAIL_WORDS: Final = 3  # a row has a number among its last words
_MAX_HEADER_WORDS: Final = 16
_MAX_WRAPPED_WORDS: Final = 6  # of a line of a header that is wrapped
_MAX_HEADER_LINES: Final = 10
_MAX_FRAGMENT_WORDS: Final = 4
_MAX_LABEL_LINES: Final = 3
_MIN_FIGURES: Final = 2  # of a row without a label
_MIN_ROWS: Final = 2  # of a table that is not marked as one
_MIN_YEARS: Final = 2
_MAX_CAPTION_LINES: Final = 3
_SEGMENT: Final = re.compile(r"(?:^|(?<=[\s]))(?=[A-ZÀ-ÖØ-Þ])")
_PARENTHESES: Final = re.compile(r"\([^)]*\)")
_RANGE: Final = re.compile(r"^\d+ ?(?:to|bis|a|à|-|–) ?\d+(?= )")
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
    """A sentence or a table row. `header` is the line above the table, `caption` the text above that.

    `columns` has the words of each cell, if the cells of a row are marked.
    """

    source: int
    span: Span
    parsed: ParsedText
    cells: tuple[Cell, ...]
    header: ParsedText = _EMPTY
    caption: ParsedText = _EMPTY
    is_row: bool = False
    columns: tuple[AbstractSet[str], ...] = ()


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
    lines = _mark_tables(_join_labels(list(_lines(evidence.text))))
    min_rows = 1 if evidence.content_type == "table" else _MIN_ROWS
    place, prose = 0, 0
    while place < len(lines):
        end = _end_of_table(lines, place)
        rows = sum(not _is_header(lines[row].text) for row in range(place, end))
        above = _start_of_header(lines, place)
        if rows < (1 if place - above > 1 else min_rows):
            place = max(end, place + 1)
            continue
        caption = _text(lines[max(0, min(above, place - 1) - _MAX_CAPTION_LINES + 1) : place])
        yield from _sentences(evidence, source, lines[prose:place])
        header = _in_one_line(lines[above:place])
        yield from _rows(lines, range(place, end), header, source=source, caption=parse_text(caption))
        place = prose = end
    yield from _sentences(evidence, source, lines[prose:])


def _lines(text: str) -> Iterator[_Line]:
    position = 0
    for line in text.split("\n"):
        stripped = line.strip()
        start = position + (len(line) - len(line.lstrip()))
        yield _Line(Span(start, start + len(stripped)), stripped)
        position += len(line) + 1


def _mark_tables(lines: Sequence[_Line]) -> list[_Line]:
    """Write rows of cells between tabs in Markdown, with a rule below a header that has a name for each cell."""
    marked: list[_Line] = []
    rows = 0
    for line in lines:
        cells = _tab_cells(line.text)
        above = split_cells(marked[-1].text) if rows else []
        is_below_header = _may_be_names(above, cells) and (rows <= 1 or len(above) < len(cells))
        if cells and is_below_header and _has_numbers(cells):
            _rule_header(marked, len(cells))
        rows = rows + 1 if cells else 0
        marked.append(_Line(line.span, _markdown(cells)) if cells else line)
    return marked


def _tab_cells(line: str) -> list[str]:
    cells = [cell.strip().replace("|", "\\|") for cell in line.split("\t")]
    return cells if len(cells) > 1 and any(map(str.isalnum, cells[0])) else []


def _markdown(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _has_numbers(cells: Sequence[str]) -> bool:
    return any(map(_FIGURE.search, cells[1:]))


def _may_be_names(above: Sequence[str], cells: Sequence[str]) -> bool:
    """Return True if no cell above has a figure, or none begins with one while each cell below does."""
    if not _has_numbers(above):
        return True
    return all(map(_STARTS_WITH_FIGURE.match, cells[1:])) and not any(map(_STARTS_WITH_FIGURE.match, above[1:]))


def _rule_header(lines: list[_Line], columns: int) -> None:
    """Join the last lines to a header with that many names, if they have so many, and add a rule."""
    names: list[str] = []
    for start in range(len(lines) - 1, max(-1, len(lines) - 1 - _MAX_HEADER_LINES), -1):
        line = lines[start].text
        own = split_cells(line) or [line]
        if any(_STARTS_WITH_FIGURE.match(cell) for cell in own[1:]) and not _is_header(line):  # a row
            return
        if _ends_in_full_stop(line) or len(own[-1].split()) > _MAX_WRAPPED_WORDS:
            return
        if names and not names[0][:1].isupper():  # goes on in small letters
            names = [*own[:-1], f"{own[-1]} {names[0]}", *names[1:]]
        else:
            names = [*own, *names]
        if len(names) == columns and names[0][:1].isupper():
            span = Span(lines[start].span.start, lines[-1].span.end)
            lines[start:] = [_Line(span, _markdown(names)), _Line(Span(span.end, span.end), "|---|")]
            return
        if len(names) > columns:
            return


def _ends_in_full_stop(line: str) -> bool:
    return line.endswith((".", ";", ":"))


def _text(lines: Sequence[_Line]) -> str:
    return "\n".join(line.text for line in lines if not is_instruction(line.text))


def _in_one_line(lines: Sequence[_Line]) -> str:
    return _text(lines).replace("\n", " ")


def _join_labels(lines: list[_Line]) -> list[_Line]:
    """Join the label of a row that is wrapped over lines of its own with the figures below it."""
    joined: list[_Line] = []
    for place, line in enumerate(lines):
        start = len(joined)
        while start and len(joined) - start < _MAX_LABEL_LINES and _is_fragment(joined[start - 1].text):
            start -= 1
        if start < len(joined) and _has_figures_only(line.text):
            if not start or not _is_row(joined[start - 1].text):  # below a header, which consists of fragments too
                start = _start_of_label(joined, start, line.text, lines[place + 1 : place + 2])
            label = joined[start:]
            gap = "\t" if "\t" in line.text else " "
            text = gap.join([*([" ".join(one.text for one in label)] if label else []), line.text])
            joined[start:] = [_Line(Span(label[0].span.start if label else line.span.start, line.span.end), text)]
        else:
            joined.append(line)
    return joined


def _start_of_label(lines: Sequence[_Line], start: int, row: str, following: Sequence[_Line]) -> int:
    """Return where the label of a table's first row starts: nowhere, unless the row below has one."""
    has_labels = any(
        _is_row(one.text) and not _has_figures_only(one.text) and _count_figures(one.text) == _count_figures(row)
        for one in following
    )
    capitals = [place for place in range(start, len(lines)) if lines[place].text[0].isupper()]
    return capitals[-1] if has_labels and capitals else len(lines)


def _is_fragment(line: str) -> bool:
    """Return True for a few words of a cell that is wrapped."""
    return 0 < len(line.split()) <= _MAX_FRAGMENT_WORDS and not _ends_like_prose(line) and not _NUMBER.search(line)


def _has_figures_only(line: str) -> bool:
    words = line.split()
    return len(words) >= _MIN_FIGURES and not any(map(str.isalpha, line)) and _NUMBER.search(words[-1]) is not None


def _count_figures(line: str) -> int:
    return len(parse_text(line).quantities)


def _ends_like_prose(line: str) -> bool:
    return line.endswith(_ENDS_LIKE_PROSE) or _SENTENCE_END.search(line) is not None


def _end_of_table(lines: Sequence[_Line], place: int) -> int:
    """Return the line after a table. A line with one name between two rows groups those below it."""
    end = place
    is_marked = place < len(lines) and lines[place].text.startswith("|")
    while end < len(lines):
        if is_marked and not lines[end].text.startswith("|") and _is_row(lines[end].text):
            break  # prose below the table
        if not _is_table_row(lines, end):
            is_group = end > place and _is_fragment(lines[end].text) and len(_parts(lines[end].text)) == 1
            if not is_group or not _is_table_row(lines, end + 1):
                break
        end += 1
    return end


def _is_table_row(lines: Sequence[_Line], place: int) -> bool:
    """Return True for a row. A line that goes on in small letters is a wrapped header: "Kept, 60" above "mm soil"."""
    if place >= len(lines) or not _is_row(lines[place].text):
        return False
    below = lines[place + 1].text if place + 1 < len(lines) else ""
    return not (below[:1].islower() and _may_be_header(below))


def _start_of_header(lines: Sequence[_Line], place: int) -> int:
    """Return the first line of the header above a table. Its cells may be wrapped over several short lines."""
    if not place or lines[place].text.startswith("|"):
        return place
    wanted = _count_columns(lines[place].text)
    start = place - 1
    while len(_parts(_in_one_line(lines[start:place]))) < wanted:
        if place - start == _MAX_HEADER_LINES or not start or not _may_be_header(lines[start].text):
            return place - 1
        start -= 1
    return start if _may_be_header(lines[start].text) else place - 1


def _count_columns(row: str) -> int:
    """Return the number of figures in a row, and one for its label. A label may be "4 to 8"."""
    row = _RANGE.sub("Label", row)
    return _count_figures(row) + (not _has_figures_only(row))


def _may_be_header(line: str) -> bool:
    return 0 < len(line.split()) <= _MAX_WRAPPED_WORDS and not line.endswith((".", ";", ":"))


def _is_row(line: str) -> bool:
    """Return True for a Markdown row, or a short line with a label and numbers at its end."""
    if line.startswith("|"):
        return True
    words = line.split()
    if not words or _ends_like_prose(line) or not (line[0].isupper() or line[0].isdigit()):
        return False
    if _has_figures_only(line):
        return True
    return any(_NUMBER.search(word) for word in words[1:][-_TAIL_WORDS:]) and any(map(str.isalpha, line))


def _is_header(line: str) -> bool:
    """Return True if the numbers of a line are years, two at least. Half of the cells after the first have one."""
    quantities = parse_text(line).quantities
    cells = [cell for cell in split_cells(line)[1:] if cell]
    have_numbers = 2 * sum(map(bool, map(_NUMBER.search, cells))) >= len(cells)
    return have_numbers and len(quantities) >= _MIN_YEARS and all(quantity.is_year for quantity in quantities)


def _sentences(evidence: EvidenceText, source: int, lines: Sequence[_Line]) -> Iterator[EvidenceUnit]:
    if not lines:
        return
    start, end = lines[0].span.start, lines[-1].span.end
    content_type = "list" if evidence.content_type == "list" else "text"
    for span in split_sentences(evidence.text[start:end], content_type=content_type):
        parsed = parse_text(evidence.text[start + span.start : start + span.end])
        cells = tuple(Cell(quantity, _EMPTY) for quantity in parsed.quantities)
        yield EvidenceUnit(source, Span(start + span.start, start + span.end), parsed, cells)


def _rows(
    lines: Sequence[_Line], table: range, above: str, *, source: int, caption: ParsedText
) -> Iterator[EvidenceUnit]:
    """Yield the rows of consecutive tables. A line of years, or one above a Markdown rule, starts a table."""
    header = above if len(above.split()) <= _MAX_HEADER_WORDS and not above.endswith(_ENDS_LIKE_PROSE) else ""
    for row in table:
        line = lines[row]
        is_ruled = row + 1 in table and _RULE.fullmatch(lines[row + 1].text) is not None
        if _RULE.fullmatch(line.text):
            continue
        if is_ruled or _is_header(line.text):
            header = line.text
        cells = tuple(_markdown_cells(line.text, header) if line.text.startswith("|") else _cells(line.text, header))
        yield EvidenceUnit(
            source,
            line.span,
            parse_text(line.text),
            cells,
            parse_text(header),
            caption,
            is_row=header != line.text,
            columns=tuple(parse_text(cell).stems for cell in split_cells(line.text)),
        )


def _markdown_cells(line: str, header: str) -> Iterator[Cell]:
    names = split_cells(header)
    whole = iter(parse_text(line).quantities)
    for place, cell in enumerate(split_cells(line)):
        column = _column(names, place) if place < len(names) else _EMPTY
        for quantity in parse_text(cell).quantities:
            in_row = next(whole, quantity)
            yield Cell(replace(quantity, position=in_row.position), column, is_label=place == 0)


def _column(names: Sequence[str], place: int) -> ParsedText:
    """Return the name of a column, with that of the labels if it has a unit: "EUR thousand"."""
    labels = parse_text(names[0])
    return parse_text(f"{names[0]} | {names[place]}" if labels.scales or labels.bare_units else names[place])


def _cells(line: str, header: str) -> Iterator[Cell]:
    """Give each number of a row the name of its column, counted from the right, or from the left if a word ends it."""
    quantities = parse_text(line).quantities
    names = _column_names(header, line)
    ends_in_words = not any(_NUMBER.search(word) for word in line.split()[-2:])
    for place, quantity in enumerate(quantities):
        index = place + 1 if ends_in_words else len(names) - len(quantities) + place
        is_named = 0 <= index < len(names) and len(names) > 1
        column = parse_text(f"{names[0]} | {names[index]}") if is_named else _EMPTY
        yield Cell(quantity, column, is_label=len(names) > 1 and index <= 0)


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
