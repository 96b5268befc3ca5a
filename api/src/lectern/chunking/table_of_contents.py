"""Detect tables of contents, which stay in the page ledger and are not chunked."""

import re
from collections.abc import Sequence
from itertools import pairwise

LINE_SHARE = 0.4
_MIN_PAGES = 3
_MIN_ENTRIES = 3
_DISTINCT_SHARE = 0.8
_ORDERED_SHARE = 0.8
_BEYOND_LAST_PAGE = 50
_PAGE = re.compile(r"(?<=[\s.])\d{1,4}$")
_MAX_CHARACTERS = 300
_LETTERS = re.compile(r"[^\W\d_]{2}")
_AMOUNT_BEFORE = re.compile(r"(?:[$€£¥%]|(?<![^\W\d_])[\d.,()]*\d[)%]?)\s*$")
_NUMBERED_LABEL = re.compile(r"^(?:[^\W\d_]+\.?\s+)?\d+(?:\.\d+)*[a-z]?[.)]?$", re.IGNORECASE)


def page_number_at_end(line: str, *, page_count: int) -> int | None:
    """Return the page number at the end of a line of a table of contents, or None.

    It follows words, and is in the range of the document. A number after a number is an amount.
    """
    line = line.strip()
    match = _PAGE.search(line, max(0, len(line) - 5))
    if match is None or len(line) > _MAX_CHARACTERS:
        return None
    label, page = line[: match.start()].rstrip(" ."), int(match.group())
    if not 1 <= page <= page_count + _BEYOND_LAST_PAGE:
        return None
    if not _LETTERS.search(label) or (_AMOUNT_BEFORE.search(label) and not _NUMBERED_LABEL.match(label)):
        return None
    return page


def is_contents_page(lines: Sequence[str], *, page_count: int) -> bool:
    """Return whether at least 40 % of the lines are different labels with a page number, in rising order.

    A document of one or two pages has no table of contents.
    """
    if page_count < _MIN_PAGES:
        return False
    numbers = [(line, page_number_at_end(line, page_count=page_count)) for line in lines]
    pages = [number for _, number in numbers if number is not None]
    if len(pages) < _MIN_ENTRIES or len(pages) < LINE_SHARE * len(lines):
        return False
    labels = {line.rstrip().removesuffix(str(number)).rstrip(" .") for line, number in numbers if number is not None}
    if len(labels) < _DISTINCT_SHARE * len(pages):  # a list such as `Room 1`, `Room 2`
        return False
    rising = sum(later >= earlier for earlier, later in pairwise(pages))
    return rising >= _ORDERED_SHARE * (len(pages) - 1) and pages[-1] > pages[0]
