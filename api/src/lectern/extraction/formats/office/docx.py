"""DOCX: headings, lists with their numbers, tables, charts, links, notes, comments, text boxes, headers and footers.

Each header and footer is read once, on the first page of its section: letterheads, references, editions.
Word files have no pages until they are printed. Pages come from the breaks that Word recorded when it saved, and from
breaks of the author. Without either the document is one page.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from lectern.extraction.errors import Corrupt
from lectern.extraction.formats.archive import PARSER_ERRORS
from lectern.extraction.formats.comments import format_comment
from lectern.extraction.formats.office.docx_styles import (
    Numbering,
    built_in_style,
    outline_number,
    read_styles,
    to_number,
)
from lectern.extraction.formats.office.graphics import add_chart, add_diagram
from lectern.extraction.formats.office.package import Package, Relation, is_on, open_package, value_of
from lectern.extraction.formats.page_breaks import (
    PAGE_BREAK,
    count_leading_breaks,
    is_page_number,
    remove_breaks,
    split_rows,
)
from lectern.extraction.formats.page_builder import PageBuilder, link
from lectern.extraction.formats.xml_tree import Element, attribute, children, descendants, find, name_of, relation_id
from lectern.extraction.metadata import stated_metadata
from lectern.extraction.types import DocumentMetadata, EmbeddedImage, ExtractionLimits, OnPage

_TRANSPARENT = frozenset({"sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag", "hyperlink", "dir", "bdo"})
_SKIPPED = frozenset({"del", "moveFrom", "Fallback", "instrText", "delText", "rPr", "pPr", "sdtPr", "tblPr"})
_MAX_NESTING = 60
_MAX_SPAN = 100
_FIELDS = ("instrText", "fldSimple")
_NO_SECTIONS = frozenset({"r", "tbl", "hyperlink", "sectPrChange"})
_PAGE_FIELD = re.compile(r"\b(?:NUM|SECTION)?PAGES?\b")


def extract(path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage) -> DocumentMetadata:
    """Pass every page to `on_page(page, page_count)`; return title, language, headings and properties."""
    del password
    pages = PageBuilder(limits)
    with open_package(path, limits=limits) as package:
        try:
            reader = _Reader(package, pages)
            reader.run()
            information = package.information()
        except PARSER_ERRORS as error:
            raise Corrupt from error
    outline = pages.finish(on_page)
    return stated_metadata(information, outline, title=reader.title)


class _Section(NamedTuple):
    """A section: its type, and the headers and footers that no section before it has."""

    start_type: str
    headers: list[str]
    footers: list[str]


@dataclass(slots=True)
class _Paragraph:
    """The words of a paragraph, with page breaks, and what is anchored in it."""

    words: list[str] = field(default_factory=list[str])
    anchored: list[tuple[EmbeddedImage | Element, int]] = field(
        default_factory=list[tuple[EmbeddedImage | Element, int]]
    )
    """Images, text boxes, charts and diagrams, each with the number of page breaks before it."""

    displayed_emu: tuple[int, int] = (0, 0)

    def anchor(self, item: EmbeddedImage | Element | None) -> None:
        if item is not None:
            self.anchored.append((item, self.words.count(PAGE_BREAK)))


class _Reader:
    def __init__(self, package: Package, pages: PageBuilder) -> None:
        self._pages = pages
        self._package = package
        self._in_cells: list[EmbeddedImage | Element] = []
        self._is_after_break = False
        """The author broke the page and nothing came since. Then the break that Word recorded is the same."""

        main = package.main_part()
        self._body = find(package.read(main), "body")
        self._relations: dict[str, Relation] = package.relations(main)
        self._styles = read_styles(package.find_part(main, "styles"))
        self._numbering = Numbering.read(package.find_part(main, "numbering"))
        self._notes = {
            kind: _by_id(package.find_part(main, f"{kind}s"), kind) for kind in ("footnote", "endnote", "comment")
        }
        self._pending_notes: list[tuple[str, str]] = []
        self._sections: Iterator[_Section] = iter(())
        self._headers, self._footers = list[str](), list[str]()
        """Headers and footers of the section that are not on a page yet."""

        self.title = ""

    def run(self) -> None:
        """Add every block, and notes at the end of the page that refers to them."""
        if self._body is None:
            raise Corrupt("The file is damaged: it has no text body.")
        self._sections = self._read_sections(self._body)
        self._begin_section(next(self._sections, None))
        self._blocks(self._body, depth=0)
        self._add_headers()
        self._end_page()

    def _read_sections(self, body: Element) -> Iterator[_Section]:
        read = dict[str, None]()
        sections = list[_Section]()
        for element in descendants(body, "sectPr", without=_NO_SECTIONS):
            headers, footers = (
                [text for text in self._margin_texts(element, kind) if text not in read]
                for kind in ("header", "footer")
            )
            read.update(dict.fromkeys([*headers, *footers]))
            sections.append(_Section(value_of(element, "type") or "nextPage", headers, footers))
        self._is_after_break = False
        return iter(sections)

    def _begin_section(self, section: _Section | None) -> None:
        if section is not None:
            self._headers += section.headers
            self._footers += section.footers

    def _end_section(self) -> None:
        """Begin the next section, on a new page unless it continues."""
        section = next(self._sections, None)
        start_type = section.start_type if section is not None else ""
        if start_type not in {"continuous", "nextColumn"}:
            self._break_page(is_manual=True)
        if self._pages.page_number % 2 == {"oddPage": 0, "evenPage": 1}.get(start_type):
            self._break_page(is_manual=True)
        self._begin_section(section)

    def _margin_texts(self, section: Element, kind: str) -> list[str]:
        """Return the headers (or footers, by `kind`) of a section: that of its first page, then that of odd pages."""
        own, texts = self._relations, list[str]()
        references = children(section, f"{kind}Reference")
        for reference in sorted(references, key=lambda each: attribute(each, "type") != "first"):
            relation = own.get(relation_id(reference) or "")
            root = self._package.follow(relation) if attribute(reference, "type") != "even" else None
            if relation is None or root is None:
                continue
            self._relations = self._package.relations(relation.target)
            lines = map(self._header_line, descendants(root, "p", without=_SKIPPED))
            texts.append("\n".join(line for line in lines if line.strip()))
        self._relations = own
        return [text for text in dict.fromkeys(texts) if text]

    def _add_headers(self) -> None:
        headers, self._headers = self._headers, []
        for header in headers:
            self._pages.paragraph(header)

    def _header_line(self, element: Element) -> str:
        """Return a paragraph of a header or footer; nothing for a page number."""
        paragraph = _Paragraph()
        self._collect(element, paragraph, depth=0)
        text = remove_breaks("".join(paragraph.words))
        fields = [child.text or attribute(child, "instr") or "" for child in descendants(element, *_FIELDS)]
        has_page_number = any(map(_PAGE_FIELD.search, fields))
        return "" if has_page_number and is_page_number(text) else text

    def _blocks(self, parent: Element, *, depth: int) -> None:
        if depth > _MAX_NESTING:
            raise Corrupt("The file is nested too deeply.")
        for child in parent:
            name = name_of(child)
            if name == "p":
                self._paragraph(child, depth=depth)
            elif name == "tbl":
                self._table(child, depth=depth)
            elif name in _TRANSPARENT:
                self._blocks(child, depth=depth + 1)

    def _paragraph(self, element: Element, *, depth: int) -> None:
        """Add a paragraph on the page where it begins."""
        properties = find(element, "pPr")
        if is_on(find(properties, "pageBreakBefore")) and self._pages.has_content:
            self._break_page(is_manual=True)
        paragraph = _Paragraph()
        self._collect(element, paragraph, depth=depth)
        text = "".join(paragraph.words)
        before = min([count_leading_breaks(text), *(breaks for _, breaks in paragraph.anchored)])
        self._break_pages(before)
        self._add_text(remove_breaks(text), properties)
        self._add_anchored([item for item, breaks in paragraph.anchored if breaks <= before], depth=depth)
        self._break_pages(text.count(PAGE_BREAK) - before)
        self._add_anchored([item for item, breaks in paragraph.anchored if breaks > before], depth=depth)
        if find(properties, "sectPr") is not None:
            self._end_section()

    def _add_text(self, text: str, properties: Element | None) -> None:
        if not text.strip():
            return
        self._add_headers()
        style_id = value_of(properties, "pStyle") or ""
        style = self._styles.get(style_id) or built_in_style(style_id)
        level = outline_number(value_of(properties, "outlineLvl")) or style.level
        list_id = value_of(properties, "numPr", "numId") or style.list_id
        is_listed = list_id not in {None, "0"}
        list_level = to_number(value_of(properties, "numPr", "ilvl"), otherwise=style.list_level)
        label = self._numbering.label(list_id, list_level) if list_id and is_listed else "-"
        if style.is_title and not self.title:
            self.title = " ".join(text.split())
        if level:
            self._pages.heading(text if label == "-" else f"{label} {text}", level)
        elif is_listed:
            self._pages.item(text, depth=list_level, marker=label)
        else:
            self._pages.paragraph(text)

    def _collect(self, parent: Element, into: _Paragraph, *, depth: int) -> None:
        """Collect the words of a paragraph in order, with its text boxes and page breaks."""
        if depth > _MAX_NESTING:
            raise Corrupt("The file is nested too deeply.")
        for child in parent:
            name = name_of(child)
            if name in _SKIPPED:
                continue
            if name == "hyperlink":
                start = len(into.words)
                self._collect(child, into, depth=depth + 1)
                relation = self._relations.get(relation_id(child) or "")
                target = relation.target if relation and relation.is_external else ""
                words = into.words[start:]
                breaks = [PAGE_BREAK] * words.count(PAGE_BREAK)
                into.words[start:] = [*breaks, link(remove_breaks("".join(words)), target)]
            elif not self._take(child, name, into):
                self._collect(child, into, depth=depth + 1)

    def _take(self, element: Element, name: str, into: _Paragraph) -> bool:
        """Take an element that stands for text; return False to descend into it."""
        if name == "t":
            into.words.append(element.text or "")
            self._is_after_break &= not into.words[-1].strip()
        elif name in _CHARACTERS:
            into.words.append(_CHARACTERS[name])
        elif name == "br":
            is_page_break = attribute(element, "type") == "page"
            self._is_after_break |= is_page_break
            into.words += [PAGE_BREAK, "\n"] if is_page_break else ["\n"]
        elif name == "lastRenderedPageBreak":
            into.words += [] if self._is_after_break else [PAGE_BREAK]
            self._is_after_break = False
        elif name in {"footnoteReference", "endnoteReference", "commentReference"}:
            self._add_reference(name.removesuffix("Reference"), attribute(element, "id") or "", into)
        elif name == "docPr":
            description = attribute(element, "descr") or ""
            into.words.append(f" [{' '.join(description.split())}] " if description.strip() else "")
        else:
            return self._take_anchored(element, name, into)
        return True

    def _take_anchored(self, element: Element, name: str, into: _Paragraph) -> bool:
        if name == "extent":
            into.displayed_emu = (to_number(attribute(element, "cx")), to_number(attribute(element, "cy")))
        elif name == "txbxContent":
            into.anchor(element)
        elif name in {"chart", "relIds"}:
            kind = "id" if name == "chart" else "dm"
            into.anchor(self._package.follow(self._relations.get(relation_id(element, kind) or "")))
        elif name in {"blip", "imagedata"}:  # the second is of Word 2003
            self._is_after_break = False
            relation = self._relations.get(relation_id(element, "embed" if name == "blip" else "id") or "")
            size = into.displayed_emu if name == "blip" else (0, 0)
            into.anchor(self._package.find_image(relation, displayed_emu=size))
        else:
            return False
        return True

    def _add_anchored(self, items: Sequence[EmbeddedImage | Element], *, depth: int) -> None:
        for item in items:
            if isinstance(item, EmbeddedImage):
                self._pages.image(item)
            elif _is_box(item):
                self._blocks(item, depth=depth + 1)
            elif name_of(item) == "chartSpace":
                add_chart(self._pages, item)
            else:
                add_diagram(self._pages, item)

    def _add_reference(self, kind: str, note_id: str, into: _Paragraph) -> None:
        if note_id in self._notes[kind]:
            self._pending_notes.append((kind, note_id))
            if kind != "comment":
                into.words.append(f"[^{note_id}]")

    def _table(self, table: Element, *, depth: int) -> None:
        """Add a table, with its header on each of its pages."""
        rows = list(_rows(table))
        cells = [cell for row in rows for cell in _cells(row)]
        if len(rows) == len(cells) == 1:  # a frame round text
            self._blocks(cells[0], depth=depth + 1)
            return
        self._add_headers()
        header_rows = sum(1 for _ in takewhile(_is_header, rows)) or 1
        split = split_rows(self._all_cells(rows, header_rows, depth=depth), header_rows=header_rows)
        for position, rows_of_page in enumerate(split):
            if position:
                self._break_page()
            self._pages.table(rows_of_page, header_rows=header_rows)
            self._add_from_cells()

    def _all_cells(self, rows: Sequence[Element], header_rows: int, *, depth: int) -> Iterator[list[str]]:
        above = list[str]()
        for number, row in enumerate(rows):
            cells = self._row(row, above, is_top=number < header_rows, depth=depth)
            above = list(map(remove_breaks, cells))
            yield cells

    def _row(self, row: Element, above: list[str], *, is_top: bool, depth: int) -> list[str]:
        """Return the cells of a row. Cells that span are repeated downwards, and across in a header."""
        cells = [""] * min(to_number(value_of(find(row, "trPr"), "gridBefore")), _MAX_SPAN)
        for cell in _cells(row):
            properties = find(cell, "tcPr")
            merge = find(properties, "vMerge")
            text = self._cell(cell, depth=depth + 1)
            if merge is not None and attribute(merge, "val") != "restart":
                begin = PAGE_BREAK if PAGE_BREAK in text else ""
                text = begin + above[len(cells)] if len(cells) < len(above) else begin
            span = min(to_number(value_of(properties, "gridSpan"), otherwise=1), _MAX_SPAN)
            cells.extend([text, *[text if is_top else ""] * (span - 1)])
        return cells

    def _cell(self, cell: Element, *, depth: int) -> str:
        texts: list[str] = []
        for element in descendants(cell, "p", without=_SKIPPED):
            paragraph = _Paragraph()
            self._collect(element, paragraph, depth=depth)
            self._in_cells += [item for item, _ in paragraph.anchored if not _is_box(item)]
            texts.append("".join(paragraph.words))
        return " ".join(filter(None, texts))

    def _break_page(self, *, is_manual: bool = False) -> None:
        self._end_page()
        self._pages.begin_page()
        self._is_after_break |= is_manual

    def _break_pages(self, count: int) -> None:
        for _ in range(count):
            self._break_page()

    def _end_page(self) -> None:
        notes, self._pending_notes = self._pending_notes, []
        for kind, note_id in notes:
            note = self._notes[kind][note_id]
            text = remove_breaks(self._cell(note, depth=0))
            if kind == "comment":
                self._pages.paragraph(format_comment(text, author=attribute(note, "author") or ""))
            elif text.strip():
                self._pages.paragraph(f"[^{note_id}]: {text.strip()}")
        footers, self._footers = self._footers, []
        for footer in footers:
            self._pages.paragraph(footer)
        self._add_from_cells()

    def _add_from_cells(self) -> None:
        """Add the images and charts of cells after their table."""
        items, self._in_cells = self._in_cells, []
        self._add_anchored(items, depth=0)


_CHARACTERS = {"tab": "\t", "cr": "\n", "noBreakHyphen": "\N{NON-BREAKING HYPHEN}", "ptab": "\t"}


def _by_id(root: Element | None, name: str) -> dict[str, Element]:
    """Return notes by id, without the separators that every file has."""
    if root is None:
        return {}
    return {
        attribute(note, "id") or "": note
        for note in children(root, name)
        if attribute(note, "type") not in {"separator", "continuationSeparator", "continuationNotice"}
    }


def _rows(table: Element) -> Iterator[Element]:
    return descendants(table, "tr", without=frozenset({"tc", "tblPr", "tblGrid"}))


def _is_header(row: Element) -> bool:
    return is_on(find(row, "trPr", "tblHeader"))


def _cells(row: Element) -> Iterator[Element]:
    return descendants(row, "tc", without=frozenset({"tbl", "p", "trPr"}))


def _is_box(item: EmbeddedImage | Element) -> bool:
    return not isinstance(item, EmbeddedImage) and name_of(item) == "txbxContent"
