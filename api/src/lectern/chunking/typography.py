"""Headings by typography: larger, bolder or capital lines apart from the text, and numbered articles.

Of 727 outline titles of filings, 80 % are larger or bolder than the body text.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lectern.chunking.lines import OTHER_PAGE_GAP, DocumentLine, ends_sentence, gap_between, is_list_item
from lectern.chunking.table_of_contents import page_number_at_end
from lectern.chunking.types import PATTERNS
from lectern.extraction.patterns import any_of
from lectern.extraction.types import LineKind, PageLine

_LARGER = 1.12
_NOT_SMALLER = 0.93
_MAX_CHARACTERS = 150
_MAX_WORDS = 20
_MAX_LINES = 3
_MIN_BODY_LINES = 10
_MAX_ARTICLE_CELLS = 2
_NEAR_GAP = 0.8
_CLEAR_GAP = 0.5
_BANNER_PAGES = 3
_BANNER_SHARE = 0.2
_TOP, _BOTTOM = 0.13, 0.9
_CAPITAL_LETTERS = 5
_ALIGNED = 0.015
_HANGING = 0.15  # of the page's width: lines of a numbered heading begin below its first word
_MAX_LEVEL = 6
_FIRST_PAGES_SHARE = 0.05
_NEVER_ARTICLES = {LineKind.CODE, LineKind.IMAGE}
_LETTER = re.compile(r"[^\W\d_]")
_PUNCTUATION_END = re.compile(r"[.,;:!?…\-–—][\"'”’»)]*$")
_LABEL_AND_NUMBER = re.compile(r"^[^\W\d_]+\.?\s+[\dIVXLC]+[A-Z]?$")
_NUMBERING = re.compile(r"^(\d{1,3}(?:\.\d{1,3})*)[.)]?\s+[^\W\d_]")
_DEEP_NUMBERING = re.compile(r"^\d{1,3}(?:\.\d{1,3})+\.?\s+[^\W\d_a-z]")
_ARTICLE = re.compile(
    rf"^(?P<label>(?:{any_of('article_labels', PATTERNS)})"
    rf"\s*(?:\d{{1,4}}|[IVXLC]{{1,7}})(?:[-\s](?:{any_of('article_suffixes', PATTERNS)}))?\b)"
    r"(?P<rest>.*)$",
    re.IGNORECASE,
)
_ARTICLE_TITLE = re.compile(r"^\s*[.:)]?\s*[-–—.:]?\s*(?:\(.{2,90}\)\.?|[A-ZÀ-Þ][^.;]{1,90})?\s*$")
_RUN_IN = re.compile(r"^\s*[.:)]\s*[-–—]?\s*[A-ZÀ-Þ\d(]|^\s*[-–—]\s*[A-ZÀ-Þ\d(]")


Style = tuple[float, bool, bool]
"""Size (negative), not bold, not capital: headings rank in this order."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of lines `first` to `last` (exclusive). Level 1 is the outermost.

    `lead` lines above it belong to its section: short lines between the top of the page and the heading.
    """

    first: int
    last: int
    title: str
    level: int
    lead: int = 0


class _Candidate(NamedTuple):
    first: int
    last: int
    title: str
    style: Style
    page_number: int
    is_article: bool


def find_typographic(
    lines: Sequence[DocumentLine], *, captions: set[int], document_text: str, page_count: int
) -> list[Heading]:
    """Find headings by typography, with levels by size, weight, capitals and numbering."""
    finder = _HeadingFinder(lines, captions=captions, document_text=document_text, page_count=page_count)
    return _with_levels(finder.candidates(), first_pages=max(1, round(_FIRST_PAGES_SHARE * page_count)))


class _HeadingFinder:
    """Find prominent lines by comparison with the usual lines of the document."""

    def __init__(
        self, lines: Sequence[DocumentLine], *, captions: set[int], document_text: str, page_count: int
    ) -> None:
        self._lines = lines
        self._captions = captions
        self._document_text = document_text
        self._page_count = page_count
        self._body_size, self._is_body_bold = _body(lines)
        self._page_sizes = _page_sizes(lines)
        self._pages_of = self._count_pages()

    def candidates(self) -> list[_Candidate]:
        """Return the runs of lines that look like a heading."""
        candidates: list[_Candidate] = []
        position = 0
        while position < len(self._lines):
            article = self._article(position)
            last = article.last if article else self._run_end(position)
            candidate = article or self._styled(position, last)
            if candidate is not None:
                candidates.append(candidate)
            position = max(last, position + 1)
        return candidates

    def _is_banner(self, position: int) -> bool:
        """Return whether the same words are at the edge of three pages, or on a fifth of all."""
        pages, edge_pages = self._pages_of[_normalize(self._lines[position].text)]
        return edge_pages >= _BANNER_PAGES or pages >= max(_BANNER_PAGES, _BANNER_SHARE * self._page_count)

    def _count_pages(self) -> dict[str, tuple[int, int]]:
        """Count for each line text its pages, and the pages that have it at the edge."""
        pages: dict[str, set[int]] = defaultdict(set)
        edge_pages: dict[str, set[int]] = defaultdict(set)
        for line in self._lines:
            key = _normalize(line.text)
            pages[key].add(line.page_number)
            if line.layout.has_geometry and not _TOP <= line.layout.top <= _BOTTOM:
                edge_pages[key].add(line.page_number)
        return defaultdict(lambda: (0, 0), {key: (len(on), len(edge_pages[key])) for key, on in pages.items()})

    def _gap_before(self, position: int) -> float:
        if position == 0:
            return OTHER_PAGE_GAP
        return gap_between(self._lines[position - 1], self._lines[position], self._document_text)

    def _article(self, position: int) -> _Candidate | None:
        """Return a numbered article: alone on its line, with its title, or run in before its text."""
        line = self._lines[position]
        match = _ARTICLE.match(line.text)
        if match is None or line.layout.kind in _NEVER_ARTICLES or (line.is_row and line.cells > _MAX_ARTICLE_CELLS):
            return None
        if page_number_at_end(line.text, page_count=self._page_count) and not _LABEL_AND_NUMBER.match(line.text):
            return None
        is_apart = self._gap_before(position) > _CLEAR_GAP or ends_sentence(self._lines[position - 1].text)
        if not is_apart and not line.layout.is_bold:
            return None
        rest = match["rest"]
        if _ARTICLE_TITLE.match(rest):
            return self._candidate(position, position + 1, line.text.strip(" .:-–—"), is_article=True)
        if _RUN_IN.match(rest):
            return self._candidate(position, position + 1, match["label"].strip(), is_article=True)
        return None

    def _run_end(self, position: int) -> int:
        """Return the end of the run of equally prominent lines; `position` for an ordinary line."""
        if not self._is_prominent(position):
            return position
        last = position + 1
        while last < len(self._lines) and self._continues(position, last):
            last += 1
        return last

    def _styled(self, first: int, last: int) -> _Candidate | None:
        if not 0 < last - first <= _MAX_LINES:
            return None
        title = " ".join(" ".join(line.text for line in self._lines[first:last]).split())
        is_question = title.endswith("?") and _NUMBERING.match(title)
        if not is_possible_title(title.rstrip("?") if is_question else title) or self._is_toc_residue(first, last):
            return None
        return self._candidate(first, last, title, is_article=False)

    def _candidate(self, first: int, last: int, title: str, *, is_article: bool) -> _Candidate:
        line = self._lines[first]
        return _Candidate(first, last, title, style_of(line), line.page_number, is_article)

    def _is_prominent(self, position: int) -> bool:
        """Return whether a line is larger than the body, or bold, or capital or deeply numbered and set apart."""
        line = self._lines[position]
        if (
            line.layout.kind is not LineKind.PLAIN
            or line.is_row
            or (is_list_item(line) and not _NUMBERING.match(line.text))
        ):
            return False
        if self._is_banner(position):
            return False
        ratio = line.layout.font_size / self._body_size if self._body_size else 1.0
        if ratio >= _LARGER and line.layout.font_size >= _LARGER * self._page_sizes.get(line.page_number, 0.0):
            return True
        if ratio < _NOT_SMALLER or position in self._captions:
            return False
        if line.layout.is_bold and not self._is_body_bold:
            return True
        is_apart = self._gap_before(position) > _CLEAR_GAP or ends_sentence(self._lines[position - 1].text)
        return is_apart and (_is_capital(line.text) or bool(_DEEP_NUMBERING.match(line.text)))

    def _continues(self, first: int, position: int) -> bool:
        """Return whether a line is set like the heading line above it and close to it."""
        line, above = self._lines[position], self._lines[position - 1]
        if not self._is_prominent(position) or _NUMBERING.match(line.text) or _ARTICLE.match(line.text):
            return False
        layout, first_line = line.layout, self._lines[first]
        first_layout = first_line.layout
        is_same = abs(layout.font_size - first_layout.font_size) <= 0.06 * first_layout.font_size
        is_same = is_same and layout.is_bold == first_layout.is_bold
        is_same = is_same and _is_capital(line.text) == _is_capital(first_line.text)
        indent = _HANGING if _NUMBERING.match(first_line.text) else 0.0
        is_same = is_same and (_is_aligned(layout, above.layout) or 0 < layout.left - first_layout.left <= indent)
        return is_same and line.page_number == above.page_number and self._gap_before(position) < _NEAR_GAP

    def _is_toc_residue(self, first: int, last: int) -> bool:
        """Return whether these words end in a page number, as a left-over line of a table of contents."""
        text = self._lines[last - 1].text
        if page_number_at_end(text, page_count=self._page_count) is None:
            return False
        return self._lines[last - 1].cells > 1 or not (last - first == 1 and _LABEL_AND_NUMBER.match(text))


def style_of(line: DocumentLine) -> Style:
    """Return the style that headings of one level share."""
    return -round(line.layout.font_size * 2) / 2, not line.layout.is_bold, not _is_capital(line.text)


def is_possible_title(text: str) -> bool:
    """Return whether words can be a heading: short, mostly letters, no small initial, no punctuation at the end."""
    text = text.strip()
    letters = len(_LETTER.findall(text))
    if not 2 <= len(text) <= _MAX_CHARACTERS or len(text.split()) > _MAX_WORDS:  # noqa: PLR2004
        return False
    if letters * 2 < len(text.replace(" ", "")) or letters < 2:  # noqa: PLR2004 - one letter is a mark
        return False
    return not (_PUNCTUATION_END.search(text) or text[0].islower() or text[0] in "([{*•·-–—\"“«'‘@")


def _is_aligned(layout: PageLine, above: PageLine) -> bool:
    """Return whether two lines begin at the same position or have the same centre."""
    if not layout.has_geometry:
        return True
    off_centre = abs(layout.left + layout.right - above.left - above.right) / 2
    return min(abs(layout.left - above.left), off_centre) <= _ALIGNED


def _is_capital(text: str) -> bool:
    return text.isupper() and len(_LETTER.findall(text)) >= _CAPITAL_LETTERS


def _body(lines: Sequence[DocumentLine]) -> tuple[float, bool]:
    """Return the font size of most characters outside of tables, and whether most of them are bold."""
    sizes: Counter[float] = Counter()
    bold = 0
    for line in lines:
        if line.layout.has_geometry and not line.is_row and line.layout.kind is not LineKind.IMAGE:
            sizes[round(line.layout.font_size * 2) / 2] += len(line.text)
            bold += len(line.text) * line.layout.is_bold
    if not sizes:
        return 0.0, False
    return sizes.most_common(1)[0][0], bold * 2 > sizes.total()


def _page_sizes(lines: Sequence[DocumentLine]) -> dict[int, float]:
    """Return the body size of each page of ten lines and more. A page may be set larger than the others."""
    pages: dict[int, list[DocumentLine]] = defaultdict(list)
    for line in lines:
        pages[line.page_number].append(line)
    return {number: _body(on)[0] for number, on in pages.items() if len(on) >= _MIN_BODY_LINES}


def _normalize(text: str) -> str:
    """Normalize words for comparison. Numbers count: `Note 5` and `Note 6` are two headings."""
    return " ".join(text.casefold().split())


def _with_levels(candidates: Sequence[_Candidate], *, first_pages: int) -> list[Heading]:
    """Rank styles as levels: larger, bold and capital first; numbering refines.

    A style that occurs once after the first pages (the title of a figure) has no rank. Such a heading gets the level of
    most headings, to not include all that follows.
    """
    styled = [heading for heading in candidates if not heading.is_article]
    uses = Counter(heading.style for heading in styled)
    ranked = sorted(
        {heading.style for heading in styled if uses[heading.style] > 1 or heading.page_number <= first_pages}
    )
    rank = {style: level for level, style in enumerate(ranked, start=1)}
    usual = rank.get(uses.most_common(1)[0][0], 1) if uses else 1
    headings: list[Heading] = []
    for heading in candidates:
        numbering = _NUMBERING.match(heading.title)
        level = rank.get(heading.style, len(ranked) + 1 if heading.is_article else usual)
        level += numbering.group(1).count(".") if numbering else 0
        headings.append(Heading(heading.first, heading.last, heading.title, min(level, _MAX_LEVEL)))
    return headings
