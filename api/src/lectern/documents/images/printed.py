"""Find a passage on printed pages by its letters and digits. Layouts differ in everything else (pure)."""

import unicodedata
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from lectern.extraction.layout.boxes import Rect, rectangles

_SEED: Final = 16
"""Letters that are looked for at once, where the passage does not occur as a whole."""
_MIN_FOUND: Final = 0.5
"""The share of such pieces that must be found in one place."""
_MAX_COMPARED: Final = 100
"""Places on each side of the expected one whose context is compared."""


class PrintedPage(NamedTuple):
    """The text of a printed page and its packed word boxes."""

    text: str
    boxes: bytes


class PrintedPlace(NamedTuple):
    """Rectangles on a printed page."""

    page_number: int
    rects: list[Rect]


class TextInContext(NamedTuple):
    """A range of a document's text. `share` is the share of the text before it."""

    text: str
    share: float
    before: str = ""
    after: str = ""


class PrintedText:
    """The text of printed pages, prepared for finding passages."""

    def __init__(self, pages: Sequence[PrintedPage]) -> None:
        self._pages = pages
        self._letters, self._at = _letters("".join(page.text for page in pages))

    @property
    def size_bytes(self) -> int:
        """The memory that this takes, roughly."""
        texts = sum(len(page.text) + len(page.boxes) for page in self._pages)
        return texts + len(self._letters) + len(self._at) * self._at.itemsize

    def find(self, passage: TextInContext) -> list[PrintedPlace]:
        """Return where the passage is printed.

        Of several places, the one with the same text around it, then the one nearest to its `share` of the whole text.
        Empty if less than half of it is found in one place.
        """
        found = _find(self._letters, passage)
        if found is None:
            return []
        start, end = self._at[found[0]], self._at[found[1] - 1] + 1
        places: list[PrintedPlace] = []
        first = 0
        for number, page in enumerate(self._pages, start=1):
            last = first + len(page.text)
            if first < end and last > start:
                rects = rectangles(page.boxes, max(start - first, 0), min(end, last) - first)
                places.append(PrintedPlace(number, rects))
            first = last
        return [place for place in places if place.rects]


def _letters(text: str) -> "tuple[str, array[int]]":
    """Return the letters and digits in lower case, and the character each is from."""
    letters: list[str] = []
    at = array("I")
    for index, character in enumerate(text):
        if not character.isalnum():
            continue
        for letter in unicodedata.normalize("NFKC", character).lower():
            letters.append(letter)
            at.append(index)
    return "".join(letters), at


def _find(letters: str, passage: TextInContext) -> tuple[int, int] | None:
    wanted, before, after = (_letters(text)[0] for text in (passage.text, passage.before, passage.after))
    if not wanted:
        return None
    near = round(passage.share * len(letters))
    whole = _occurrences(letters, wanted)
    if whole:
        expected = bisect_left(whole, near)

        def agreement(start: int) -> tuple[int, int]:
            end = start + len(wanted)
            behind = _count_same(letters[max(start - len(before), 0) : start][::-1], before[::-1])
            return behind + _count_same(letters[end : end + len(after)], after), -abs(start - near)

        start = max(whole[max(expected - _MAX_COMPARED, 0) : expected + _MAX_COMPARED], key=agreement)
        return start, start + len(wanted)
    return _find_parts(letters, wanted, near=near)


def _find_parts(letters: str, wanted: str, *, near: int) -> tuple[int, int] | None:
    offsets = range(0, max(len(wanted) - _SEED, 0) + 1, _SEED)
    hits = [(place, offset) for offset in offsets for place in _occurrences(letters, wanted[offset : offset + _SEED])]
    # Pieces of one place begin at about the same distance from the beginning of the passage.
    votes = Counter((place - offset) // len(wanted) for place, offset in hits)
    if not votes:
        return None
    best = max(votes, key=lambda at: (votes[at] + votes[at + 1], -abs(at * len(wanted) - near)))
    chosen = {offset: place for place, offset in hits if (place - offset) // len(wanted) in {best, best + 1}}
    if len(chosen) < _MIN_FOUND * len(offsets):
        return None
    return min(chosen.values()), min(max(chosen.values()) + _SEED, len(letters))


def _count_same(one: str, other: str) -> int:
    """Count the characters that both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _occurrences(letters: str, wanted: str) -> list[int]:
    found: list[int] = []
    position = letters.find(wanted)
    while position >= 0:
        found.append(position)
        position = letters.find(wanted, position + 1)
    return found
