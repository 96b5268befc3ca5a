"""Where sections begin: marked headings, else the file's outline, else typography; numbered articles always."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lectern.chunking.lines import DocumentLine
from lectern.chunking.outline import match_outline
from lectern.chunking.rows import ends_sentence, gap_between
from lectern.chunking.typography import Style, find_typographic, style_of
from lectern.extraction.types import OutlineItem

_MARKS = re.compile(r"^#{1,6}\s+|\s+#+\s*$|^\s*(?:=+|-+)\s*$")
_INLINE = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|[*_`]{1,3}([^*_`]+)[*_`]{1,3}")
_PAGES_PER_OUTLINE_HEADING = 2
_LEAD_CHARACTERS = 70
_MOST_LEAD_LINES = 3


@dataclass(frozen=True, slots=True)
class Heading:
    """Lines `first` to `last` (exclusive) are a heading; level 1 is the outermost.

    `lead` lines in front of it belong to its section: what stands above the heading at the top of its page.
    """

    first: int
    last: int
    title: str
    level: int
    lead: int = 0


def find_headings(
    lines: Sequence[DocumentLine],
    *,
    outline: Sequence[OutlineItem],
    captions: set[int],
    stream_text: str,
    page_count: int,
) -> list[Heading]:
    """The headings among these lines, in order, without overlaps.

    A format that marks its headings (Markdown) is taken at its word. An outline leads; typography adds headings that
    look like those it names, and, where it names fewer than one on two pages, others below them. `captions` are lines
    inside of tables, which only their size can make headings.
    """
    found = _marked(lines, stream_text) or _by_outline_and_looks(
        lines, outline=outline, captions=captions, stream_text=stream_text, page_count=page_count
    )
    return [replace(heading, lead=_lead(heading, lines)) for heading in found]


def _lead(heading: Heading, lines: Sequence[DocumentLine]) -> int:
    """How many lines between the top of the page and the heading: a company's name above a statement's title."""
    top = heading.first
    while top > 0 and lines[top - 1].page_number == lines[heading.first].page_number:
        top -= 1
        line = lines[top]
        is_short = len(line.text) <= _LEAD_CHARACTERS and not ends_sentence(line.text) and not line.is_row
        if heading.first - top > _MOST_LEAD_LINES or not is_short:
            return 0
    return heading.first - top if top > 0 else 0


def _by_outline_and_looks(
    lines: Sequence[DocumentLine],
    *,
    outline: Sequence[OutlineItem],
    captions: set[int],
    stream_text: str,
    page_count: int,
) -> list[Heading]:
    outlined = [Heading(*found) for found in match_outline(lines, outline)]
    taken = {position for heading in outlined for position in range(heading.first, heading.last)}
    by_looks = [
        Heading(*found)
        for found in find_typographic(lines, captions=captions, stream_text=stream_text, page_count=page_count)
        if taken.isdisjoint(range(found[0], found[1]))
    ]
    if not outlined:
        return by_looks
    is_sparse = len(outlined) * _PAGES_PER_OUTLINE_HEADING < page_count
    added = _beside_outline(by_looks, outlined, lines=lines, is_sparse=is_sparse)
    return sorted([*outlined, *added], key=lambda heading: heading.first)


def _beside_outline(
    by_looks: Sequence[Heading], outlined: Sequence[Heading], *, lines: Sequence[DocumentLine], is_sparse: bool
) -> list[Heading]:
    """Headings that the outline forgot: those that look like headings it names; all of them where it names few."""
    levels: dict[Style, Counter[int]] = defaultdict(Counter)
    for heading in outlined:
        levels[style_of(lines[heading.first])][heading.level] += 1
    deepest = max(heading.level for heading in outlined)
    found: list[Heading] = []
    for heading in by_looks:
        alike = levels.get(style_of(lines[heading.first]))
        if alike is not None:
            found.append(replace(heading, level=alike.most_common(1)[0][0]))
        elif is_sparse:
            found.append(replace(heading, level=heading.level + deepest))
    return found


def _marked(lines: Sequence[DocumentLine], stream_text: str) -> list[Heading]:
    headings: list[Heading] = []
    for position, line in enumerate(lines):
        level = line.looks.heading_level
        if not level:
            continue
        title = _tidy(line.text)
        follows = (
            headings
            and headings[-1].last == position
            and not line.text.startswith("#")
            and gap_between(lines[position - 1], line, stream_text) < 1
        )
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
