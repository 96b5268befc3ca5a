"""Finding words in a document's text as Ctrl-F does: literally, whatever the case, the accents and the line breaks."""

import re
import unicodedata
from dataclasses import dataclass
from itertools import islice
from typing import Final

MAX_MATCHES: Final = 10_000

# Signs that stand for one another, because keyboards have the first of each row only.
SIGNS_ALIKE: Final = ("'’‘ʼ`´‚‛", '"“”„«»‟', "-‐‑‒–—−")
_ACCENTED: Final = range(0xC0, 0x250)  # Latin-1 to Latin Extended-B
_OF_THE_KEYBOARD: Final = frozenset("abcdefghijklmnopqrstuvwxyz")


def _variants() -> dict[str, str]:
    """Every letter and sign that is found by others, with a class of what it is found by."""
    of_letter: dict[str, set[str]] = {}
    for code in _ACCENTED:
        plain = unicodedata.normalize("NFD", chr(code))[0].lower()
        if plain in _OF_THE_KEYBOARD:
            of_letter.setdefault(plain, {plain}).add(chr(code))
    groups = [sorted(letters) for letters in of_letter.values()] + [list(signs) for signs in SIGNS_ALIKE]
    return {sign: "[" + "".join(re.escape(other) for other in group) + "]" for group in groups for sign in group}


_VARIANTS: Final = _variants()


_FIRST_WORD: Final = re.compile(r"^\S+(?=\s)")
_LAST_WORD: Final = re.compile(r"(?<=\s)\S+\Z")


@dataclass(frozen=True, slots=True)
class Match:
    """Characters `[char_start, char_end)` of the text that was looked through."""

    char_start: int
    char_end: int


def find_words(text: str, words: str, *, limit: int = MAX_MATCHES) -> list[Match]:
    """Where `words` stand in `text`, in order and apart from one another; the first `limit` of them.

    Case and accents do not matter, nor which blanks are between the words: a line or a page may end there. Offsets
    count code points. Blank words are nowhere.
    """
    parts = ["".join(_VARIANTS.get(sign.lower(), re.escape(sign)) for sign in word) for word in words.split()]
    if not parts:
        return []
    pattern = re.compile(r"\s+".join(parts), re.IGNORECASE)
    return [Match(*found.span()) for found in islice(pattern.finditer(text), limit)]


def around(text: str, match: Match, *, most: int) -> tuple[str, str]:
    """What stands before and after it, at most so many characters each; a word that would be cut is left out.

    Where that leaves nothing (a word longer than that, a script without blanks) it is cut.
    """
    first, last = max(0, match.char_start - most), match.char_end + most
    before, after = text[first : match.char_start], text[match.char_end : last]
    if first and not text[first - 1].isspace():
        before = _FIRST_WORD.sub("", before) or before
    if last < len(text) and not text[last].isspace():
        after = _LAST_WORD.sub("", after) or after
    return before, after
