"""Find headers and footers: lines that repeat on at least half of the pages."""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from lectern.chunking.lines import DocumentLine
from lectern.chunking.types import PATTERNS
from lectern.extraction.patterns import any_of

PAGE_SHARE = 0.5
_MAX_SHARE = 0.3
_MIN_PAGES = 2
_EDGE_LINES = 3
_EDGE_SHARE = 0.12
_MIDDLE = 0.5  # of the page: a footer is below
_POSITION_STEPS = 50
_NUMBER = re.compile(r"(?<!\S)[(\[|–—-]*(?:[a-z]{1,2}-)?(\d{1,4}|[ivxlc]{1,7})[)\]|.–—-]*(?!\S)", re.IGNORECASE)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_WORD = re.compile(r"[^\W\d_]{3,}")
_MAX_NUMBERS = 3
_BARE = "bare"
_RUN_PAGES = 4
_PAGE_NUMBER = re.compile(
    rf"\W*(?:(?:{any_of('page_labels', PATTERNS)})\W*)?(?:[a-z]{{1,2}}-)?#"
    rf"(?:\W*(?:{any_of('page_totals', PATTERNS)})\W*\d+)?\W*"
)
"""A line with nothing but a page number (#)."""


def may_have_boilerplate(content_type: str) -> bool:
    """Return whether pages of this type repeat headers and footers. Other formats mark or leave them out themselves."""
    return content_type in {"application/pdf", "text/plain"} or content_type.startswith("image/")


def find_boilerplate(lines: Sequence[DocumentLine]) -> set[int]:
    """Return the lines that repeat on at least half of the pages, at the edge or in one position.

    Page numbers may count with the pages, at any offset. A line with nothing but a page number needs only a few pages,
    because parts of a document have their own count. A line that repeats in the body at different positions (a field in
    a catalogue) is content, and so is all of a document that would lose over .3 of its text.
    """
    pages = sorted({line.page_number for line in lines})
    needed = max(_MIN_PAGES, math.ceil(PAGE_SHARE * len(pages)))
    if len(pages) < _MIN_PAGES:
        return set()
    edges = _edge_positions(lines)
    seen: dict[tuple[str, ...], dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for position, line in enumerate(lines):
        for key in _keys(line, is_edge=position in edges):
            seen[key][line.page_number].add(position)
    boilerplate: set[int] = set()
    for key, on_pages in seen.items():
        if len(on_pages) >= (min(needed, _RUN_PAGES) if key[0] == _BARE else needed):
            boilerplate.update(*on_pages.values())
    text_size = sum(len(line.text) for line in lines)
    removed_size = sum(len(lines[position].text) for position in boilerplate)
    return boilerplate if removed_size <= _MAX_SHARE * text_size else set()


def find_retained_lines(lines: Sequence[DocumentLine], boilerplate: set[int]) -> set[int]:
    """Return the lines of boilerplate that stay in chunks: the first of each header and the last of each footer.

    There they interrupt no text. Page numbers are not among them.
    """
    positions: dict[str, int] = {}
    for position in sorted(boilerplate):
        line = lines[position]
        words = " ".join(_WORD.findall(line.text.casefold()))
        is_footer = line.layout.has_geometry and line.layout.top > _MIDDLE
        is_page_number = any(key[0] == _BARE for key in _keys(line, is_edge=True))
        if words and not is_page_number and (words not in positions or is_footer):
            positions[words] = position
    return set(positions.values())


def _edge_positions(lines: Sequence[DocumentLine]) -> set[int]:
    """Return the first and last lines of each page, by position if known, else by order."""
    by_page: dict[int, list[int]] = defaultdict(list)
    for position, line in enumerate(lines):
        by_page[line.page_number].append(position)
    edges: set[int] = set()
    for positions in by_page.values():
        ordered = sorted(positions, key=lambda position: (lines[position].layout.top, position))
        edges.update(ordered[:_EDGE_LINES], ordered[-_EDGE_LINES:])
        edges.update(position for position in ordered if _is_at_edge(lines[position]))
    return edges


def _is_at_edge(line: DocumentLine) -> bool:
    layout = line.layout
    return layout.has_geometry and (layout.bottom < _EDGE_SHARE or layout.top > 1 - _EDGE_SHARE)


def _keys(line: DocumentLine, *, is_edge: bool) -> Iterable[tuple[str, ...]]:
    """Yield the keys that equal lines share: words and position, or words and the offset of the page number."""
    words = " ".join(line.text.casefold().split())
    if is_edge:
        yield ("edge", words)
        for match in list(_NUMBER.finditer(words))[:_MAX_NUMBERS]:
            shift = _value(match.group(1)) - line.page_number
            around = words[: match.start(1)] + "#" + words[match.end(1) :]
            yield (_BARE if _PAGE_NUMBER.fullmatch(around) else "numbered", around, str(shift))
    if line.layout.has_geometry:
        # Use two neighbouring steps, for lines on the boundary between them.
        step = line.layout.top * _POSITION_STEPS
        yield ("place", words, str(math.floor(step)))
        yield ("between", words, str(math.floor(step + 0.5)))


def _value(number: str) -> int:
    if number.isdigit():
        return int(number)
    values = [_ROMAN[letter] for letter in number.lower()]
    return sum(-value if value < max(values[place:]) else value for place, value in enumerate(values))
