"""Where sections begin: marked headings, else the file's outline, else typography; numbered articles always."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lectern.chunking.outline import match_outline
from lectern.chunking.stream import StreamLine
from lectern.chunking.typography import find_typographic
from lectern.extraction.types import OutlineEntry

_MARKS = re.compile(r"^#{1,6}\s+|\s+#+\s*$|^\s*(?:=+|-+)\s*$")
_INLINE = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|[*_`]{1,3}([^*_`]+)[*_`]{1,3}")
_PAGES_PER_OUTLINE_HEADING = 2


@dataclass(frozen=True, slots=True)
class Heading:
    """Lines `first` to `last` (exclusive) are a heading; level 1 is the outermost."""

    first: int
    last: int
    title: str
    level: int


def find_headings(
    lines: Sequence[StreamLine],
    *,
    outline: Sequence[OutlineEntry],
    captions: set[int],
    stream_text: str,
    page_count: int,
) -> list[Heading]:
    """The headings among these lines, in order, without overlaps.

    A format that marks its headings (Markdown) is taken at its word. An outline leads; where it names fewer headings
    than one on two pages, typography fills in below it. `captions` are lines inside of
    tables, which only their size can make headings.
    """
    marked = _marked(lines)
    if marked:
        return marked
    outlined = [Heading(*found) for found in match_outline(lines, outline)]
    if outlined and len(outlined) * _PAGES_PER_OUTLINE_HEADING >= page_count:
        return outlined
    deepest = max((heading.level for heading in outlined), default=0)
    taken = {position for heading in outlined for position in range(heading.first, heading.last)}
    by_looks = [
        Heading(first, last, title, level + deepest)
        for first, last, title, level in find_typographic(
            lines, captions=captions, stream_text=stream_text, page_count=page_count
        )
        if taken.isdisjoint(range(first, last))
    ]
    return sorted([*outlined, *by_looks], key=lambda heading: heading.first)


def _marked(lines: Sequence[StreamLine]) -> list[Heading]:
    headings: list[Heading] = []
    for position, line in enumerate(lines):
        level = line.looks.heading_level
        if not level:
            continue
        title = _tidy(line.text)
        follows = headings and headings[-1].last == position and not line.text.startswith("#")
        if follows and headings[-1].level == level:  # the underline of a heading, or its second line
            before = headings.pop()
            headings.append(Heading(before.first, position + 1, f"{before.title} {title}".strip(), level))
        elif title:
            headings.append(Heading(position, position + 1, title, level))
    return headings


def _tidy(text: str) -> str:
    """A heading's text without marks of Markdown."""
    plain = _INLINE.sub(lambda match: match.group(1) or match.group(2) or "", _MARKS.sub("", text))
    return " ".join(plain.split())
