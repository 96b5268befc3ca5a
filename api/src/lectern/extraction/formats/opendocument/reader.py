"""OpenDocument files: pages of a text, sheets of a workbook, or slides of a presentation.

The pages of a text come from the breaks that the program recorded when it saved, and from breaks of the author.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from lectern.extraction.errors import Corrupt, Encrypted
from lectern.extraction.formats.archive import PARSER_ERRORS, Archive, open_archive
from lectern.extraction.formats.comments import format_comment
from lectern.extraction.formats.merged_cells import MergedCells
from lectern.extraction.formats.office.docx_styles import to_number
from lectern.extraction.formats.office.package import information_of
from lectern.extraction.formats.opendocument.list_styles import ListNumbers
from lectern.extraction.formats.opendocument.page_styles import FIRST_MASTER, PageStyles
from lectern.extraction.formats.opendocument.sheet import add_sheet, link_text
from lectern.extraction.formats.page_breaks import (
    PAGE_BREAK,
    count_leading_breaks,
    is_page_number,
    remove_breaks,
    split_rows,
)
from lectern.extraction.formats.page_builder import PageBuilder
from lectern.extraction.formats.spreadsheet import Column, described_columns
from lectern.extraction.formats.xml_tree import (
    Element,
    attribute,
    children,
    descendants,
    find,
    name_of,
    parse_xml,
    text_of,
    text_with,
)
from lectern.extraction.metadata import language_of, sensible_title
from lectern.extraction.types import DocumentMetadata, ExtractionLimits, OnPage

_CONTAINERS = frozenset({
    "section", "index-body", "text-box", "frame", "table-of-content", "illustration-index", "g", "custom-shape", "rect",
    "ellipse", "circle", "polygon", "path", "caption", "connector", "line",
})  # fmt: skip
_NO_TEXT = frozenset({"annotation", "tracked-changes", "sequence-decls", "forms", "frame", "ruby-text"})
_SLIDE_TITLES = frozenset({"title", "subtitle"})
_MAX_NESTING = 60
_MAX_REPEATED = 100
_MAX_SPACES = 100


def extract(path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage) -> DocumentMetadata:
    """Pass every page to `on_page(page, page_count)`; return title, language, headings and properties."""
    del password
    pages = PageBuilder(limits)
    with open_archive(path, limits=limits) as archive:
        try:
            _refuse_encrypted(archive)
            styles = parse_xml(archive.read("styles.xml")) if "styles.xml" in archive else None
            columns = _add_content(pages, parse_xml(archive.read("content.xml")), styles, limits)
            information = _properties(archive)
        except PARSER_ERRORS as error:
            raise Corrupt from error
    outline = pages.finish(on_page)
    title = sensible_title(information.get("title", ""))
    if columns is None:
        title = title or next((entry.title for entry in outline), None)
    language = language_of(information.get("language", ""))
    information |= described_columns(columns or {})
    return DocumentMetadata(title=title, language=language, outline=outline, information=tuple(information.items()))


def _refuse_encrypted(archive: Archive) -> None:
    name = "META-INF/manifest.xml"
    if name in archive and next(descendants(parse_xml(archive.read(name)), "encryption-data"), None) is not None:
        raise Encrypted("The document is protected by a password.", hint="Save a copy without a password.")


def _properties(archive: Archive) -> dict[str, str]:
    meta = find(parse_xml(archive.read("meta.xml")), "meta") if "meta.xml" in archive else None
    return {} if meta is None else information_of(meta)


def _add_content(
    pages: PageBuilder, root: Element, styles: Element | None, limits: ExtractionLimits
) -> dict[str, tuple[Column, ...]] | None:
    """Add the body; return the columns of the sheets, None for a text or a presentation."""
    body = find(root, "body")
    content = None if body is None else next(children(body, "text", "presentation", "spreadsheet"), None)
    if content is None:
        raise Corrupt("The file is damaged: it has no text, slides or sheets.")
    if name_of(content) == "text":
        reader = _BodyReader(pages, ListNumbers(root, styles), PageStyles(root, styles))
        reader.add_blocks(content, depth=0)
        reader.end_page()
        return None
    if name_of(content) == "presentation":
        hidden = _hidden_styles(root, "drawing-page-properties", "visibility", "hidden")
        _add_slides(pages, content, hidden, ListNumbers(root, styles))
        return None
    columns: dict[str, tuple[Column, ...]] = {}
    hidden = _hidden_styles(root, "table-properties", "display", "false")
    for position, table in enumerate(children(content, "table")):
        if position:
            pages.begin_page()
        name = attribute(table, "name") or f"Sheet {position + 1}"
        pages.heading(name, 1)
        if attribute(table, "style-name") in hidden:
            pages.note("The sheet is hidden in the workbook.")
        columns[name] = add_sheet(pages, table, name=name, limits=limits)
    return columns


def _hidden_styles(root: Element, properties: str, key: str, value: str) -> set[str | None]:
    """Return the names of styles that hide a sheet or a slide."""
    return {
        attribute(style, "name")
        for style in descendants(root, "style", without=frozenset({"body"}))
        if any(attribute(child, key) == value for child in children(style, properties))
    }


def _add_slides(pages: PageBuilder, presentation: Element, hidden: set[str | None], numbers: ListNumbers) -> None:
    for position, slide in enumerate(children(presentation, "page")):
        if position:
            pages.begin_page()
        if attribute(slide, "style-name") in hidden:
            pages.note("The slide is hidden in the presentation.")
        _add_slide(pages, slide, numbers)


def _add_slide(pages: PageBuilder, slide: Element, numbers: ListNumbers) -> None:
    shapes = [child for child in slide if name_of(child) not in {"notes", "forms", "annotation"}]
    titles = [shape for shape in shapes if attribute(shape, "class") in _SLIDE_TITLES]
    for level, shape in enumerate(titles, 1):
        pages.heading(" ".join(_lines(shape)), level)
    reader = _BodyReader(pages, numbers)
    for shape in shapes:
        if shape not in titles:
            reader.add_shape(shape)
    reader.end_page()
    for notes in children(slide, "notes"):
        lines = [line for frame in children(notes, "frame") for line in _lines(frame)]
        if lines:
            pages.paragraph("Notes: " + "\n".join(lines))
    for comment in children(slide, "annotation"):
        pages.paragraph(format_comment(" ".join(_lines(comment))))


def _lines(shape: Element) -> Iterator[str]:
    for part in descendants(shape, "p", "h"):
        text = " ".join(text_of(part).split())
        if text:
            yield text


class _BodyReader:
    def __init__(self, pages: PageBuilder, numbers: ListNumbers, styles: PageStyles | None = None) -> None:
        self._pages = pages
        self._styles = styles
        self._numbers = numbers
        self._master: str | None = None
        self._margins = dict[str, None]()
        """Headers and footers that were read."""

        self._pending_notes, self._footers = list[str](), list[str]()

    def add_blocks(self, parent: Element, *, depth: int) -> None:
        """Add the blocks below an element, in order."""
        _check_depth(depth)
        for child in parent:
            name = name_of(child)
            if name in _CONTAINERS:
                self.add_blocks(child, depth=depth + 1)
            else:
                self._add_block(child, name, depth=depth)

    def add_shape(self, shape: Element) -> None:
        """Add the description and the blocks of a shape on a slide."""
        description = next(children(shape, "desc", "title"), None)
        if description is not None and (text := " ".join(text_of(description).split())):
            self._pages.paragraph(f"[{text}]")
        if name_of(shape) == "table":
            self._add_table(shape)
        else:
            self.add_blocks(shape, depth=0)

    def end_page(self) -> None:
        """Add the pending notes and footers at the end of their page."""
        texts = [*self._pending_notes, *self._footers]
        self._pending_notes, self._footers = [], []
        for text in texts:
            self._pages.paragraph(text)

    def _add_block(self, element: Element, name: str, *, depth: int) -> None:
        if name in {"h", "p", "table"}:
            self._begin(element)
        if name == "h":
            self._add_heading(element)
        elif name == "p":
            self._add_paragraph(element, depth=depth)
        elif name == "list":
            self._add_list(element, level=0, depth=depth)
        elif name == "table":
            self._add_table(element)
        elif name == "soft-page-break":
            self._break_page()

    def _begin(self, block: Element) -> None:
        """Begin a page if the style of a block asks for it."""
        if self._styles is None:
            return
        begins_page, master = self._styles.page_break(attribute(block, "style-name"))
        if self._master is None:
            self._add_margins(master or FIRST_MASTER)
        elif begins_page:
            self._break_page(master)

    def _break_page(self, master: str | None = None) -> None:
        self.end_page()
        self._pages.begin_page()
        if self._styles is not None and self._master is not None:
            self._add_margins(master or self._styles.next_master(self._master))

    def _add_margins(self, master: str) -> None:
        """Add the new headers of a master page, and its footers at the end of the page."""
        self._master = master
        for header in self._margin_lines(master, "header"):
            self._pages.paragraph(header)
        self._footers += self._margin_lines(master, "footer")

    def _margin_lines(self, master: str, kind: str) -> list[str]:
        paragraphs = () if self._styles is None else self._styles.margin(master, kind)
        lines = dict.fromkeys(text for text in map(self._margin_line, paragraphs) if text.strip())
        new = [line for line in lines if line not in self._margins]
        self._margins.update(lines)
        return new

    def _margin_line(self, paragraph: Element) -> str:
        has_page_number = next(descendants(paragraph, "page-number", "page-count"), None) is not None
        text = self._words(paragraph)
        return "" if has_page_number and is_page_number(text) else text

    def _add_text(self, text: str, add: Callable[[str], None]) -> None:
        """Add a block on the page where it begins, and break the page where it does."""
        before = count_leading_breaks(text)
        for _ in range(before):
            self._break_page()
        add(remove_breaks(text))
        for _ in range(text.count(PAGE_BREAK) - before):
            self._break_page()

    def _add_heading(self, element: Element, *, marker: str = "-") -> None:
        level = to_number(attribute(element, "outline-level"), otherwise=1)
        label = self._numbers.heading_label(element, level=level - 1) if marker == "-" else marker
        self._add_text(self._words(element), lambda text: self._pages.heading(_labelled(label, text), level))

    def _add_paragraph(self, element: Element, *, depth: int) -> None:
        self._add_text(self._words(element), self._pages.paragraph)
        for frame in descendants(element, "text-box", without=frozenset({"annotation"})):
            self.add_blocks(frame, depth=depth + 1)

    def _add_list(self, element: Element, *, level: int, depth: int, style: str | None = None) -> None:
        _check_depth(depth)
        style = attribute(element, "style-name") or style
        self._numbers.begin(element, style=style, level=level)
        for item in children(element, "list-item", "list-header"):
            marker = "-" if name_of(item) == "list-header" else self._numbers.label(item, style=style, level=level)
            for child in item:
                name = name_of(child)
                if name == "p":
                    self._begin(child)
                    add = partial(self._pages.item, depth=level, marker=marker)
                    self._add_text(self._words(child), add)
                    marker = "-"
                elif name == "h":
                    self._begin(child)
                    self._add_heading(child, marker=marker)
                    marker = "-"
                elif name == "list":
                    self._add_list(child, level=level + 1, depth=depth + 1, style=style)
                else:
                    self._add_block(child, name, depth=depth)

    def _add_table(self, table: Element) -> None:
        nested = frozenset({"table-cell", "covered-table-cell"})
        headers = (row for group in children(table, "table-header-rows") for row in children(group, "table-row"))
        header_rows = sum(1 for _ in headers)
        header_rows = header_rows or 1
        elements = descendants(table, "table-row", "soft-page-break", without=nested)
        rows = self._rows(elements, header_rows=header_rows)
        for position, rows_of_page in enumerate(split_rows(rows, header_rows=header_rows)):
            if position:
                self._break_page()
            self._pages.table(rows_of_page, header_rows=header_rows)

    def _rows(self, elements: Iterable[Element], *, header_rows: int) -> Iterator[list[str]]:
        begin, number, merged = "", 0, MergedCells()
        for element in elements:
            if name_of(element) == "soft-page-break":
                begin = PAGE_BREAK
            else:
                cells, heights = self._cells(element, is_header=number < header_rows)
                first, *others = merged.fill(cells, heights) or [""]
                yield [begin + first, *others]
                begin, number = "", number + 1

    def _cells(self, row: Element, *, is_header: bool) -> tuple[list[str], dict[int, int]]:
        """Return the cells of a row, and the rows that merged ones span. In a header they are repeated across."""
        cells: list[str] = []
        heights: dict[int, int] = {}
        spanning, columns_left = "", 0
        for cell in children(row, "table-cell", "covered-table-cell"):
            texts = (self._words(part) for part in descendants(cell, "p", "h", without=_NO_TEXT))
            text = " ".join(filter(None, texts)) or (spanning if columns_left > 0 else "")
            repeated = max(1, min(to_number(attribute(cell, "number-columns-repeated"), otherwise=1), _MAX_REPEATED))
            height = to_number(attribute(cell, "number-rows-spanned"), otherwise=1)
            if height > 1:
                heights[len(cells)] = height
            cells += [text] * repeated
            columns_left -= repeated
            if is_header and name_of(cell) == "table-cell":
                spanning = remove_breaks(text)
                columns_left = to_number(attribute(cell, "number-columns-spanned"), otherwise=1) - 1
        return cells, heights

    def _words(self, element: Element) -> str:
        """Return the text of a paragraph with links. Notes and comments wait for the end of the page."""
        return text_with(element, whole=self._replacement, linked=link_text)

    def _replacement(self, element: Element) -> str | None:
        """Return the text that an element stands for; None for the text below it."""
        name = name_of(element)
        if name == "soft-page-break":
            return PAGE_BREAK
        if name == "s":
            return " " * min(to_number(attribute(element, "c"), otherwise=1), _MAX_SPACES)
        if name in {"tab", "line-break"}:
            return "\t" if name == "tab" else "\n"
        if name == "note":
            citation, body = find(element, "note-citation"), find(element, "note-body")
            label = text_of(citation).strip() if citation is not None else "*"
            self._pending_notes.append(f"[^{label}]: {' '.join(text_of(body).split()) if body is not None else ''}")
            return f"[^{label}]"
        if name == "annotation":
            comment = " ".join(text_of(part) for part in children(element, "p", "list"))
            self._pending_notes.append(format_comment(comment))
            return ""
        if name == "frame":
            description = next(descendants(element, "desc", "title"), None)
            return f" [{' '.join(text_of(description).split())}] " if description is not None else ""
        return "" if name in _NO_TEXT or not name else None


def _labelled(label: str, text: str) -> str:
    """Return a heading behind its number. A blank one stays blank, although it has a number."""
    return f"{label} {text}" if label and text.strip() else text


def _check_depth(depth: int) -> None:
    if depth > _MAX_NESTING:
        raise Corrupt("The file is nested too deeply.")
