"""Distinguish text from binary files by content."""

import re
import unicodedata
from collections import Counter
from typing import Final

from lectern.extraction.formats.encodings import TEXT_CONTROLS, UNDEFINED_IN_1252, codec_of, encoding_of

_MAX_CONTROLS: Final = 0.02
_MAX_UNPRINTABLE: Final = 0.1
_MAX_NULS: Final = 0.01
_MAX_UNDEFINED: Final = 0.005
_MAX_IN_RUNS: Final = 0.3
_MAX_BEYOND_ASCII: Final = 0.5
_MIN_BEYOND_ASCII: Final = 64
_ASCII: Final = bytes(range(128))
_RUN: Final = re.compile(rb"([\x80-\x9f\xa2-\xff])\1{15,}")  # \xa0 and \xa1\xa1 are spaces that indent text
_UNPRINTABLE: Final = frozenset({"Cs", "Co", "Cn"})
_DAMAGED: Final = "\ufffd"


def looks_like_text(head: bytes) -> bool:
    """Return whether these bytes are text in a known encoding. The last character may be incomplete."""
    encoding = encoding_of(head)
    if not encoding.startswith(("utf-16", "utf-32")) and _has_binary_bytes(head, encoding):
        return False
    counts = Counter(head.decode(codec_of(encoding), "replace"))
    size = max(counts.total(), 1)
    controls = sum(count for character, count in counts.items() if _is_control(character))
    unprintable = sum(count for character, count in counts.items() if _is_unprintable(character, encoding))
    return controls <= _MAX_CONTROLS * size and unprintable <= max(1, _MAX_UNPRINTABLE * size)


def _has_binary_bytes(head: bytes, encoding: str) -> bool:
    """Return whether bytes occur that text in this encoding does not have.

    NUL bytes are accepted in UTF-8 only, up to 1 %, because a crash leaves some in a log.
    """
    nuls = head.count(0)
    if encoding == "utf-8":
        return nuls > 0 and nuls >= _MAX_NULS * len(head)
    if nuls or _has_plain_areas(head):
        return True
    return encoding == "windows-1252" and not _may_be_latin(head)


def _has_plain_areas(head: bytes) -> bool:
    """Return whether runs of one byte beyond ASCII fill much of the file, as in an uncompressed picture."""
    return sum(len(run.group()) for run in _RUN.finditer(head)) > _MAX_IN_RUNS * len(head)


def _may_be_latin(head: bytes) -> bool:
    """Return whether bytes are mostly ASCII, and defined in Windows-1252 but for a few. Short ones are not judged."""
    if sum(map(head.count, UNDEFINED_IN_1252)) > _MAX_UNDEFINED * len(head):
        return False
    beyond_ascii = len(head.translate(None, _ASCII))
    return beyond_ascii < _MIN_BEYOND_ASCII or beyond_ascii <= _MAX_BEYOND_ASCII * len(head)


def _is_control(character: str) -> bool:
    """Return whether this is a control character that text files do not use. Terminals use some."""
    return character < " " and character not in TEXT_CONTROLS


def _is_unprintable(character: str, encoding: str) -> bool:
    """Return whether this character is damaged. Beyond UTF-8, also whether it is unassigned or for private use."""
    return character == _DAMAGED or (encoding != "utf-8" and unicodedata.category(character) in _UNPRINTABLE)
