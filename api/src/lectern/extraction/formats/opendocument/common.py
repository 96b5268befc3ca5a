"""What the formats of OpenDocument share: encryption, properties, and the blocks of a text."""

from collections.abc import Iterator

from lectern.extraction.errors import Corrupt, Encrypted
from lectern.extraction.formats.archive import Archive
from lectern.extraction.formats.office.docx_styles import to_number
from lectern.extraction.formats.office.package import information_of
from lectern.extraction.formats.page_builder import PageBuilder, link
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

_BLOCKS = frozenset({"section", "index-body", "text-box", "frame", "table-of-content", "illustration-index", "g"}) | {
    *("custom-shape", "rect", "ellipse", "circle", "polygon", "path", "caption", "connector", "line"),
}
_NO_TEXT = frozenset({"annotation", "tracked-changes", "sequence-decls", "forms", "frame", "ruby-text"})
_MOST_NESTING = 60
_MAX_REPEATED = 100
_MAX_SPACES = 100


def refuse_encrypted(archive: Archive) -> None:
    """Raise `Encrypted` for a document with a password."""
    name = "META-INF/manifest.xml"
    if name in archive and next(descendants(parse_xml(archive.read(name)), "encryption-data"), None) is not None:
        raise Encrypted("The document is protected by a password.", hint="Save a copy without a password.")


def properties(archive: Archive) -> dict[str, str]:
    """Dublin Core and its like, by name."""
    meta = find(parse_xml(archive.read("meta.xml")), "meta") if "meta.xml" in archive else None
    return {} if meta is None else information_of(meta)


class BodyReader:
    """Goes through the body of a document."""

    def __init__(self, pages: PageBuilder) -> None:
        self._pages = pages
        self._waiting_notes: list[str] = []

    def blocks(self, parent: Element, *, depth: int) -> None:
        """Add the blocks below an element, in order."""
        if depth > _MOST_NESTING:
            raise Corrupt("The file is nested too deeply.")
        for child in parent:
            name = name_of(child)
            if name in _BLOCKS:
                self.blocks(child, depth=depth + 1)
            else:
                self._block(child, name, depth=depth)

    def shape(self, shape: Element) -> None:
        """Add the blocks of a shape of a slide, and what a picture is described as."""
        described = next(children(shape, "desc", "title"), None)
        if described is not None and (text := " ".join(text_of(described).split())):
            self._pages.paragraph(f"[{text}]")
        if name_of(shape) == "table":
            self._table(shape)
        else:
            self.blocks(shape, depth=0)

    def _block(self, element: Element, name: str, *, depth: int) -> None:
        if name == "h":
            self._pages.heading(self._words(element), to_number(attribute(element, "outline-level"), otherwise=1))
        elif name == "p":
            self._paragraph(element, depth=depth)
        elif name == "list":
            self._list(element, level=0, depth=depth)
        elif name == "table":
            self._table(element)
        elif name == "soft-page-break":
            self._turn()

    def end_page(self) -> None:
        """Put the notes that wait at the end of their page."""
        waiting, self._waiting_notes = self._waiting_notes, []
        for note in waiting:
            self._pages.paragraph(note)

    def _turn(self) -> None:
        if self._pages.has_content:
            self.end_page()
            self._pages.begin_page()

    def _paragraph(self, element: Element, *, depth: int) -> None:
        self._pages.paragraph(self._words(element))
        for frame in descendants(element, "text-box", without=frozenset({"annotation"})):
            self.blocks(frame, depth=depth + 1)
        if next(descendants(element, "soft-page-break"), None) is not None:
            self._turn()

    def _list(self, element: Element, *, level: int, depth: int) -> None:
        if depth > _MOST_NESTING:
            raise Corrupt("The file is nested too deeply.")
        for item in children(element, "list-item", "list-header"):
            for child in item:
                name = name_of(child)
                if name == "list":
                    self._list(child, level=level + 1, depth=depth + 1)
                elif name == "h":
                    self._pages.heading(self._words(child), to_number(attribute(child, "outline-level"), otherwise=1))
                elif name == "p":
                    self._pages.item(self._words(child), depth=level)

    def _table(self, table: Element) -> None:
        header_rows = 0
        nested = frozenset({"table-cell", "covered-table-cell"})
        for group in children(table, "table-header-rows"):
            header_rows += sum(1 for _ in children(group, "table-row"))
        rows = [list(self._cells(row)) for row in descendants(table, "table-row", without=nested)]
        self._pages.table(rows, header_rows=max(1, header_rows))

    def _cells(self, row: Element) -> Iterator[str]:
        for cell in children(row, "table-cell", "covered-table-cell"):
            texts = (self._words(part) for part in descendants(cell, "p", "h", without=_NO_TEXT))
            text = " ".join(text for text in texts if text.strip())
            repeated = to_number(attribute(cell, "number-columns-repeated"), otherwise=1)
            yield from [text] * max(1, min(repeated, _MAX_REPEATED))

    def _words(self, element: Element) -> str:
        """The text of a paragraph with links; notes and comments wait for the end of the page."""
        return text_with(element, whole=self._whole, linked=_linked)

    def _whole(self, element: Element) -> str | None:
        """What an element stands for in a line; None where it is what lies below it."""
        name = name_of(element)
        if name == "s":
            return " " * min(to_number(attribute(element, "c"), otherwise=1), _MAX_SPACES)
        if name in {"tab", "line-break"}:
            return "\t" if name == "tab" else "\n"
        if name == "note":
            citation, body = find(element, "note-citation"), find(element, "note-body")
            label = text_of(citation).strip() if citation is not None else "*"
            self._waiting_notes.append(f"[^{label}]: {' '.join(text_of(body).split()) if body is not None else ''}")
            return f"[^{label}]"
        if name == "annotation":
            said = " ".join(" ".join(text_of(part) for part in children(element, "p", "list")).split())
            self._waiting_notes.append(f"[Comment: {said}]")
            return ""
        if name == "frame":
            described = next(descendants(element, "desc", "title"), None)
            return f" [{' '.join(text_of(described).split())}] " if described is not None else ""
        return "" if name in _NO_TEXT or not name else None


def _linked(element: Element, text: str) -> str:
    return link(text, attribute(element, "href") or "")
