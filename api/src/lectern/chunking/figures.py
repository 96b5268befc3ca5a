"""Figures and cells: what makes a line a row of a table."""

import re

from lectern.extraction.types import LineKind, PageLine

_FIGURE = re.compile(r"[(\[$€£¥+\-–—]*\d[\d.,'’]*[)\]%]*")
_MARK = re.compile(r"[$€£¥%()–—-]+")
_WIDE_SPACES = re.compile(r"\S {3,}\S|\t")
_MOST_WORDS_IN_LABEL = 16
_MOST_WORDS_IN_CELL = 6
_ROW_CELLS = 3


def is_row(text: str, looks: PageLine, *, cells: int) -> bool:
    """Whether a line is a table row: marked so by its format, or figures at its end, or several cells."""
    if looks.kind not in {LineKind.PLAIN, LineKind.IMAGE}:
        return looks.kind is LineKind.TABLE
    words = text.split()
    figures = trailing_figures(words)
    if len(words) - figures > max(_MOST_WORDS_IN_LABEL, cells * _MOST_WORDS_IN_CELL):
        return False
    return figures > 1 or cells >= _ROW_CELLS or (figures == 1 and cells > 1)


def trailing_figures(words: list[str]) -> int:
    """How many figures stand at the end of a line; currency marks and dashes between them do not break the run."""
    figures = 0
    for word in reversed(words):
        if _FIGURE.fullmatch(word) or word in {"—", "–", "-"}:
            figures += 1
        elif not _MARK.fullmatch(word):
            break
    return figures


def count_cells(text: str, looks: PageLine) -> int:
    """How many cells a line has, by geometry, else by runs of spaces."""
    return looks.cells if looks.has_geometry else 1 + len(_WIDE_SPACES.findall(text))
