"""Find text as Ctrl-F does, ignoring case, accents and line breaks (pure)."""

import re
import unicodedata
from dataclasses import dataclass
from itertools import islice
from typing import Final

from lectern.extraction.layout.text_cleaning import clean_text

MAX_MATCHES: Final = 10_000

# Characters that match each other. Keyboards have only the first of each group.
EQUIVALENT_CHARACTERS: Final = ("'’‘ʼ`´‚‛", '"“”„«»‟', "-‐‑‒–—−")
_ACCENTED: Final = range(0xC0, 0x250)  # Latin-1 to Latin Extended-B
_BASIC_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz")


def _variants() -> dict[str, str]:
    """Map each character with variants to a regular expression class of its group."""
    of_letter: dict[str, set[str]] = {}
    for code in _ACCENTED:
        plain = unicodedata.normalize("NFD", chr(code))[0].lower()
        if plain in _BASIC_LETTERS:
            of_letter.setdefault(plain, {plain}).add(chr(code))
    groups = [sorted(letters) for letters in of_letter.values()] + [list(group) for group in EQUIVALENT_CHARACTERS]
    return {
        character: "[" + "".join(re.escape(other) for other in group) + "]" for group in groups for character in group
    }


_VARIANTS: Final = _variants()
_FIRST_WORD: Final = re.compile(r"^\S+(?=\s)")
_LAST_WORD: Final = re.compile(r"(?<=\s)\S+\Z")


@dataclass(frozen=True, slots=True)
class Match:
    """The characters `[char_start, char_end)` of the searched text."""

    char_start: int
    char_end: int


def find_words(text: str, words: str, *, limit: int = MAX_MATCHES) -> list[Match]:
    """Return the first `limit` matches of `words` in `text`, in order and without overlaps.

    Any white space matches between the words, also line and page breaks. Offsets count code points.
    """
    parts = [
        "".join(_VARIANTS.get(character.lower(), re.escape(character)) for character in word)
        for word in clean_text(words).split()
    ]
    if not parts:
        return []
    pattern = re.compile(r"\s+".join(parts), re.IGNORECASE)
    return [Match(*match.span()) for match in islice(pattern.finditer(text), limit)]


def get_context(text: str, match: Match, *, max_characters: int) -> tuple[str, str]:
    """Return the text before and after a match, at most `max_characters` each, in whole words.

    If no whole word fits, as in scripts without spaces, the text is cut.
    """
    first, last = max(0, match.char_start - max_characters), match.char_end + max_characters
    before, after = text[first : match.char_start], text[match.char_end : last]
    if first and not text[first - 1].isspace():
        before = _FIRST_WORD.sub("", before) or before
    if last < len(text) and not text[last].isspace():
        after = _LAST_WORD.sub("", after) or after
    return before, after
