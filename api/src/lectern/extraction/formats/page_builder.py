"""Build pages of formats without geometry: headings, paragraphs, lists and tables, written as Markdown."""

from collections.abc import Sequence
from itertools import zip_longest

from lectern.extraction.budget import Budget
from lectern.extraction.errors import FileTooLarge
from lectern.extraction.formats.text import page_lines, split_page
from lectern.extraction.layout.text_cleaning import clean_text, has_meaning
from lectern.extraction.types import (
    EmbeddedImage,
    ExtractedPage,
    ExtractionLimits,
    LineKind,
    OnPage,
    OutlineItem,
    PageKind,
    PageLine,
)

_BETWEEN_BLOCKS = "\n\n"
_MAX_ITEM_DEPTH = 8
_MAX_OUTLINE_ENTRIES = 10_000
_MAX_TITLE_CHARACTERS = 500
_MAX_HEADING_LEVEL = 6
_MAX_COLUMNS = 16_384
_MIN_TABLE_SIZE = 2
_MAX_IMAGES = 1_000
_CONTROLS = str.maketrans({"\f": "\n", "\v": "\n", "\r": "\n", "\x85": "\n"})

Row = Sequence[str]


class PageBuilder:
    """Collect the blocks of a document page by page.

    A page that grows past `max_page_characters` continues on the next one, where a table repeats its header.
    Every method that adds raises `FileTooLarge` past a limit.
    """

    def __init__(self, limits: ExtractionLimits) -> None:
        self._limits = limits
        self._budget = Budget(limits)
        self._pages: list[ExtractedPage] = []
        self._outline: list[OutlineItem] = []
        self._note: str | None = None
        self._start()

    def begin_page(self, *, note: str | None = None) -> None:
        """End the current page, even an empty one, and begin the next. The first page needs no call."""
        self._end()
        self._note = note

    def note(self, note: str) -> None:
        """Add a note on the current page to the page ledger."""
        self._note = f"{self._note} {note}" if self._note else note

    @property
    def page_number(self) -> int:
        """Return the number of the current page."""
        return len(self._pages) + 1

    @property
    def has_content(self) -> bool:
        """Return whether the current page has text or an image."""
        return self._size > 0 or bool(self._images)

    def heading(self, text: str, level: int) -> None:
        """Add a heading. `level` 1 is the outermost; deeper than 6 counts as 6."""
        title = " ".join(_clean(text).split())
        if not title:
            return
        level = max(1, min(level, _MAX_HEADING_LEVEL))
        self._add(title, level=level)
        if len(self._outline) < _MAX_OUTLINE_ENTRIES:
            self._outline.append(OutlineItem(title[:_MAX_TITLE_CHARACTERS], level, self.page_number))

    def paragraph(self, text: str) -> None:
        """Add a paragraph. Its line ends stay."""
        clean = "\n".join(line.rstrip() for line in _clean(text).strip().split("\n"))
        for part in split_page(clean, self._limits.max_page_characters):
            self._add(part.strip())

    def code(self, text: str) -> None:
        """Add preformatted text."""
        for part in split_page(_clean(text).strip("\n"), self._limits.max_page_characters):
            self._add(part, kind=LineKind.CODE)

    def item(self, text: str, *, depth: int = 0, marker: str = "-") -> None:
        """Add a list item. `depth` 0 is the outermost."""
        clean = " ".join(_clean(text).split())
        if clean:
            indent = "  " * max(0, min(depth, _MAX_ITEM_DEPTH))
            glue = "\n" if self._last is LineKind.LIST else _BETWEEN_BLOCKS
            self._add(f"{indent}{marker} {clean}", kind=LineKind.LIST, glue=glue)

    def table(self, rows: Sequence[Row], *, header_rows: int = 1) -> None:
        """Add a table. The first `header_rows` name the columns and are joined for each column (`2023 / Sales`).

        A table of one row or one column becomes paragraphs.
        """
        grid = _grid(rows)
        if len(grid) < _MIN_TABLE_SIZE or len(grid[0]) < _MIN_TABLE_SIZE:
            for row in grid:
                for cell in row:
                    self.paragraph(cell)
            return
        header_rows = max(1, min(header_rows, len(grid) - 1))
        header = [join_names(column) for column in zip(*grid[:header_rows], strict=True)]
        top = f"{_row(header)}\n{_row(['---'] * len(header))}"
        self._add(top, kind=LineKind.TABLE)
        for row in grid[header_rows:]:
            self._add_row(_row(row), top=top)

    def image(self, image: EmbeddedImage) -> None:
        """Add an image that may show text, up to a thousand for each page."""
        if len(self._images) < _MAX_IMAGES:
            self._images.append(image._replace(line=len(self._lines)))

    def finish(self, on_page: OnPage) -> tuple[OutlineItem, ...]:
        """Pass every page to `on_page(page, page_count)`; return the headings as an outline."""
        if self.has_content or not self._pages or self._note:
            self._end()
        for page in self._pages:
            on_page(page, len(self._pages))
        return tuple(self._outline)

    def _start(self) -> None:
        self._parts: list[str] = []
        self._lines: list[PageLine] = []
        self._images: list[EmbeddedImage] = []
        self._size = 0
        self._last: LineKind | None = None

    def _end(self) -> None:
        text = "".join(self._parts)
        in_tables = sum(line.end - line.start for line in self._lines if line.kind is LineKind.TABLE)
        kind = PageKind.TABLE if in_tables * 2 > len(text) else PageKind.TEXT
        if not has_meaning(text):
            kind = PageKind.UNREADABLE if self._images else PageKind.EMPTY
        self._budget.check_page_count(self.page_number)
        self._pages.append(
            ExtractedPage(
                self.page_number, kind, text, lines=tuple(self._lines), note=self._note, images=tuple(self._images)
            )
        )
        self._start()

    def _add_row(self, text: str, *, top: str) -> None:
        if self._size + len(text) + 1 > self._limits.max_page_characters:
            if len(top) + len(text) + 1 > self._limits.max_page_characters:
                raise FileTooLarge(
                    f"A row of a table has {len(text):,} characters; a page may have "
                    f"{self._limits.max_page_characters:,}."
                )
            self._continue_on_next_page()
            self._add(top, kind=LineKind.TABLE)
        self._add(text, kind=LineKind.TABLE, glue="\n")

    def _continue_on_next_page(self) -> None:
        self._end()
        self._note = "It continues the page before, which was full."

    def _add(self, text: str, *, kind: LineKind = LineKind.PLAIN, level: int = 0, glue: str = _BETWEEN_BLOCKS) -> None:
        if not text.strip():
            return
        if self._size and self._size + len(glue) + len(text) > self._limits.max_page_characters:
            self._continue_on_next_page()
        if self._size:
            self._parts.append(glue)
            self._size += len(glue)
        lines = page_lines(text)
        self._budget.spend(len(text), lines=len(lines))
        offset = self._size
        self._lines.extend(
            PageLine(line.start + offset, line.end + offset, heading_level=level, kind=kind) for line in lines
        )
        self._parts.append(text)
        self._size += len(text)
        self._budget.check_page(self.page_number, self._size)
        self._last = kind


def link(text: str, target: str) -> str:
    """Return a Markdown link. The text alone stays for a target that is no address or that it repeats."""
    label, address = " ".join(text.split()), "".join(_clean(target).split())
    if not address.lower().startswith(("http://", "https://", "mailto:", "ftp://", "tel:")):
        return text
    if not label:
        return f"<{address}>"
    plain = address.removeprefix("mailto:").removeprefix("tel:")
    return text if plain in {label, f"{label}/"} else f"[{label}]({address})"


def _clean(text: str) -> str:
    return clean_text(text.translate(_CONTROLS))


def _grid(rows: Sequence[Row]) -> list[list[str]]:
    """Return the rows equally long, without blank rows and columns."""
    cleaned = [[" ".join(_clean(cell).split()) for cell in row[:_MAX_COLUMNS]] for row in rows]
    cleaned = [row for row in cleaned if any(row)]
    width = max((len(row) for row in cleaned), default=0)
    used = [False] * width
    for row in cleaned:
        for number, cell in enumerate(row):
            used[number] = used[number] or bool(cell)
    columns = [number for number in range(width) if used[number]]
    return [[row[number] if number < len(row) else "" for number in columns] for row in cleaned]


def _row(cells: Row) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def join_names(column: Sequence[str]) -> str:
    """Join the names above a column, outermost first, each once."""
    return " / ".join(name for name, before in zip_longest(column, ("", *column[:-1])) if name and name != before)
