"""Cutting a page's characters into words, without a Python step for each of them."""

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lectern.extraction.layout.text_cleaning import LINE_END_HYPHENS, blank_dot_leaders, clean_text, needs_cleaning

_LAST_SPACE = 0x3000
_IS_SPACE = np.array([chr(code).isspace() for code in range(_LAST_SPACE + 2)])
_HYPHENS_AS_SPACES = dict.fromkeys(map(ord, LINE_END_HYPHENS), " ")
_HYPHEN_CODES = tuple(map(ord, LINE_END_HYPHENS))
_TWICE = re.compile(r"(?:(.)\1){2,}")
_WITH_TWICE = re.compile(r"(?<!\S)(?:(\S)\1){2,}(?!\S)")


@dataclass(frozen=True, slots=True)
class WordSpans:
    """Words of a text: `first` and `last` are the positions of their first and last characters.

    `is_cut` marks words that a hyphen breaks at the end of a line.
    """

    texts: list[str]
    first: npt.NDArray[np.int64]
    last: npt.NDArray[np.int64]
    is_cut: npt.NDArray[np.bool_]

    def only(self, kept: npt.NDArray[np.bool_]) -> "WordSpans":
        """Some of these words."""
        texts = [text for text, is_kept in zip(self.texts, kept.tolist(), strict=True) if is_kept]
        return WordSpans(texts, self.first[kept], self.last[kept], self.is_cut[kept])


def split_words(text: str) -> WordSpans:
    """The words between white space, cleaned; dotted leaders are no words."""
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
    """Whether `single_letters` finds anything in a text."""
    return _WITH_TWICE.search(text) is not None


def single_letters(word: str) -> str | None:
    """A word in which every letter stands twice (`NNEEWWSS`), with each once; None for any other."""
    return word[::2] if _TWICE.fullmatch(word) else None


def _cleaned(words: WordSpans) -> WordSpans:
    """Words without characters that nobody wants; those of nothing else are dropped."""
    cleaned = WordSpans([clean_text(word) for word in words.texts], words.first, words.last, words.is_cut)
    return cleaned if all(cleaned.texts) else cleaned.only(np.array([bool(word) for word in cleaned.texts]))
