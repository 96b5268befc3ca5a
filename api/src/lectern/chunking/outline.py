"""Finding the lines that the entries of a file's outline name."""

import re
from collections import defaultdict
from collections.abc import Sequence

from lectern.chunking.lines import DocumentLine
from lectern.extraction.types import OutlineItem

_NOT_WORD = re.compile(r"[\W_]+")
_MOST_LINES = 3
_MIN_CHARACTERS = 3
_CONTAINED_SHARE = 0.5

Found = tuple[int, int, str, int]
"""First line, last line (exclusive), title, level."""


def match_outline(lines: Sequence[DocumentLine], outline: Sequence[OutlineItem]) -> list[Found]:
    """The lines that outline entries name, on their page or the next one, in order and without overlaps."""
    by_page: dict[int, list[int]] = defaultdict(list)
    for position, line in enumerate(lines):
        by_page[line.page_number].append(position)
    plain = [_plain(line.text) for line in lines]
    found: list[Found] = []
    begin = 0
    for entry in outline:
        wanted = _plain(entry.title)
        candidates = [
            position
            for page_number in (entry.page_number, entry.page_number + 1)
            for position in by_page.get(page_number, [])
            if position >= begin
        ]
        match = _find(wanted, plain, candidates) if len(wanted) >= _MIN_CHARACTERS else None
        if match:
            found.append((*match, entry.title, entry.level))
            begin = match[1]
    return found


def _find(wanted: str, plain: Sequence[str], candidates: Sequence[int]) -> tuple[int, int] | None:
    """The first run of up to three lines that reads as wanted; else a line that holds it and little more."""
    for position in candidates:
        joined = ""
        for last in range(position, min(position + _MOST_LINES, len(plain))):
            joined += plain[last]
            if joined == wanted:
                return position, last + 1
            if not wanted.startswith(joined):
                break
    for position in candidates:
        line = plain[position]
        if line and (line.endswith(wanted) or line.startswith(wanted)) and len(wanted) >= _CONTAINED_SHARE * len(line):
            return position, position + 1
    return None


def _plain(text: str) -> str:
    return _NOT_WORD.sub("", text.casefold())
