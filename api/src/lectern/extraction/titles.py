"""The title of a document: what its information says if that is sensible, else the largest line of its first page."""

import re

from lectern.extraction.types import ExtractedPage, PageLine

_PLACEHOLDER = re.compile(
    r"^(untitled|senza titolo|ohne titel|sans titre|sin título|document\d*|documento\d*|title|titolo|slide \d+|"
    r"powerpoint presentation|presentazione standard.*|microsoft word\b.*|microsoft powerpoint\b.*|print|none|null)$",
    re.IGNORECASE,
)
_FILE_NAME = re.compile(r"\.(docx?|xlsx?|pptx?|pdf|indd|qxd|tex|dvi|rtf|odt|html?|ai|eps|txt|fm)\s*$", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")
_SHORTEST, _LONGEST = 4, 200
_MIN_LETTERS = 3
_LARGER = 1.15
_SAME_SIZE = 0.06
_MAX_TITLE_LINES = 4


def sensible_title(stated: str) -> str | None:
    """The stated title, tidied, or None for a file name, a placeholder, a number or a word without letters."""
    title = " ".join(stated.split())
    is_usable = _SHORTEST <= len(title) <= _LONGEST and len(_LETTER.findall(title)) >= _MIN_LETTERS
    if not is_usable or _PLACEHOLDER.match(title) or _FILE_NAME.search(title):
        return None
    if "_" in title or (" " not in title and re.search(r"[\d/\\]", title)):  # `annual_report`, `0001047469-18-000507`
        return None
    return title


def title_of_page(page: ExtractedPage) -> str | None:
    """The largest lines of the page, joined, when they stand out from its other text."""
    lines = [line for line in page.lines if _is_possible(page.text[line.start : line.end])]
    sizes = sorted(line.font_size for line in lines)
    if not sizes or sizes[-1] <= 0:
        return None
    largest, usual = sizes[-1], sizes[len(sizes) // 2]
    if largest < _LARGER * usual:
        return None
    start = next(number for number, line in enumerate(lines) if line.font_size >= largest * (1 - _SAME_SIZE))
    chosen: list[PageLine] = []
    for line in lines[start : start + _MAX_TITLE_LINES]:
        if line.font_size < largest * (1 - _SAME_SIZE):
            break
        chosen.append(line)
    return sensible_title(" ".join(page.text[line.start : line.end] for line in chosen))


def _is_possible(text: str) -> bool:
    letters = len(_LETTER.findall(text))
    return letters >= _MIN_LETTERS and letters * 2 >= len(text.replace(" ", ""))
