"""What a line is by its words: a table row, a list item, prose that ends or goes on."""

import re

from lectern.chunking.stream import StreamLine
from lectern.extraction.types import LineKind

_FIGURE = re.compile(r"[(\[$€£¥+\-–—]*\d[\d.,'’]*[)\]%]*")
_MARK = re.compile(r"[$€£¥%()–—-]+")
_LIST_ITEM = re.compile(r"^(?:[-*+•–▪◦·‣●○■]|\(?\d{1,2}[.)]|\(?[a-z][.)]|\(?[ivx]{1,4}[.)])\s+\S")
_SENTENCE_END = re.compile(r"[.!?…:;][\"'”’»)\]]*$")
_WIDE_SPACES = re.compile(r"\S {3,}\S|\t")
_MOST_WORDS_IN_LABEL = 16
_MOST_WORDS_IN_CELL = 6
_ROW_CELLS = 3


def is_row(line: StreamLine) -> bool:
    """Whether a line is a table row: marked so by its format, or figures at its end, or several cells."""
    if line.looks.kind is not LineKind.PLAIN:
        return line.looks.kind is LineKind.TABLE
    words = line.text.split()
    figures = trailing_figures(words)
    cells = cells_of(line)
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


def cells_of(line: StreamLine) -> int:
    """How many cells the line has, by geometry, else by runs of spaces."""
    return line.looks.cells if line.looks.has_geometry else 1 + len(_WIDE_SPACES.findall(line.text))


def is_list_item(line: StreamLine) -> bool:
    """Whether the line begins an item of a list."""
    return line.looks.kind is LineKind.LIST or bool(_LIST_ITEM.match(line.text))


def ends_sentence(text: str) -> bool:
    """Whether a line ends as a sentence or clause does."""
    return bool(_SENTENCE_END.search(text))


def gap_between(before: StreamLine, after: StreamLine, stream_text: str) -> float:
    """The space between two lines in line heights; by blank lines where there is no geometry; 9 between pages."""
    if before.page_number != after.page_number:
        return 9.0
    if before.looks.has_geometry and after.looks.has_geometry:
        height = max(after.looks.bottom - after.looks.top, 1e-6)
        gap = (after.looks.top - before.looks.bottom) / height
        return gap if gap > -1 else 9.0  # further up: another column
    return float(stream_text.count("\n", before.end, after.start) - 1)
