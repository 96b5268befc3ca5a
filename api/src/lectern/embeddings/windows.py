"""A chunk's text cut into windows that fit the model (pure).

    context = window_context(title, section_path)
    windows = chunk_windows(chunk_text, context=context, count_tokens=provider.count_tokens,
                            max_tokens=provider.info.max_tokens)          # list[Window(window_number, text)]

A chunk of 800 tokens is longer than what a model of 512 tokens reads, so it is embedded as 1-3 windows of about equal
length, each led by the document's title and section path; the nearest window speaks for the chunk.
A text dense with figures may need more; up to 8 are made so that nothing of it goes unread. Such a text is embedded
a second time by its words alone: what a table is about stands in its labels, and a model drowns in its figures.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

MAX_WINDOWS: Final = 8
MAX_CONTEXT_CHARACTERS: Final = 200
_SEPARATOR: Final = " > "
# From this share of figures among its words on, a text is embedded by its words alone too (docs/adr/0018).
MIN_SHARE_OF_FIGURES: Final = 0.25
_FIGURE: Final = re.compile(r"[\[(]?[$€£]?\(?[-–—+]?[\d.,]*\d[\d.,]*\)?%?[\]),;]?|[–—-]+\)?%?|[$€£%()]+")
# "PART I", "Section 6": where a passage stands, not what it is about (docs/adr/0091).
_NUMBERED: Final = re.compile(r"[^\W\d_]+\.?\s+(?:[IVXLC]+|\d+[A-Z]?)\.?")
_YEAR: Final = re.compile(r"(?:19|20)\d\d[,;]?")
# Where a window may end, best first: between lines, after a sentence, between words.
_BREAKS: Final = (re.compile(r"\n+"), re.compile(r"[.!?;:]\s+"), re.compile(r"\s+"))


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a chunk as the model reads it: context, line break, text. `window_number` counts from 1."""

    window_number: int
    text: str


def window_context(title: str | None, section_path: Sequence[str] = ()) -> str:
    """Title and section path in one line of at most 200 characters; the outermost sections give way first.

    Sections above the innermost of which only a number is known are left out.
    """
    named = [section for section in section_path[:-1] if not _NUMBERED.fullmatch(section.strip())]
    named += section_path[-1:]
    parts = [" ".join(part.split()) for part in (title or "", *named)]
    parts = [part for index, part in enumerate(parts) if part and part not in parts[:index]]
    while len(parts) > 2 and len(_SEPARATOR.join(parts)) > MAX_CONTEXT_CHARACTERS:  # noqa: PLR2004 (title and innermost section)
        del parts[1]
    return _SEPARATOR.join(parts)[:MAX_CONTEXT_CHARACTERS].rstrip()


def chunk_windows(text: str, *, context: str = "", count_tokens: Callable[[str], int], max_tokens: int) -> list[Window]:
    """A chunk's windows: its text, and where figures are many its words alone; numbered through from 1."""
    windows = split_windows(text, context=context, count_tokens=count_tokens, max_tokens=max_tokens)
    labels = without_figures(text)
    if labels:
        further = split_windows(labels, context=context, count_tokens=count_tokens, max_tokens=max_tokens)
        windows += [Window(len(windows) + window.window_number, window.text) for window in further]
    return windows


def without_figures(text: str) -> str | None:
    """The lines of a text dense with figures without them, years kept; None where figures are few or all there is."""
    words = text.split()
    figures = sum(_FIGURE.fullmatch(word) is not None for word in words)
    if not figures or figures < MIN_SHARE_OF_FIGURES * len(words):
        return None
    kept = (" ".join(word for word in line.split() if not _is_mere_figure(word)) for line in text.splitlines())
    labels = "\n".join(line for line in kept if line)
    return labels if any(character.isalpha() for character in labels) else None


def _is_mere_figure(word: str) -> bool:
    return _FIGURE.fullmatch(word) is not None and _YEAR.fullmatch(word) is None


def split_windows(text: str, *, context: str = "", count_tokens: Callable[[str], int], max_tokens: int) -> list[Window]:
    """The fewest windows of about equal length in which every window fits `max_tokens`; one for an empty text."""
    text = text.strip()
    whole = _with_context(context, text)
    fewest = min(max(-(-count_tokens(whole) // max_tokens), 1), MAX_WINDOWS)
    parts = [whole]
    for count in range(fewest, MAX_WINDOWS + 1):
        parts = [_with_context(context, part) for part in _cut(text, count)]
        if all(count_tokens(part) <= max_tokens for part in parts):
            break
    return [Window(number, part) for number, part in enumerate(parts, start=1)]


def _with_context(context: str, text: str) -> str:
    return f"{context}\n{text}" if context else text


def _cut(text: str, count: int) -> list[str]:
    """Up to `count` pieces of about equal length, cut at the best break within a fifth of that length."""
    size = len(text) / count
    cuts = [_break_near(text, round(size * number), reach=round(size / 5)) for number in range(1, count)]
    edges = [0, *cuts, len(text)]
    pieces = [text[start:end].strip() for start, end in pairwise(edges)]
    return [piece for piece in pieces if piece] or [""]


def _break_near(text: str, place: int, *, reach: int) -> int:
    low, high = max(place - reach, 0), min(place + reach, len(text))
    for pattern in _BREAKS:
        ends = [match.end() for match in pattern.finditer(text, low, high)]
        if ends:
            return min(ends, key=lambda end: abs(end - place))
    return place
