"""Remove control characters, noncharacters, ligatures and mathematical letters, and judge whether text is readable."""

import re
import unicodedata

LINE_END_HYPHENS = "\ufffe\x02"
"""PDFium writes these for a hyphen that breaks a word at the end of a line."""

_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}
_MATHEMATICAL = {code: unicodedata.normalize("NFKC", chr(code)) for code in (0x210E, *range(0x1D400, 0x1D800))}
_CONTROLS = (*range(9), 11, *range(14, 32), *range(0x7F, 0xA0))
_INVISIBLE = (0xAD, 0x200B, 0x2060, 0xFEFF, 0xFFFE, 0xFFFF)
_DROPPED = dict.fromkeys((*_CONTROLS, *_INVISIBLE, *range(0xD800, 0xE000)))
_TABLE: dict[int, str | None] = {**_DROPPED, **_LIGATURES, **_MATHEMATICAL}
_SUSPICIOUS = re.compile(
    "[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\xad\u0300-\u036f\u200b\u2060\u210e\ufb00-\ufb06\ufeff\ufffe\uffff\ud800-\udfff"
    "\U0001d400-\U0001d7ff]"
)
_SURROGATES = re.compile("[\ud800-\udfff]")
_UNMAPPED = re.compile("[\x00\x01\x03-\x08\x0b\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd]")  # \x02 is a hyphen
_RUN_OF_MARKS = re.compile(r"([^\w\s]|_)(?: ?\1)+")
_JUDGED_CHARACTERS = 40
_SAMPLE_CHARACTERS = 1_500
_LEADERS = re.compile(r"(?:[.·․…‥][ \t\u00a0]?){4,}|(?:…[ \t\u00a0]?){2,}")


def clean_text(text: str) -> str:
    """Drop control characters, soft hyphens and lone surrogates, and normalize to NFC.

    It joins surrogate pairs, spells out ligatures and makes mathematical letters (U+1D465) plain ones. Line feeds,
    carriage returns, form feeds and tabs stay.
    """
    if not needs_cleaning(text):
        return text
    if _SURROGATES.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
    return unicodedata.normalize("NFC", text.translate(_TABLE))


def needs_cleaning(text: str) -> bool:
    """Return whether `clean_text` would change a text."""
    return bool(_SUSPICIOUS.search(text))


def blank_dot_leaders(text: str) -> str:
    """Overwrite dot leaders (`Introduction ...... 5`) by spaces. Offsets stay."""
    if ".." not in text and ". ." not in text and "…" not in text and "·" not in text and "․" not in text:
        return text
    return _LEADERS.sub(lambda match: " " * len(match.group()), text)


def has_meaning(text: str) -> bool:
    """Return whether at least half of the visible characters are mapped.

    Fonts without a mapping yield control characters and those of private use.
    """
    visible = len(text) - sum(map(text.count, " \n\r\t"))
    return visible > 0 and len(_UNMAPPED.findall(text)) * 2 <= visible


def is_readable(text: str) -> bool:
    """Return whether text has mapped characters and at least half letters and digits.

    Fonts with a wrong mapping yield marks such as `! " # $%&`. Over 1,495 pages such pages had at most .39 letters and
    digits, real pages at least .80. Short texts count as readable.
    """
    if not has_meaning(text):
        return False
    sample = text[:_SAMPLE_CHARACTERS]
    visible = "".join(_RUN_OF_MARKS.sub(r"\1", sample).split())
    return len(visible) < _JUDGED_CHARACTERS or sum(map(str.isalnum, visible)) * 2 >= len(visible)
