"""Find a passage on printed pages by its letters and digits. Layouts differ in everything else (pure)."""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from lectern.extraction.layout.boxes import Rect, rectangles

_SEED: Final = 16
"""Letters that are looked for at once, where the passage does not occur as a whole."""
_MIN_FOUND: Final = 0.5
"""The share of such pieces that must be found in one place."""


class PrintedPage(NamedTuple):
    """The text of a printed page and its packed word boxes."""

    text: str
    boxes: bytes


class PrintedPlace(NamedTuple):
    """Rectangles on a printed page."""

    page_number: int
    rects: list[Rect]


def find_printed(pages: Sequence[PrintedPage], passage: str, *, share: float) -> list[PrintedPlace]:
    """Return where the passage is printed. Of several places, the one nearest to its `share` of the whole text.

    Empty if less than half of it is found in one place.
    """
    letters, at = _letters("".join(page.text for page in pages))
    wanted, _ = _letters(passage)
    found = _find(letters, wanted, near=round(share * len(letters))) if wanted else None
    if found is None:
        return []
    start, end = at[found[0]], at[found[1] - 1] + 1
    places: list[PrintedPlace] = []
    first = 0
    for number, page in enumerate(pages, start=1):
        last = first + len(page.text)
        if first < end and last > start:
            places.append(PrintedPlace(number, rectangles(page.boxes, max(start - first, 0), min(end, last) - first)))
        first = last
    return [place for place in places if place.rects]


def _letters(text: str) -> tuple[str, list[int]]:
    """Return the letters and digits in lower case, and the character each is from."""
    letters: list[str] = []
    at: list[int] = []
    for index, character in enumerate(text):
        if not character.isalnum():
            continue
        for letter in unicodedata.normalize("NFKC", character).lower():
            letters.append(letter)
            at.append(index)
    return "".join(letters), at


def _find(letters: str, wanted: str, *, near: int) -> tuple[int, int] | None:
    whole = _occurrences(letters, wanted)
    if whole:
        start = min(whole, key=lambda position: abs(position - near))
        return start, start + len(wanted)
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


def _occurrences(letters: str, wanted: str) -> list[int]:
    found: list[int] = []
    position = letters.find(wanted)
    while position >= 0:
        found.append(position)
        position = letters.find(wanted, position + 1)
    return found
