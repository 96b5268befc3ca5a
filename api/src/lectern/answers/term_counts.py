"""Words and terms of a text, counted (pure)."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import Final

from lectern.documents.parts.finding import find_words

_WORD: Final = re.compile(r"[^\W_]+(?:[-.,'’/][^\W_]+)*")


def count_words(text: str) -> int:
    """Words and figures; "1,500.00", "well-known" and "don't" are one each."""
    return sum(1 for _ in _WORD.finditer(text))


def count_term(text: str, term: str, *, page_starts: Sequence[int]) -> Counter[int]:
    """How often a term stands on each page as whole words, by the index of the page where it begins."""
    counts: Counter[int] = Counter()
    for match in find_words(text, term):
        before, after = text[match.char_start - 1 : match.char_start], text[match.char_end : match.char_end + 1]
        is_cut = (before.isalnum() and text[match.char_start].isalnum()) or (
            after.isalnum() and text[match.char_end - 1].isalnum()
        )
        if not is_cut:
            counts[bisect_right(page_starts, match.char_start) - 1] += 1
    return counts
