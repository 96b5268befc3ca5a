"""Sections: from one heading to the next, with the headings above; tiny ones join a neighbour."""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import pairwise

from lectern.chunking.headings import Heading

_MOST_TITLES = 3
_MOST_TITLE_CHARACTERS = 160


@dataclass(frozen=True, slots=True)
class DocumentSection:
    """Lines `first` to `last` (exclusive) under a heading; `path` are the headings above it, outermost first.

    A section made of several tiny ones is titled with their titles.
    """

    first: int
    last: int
    title: str | None
    path: tuple[str, ...]
    level: int

    def split_at(self, borders: AbstractSet[int]) -> list["DocumentSection"]:
        """The section in parts that begin at these lines; a line of another section changes nothing."""
        edges = [self.first, *sorted(border for border in borders if self.first < border < self.last), self.last]
        return [replace(self, first=first, last=last) for first, last in pairwise(edges)]


def find_sections(headings: Sequence[Heading], line_count: int) -> list[DocumentSection]:
    """The sections that the headings begin; lines in front of the first heading are a section without a title."""
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
    most: int,
    borders: AbstractSet[int] = frozenset(),
) -> list[DocumentSection]:
    """Sections of at least `floor` tokens each, as far as there are neighbours to join.

    A tiny section joins the next one, so that a heading stays with what it announces; but when the next one stands
    higher in the outline, it joins the one before, unless both are more than `most` tokens together. Nothing is joined
    over one of the `borders`.
    """
    joined: list[DocumentSection] = []
    waiting: list[DocumentSection] = []
    for number, section in enumerate(sections):
        waiting.append(section)
        size = sum(tokens_of(part) for part in waiting)
        following = sections[number + 1] if number + 1 < len(sections) else None
        can_go_on = following is not None and following.first not in borders
        can_go_back = bool(joined) and waiting[0].first not in borders and tokens_of(joined[-1]) + size <= most
        if size >= floor or not (can_go_on or can_go_back):
            joined.append(_join(waiting))
            waiting = []
        elif can_go_back and (following is None or not can_go_on or following.level < waiting[0].level):
            joined[-1] = _join([joined[-1], *waiting])
            waiting = []
    return joined


def _join(parts: Sequence[DocumentSection]) -> DocumentSection:
    if len(parts) == 1:
        return parts[0]
    # a heading that only announces the next, deeper one is in that one's path already
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
    shown = " · ".join(titles[:_MOST_TITLES])
    if len(titles) > _MOST_TITLES or len(shown) > _MOST_TITLE_CHARACTERS:
        return shown[:_MOST_TITLE_CHARACTERS].rstrip() + " …"
    return shown
