"""Remove characters without a visible form from names, so that names that look the same are the same."""

import re
import unicodedata
from typing import Final

_JOINERS: Final = "\u200c\u200d"
# Number signs of Arabic, Syriac and Kaithi: Unicode counts them as format characters, but they are visible.
_VISIBLE_FORMAT: Final = re.compile("[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd]")
# Fillers of Hangul and Khmer, and the grapheme joiner. Unicode counts them as letters and marks.
_FILLERS: Final = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"
_VIRAMA: Final = 9


def clean_name(name: str) -> str:
    """Return the name with composed characters and single spaces, without invisible characters."""
    return " ".join(unicodedata.normalize("NFC", strip_invisible(name)).split())


def strip_invisible(text: str) -> str:
    """Remove control and format characters, such as zero-width spaces and bidirectional overrides.

    White space stays. So do the joiners where a script needs them: within Persian and Indic words, and in emoji.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(character for index, character in enumerate(text) if _is_visible(text, index))


def _is_visible(text: str, index: int) -> bool:
    character = text[index]
    if character in _JOINERS:
        return _is_joining(text[index - 1 : index], text[index + 1 : index + 2])
    category = unicodedata.category(character)
    if category == "Cf":
        return _VISIBLE_FORMAT.match(character) is not None
    return character.isspace() if category == "Cc" else character not in _FILLERS


def _is_joining(before: str, after: str) -> bool:
    """Return True for a joiner between letters of Arabic scripts, beside a virama, or in a sequence of symbols."""
    if not before or not after:
        return False
    if _VIRAMA in {unicodedata.combining(before), unicodedata.combining(after)}:
        return True
    is_arabic = {unicodedata.bidirectional(before), unicodedata.bidirectional(after)} <= {"AL", "NSM"}
    is_symbol = unicodedata.category(after) == "So" and unicodedata.category(before) in {"So", "Sk", "Mn"}
    return is_arabic or is_symbol
