"""Distinguish text from binary files, and detect its encoding.

Unicode comes first, then other scripts, then Central European, else Windows-1252.
"""

import codecs
import re
import unicodedata
from collections import Counter
from typing import Final

BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
TEXT_CONTROLS: Final = "\t\n\f\r\a\b\x1a\x1b"
"""Control characters of texts and of logs of terminals."""
UNDEFINED_IN_1252: Final = (0x81, 0x8D, 0x8F, 0x90, 0x9D)

_BINARY_CONTROLS: Final = bytes(byte for byte in range(1, 32) if chr(byte) not in TEXT_CONTROLS)
_BLOCK_BYTES: Final = 4_096
_MAX_CONTROLS: Final = 0.02
_MIN_CONTROLS: Final = 16
_ZEROS_OF_UTF16 = 0.3
_ASCII: Final = bytes(range(128))
_VALID_TO_BROKEN = 10
_ISO_2022_JP = (b"\x1b$B", b"\x1b$@")
_OTHER_SCRIPTS: Final = {
    "cp932": "shift-jis",
    "euc_jp": "euc-jp",
    "gb18030": "gb18030",
    "big5": "big5",
    "euc_kr": "euc-kr",
    "cp1251": "windows-1251",
    "koi8_r": "koi8-r",
    "cp1253": "windows-1253",
    "cp1255": "windows-1255",
    "cp1256": "windows-1256",
}
_CODECS: Final = [*_OTHER_SCRIPTS]
_WIDER: Final = {"shift-jis": "cp932", "euc-kr": "cp949"}
_SAMPLE_BYTES = 65_536
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]")
_BYTES_BEYOND_ASCII: Final = bytes(range(128, 256))
_FROM_WINDOWS = re.compile(rb"[\x80-\x9f]")  # controls in ISO 8859
_WINDOWS_1250 = re.compile(rb"(?<=[A-Za-z])[\x8d\x8f\x9d\xb3\xb9\xbe\xbf](?=[a-z])")
_LATIN_2 = re.compile(rb"(?<=[A-Za-z])[\xb1\xb3\xb5\xb6\xb9\xbb\xbe\xbf](?=[a-z])")
_MIN_SYMBOLS = 2
_SYMBOLS_IN_WORDS = 0.02
_LETTERS = re.compile(r"[^\W\d_a-zA-Z]+")
_WORDS = re.compile(r"(?<![a-zA-Z])[^\W\d_a-zA-Z]{2,}(?![a-zA-Z])")
_HALF_WIDTH_KANA = re.compile("[\uff61-\uff9f]")
_KANA_AND_HANGUL = re.compile("[\u3041-\u3096\u30a1-\u30fa\uac00-\ud7a3]")
_MIN_LETTERS = 4
_IN_WORDS = 0.7
_MAX_HALF_WIDTH = 0.2
_MAX_UNPRINTABLE: Final = 0.1
_MAX_NULS: Final = 0.01
_MAX_UNDEFINED: Final = 0.005
_MAX_IN_RUNS: Final = 0.3
_MAX_BEYOND_ASCII: Final = 0.5
_MIN_BEYOND_ASCII: Final = 64
_RUN: Final = re.compile(rb"([\x80-\x9f\xa2-\xff])\1{15,}")  # \xa0 and \xa1\xa1 are spaces that indent text
_UNPRINTABLE: Final = frozenset({"Cs", "Co", "Cn"})
_DAMAGED: Final = "\ufffd"


def codec_of(encoding: str) -> str:
    """Return Python's codec for an encoding: the variant that programs write."""
    return _WIDER.get(encoding, encoding)


def encoding_of(raw: bytes) -> str:
    """Return the most likely encoding.

    In this order: a byte order mark; UTF-16 where every other byte is mostly zero; valid UTF-8, or ten valid characters
    for each broken byte (a log with a broken line); the encoding of another script with whole words, as ranked by
    `charset-normalizer`; the Central European encoding that makes letters of the symbols within words; `windows-1252`.
    """
    for mark, encoding in BYTE_ORDER_MARKS:
        if raw.startswith(mark):
            return encoding
    zeros_even, zeros_odd = raw[0::2].count(0), raw[1::2].count(0)
    half = max(1, len(raw) // 2)
    if max(zeros_even, zeros_odd) > _ZEROS_OF_UTF16 * half and min(zeros_even, zeros_odd) * 10 < max(
        zeros_even, zeros_odd
    ):
        return "utf-16-le" if zeros_odd > zeros_even else "utf-16-be"
    if raw.isascii():
        return "iso-2022-jp" if any(escape in raw for escape in _ISO_2022_JP) else "utf-8"
    sample = _sample(raw)
    if _is_utf_8(raw) or _is_broken_utf_8(sample):
        return "utf-8"
    other = _of_other_script(sample) or _of_other_script(sample[:-1])  # the last character may be incomplete
    return other or _of_central_europe(raw) or "windows-1252"


def has_binary_block(raw: bytes, encoding: str) -> bool:
    """Return whether a part of a long text is binary data. NUL bytes do not count, because a crash leaves many."""
    blocks = (raw[start : start + _BLOCK_BYTES] for start in range(0, len(raw), _BLOCK_BYTES))
    return not encoding.startswith(("utf-16", "utf-32")) and any(
        len(block) - len(block.translate(None, _BINARY_CONTROLS)) > max(_MIN_CONTROLS, _MAX_CONTROLS * len(block))
        for block in blocks
    )


def _is_utf_8(raw: bytes) -> bool:
    """Return whether all is valid, except an incomplete last character."""
    try:
        return not codecs.getincrementaldecoder("utf-8")().decode(raw, final=False).isascii()
    except UnicodeDecodeError:
        return False


def _is_broken_utf_8(sample: bytes) -> bool:
    text = sample.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    valid = len(text) - broken - (len(sample) - len(sample.translate(None, _ASCII)))
    return valid >= _VALID_TO_BROKEN * broken


def _of_other_script(sample: bytes) -> str | None:
    """Return the encoding of another script; None for Latin text, whose accents are among plain letters."""
    from charset_normalizer import from_bytes

    ranked: list[tuple[float, float, float, int]] = []
    for match in from_bytes(sample, cp_isolation=_CODECS, enable_fallback=False):
        text = str(match)
        letters = sum(map(len, _LETTERS.findall(text)))
        if _is_of_one_script(text, letters):
            own = len(_KANA_AND_HANGUL.findall(text)) / letters
            usual = -_CODECS.index(match.encoding)
            ranked.append((-round(match.chaos, 2), round(match.coherence, 2), own, usual))
    return _OTHER_SCRIPTS[_CODECS[-max(ranked)[-1]]] if ranked else None


def _of_central_europe(raw: bytes) -> str | None:
    """Return Windows-1250 or ISO 8859-2 if symbols of Windows-1252 are often within words, as in `w³a¶ciwy`."""
    encoding, symbols = ("iso-8859-2", _LATIN_2) if not _FROM_WINDOWS.search(raw) else ("windows-1250", _WINDOWS_1250)
    within_words = len(symbols.findall(raw))
    beyond_ascii = len(raw) - len(raw.translate(None, _BYTES_BEYOND_ASCII))
    return encoding if within_words >= max(_MIN_SYMBOLS, _SYMBOLS_IN_WORDS * beyond_ascii) else None


def _sample(raw: bytes) -> bytes:
    """Return the ends of lines from their first byte beyond ASCII, up to 65,536 bytes."""
    ends: list[bytes] = []
    room, position = _SAMPLE_BYTES, 0
    while room > 0 and (match := _BEYOND_ASCII.search(raw, position)):
        line_end = raw.find(b"\n", match.start()) + 1 or len(raw)
        ends.append(raw[match.start() : min(line_end, match.start() + room)])
        room -= len(ends[-1])
        position = line_end
    return b"".join(ends)


def _is_of_one_script(text: str, letters: int) -> bool:
    """Return whether the letters beyond ASCII form whole words."""
    return (
        letters >= _MIN_LETTERS
        and sum(map(len, _WORDS.findall(text))) >= _IN_WORDS * letters
        and len(_HALF_WIDTH_KANA.findall(text)) < _MAX_HALF_WIDTH * letters
    )


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
