"""Split the characters of a page into words, without a Python step for each, and order words that were added."""

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from lectern.extraction.layout.reading_order import Indices, PlacedWords, baselines, extents
from lectern.extraction.layout.text_cleaning import LINE_END_HYPHENS, blank_dot_leaders, clean_text, needs_cleaning

_LAST_SPACE = 0x3000
_IS_SPACE = np.array([chr(code).isspace() for code in range(_LAST_SPACE + 2)])
_HYPHENS_AS_SPACES = dict.fromkeys(map(ord, LINE_END_HYPHENS), " ")
_HYPHEN_CODES = tuple(map(ord, LINE_END_HYPHENS))
_TWICE = re.compile(r"(?:(.)\1){2,}")
_WITH_TWICE = re.compile(r"(?<!\S)(?:(\S)\1){2,}(?!\S)")
_SAME_ROW: Final = 0.6
"""Baselines of a label and its field are less than this many line heights apart."""
_TOUCHING_POINTS: Final = 1.0


@dataclass(frozen=True, slots=True)
class WordSpans:
    """Words of a text and the positions of their first and last characters.

    `is_cut` marks words that a hyphen breaks at the end of a line.
    """

    texts: list[str]
    first: npt.NDArray[np.int64]
    last: npt.NDArray[np.int64]
    is_cut: npt.NDArray[np.bool_]

    def select(self, chosen: npt.NDArray[np.int64]) -> "WordSpans":
        """Return the words at these positions, in this order."""
        positions: list[int] = chosen.tolist()
        texts = [self.texts[word] for word in positions]
        return WordSpans(texts, self.first[chosen], self.last[chosen], self.is_cut[chosen])


def split_words(text: str) -> WordSpans:
    """Return the words between white space, cleaned. Dot leaders are no words."""
    text = blank_dot_leaders(text)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    is_hyphen = (codes == _HYPHEN_CODES[0]) | (codes == _HYPHEN_CODES[1])
    visible = ~(_IS_SPACE[np.minimum(codes, _LAST_SPACE + 1)] | is_hyphen)
    framed = np.zeros(len(codes) + 2, dtype=bool)
    framed[1:-1] = visible
    first, end = np.flatnonzero(framed[1:] & ~framed[:-1]), np.flatnonzero(framed[:-1] & ~framed[1:])
    is_cut = np.append(is_hyphen, [False])[end]
    texts = (text.translate(_HYPHENS_AS_SPACES) if is_hyphen.any() else text).split()
    words = WordSpans(texts, first, end - 1, is_cut)
    return _cleaned(words) if needs_cleaning(text) else words


def has_doubled_words(text: str) -> bool:
    """Return whether a text has words for `single_letters`."""
    return _WITH_TWICE.search(text) is not None


def single_letters(word: str) -> str | None:
    """Undouble a word in which every letter is doubled (`NNEEWWSS`); None for other words."""
    return word[::2] if _TWICE.fullmatch(word) else None


def _cleaned(words: WordSpans) -> WordSpans:
    """Clean every word, and drop those without any other characters."""
    cleaned = WordSpans([clean_text(word) for word in words.texts], words.first, words.last, words.is_cut)
    return cleaned if all(cleaned.texts) else cleaned.select(np.flatnonzero(cleaned.texts))


def order_added(placed: PlacedWords, first: int) -> Indices:
    """Return the order of the words of a page of which those from `first` on were added later.

    Such a word comes behind the last word before it on its row, or else before the first word below it.
    """
    everything = np.arange(len(placed.texts))
    left, right = extents(placed, everything)
    baseline = baselines(placed, everything)
    places = everything.astype(np.float64)
    for word in range(first, len(everything)):
        below = baseline[:word] - baseline[word]
        height = _SAME_ROW * max(float(placed.heights[word]), 1.0)
        same_direction = placed.directions[:word] == placed.directions[word]
        is_before = same_direction & (np.abs(below) < height) & (right[:word] <= left[word] + _TOUCHING_POINTS)
        before, lower = np.flatnonzero(is_before), np.flatnonzero(same_direction[:first] & (below[:first] >= height))
        if len(before):
            nearest = before[np.argmax(right[before])]
            places[word] = places[nearest] if nearest >= first else nearest + 0.5
        else:
            places[word] = (lower[0] if len(lower) else first) - 0.5
    return np.argsort(places, kind="stable")
