"""What a line is among others: an item of a list, the end of a sentence, set apart from the line above."""

import re

from lectern.chunking.lines import DocumentLine
from lectern.extraction.types import LineKind

_LIST_ITEM = re.compile(r"^(?:[-*+•–▪◦·‣●○■]|\(?\d{1,2}[.)]|\(?[a-z][.)]|\(?[ivx]{1,4}[.)])\s+\S")
_END_CHARACTERS = 6
_SENTENCE_END = re.compile(r"[.!?…:;][\"'”’»)\]]*$")


def is_list_item(line: DocumentLine) -> bool:
    """Whether the line begins an item of a list."""
    return line.looks.kind is LineKind.LIST or bool(_LIST_ITEM.match(line.text))


def ends_sentence(text: str) -> bool:
    """Whether a line ends as a sentence or clause does."""
    return bool(_SENTENCE_END.search(text, max(0, len(text) - _END_CHARACTERS)))


def gap_between(before: DocumentLine, after: DocumentLine, stream_text: str) -> float:
    """The space between two lines in line heights; by blank lines where there is no geometry; 9 between pages."""
    if before.page_number != after.page_number:
        return 9.0
    if before.looks.has_geometry and after.looks.has_geometry:
        height = max(after.looks.bottom - after.looks.top, 1e-6)
        gap = (after.looks.top - before.looks.bottom) / height
        return gap if gap > -1 else 9.0  # further up: another column
    return float(stream_text.count("\n", before.end, after.start) - 1)
