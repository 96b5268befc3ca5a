"""Page breaks within text: a mark among the words until the blocks are on pages."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

PAGE_BREAK: Final = "\f"
"""The mark. XML cannot contain this character."""

_MAX_PAGES_OF_A_WHOLE_ROW = 2
_MAX_WORDS_AROUND_A_PAGE_NUMBER = 2  # "Page 1 of 3"


def count_leading_breaks(text: str) -> int:
    """Return the number of page breaks before the first word; all of them if there is none."""
    return text[: len(text) - len(text.lstrip())].count(PAGE_BREAK)


def remove_breaks(text: str) -> str:
    """Return the text without page breaks."""
    return text.replace(PAGE_BREAK, "")


def is_page_number(text: str) -> bool:
    """Return whether a line with a page number has nothing else to say."""
    words = [word for word in text.split() if any(map(str.isalpha, word))]
    return len(words) <= _MAX_WORDS_AROUND_A_PAGE_NUMBER


def split_rows(rows: Iterable[Sequence[str]], *, header_rows: int) -> Iterator[list[list[str]]]:
    """Yield the rows of each page, below the header of the table. A page may have none.

    A row that begins with a page break is on the next page. A row over the end of one page stays whole, and a row over
    several pages is divided.
    """
    header, body = list[list[str]](), list[list[str]]()
    is_first_page, was_divided = True, False
    for number, cells in enumerate(rows):
        first, *others = _split_row(cells)
        if _begins_page(cells) and not was_divided:  # else the break is that of the row before
            yield [*header, *body] if body else []
            is_first_page, body = False, []
        was_divided = bool(others)
        (header if number < header_rows and not was_divided else body).append(first)
        for cells_of_page in others:
            yield [*header, *body] if body else []
            is_first_page, body = False, [cells_of_page] if cells_of_page else []
    yield [*header, *body] if body or is_first_page else []


def _begins_page(cells: Sequence[str]) -> bool:
    """Return whether a row begins on a new page. Word records it in the first cell that is not empty."""
    return count_leading_breaks(next(filter(None, cells), "")) > 0


def _split_row(cells: Sequence[str]) -> list[list[str]]:
    """Return the cells of a row by page."""
    parts = [cell.lstrip().split(PAGE_BREAK) for cell in cells]
    pages = max(map(len, parts), default=1)
    if pages <= _MAX_PAGES_OF_A_WHOLE_ROW:
        return [["".join(part) for part in parts], *([] for _ in range(pages - 1))]
    return [[part[page] if page < len(part) else "" for part in parts] for page in range(pages)]
