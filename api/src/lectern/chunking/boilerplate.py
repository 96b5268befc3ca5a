"""Headers and footers: lines that stand on at least half of the pages."""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from lectern.chunking.lines import DocumentLine
from lectern.extraction.types import LineKind

PAGE_SHARE = 0.5
_MIN_PAGES = 2
_EDGE_LINES = 3
_EDGE_SHARE = 0.12
_PLACE_STEPS = 50
_NUMBER = re.compile(r"(?<!\S)[(\[|–—-]*(?:[a-z]{1,2}-)?(\d{1,4}|[ivxlc]{1,7})[)\]|.–—-]*(?!\S)", re.IGNORECASE)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_MOST_NUMBERS = 3
_BARE = "bare"
_RUN_PAGES = 4
_PAGE_NUMBER = re.compile(
    r"\W*(?:(?:page|pagina|pag|seite|página|p)\W*)?(?:[a-z]{1,2}-)?#(?:\W*(?:of|di|von|de|/)\W*\d+)?\W*"
)
"""A line without anything but a page number (#), in words of the languages that have one."""


def find_boilerplate(lines: Sequence[DocumentLine]) -> set[int]:
    """Positions of the lines that repeat on at least half of the pages with text, at the page's edge or in one place.

    A page number may vary: the number must be the page's own, up to one shift. A line that is nothing but a page number
    goes when it counts on over a few pages, because parts of a document have counts of their own. A line that repeats
    in the body at changing places (a field of a catalogue's entries) is content, not boilerplate.
    """
    pages = sorted({line.page_number for line in lines})
    needed = max(_MIN_PAGES, math.ceil(PAGE_SHARE * len(pages)))
    if len(pages) < _MIN_PAGES:
        return set()
    edges = _edge_positions(lines)
    seen: dict[tuple[str, ...], dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for position, line in enumerate(lines):
        if line.looks.heading_level or line.looks.kind is LineKind.TABLE:
            continue  # of the author's own marking: sheets have the same columns, slides the same titles
        for key in _keys(line, is_edge=position in edges):
            seen[key][line.page_number].add(position)
    found: set[int] = set()
    for key, on_pages in seen.items():
        if len(on_pages) >= (min(needed, _RUN_PAGES) if key[0] == _BARE else needed):
            found.update(*on_pages.values())
    return found


def _edge_positions(lines: Sequence[DocumentLine]) -> set[int]:
    """The first and last lines of each page, by place where it is known, else by order."""
    by_page: dict[int, list[int]] = defaultdict(list)
    for position, line in enumerate(lines):
        by_page[line.page_number].append(position)
    edges: set[int] = set()
    for positions in by_page.values():
        ordered = sorted(positions, key=lambda position: (lines[position].looks.top, position))
        edges.update(ordered[:_EDGE_LINES], ordered[-_EDGE_LINES:])
        edges.update(position for position in ordered if _is_at_edge(lines[position]))
    return edges


def _is_at_edge(line: DocumentLine) -> bool:
    looks = line.looks
    return looks.has_geometry and (looks.bottom < _EDGE_SHARE or looks.top > 1 - _EDGE_SHARE)


def _keys(line: DocumentLine, *, is_edge: bool) -> Iterable[tuple[str, ...]]:
    """What must be equal for two lines to count as the same: words and place, or words and the page number's shift."""
    words = " ".join(line.text.casefold().split())
    if is_edge:
        yield ("edge", words)
        for match in list(_NUMBER.finditer(words))[:_MOST_NUMBERS]:
            shift = _value(match.group(1)) - line.page_number
            around = words[: match.start(1)] + "#" + words[match.end(1) :]
            yield (_BARE if _PAGE_NUMBER.fullmatch(around) else "numbered", around, str(shift))
    if line.looks.has_geometry:
        # two neighbouring steps, so that a line on the border between them is not lost
        step = line.looks.top * _PLACE_STEPS
        yield ("place", words, str(math.floor(step)))
        yield ("between", words, str(math.floor(step + 0.5)))


def _value(number: str) -> int:
    if number.isdigit():
        return int(number)
    values = [_ROMAN[letter] for letter in number.lower()]
    return sum(-value if value < max(values[place:]) else value for place, value in enumerate(values))
