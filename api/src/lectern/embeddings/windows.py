"""Split the text of a chunk into windows that fit the model (pure).

    context = window_context(title, section_path)
    windows = chunk_windows(chunk_text, context=context, count_tokens=provider.count_tokens,
                            max_tokens=provider.info.max_tokens)          # list[Window(window_number, text)]

A chunk of 800 tokens is too long for a model of 512 tokens, so it is embedded as 1-3 windows of about equal length.
Each window starts with the document's title and section path. The nearest window represents the chunk. Text dense with
numbers has more tokens and gets up to 8 windows. It is embedded a second time without its numbers, because the labels
of a table carry its topic.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

MAX_WINDOWS: Final = 8
MAX_CONTEXT_CHARACTERS: Final = 200
_SEPARATOR: Final = " > "
# Texts with at least this share of numbers are also embedded without them (docs/adr/0018).
MIN_NUMBER_SHARE: Final = 0.25
_NUMBER: Final = re.compile(r"[\[(]?[$€£]?\(?[-–—+]?[\d.,]*\d[\d.,]*\)?%?[\]),;]?|[–—-]+\)?%?|[$€£%()]+")
# "PART I", "Section 6": a position, not a topic (docs/adr/0018).
_NUMBERED: Final = re.compile(r"[^\W\d_]+\.?\s+(?:[IVXLC]+|\d+[A-Z]?)\.?")
_YEAR: Final = re.compile(r"(?:19|20)\d\d[,;]?")
# Break points of windows, best first: between lines, after a sentence, between words.
_BREAKS: Final = (re.compile(r"\n+"), re.compile(r"[.!?;:]\s+"), re.compile(r"\s+"))


@dataclass(frozen=True, slots=True)
class Window:
    """Context, line break and a part of a chunk's text. `window_number` counts from 1."""

    window_number: int
    text: str


def window_context(title: str | None, section_path: Sequence[str] = ()) -> str:
    """Join title and section path in one line of at most 200 characters. The outermost sections are dropped first.

    Outer sections that have only a number are left out.
    """
    named = [section for section in section_path[:-1] if not _NUMBERED.fullmatch(section.strip())]
    named += section_path[-1:]
    parts = [" ".join(part.split()) for part in (title or "", *named)]
    parts = [part for index, part in enumerate(parts) if part and part not in parts[:index]]
    while len(parts) > 2 and len(_SEPARATOR.join(parts)) > MAX_CONTEXT_CHARACTERS:  # noqa: PLR2004 (title and innermost section)
        del parts[1]
    return _SEPARATOR.join(parts)[:MAX_CONTEXT_CHARACTERS].rstrip()


def chunk_windows(text: str, *, context: str = "", count_tokens: Callable[[str], int], max_tokens: int) -> list[Window]:
    """Split a chunk into windows, and again without its numbers if it has many."""
    windows = split_windows(text, context=context, count_tokens=count_tokens, max_tokens=max_tokens)
    labels = without_numbers(text)
    if labels:
        further = split_windows(labels, context=context, count_tokens=count_tokens, max_tokens=max_tokens)
        windows += [Window(len(windows) + window.window_number, window.text) for window in further]
    return windows


def without_numbers(text: str) -> str | None:
    """Remove numbers except years from a text dense with numbers. Return None if it has few, or nothing else."""
    words = text.split()
    numbers = sum(_NUMBER.fullmatch(word) is not None for word in words)
    if not numbers or numbers < MIN_NUMBER_SHARE * len(words):
        return None
    lines = (" ".join(word for word in line.split() if not _is_plain_number(word)) for line in text.splitlines())
    labels = "\n".join(line for line in lines if line)
    return labels if any(character.isalpha() for character in labels) else None


def _is_plain_number(word: str) -> bool:
    return _NUMBER.fullmatch(word) is not None and _YEAR.fullmatch(word) is None


def split_windows(text: str, *, context: str = "", count_tokens: Callable[[str], int], max_tokens: int) -> list[Window]:
    """Split a text into the fewest windows of about equal length that fit `max_tokens`. An empty text gives one."""
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
    """Cut up to `count` pieces of about equal length, at the best break within a fifth of that length."""
    size = len(text) / count
    cuts = [_break_near(text, round(size * number), reach=round(size / 5)) for number in range(1, count)]
    edges = [0, *cuts, len(text)]
    pieces = [text[start:end].strip() for start, end in pairwise(edges)]
    return [piece for piece in pieces if piece] or [""]


def _break_near(text: str, position: int, *, reach: int) -> int:
    low, high = max(position - reach, 0), min(position + reach, len(text))
    for pattern in _BREAKS:
        ends = [match.end() for match in pattern.finditer(text, low, high)]
        if ends:
            return min(ends, key=lambda end: abs(end - position))
    return position
