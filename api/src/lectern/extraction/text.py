"""Plain text: one page, or one for each form feed; a very long page continues on the next."""

import codecs
from pathlib import Path

from lectern.extraction.cleaning import clean_text, has_meaning
from lectern.extraction.limits import Budget
from lectern.extraction.types import DocumentFacts, ExtractedPage, ExtractionLimits, OnPage, PageKind, PageLine

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: its mark begins with the other one
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_ZEROS_OF_UTF16 = 0.3
_BYTES_PER_CHARACTER = 4


def extract(path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage) -> DocumentFacts:
    """Hand every page to `on_page(page, page_count)`; a text file says nothing of itself.

    Raises `FileTooLarge`.
    """
    del password
    budget = Budget(limits)
    budget.check_file(path, bytes_per_character=_BYTES_PER_CHARACTER)
    text, encoding = decode(path.read_bytes())
    budget.spend(len(text), lines=text.count("\n"))
    pages = [part for page in text.split("\f") for part in parts(page, limits.max_page_characters)]
    while len(pages) > 1 and not pages[-1].strip():  # a form feed ends the last page
        pages.pop()
    budget.check_page_count(len(pages))
    note = None if encoding == "utf-8" else f"Read as {encoding}."
    for number, page in enumerate(pages, start=1):
        kind = PageKind.TEXT if has_meaning(page) else PageKind.EMPTY
        on_page(ExtractedPage(number, kind, page, lines=page_lines(page), note=note), len(pages))
    return DocumentFacts()


def decode(raw: bytes) -> tuple[str, str]:
    """The text of these bytes with line feeds as line ends, and the encoding that was found.

    A byte order mark decides; else UTF-8 where it is valid; else UTF-16 where every other byte is mostly zero; else
    Windows-1252 (its five undefined bytes as Latin-1 has them).
    """
    encoding = encoding_of(raw)
    mark = next((mark for mark, _ in _BYTE_ORDER_MARKS if raw.startswith(mark)), b"")
    if encoding == "windows-1252":
        text = raw.decode("cp1252", "replace") if not _has_undefined_1252(raw) else raw.decode("latin-1")
    else:
        text = raw[len(mark) :].decode(encoding, "replace")
    return clean_text(text.replace("\r\n", "\n").replace("\r", "\n")), encoding


def encoding_of(raw: bytes) -> str:
    """`utf-8`, `utf-16-le`, `utf-16-be`, `utf-32-le`, `utf-32-be` or `windows-1252`."""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if raw.startswith(mark):
            return encoding
    zeros_even, zeros_odd = raw[0::2].count(0), raw[1::2].count(0)
    half = max(1, len(raw) // 2)
    if max(zeros_even, zeros_odd) > _ZEROS_OF_UTF16 * half and min(zeros_even, zeros_odd) * 10 < max(
        zeros_even, zeros_odd
    ):
        return "utf-16-le" if zeros_odd > zeros_even else "utf-16-be"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(raw, final=False)
    except UnicodeDecodeError:
        return "windows-1252"
    return "utf-8"


def page_lines(text: str) -> tuple[PageLine, ...]:
    """The lines of a text that are not blank, without the space around them."""
    lines: list[PageLine] = []
    position = 0
    for line in text.split("\n"):
        stripped = line.strip()
        if stripped:
            start = position + line.index(stripped)
            lines.append(PageLine(start, start + len(stripped)))
        position += len(line) + 1
    return tuple(lines)


def _has_undefined_1252(raw: bytes) -> bool:
    return any(byte in raw for byte in (0x81, 0x8D, 0x8F, 0x90, 0x9D))


def parts(page: str, longest: int) -> list[str]:
    """The page cut at line ends (else at spaces, else anywhere) so that no part is longer than allowed."""
    found: list[str] = []
    while len(page) > longest:
        cut = max(page.rfind("\n", 0, longest), 0) or max(page.rfind(" ", 0, longest), 0) or longest
        found.append(page[:cut])
        page = page[cut:].removeprefix("\n")
    return [*found, page]
