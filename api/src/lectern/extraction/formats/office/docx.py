"""DOCX: headings, lists with their numbers, tables, links, notes, comments, text boxes; pages as Word last broke them.

Headers and footers of the first section are read once, on the first page: letterheads, references, editions.
Word files have no pages until they are printed. Pages come from the breaks that Word recorded when it saved and from
breaks of the author. Without either the document is one page.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

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
from lectern.extraction.formats.office.package import Package, Relation, is_on, open_package, value_of
from lectern.extraction.formats.page_builder import PageBuilder, link
from lectern.extraction.formats.xml_tree import Element, attribute, children, descendants, find, name_of, relation_id
from lectern.extraction.metadata import language_of, sensible_title
from lectern.extraction.types import DocumentMetadata, EmbeddedImage, ExtractionLimits, OnPage

_TRANSPARENT = frozenset({"sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag", "hyperlink", "dir", "bdo"})
_SKIPPED = frozenset({"del", "moveFrom", "Fallback", "instrText", "delText", "rPr", "pPr", "sdtPr", "tblPr"})
_MAX_NESTING = 60
_MAX_SPAN = 100
_FIELDS = ("instrText", "fldSimple")
_PAGE_FIELD = re.compile(r"\b(?:NUM|SECTION)?PAGES?\b")
_MOST_WORDS_AROUND_A_PAGE_NUMBER = 2  # "Page 1 of 3"


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
    titles = (information.get("title", ""), reader.title)
    title = next((sensible for sensible in map(sensible_title, titles) if sensible), None)
    return DocumentMetadata(
        title=title or next((entry.title for entry in outline), None),
        language=language_of(information.get("language", "")),
        outline=outline,
        information=tuple(information.items()),
    )


@dataclass(slots=True)
class _Paragraph:
    """The words of a paragraph with its text boxes, page breaks and images."""

    words: list[str] = field(default_factory=list[str])
    boxes: list[Element] = field(default_factory=list[Element])
    breaks: int = 0
    images: list[tuple[EmbeddedImage, int]] = field(default_factory=list[tuple[EmbeddedImage, int]])
    """Each with the number of page breaks before it."""

    displayed_emu: tuple[int, int] = (0, 0)


class _Reader:
    def __init__(self, package: Package, pages: PageBuilder) -> None:
        self._pages = pages
        self._package = package
        self._in_cells: list[EmbeddedImage] = []
        main = package.main_part()
        self._body = find(package.read(main), "body")
        self._relations: dict[str, Relation] = package.relations(main)
        self._styles = read_styles(package.find_part(main, "styles"))
        self._numbering = Numbering.read(package.find_part(main, "numbering"))
        self._notes = {
            kind: _by_id(package.find_part(main, f"{kind}s"), kind) for kind in ("footnote", "endnote", "comment")
        }
        self._pending_notes: list[tuple[str, str]] = []
        self._footers = list[str]()
        self.title = ""

    def run(self) -> None:
        """Add every block, and notes at the end of the page that refers to them."""
        if self._body is None:
            raise Corrupt("The file is damaged: it has no text body.")
        sections = (block if name_of(block) == "sectPr" else find(block, "pPr", "sectPr") for block in self._body)
        section = next((section for section in sections if section is not None), None)
        self._footers = self._header_texts(section, "footer")
        for text in self._header_texts(section, "header"):
            self._pages.paragraph(text)
        self._blocks(self._body, depth=0)
        self._end_page()

    def _header_texts(self, section: Element | None, kind: str) -> list[str]:
        """Return the headers (or footers, by `kind`) of a section: that of its first page, then that of odd pages."""
        own, texts = self._relations, list[str]()
        references = [] if section is None else list(children(section, f"{kind}Reference"))
        for reference in sorted(references, key=lambda each: attribute(each, "type") != "first"):
            relation = own.get(relation_id(reference) or "")
            is_odd = attribute(reference, "type") != "even"
            if not is_odd or relation is None or relation.is_external or relation.target not in self._package:
                continue
            self._relations = self._package.relations(relation.target)
            lines = map(self._header_line, descendants(self._package.read(relation.target), "p", without=_SKIPPED))
            texts.append("\n".join(line for line in lines if line.strip()))
        self._relations = own
        return [text for text in dict.fromkeys(texts) if text]

    def _header_line(self, element: Element) -> str:
        """Return a paragraph of a header or footer; nothing for a page number."""
        paragraph = _Paragraph()
        self._collect(element, paragraph, depth=0)
        text = "".join(paragraph.words)
        fields = [child.text or attribute(child, "instr") or "" for child in descendants(element, *_FIELDS)]
        has_page_number = any(map(_PAGE_FIELD.search, fields))
        words = [word for word in text.split() if any(map(str.isalpha, word))]
        return "" if has_page_number and len(words) <= _MOST_WORDS_AROUND_A_PAGE_NUMBER else text

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
        properties = find(element, "pPr")
        if is_on(find(properties, "pageBreakBefore")) and self._pages.has_content:
            self._break_page()
        paragraph = _Paragraph()
        self._collect(element, paragraph, depth=depth)
        text = "".join(paragraph.words)
        if text.strip():
            self._add_text(text, properties)
        self._add_images(image for image, breaks in paragraph.images if not breaks)
        if paragraph.breaks:
            self._break_page()
        self._add_images(image for image, breaks in paragraph.images if breaks)
        for box in paragraph.boxes:
            self._blocks(box, depth=depth + 1)

    def _add_text(self, text: str, properties: Element | None) -> None:
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
                inner = _Paragraph(boxes=into.boxes, images=into.images)
                self._collect(child, inner, depth=depth + 1)
                relation = self._relations.get(relation_id(child) or "")
                target = relation.target if relation and relation.is_external else ""
                into.words.append(link("".join(inner.words), target))
                into.breaks += inner.breaks
            elif name == "txbxContent":
                into.boxes.append(child)
            elif not self._take(child, name, into):
                self._collect(child, into, depth=depth + 1)

    def _take(self, element: Element, name: str, into: _Paragraph) -> bool:
        """Take an element that stands for text; return False to descend into it."""
        if name == "t":
            into.words.append(element.text or "")
        elif name in _CHARACTERS:
            into.words.append(_CHARACTERS[name])
        elif name == "br":
            into.breaks += attribute(element, "type") == "page"
            into.words.append("\n")
        elif name == "lastRenderedPageBreak":
            has_begun = any(word.strip() for word in into.words) or bool(into.images)
            into.breaks += has_begun or self._pages.has_content
        elif name in {"footnoteReference", "endnoteReference", "commentReference"}:
            self._add_reference(name.removesuffix("Reference"), attribute(element, "id") or "", into)
        elif name == "docPr":
            description = attribute(element, "descr") or ""
            into.words.append(f" [{' '.join(description.split())}] " if description.strip() else "")
        else:
            return self._take_image(element, name, into)
        return True

    def _take_image(self, element: Element, name: str, into: _Paragraph) -> bool:
        if name == "extent":
            into.displayed_emu = (to_number(attribute(element, "cx")), to_number(attribute(element, "cy")))
        elif name in {"blip", "imagedata"}:  # the second is of Word 2003
            relation = self._relations.get(relation_id(element, "embed" if name == "blip" else "id") or "")
            image = self._package.find_image(relation, displayed_emu=into.displayed_emu if name == "blip" else (0, 0))
            into.images += [(image, into.breaks)] if image is not None else []
        else:
            return False
        return True

    def _add_images(self, images: Iterable[EmbeddedImage]) -> None:
        for image in images:
            self._pages.image(image)

    def _add_reference(self, kind: str, note_id: str, into: _Paragraph) -> None:
        if note_id in self._notes[kind]:
            self._pending_notes.append((kind, note_id))
            if kind != "comment":
                into.words.append(f"[^{note_id}]")

    def _table(self, table: Element, *, depth: int) -> None:
        rows: list[list[str]] = []
        header_rows, before = 0, len(self._in_cells)
        for row in _rows(table):
            is_header = is_on(find(row, "trPr", "tblHeader"))
            header_rows += is_header and header_rows == len(rows)
            is_top = is_header or not rows
            rows.append(self._row(row, rows[-1] if rows else [], is_top=is_top, depth=depth))
        if len(rows) == 1 and len(rows[0]) == 1:  # a frame round text
            del self._in_cells[before:]
            for cell in children(next(_rows(table)), "tc"):
                self._blocks(cell, depth=depth + 1)
            return
        self._pages.table(rows, header_rows=max(1, header_rows))
        self._add_cell_images()

    def _row(self, row: Element, above: list[str], *, is_top: bool, depth: int) -> list[str]:
        """Return the cells of a row. Cells that span are repeated downwards, and across in a header."""
        cells = [""] * min(to_number(value_of(find(row, "trPr"), "gridBefore")), _MAX_SPAN)
        for cell in descendants(row, "tc", without=frozenset({"tbl", "p", "trPr"})):
            properties = find(cell, "tcPr")
            merge = find(properties, "vMerge")
            if merge is not None and attribute(merge, "val") != "restart":
                text = above[len(cells)] if len(cells) < len(above) else ""
            else:
                text = self._cell(cell, depth=depth + 1)
            span = min(to_number(value_of(properties, "gridSpan"), otherwise=1), _MAX_SPAN)
            cells.extend([text, *[text if is_top else ""] * (span - 1)])
        return cells

    def _cell(self, cell: Element, *, depth: int) -> str:
        texts: list[str] = []
        for element in descendants(cell, "p", without=_SKIPPED):
            paragraph = _Paragraph()
            self._collect(element, paragraph, depth=depth)
            self._in_cells += [image for image, _ in paragraph.images]
            texts.append("".join(paragraph.words))
        return " ".join(text for text in texts if text.strip())

    def _break_page(self) -> None:
        self._end_page()
        self._pages.begin_page()

    def _end_page(self) -> None:
        notes, self._pending_notes = self._pending_notes, []
        for kind, note_id in notes:
            note = self._notes[kind][note_id]
            text = self._cell(note, depth=0)
            if kind == "comment":
                self._pages.paragraph(format_comment(text, author=attribute(note, "author") or ""))
            elif text.strip():
                self._pages.paragraph(f"[^{note_id}]: {text.strip()}")
        footers, self._footers = self._footers, []
        for footer in footers:
            self._pages.paragraph(footer)
        self._add_cell_images()

    def _add_cell_images(self) -> None:
        """Add the images of cells after their table."""
        images, self._in_cells = self._in_cells, []
        self._add_images(images)


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
