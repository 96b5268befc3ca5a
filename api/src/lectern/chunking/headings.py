"""Find headings: those that the format marks, else outline and typography; numbered articles always."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from lectern.chunking.lines import DocumentLine, ends_sentence, gap_between
from lectern.chunking.typography import Heading, Style, find_typographic, style_of
from lectern.extraction.types import OutlineItem

_MARKS = re.compile(r"^#{1,6}\s+|\s+#+\s*$|^\s*(?:=+|-+)\s*$")
_INLINE = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|[*_`]{1,3}([^*_`]+)[*_`]{1,3}")
_PAGES_PER_OUTLINE_HEADING = 2
_LEAD_CHARACTERS = 70
_MAX_LEAD_LINES = 3
_NUMBER = re.compile(r"^\s*(?:\d{1,3}|[A-Z])(?:\.\d{1,3})*[.)]?\s+")
_NOT_WORD = re.compile(r"[\W_]+")
_MAX_TITLE_LINES = 3
_MIN_TITLE_CHARACTERS = 3
_CONTAINED_SHARE = 0.5


def find_headings(
    lines: Sequence[DocumentLine],
    *,
    outline: Sequence[OutlineItem],
    captions: set[int],
    document_text: str,
    page_count: int,
) -> list[Heading]:
    """Return the headings among these lines, in order, without overlaps.

    Marked headings (Markdown) are final. Otherwise the outline leads, and typography adds headings in the styles that
    it names. An outline of fewer than one heading for two pages gets all others below it. `captions` are lines in
    tables; only their size can make them headings.
    """
    headings = _marked(lines, document_text) or _outlined_and_typographic(
        lines, outline=outline, captions=captions, document_text=document_text, page_count=page_count
    )
    return [replace(heading, lead=_lead(heading, lines)) for heading in headings]


def _lead(heading: Heading, lines: Sequence[DocumentLine]) -> int:
    """Count the short lines between the top of the page and the heading, such as a company above a statement."""
    top = heading.first
    while top > 0 and lines[top - 1].page_number == lines[heading.first].page_number:
        top -= 1
        line = lines[top]
        is_short = len(line.text) <= _LEAD_CHARACTERS and not ends_sentence(line.text) and not line.is_row
        if heading.first - top > _MAX_LEAD_LINES or not is_short:
            return 0
    return heading.first - top if top > 0 else 0


def _outlined_and_typographic(
    lines: Sequence[DocumentLine],
    *,
    outline: Sequence[OutlineItem],
    captions: set[int],
    document_text: str,
    page_count: int,
) -> list[Heading]:
    outlined = _match_outline(lines, outline)
    taken = {position for heading in outlined for position in range(heading.first, heading.last)}
    typographic = [
        heading
        for heading in find_typographic(lines, captions=captions, document_text=document_text, page_count=page_count)
        if taken.isdisjoint(range(heading.first, heading.last))
    ]
    if not outlined:
        return typographic
    is_sparse = len(outlined) * _PAGES_PER_OUTLINE_HEADING < page_count
    added = _beside_outline(typographic, outlined, lines=lines, is_sparse=is_sparse)
    return sorted([*outlined, *added], key=lambda heading: heading.first)


def _beside_outline(
    typographic: Sequence[Heading], outlined: Sequence[Heading], *, lines: Sequence[DocumentLine], is_sparse: bool
) -> list[Heading]:
    """Return headings that the outline lacks: those in a style that it names, or all if it is sparse."""
    levels: dict[Style, Counter[int]] = defaultdict(Counter)
    for heading in outlined:
        levels[style_of(lines[heading.first])][heading.level] += 1
    deepest = max(heading.level for heading in outlined)
    headings: list[Heading] = []
    for heading in typographic:
        same_style = levels.get(style_of(lines[heading.first]))
        if same_style is not None:
            headings.append(replace(heading, level=same_style.most_common(1)[0][0]))
        elif is_sparse:
            headings.append(replace(heading, level=heading.level + deepest))
    return headings


def _marked(lines: Sequence[DocumentLine], document_text: str) -> list[Heading]:
    headings: list[Heading] = []
    for position, line in enumerate(lines):
        level = line.layout.heading_level
        if not level:
            continue
        title = _tidy(line.text)
        follows = (
            headings
            and headings[-1].last == position
            and not line.text.startswith("#")
            and gap_between(lines[position - 1], line, document_text) < 1
        )
        if follows and headings[-1].level == level:  # an underline or a second line
            before = headings.pop()
            headings.append(Heading(before.first, position + 1, f"{before.title} {title}".strip(), level))
        elif title:
            headings.append(Heading(position, position + 1, title, level))
    return headings


def _tidy(text: str) -> str:
    plain = _INLINE.sub(lambda match: match.group(1) or match.group(2) or "", _MARKS.sub("", text))
    return " ".join(plain.split())


def _match_outline(lines: Sequence[DocumentLine], outline: Sequence[OutlineItem]) -> list[Heading]:
    """Find the lines that outline entries name, on their page or the next one, in order and without overlaps."""
    by_page: dict[int, list[int]] = defaultdict(list)
    for position, line in enumerate(lines):
        by_page[line.page_number].append(position)
    plain = [_plain(line.text) for line in lines]
    unnumbered = [_plain(_NUMBER.sub("", line.text)) for line in lines]
    headings: list[Heading] = []
    begin = 0
    for entry in outline:
        title = _plain(entry.title)
        candidates = [
            position
            for page_number in (entry.page_number, entry.page_number + 1)
            for position in by_page.get(page_number, [])
            if position >= begin
        ]
        is_long = len(title) >= _MIN_TITLE_CHARACTERS
        match = _find_lines(title, plain, unnumbered, candidates) if is_long else None
        if match:
            headings.append(Heading(*match, entry.title, entry.level))
            begin = match[1]
    return headings


def _find_lines(
    title: str, plain: Sequence[str], unnumbered: Sequence[str], candidates: Sequence[int]
) -> tuple[int, int] | None:
    """Return the first run of up to three lines with this title, else a line that contains it and little more.

    The outline may lack the number of a heading.
    """
    for position in candidates:
        following = plain[position + 1 : position + _MAX_TITLE_LINES]
        for first in filter(title.startswith, (plain[position], unnumbered[position])):
            for count, joined in enumerate(accumulate([first, *following]), start=1):
                if joined == title:
                    return position, position + count
    for position in candidates:
        line = plain[position]
        if line and (line.endswith(title) or line.startswith(title)) and len(title) >= _CONTAINED_SHARE * len(line):
            return position, position + 1
    return None


def _plain(text: str) -> str:
    return _NOT_WORD.sub("", text.casefold())
