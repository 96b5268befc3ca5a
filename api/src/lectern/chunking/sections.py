"""Sections: from one heading to the next. Tiny ones join a neighbour."""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import pairwise

from lectern.chunking.headings import Heading

_MAX_TITLES = 3
_MAX_TITLE_CHARACTERS = 160


@dataclass(frozen=True, slots=True)
class DocumentSection:
    """Lines `first` to `last` (exclusive) under a heading. `path` are the headings above it, outermost first.

    A section of several tiny ones has their titles.
    """

    first: int
    last: int
    title: str | None
    path: tuple[str, ...]
    level: int

    def split_at(self, barriers: AbstractSet[int]) -> list["DocumentSection"]:
        """Split the section at these lines. Lines of other sections are ignored."""
        edges = [self.first, *sorted(barrier for barrier in barriers if self.first < barrier < self.last), self.last]
        return [replace(self, first=first, last=last) for first, last in pairwise(edges)]


def find_sections(headings: Sequence[Heading], line_count: int) -> list[DocumentSection]:
    """Return the sections of these headings. Lines before the first heading are a section without a title."""
    if not headings:
        return [DocumentSection(0, line_count, None, (), 0)] if line_count else []
    sections: list[DocumentSection] = []
    begins = [headings[0].first - headings[0].lead]
    for before, heading in pairwise(headings):
        begins.append(max(heading.first - heading.lead, before.last))
    if begins[0] > 0:
        sections.append(DocumentSection(0, begins[0], None, (), 0))
    above: list[Heading] = []
    for heading, begin, end in zip(headings, begins, [*begins[1:], line_count], strict=True):
        while above and above[-1].level >= heading.level:
            above.pop()
        path = tuple(parent.title for parent in above)
        sections.append(DocumentSection(begin, end, heading.title, path, heading.level))
        above.append(heading)
    return sections


def join_tiny(
    sections: Sequence[DocumentSection],
    *,
    tokens_of: Callable[[DocumentSection], int],
    floor: int,
    max_tokens: int,
    barriers: AbstractSet[int] = frozenset(),
) -> list[DocumentSection]:
    """Join sections below `floor` tokens to a neighbour.

    A tiny section joins the next one, to keep a heading with its text. Before a section of a higher level it joins the
    one before, unless both exceed `max_tokens` together. Nothing is joined across `barriers`.
    """
    joined: list[DocumentSection] = []
    pending: list[DocumentSection] = []
    for number, section in enumerate(sections):
        pending.append(section)
        size = sum(tokens_of(part) for part in pending)
        following = sections[number + 1] if number + 1 < len(sections) else None
        can_go_on = following is not None and following.first not in barriers
        can_go_back = bool(joined) and pending[0].first not in barriers and tokens_of(joined[-1]) + size <= max_tokens
        if size >= floor or not (can_go_on or can_go_back):
            joined.append(_join(pending))
            pending = []
        elif can_go_back and (following is None or not can_go_on or following.level < pending[0].level):
            joined[-1] = _join([joined[-1], *pending])
            pending = []
    return joined


def _join(parts: Sequence[DocumentSection]) -> DocumentSection:
    if len(parts) == 1:
        return parts[0]
    # A heading right before a deeper one is in the path of that one.
    named = [
        part
        for part, following in zip(parts, [*parts[1:], None], strict=True)
        if part.title and not (following and part.title in following.path)
    ]
    first = parts[0]
    if not named:
        return DocumentSection(first.first, parts[-1].last, first.title, first.path, first.level)
    path = named[0].path
    for part in named[1:]:
        path = tuple(title for title, other in zip(path, part.path, strict=False) if title == other)
    return DocumentSection(first.first, parts[-1].last, _titles(named), path, min(part.level for part in named))


def _titles(named: Sequence[DocumentSection]) -> str:
    titles = [part.title for part in named if part.title]
    title = " · ".join(titles[:_MAX_TITLES])
    if len(titles) > _MAX_TITLES or len(title) > _MAX_TITLE_CHARACTERS:
        return title[:_MAX_TITLE_CHARACTERS].rstrip() + " …"
    return title
