"""Numbered steps of a procedure, joined to be quoted together (pure)."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from lectern.search.presentation.sentences import MAX_CHARACTERS, Span

# "2. Tap the account" or "2 Tap the account". Two words or more: not a numbered heading.
_NUMBER: Final = re.compile(r"\s*\(?(\d{1,2})(?:[.)]|(?=\s+[A-ZÀ-ÖØ-Þ]))\s+\S+\s+\S")
_BULLET: Final = re.compile(r"\s*[-•◦▪‣·*–—]\s")
_MAX_STEP_CHARACTERS: Final = 300  # with the notes below it: a numbered clause is longer


def join_steps(text: str, spans: Sequence[Span]) -> list[Span]:
    """Join the steps numbered from 1, with the notes between them and the line above if that is not too long to quote.

    Longer procedures are cut between sentences.
    """
    joined: list[Span] = []
    position = 0
    while position < len(spans):
        steps = spans[position : position + _count_steps(text, spans[position:])]
        position += len(steps)
        if joined and len(steps) > 1 and steps[-1].end - joined[-1].start <= MAX_CHARACTERS:
            steps = [joined.pop(), *steps]
        joined += _parts(steps)
    return joined


def is_numbered(line: str) -> bool:
    """Return True for a line such as "2. Tap the account." A number alone, or with one word, is no step."""
    return _NUMBER.match(line) is not None


def is_bullet(line: str) -> bool:
    """Return True for a line that begins with the mark of a list."""
    return _BULLET.match(line) is not None


def _count_steps(text: str, spans: Sequence[Span]) -> int:
    """Return how many spans belong to the procedure that begins with the first one, or 1."""
    number = last = 0
    for place, span in enumerate(spans):
        match = _NUMBER.match(text[span.start : span.end])
        is_next = match is not None and int(match[1]) == number + 1
        is_first = match is not None and int(match[1]) == 1
        is_long = max(span.start - spans[last].start, span.end - span.start) > _MAX_STEP_CHARACTERS
        if is_long or (not is_next and (not place or is_first)):
            break
        is_below = match is None and is_bullet(text[span.start : span.end])
        is_behind = place > 0 and "\n" not in text[spans[place - 1].end : span.start]
        if is_next or (last == place - 1 and (is_below or is_behind)):
            number, last = number + is_next, place
    return last + 1


def _parts(spans: Sequence[Span]) -> Iterator[Span]:
    """Yield spans of whole sentences, of at most `MAX_CHARACTERS`."""
    start = spans[0].start
    for before, span in pairwise(spans):
        if span.end - start > MAX_CHARACTERS:
            yield Span(start, before.end)
            start = span.start
    yield Span(start, spans[-1].end)
