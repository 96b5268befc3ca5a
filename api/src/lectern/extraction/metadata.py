"""The title of a document: what its information says if that is sensible, else the largest line of its first page."""

import re

import numpy as np

from lectern.extraction.layout.boxes import unpack_boxes
from lectern.extraction.types import ExtractedPage, PageKind, PageLine

_PLACEHOLDER = re.compile(
    r"^(untitled|senza titolo|ohne titel|sans titre|sin título|document\d*|documento\d*|title|titolo|slide \d+|"
    r"powerpoint presentation|presentazione standard.*|microsoft word\b.*|microsoft powerpoint\b.*|print|none|null)$",
    re.IGNORECASE,
)
_FILE_NAME = re.compile(r"\.(docx?|xlsx?|pptx?|pdf|indd|qxd|tex|dvi|rtf|odt|html?|ai|eps|txt|fm)\s*$", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")
_REGULATOR = re.compile(
    r"^(united states( of america)?|.*securities and exchange commission|washington, d\.?c\.?.*)$", re.IGNORECASE
)
_PERIOD = re.compile(
    r"\b(?:(?:year|quarter|quarterly period|period|months) ended|date of report|esercizio|bilancio|anno|semestre|"
    r"trimestre|geschäftsjahr|exercice|ejercicio)\b.*\b(?:19|20)\d\d\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_SHORTEST, _LONGEST = 4, 200
_MIN_LETTERS = 3
_LARGER, _MUCH_LARGER = 1.15, 1.3
_NEARLY_LARGEST = 0.7
_SAME_SIZE = 0.06
_MOST_RUN_LINES, _MOST_RUNS = 4, 3
_PERIOD_CHARACTERS = 90
_COVER_CHARACTERS, _COVER_SIZE = 200, 0.025
_SURE = 0.8


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
    """The largest lines of the page, in their order, when they stand out from its other text.

    A line that names the year reported on is added: over many similar reports the main loss of a search is choosing
    the right one, and company and year in the title mend it. A regulator's letterhead is no title, nor is what text
    recognition is not sure of. On a cover of few words, all of them large (2.5 % of the page), they all are the title.
    """
    lines = [line for line in _sure_lines(page) if _is_possible(_text(page, line))]
    if not lines or lines[0].font_size <= 0:
        return None
    sizes = sorted(line.font_size for line in lines)
    largest, usual = sizes[-1], sizes[len(sizes) // 2]
    if largest < _LARGER * usual:
        is_cover = len(page.text) <= _COVER_CHARACTERS and usual >= _COVER_SIZE * page.height_points > 0
        return sensible_title(" ".join(_text(page, line) for line in lines)) if is_cover else None
    runs = _runs(page, lines, smallest=min(largest, max(_NEARLY_LARGEST * largest, _MUCH_LARGER * usual)))
    named = [run for run in runs if not _REGULATOR.match(run[1])] or runs
    chosen = sorted(named, key=lambda run: -run[0])[:_MOST_RUNS]
    title = sensible_title(" · ".join(text for size, text in named if (size, text) in chosen))
    title = title or sensible_title(max(named, key=lambda run: run[0])[1])
    return _with_period(title, page) if title else None


def _runs(page: ExtractedPage, lines: list[PageLine], *, smallest: float) -> list[tuple[float, str]]:
    """Size and text of the runs of equally large lines that follow each other."""
    runs: list[list[PageLine]] = []
    before: PageLine | None = None
    for line in lines:
        if line.font_size >= smallest * (1 - _SAME_SIZE):
            is_same = before is not None and abs(line.font_size - before.font_size) <= _SAME_SIZE * before.font_size
            if is_same and runs and len(runs[-1]) < _MOST_RUN_LINES and not _REGULATOR.match(_text(page, runs[-1][-1])):
                runs[-1].append(line)
            else:
                runs.append([line])
        before = line
    return [(run[0].font_size, " ".join(_text(page, line) for line in run)) for run in runs]


def _with_period(title: str, page: ExtractedPage) -> str:
    if _YEAR.search(title):
        return title
    for line in page.lines:
        text = _text(page, line)
        if len(text) <= _PERIOD_CHARACTERS and _PERIOD.search(text):
            return sensible_title(f"{title} · {text}") or title
    return title


def _text(page: ExtractedPage, line: PageLine) -> str:
    return page.text[line.start : line.end]


def _sure_lines(page: ExtractedPage) -> list[PageLine]:
    """The lines whose words are the file's own, or recognised with confidence."""
    words = unpack_boxes(page.boxes) if page.kind is PageKind.OCR else None
    if words is None or words.confidences is None:
        return list(page.lines)
    sure: list[PageLine] = []
    for line in page.lines:
        first, last = np.searchsorted(words.starts, (line.start, line.end))
        if first < last and float(words.confidences[first:last].mean()) >= _SURE:
            sure.append(line)
    return sure


def _is_possible(text: str) -> bool:
    letters = len(_LETTER.findall(text))
    return letters >= _MIN_LETTERS and letters * 2 >= len(text.replace(" ", ""))
