"""Passages cut into what can be shown or quoted by itself: sentences, or rows where there are none (pure)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_END: Final = re.compile(r"(?<=[.!?])[\"”»')\]]*\s+(?=[\"“«(\[]?[A-ZÀ-ÖØ-Þ0-9]|<\||\[\w+[\] ])|\n\s*\n")
_ABBREVIATION: Final = re.compile(
    r"(?:\b(?:art|artt|no|nr|n|pag|pagg|p|pp|cfr|es|ecc|dott|sig|mr|mrs|ms|dr|prof|inc|corp|ltd|co|vs|fig|tab|cap|sez"
    r"|sec|vol|ed|al|e\.g|i\.e|approx|ca|st|u\.s|s\.p\.a|s\.r\.l)|\b[A-Z])\.$",
    re.IGNORECASE,
)
_LONGEST_ABBREVIATION: Final = 12
_SHORT_LINE: Final = 0.6  # of the longest line: what follows is something new
MAX_CHARACTERS: Final = 600


@dataclass(frozen=True, slots=True)
class Span:
    """Characters start..end of a passage."""

    start: int
    end: int


def split_sentences(text: str, *, is_tabular: bool, heading: str | None = None) -> list[Span]:
    """Sentences of a passage; its lines where it is a table or a list. The heading it begins with is left out."""
    start = len(heading) if heading and text.startswith(heading) else 0
    parts = _lines(text, start) if is_tabular else _sentences(text, start)
    return [trimmed for part in parts for trimmed in _trimmed(text, part)]


def _lines(text: str, start: int) -> Iterator[Span]:
    position = start
    for line in text[start:].split("\n"):
        yield Span(position, position + len(line))
        position += len(line) + 1


def _sentences(text: str, start: int) -> Iterator[Span]:
    longest = max((len(line) for line in text.split("\n")), default=0)
    left = start
    for edge in _edges(text, start, longest=longest):
        yield Span(left, edge)
        left = edge
    yield Span(left, len(text))


def _edges(text: str, start: int, *, longest: int) -> Iterator[int]:
    """Where a sentence ends, and where a line ends that is none: a heading, an entry of a list, a row."""
    ends = {match.end() for match in _END.finditer(text, start) if not _is_abbreviation(text, match.start())}
    position = start
    for line in text[start:].split("\n"):
        end = position + len(line) + 1
        following = text[end : end + 2].lstrip('•-–*"“«(')
        is_new = following[:1].isupper() or following[:1].isdigit()
        if len(line) < _SHORT_LINE * longest and is_new and end < len(text):
            ends.add(end)
        position = end
    yield from sorted(ends)


def _is_abbreviation(text: str, end: int) -> bool:
    return _ABBREVIATION.search(text[max(0, end - _LONGEST_ABBREVIATION) : end]) is not None


def _trimmed(text: str, span: Span) -> Iterator[Span]:
    inner = text[span.start : span.end]
    start = span.start + len(inner) - len(inner.lstrip())
    end = span.start + len(inner.rstrip())
    while end - start > MAX_CHARACTERS:
        cut = max(text.rfind(" ", start, start + MAX_CHARACTERS), text.rfind("\n", start, start + MAX_CHARACTERS))
        cut = cut if cut > start else start + MAX_CHARACTERS
        yield Span(start, cut)
        start = cut + 1
    if end > start:
        yield Span(start, end)
