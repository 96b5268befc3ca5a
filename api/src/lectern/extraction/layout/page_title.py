"""The title of a document that states none: the largest lines of its first page."""

import re

import numpy as np

from lectern.extraction.layout.boxes import unpack_boxes
from lectern.extraction.metadata import MIN_LETTERS, sensible_title
from lectern.extraction.patterns import any_of
from lectern.extraction.types import ExtractedPage, PageKind, PageLine

_LETTER = re.compile(r"[^\W\d_]")
_LETTERHEAD = re.compile(rf"^({any_of('letterheads')})$", re.IGNORECASE)
_PERIOD = re.compile(rf"\b(?:{any_of('periods')})\b.*\b(?:19|20)\d\d\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_LARGER, _MUCH_LARGER = 1.15, 1.3
_NEARLY_LARGEST = 0.7
_SAME_SIZE = 0.06
_MAX_RUN_LINES, _MAX_RUNS = 4, 3
_PERIOD_CHARACTERS = 90
_COVER_CHARACTERS, _COVER_SIZE = 200, 0.025
_CONFIDENT = 0.8


def title_of_page(page: ExtractedPage) -> str | None:
    """Return the largest lines of a page, in their order, when they stand out from its other text.

    A line with the year of the report is added, because company and year tell similar reports apart in a search.
    Letterheads of regulators and uncertain words do not count. On a cover with few words, all large, all are the title.
    """
    lines = [line for line in _confident_lines(page) if _has_letters(_text(page, line))]
    if not lines or lines[0].font_size <= 0:
        return None
    sizes = sorted(line.font_size for line in lines)
    largest, usual = sizes[-1], sizes[len(sizes) // 2]
    if largest < _LARGER * usual:
        is_cover = len(page.text) <= _COVER_CHARACTERS and usual >= _COVER_SIZE * page.height_points > 0
        return sensible_title(" ".join(_text(page, line) for line in lines)) if is_cover else None
    runs = _runs(page, lines, smallest=min(largest, max(_NEARLY_LARGEST * largest, _MUCH_LARGER * usual)))
    named = [run for run in runs if not _LETTERHEAD.match(run[1])] or runs
    chosen = sorted(named, key=lambda run: -run[0])[:_MAX_RUNS]
    title = sensible_title(" · ".join(text for size, text in named if (size, text) in chosen))
    title = title or sensible_title(max(named, key=lambda run: run[0])[1])
    return _with_period(title, page) if title else None


def _runs(page: ExtractedPage, lines: list[PageLine], *, smallest: float) -> list[tuple[float, str]]:
    """Return size and text of runs of lines with the same large type."""
    runs: list[list[PageLine]] = []
    before: PageLine | None = None
    for line in lines:
        if line.font_size >= smallest * (1 - _SAME_SIZE):
            is_same = before is not None and abs(line.font_size - before.font_size) <= _SAME_SIZE * before.font_size
            if is_same and runs and len(runs[-1]) < _MAX_RUN_LINES and not _LETTERHEAD.match(_text(page, runs[-1][-1])):
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


def _confident_lines(page: ExtractedPage) -> list[PageLine]:
    """Return the lines of the file itself, or recognized with confidence."""
    words = unpack_boxes(page.boxes) if page.kind is PageKind.OCR else None
    if words is None or words.confidences is None:
        return list(page.lines)
    confident: list[PageLine] = []
    for line in page.lines:
        first, last = np.searchsorted(words.starts, (line.start, line.end))
        if first < last and float(words.confidences[first:last].mean()) >= _CONFIDENT:
            confident.append(line)
    return confident


def _has_letters(text: str) -> bool:
    letters = len(_LETTER.findall(text))
    return letters >= MIN_LETTERS and letters * 2 >= len(text.replace(" ", ""))
