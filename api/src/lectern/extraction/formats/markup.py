"""HTML: one page with headings, lists, tables, links and image descriptions.

Chapters of books and messages have the same blocks.

Scripts, styles, form controls, navigation and hidden elements are dropped. Hidden text is the usual place for
instructions to machines.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from lectern.extraction.budget import Budget
from lectern.extraction.formats.page_builder import PageBuilder, link
from lectern.extraction.formats.xml_tree import (
    Element,
    attribute,
    children,
    descendants,
    name_of,
    parse_html,
    text_with,
)
from lectern.extraction.metadata import stated_metadata
from lectern.extraction.types import DocumentMetadata, ExtractionLimits, OnPage

_DROPPED = frozenset({
    "applet", "audio", "button", "canvas", "dialog", "embed", "head", "iframe", "input", "map", "nav", "noscript",
    "object", "option", "script", "select", "style", "svg", "template", "textarea", "video",
})  # fmt: skip
_INLINE = frozenset({
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "br", "cite", "code", "data", "del", "dfn", "em", "font", "i",
    "img", "ins", "kbd", "label", "mark", "q", "rp", "rt", "ruby", "s", "samp", "small", "span", "strike", "strong",
    "sub", "sup", "time", "tt", "u", "var", "wbr",
})  # fmt: skip
_HEADING = re.compile(r"h([1-6])")
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?!\.?\d*[1-9])", re.IGNORECASE)
_LINE_BREAK = "\x1f"  # of `br`; line ends of the source are blanks
_MAX_SPAN = 200
_MAX_ALT_CHARACTERS = 500


def extract(path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage) -> DocumentMetadata:
    """Pass the page to `on_page`; return title (else the first heading), language and headings."""
    del password
    Budget(limits).check_file(path)
    pages = PageBuilder(limits)
    root = parse_html(path.read_bytes())
    if root is None:
        return DocumentMetadata(outline=pages.finish(on_page))
    add_markup(pages, root)
    outline = pages.finish(on_page)
    return stated_metadata({}, outline, title=title_of(root), language=attribute(root, "lang") or "")


def add_markup(pages: PageBuilder, root: Element) -> None:
    """Add the blocks of a web page, in order. Raises `FileTooLarge`."""
    _Walk(pages).run(root)


def title_of(root: Element) -> str:
    """Return the title in the head; empty without one."""
    for head in children(root, "head"):
        for title in children(head, "title"):
            return " ".join((title.text or "").split())
    return ""


def is_dropped(element: Element) -> bool:
    """Return whether a reader of the page does not see an element as text."""
    name = name_of(element)
    if not name or name in _DROPPED:
        return True
    attributes = element.attrib
    if not attributes:
        return False
    return (
        "hidden" in attributes
        or attributes.get("aria-hidden") == "true"
        or attributes.get("role") == "navigation"
        or bool(_HIDING.search(attributes.get("style", "")))
    )


class _Walk:
    """Walk elements without recursion, because pages may nest deeply."""

    def __init__(self, pages: PageBuilder) -> None:
        self._pages = pages
        self._words: list[str] = []
        self._heading = 0
        self._lists: list[str] = []
        self._numbers: list[int] = []
        self._is_item = False
        self._links: list[tuple[int, str]] = []

    def run(self, root: Element) -> None:
        self._open(root)
        self._add_words(root.text)
        stack: list[tuple[Element, Iterator[Element]]] = [(root, iter(root))]
        while stack:
            parent, below = stack[-1]
            child = next(below, None)
            if child is None:
                stack.pop()
                self._close(parent)
                if stack:
                    self._add_words(parent.tail)
            elif is_dropped(child) or self._take_whole(child):
                self._add_words(child.tail)
            else:
                self._open(child)
                self._add_words(child.text)
                stack.append((child, iter(child)))
        self._flush()

    def _add_words(self, text: str | None) -> None:
        if text:
            self._words.append(text)

    def _take_whole(self, element: Element) -> bool:
        """Add a data table or preformatted text as one block; return False for other elements."""
        name = name_of(element)
        if name == "pre":
            self._flush()
            self._pages.code(text_with(element, whole=_replacement_in_code))
            return True
        if name == "table" and _is_data(element):
            self._flush()
            for caption in children(element, "caption"):
                self._pages.paragraph(inline_text(caption))
            header_rows = _header_rows(element)
            self._pages.table(table_rows(element, header_rows=header_rows), header_rows=header_rows)
            return True
        return False

    def _open(self, element: Element) -> None:
        name = name_of(element)
        if name == "br":
            self._words.append(_LINE_BREAK if not self._heading and not self._is_item else " ")
        elif name == "img":
            self._words.append(_alt(element))
        elif name == "a":
            self._links.append((len(self._words), attribute(element, "href") or ""))
        elif name not in _INLINE:
            self._flush()
            self._open_block(name)

    def _open_block(self, name: str) -> None:
        heading = _HEADING.fullmatch(name)
        if heading:
            self._heading = int(heading.group(1))
        elif name in {"ul", "ol", "menu"}:
            self._lists.append(name)
            self._numbers.append(0)
        elif name in {"li", "dt", "dd"}:
            self._is_item = name == "li" or bool(self._lists)
            if self._numbers and name == "li":
                self._numbers[-1] += 1

    def _close(self, element: Element) -> None:
        name = name_of(element)
        if name == "a" and self._links:
            start, target = self._links.pop()
            text = "".join(self._words[start:])
            if text.strip() and start <= len(self._words):
                self._words[start:] = [_with_blanks_of(text, link(text.strip(), target))]
        elif name in {"td", "th"}:
            self._words.append(" ")
            self._flush()
        elif name not in _INLINE:
            self._flush()
            if name in {"ul", "ol", "menu"} and self._lists:
                self._lists.pop()
                self._numbers.pop()
            self._is_item = self._is_item and name not in {"li", "dt", "dd"}
            self._heading = 0 if _HEADING.fullmatch(name) else self._heading

    def _flush(self) -> None:
        """End the current block."""
        lines = "".join(self._words).split(_LINE_BREAK)
        text = "\n".join(" ".join(line.split()) for line in lines)
        self._words.clear()
        self._links = [(0, target) for _, target in self._links]
        if not text.strip():
            return
        if self._heading:
            self._pages.heading(text, self._heading)
        elif self._is_item:
            is_numbered = bool(self._lists) and self._lists[-1] == "ol"
            marker = f"{self._numbers[-1]}." if is_numbered else "-"
            self._pages.item(text, depth=max(0, len(self._lists) - 1), marker=marker)
            self._is_item = False
        else:
            self._pages.paragraph(text)


def inline_text(element: Element) -> str:
    """Return the words below an element on one line, links with their targets."""
    return " ".join(text_with(element, whole=_replacement, linked=_link, after=_after).split())


def _replacement(element: Element) -> str | None:
    if is_dropped(element):
        return ""
    if name_of(element) == "br":
        return " "
    return _alt(element) if name_of(element) == "img" else None


def _link(element: Element, text: str) -> str:
    return _with_blanks_of(text, link(text.strip(), attribute(element, "href") or ""))


def _after(element: Element) -> str:
    return "" if name_of(element) in _INLINE else " "


def table_rows(table: Element, *, header_rows: int) -> list[list[str]]:
    """Return the cells of a table. A cell that spans rows is repeated in each, one that spans columns is in the first.

    In the header it is repeated above each of its columns.
    """
    rows: list[list[str]] = []
    spans: dict[int, tuple[int, str]] = {}
    for row in _own_rows(table):
        cells: list[str] = []
        for cell in children(row, "td", "th"):
            _carry(cells, spans)
            text = inline_text(cell)
            across, down = _span(cell, "colspan"), _span(cell, "rowspan")
            repeated = text if len(rows) < header_rows else ""
            cells.extend([text, *[repeated] * (across - 1)])
            if down > 1:
                spans[len(cells) - across] = (down - 1, text)
        _carry(cells, spans)
        rows.append(cells)
    return rows


def _carry(cells: list[str], spans: dict[int, tuple[int, str]]) -> None:
    """Append the cells that span down from rows above."""
    while (span := spans.pop(len(cells), None)) is not None:
        rows_left, text = span
        if rows_left > 1:
            spans[len(cells)] = (rows_left - 1, text)
        cells.append(text)


def _own_rows(table: Element) -> Iterator[Element]:
    for child in table:
        name = name_of(child)
        if name == "tr":
            yield child
        elif name in {"thead", "tbody", "tfoot"}:
            yield from children(child, "tr")


def _header_rows(table: Element) -> int:
    """Count the rows of the head, else the first rows with header cells only."""
    count = sum(len(list(children(head, "tr"))) for head in children(table, "thead"))
    if count:
        return count
    for row in _own_rows(table):
        cells = list(children(row, "td", "th"))
        if not cells or any(name_of(cell) == "td" for cell in cells):
            break
        count += 1
    return max(1, count)


def _is_data(table: Element) -> bool:
    """Return whether a table holds data. One with blocks or tables in its cells is page layout."""
    if attribute(table, "role") in {"presentation", "none"}:
        return False
    inner = frozenset({"script", "style"})
    return next(descendants(table, "table", "h1", "h2", "h3", "article", "section", without=inner), None) is None


def _span(cell: Element, name: str) -> int:
    value = attribute(cell, name) or "1"
    return max(1, min(int(value), _MAX_SPAN)) if value.isascii() and value.isdigit() and len(value) < 6 else 1  # noqa: PLR2004 - digits of any sensible span


def _replacement_in_code(element: Element) -> str | None:
    if is_dropped(element):
        return ""
    return "\n" if name_of(element) == "br" else None


def _alt(element: Element) -> str:
    text = " ".join((attribute(element, "alt") or "").split())[:_MAX_ALT_CHARACTERS]
    return f" [{text}] " if text else ""


def _with_blanks_of(text: str, replacement: str) -> str:
    """Return the replacement with blanks around it where the text has them."""
    before = " " if text[:1].isspace() else ""
    return f"{before}{replacement}{' ' if text[-1:].isspace() else ''}"
