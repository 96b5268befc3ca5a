"""PPTX: a page for each slide, with title, body, tables, chart values, links, speaker notes and comments."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from lectern.extraction.errors import Corrupt
from lectern.extraction.formats.archive import PARSER_ERRORS
from lectern.extraction.formats.comments import format_comment
from lectern.extraction.formats.merged_cells import MergedCells
from lectern.extraction.formats.office.docx_styles import to_number
from lectern.extraction.formats.office.graphics import add_chart, add_diagram
from lectern.extraction.formats.office.numerals import to_letters, to_roman
from lectern.extraction.formats.office.package import Package, Relation, open_package
from lectern.extraction.formats.page_builder import PageBuilder, link
from lectern.extraction.formats.xml_tree import (
    Element,
    attribute,
    children,
    descendants,
    find,
    name_of,
    relation_id,
    text_of,
)
from lectern.extraction.metadata import stated_metadata
from lectern.extraction.types import DocumentMetadata, ExtractionLimits, OnPage

_TITLES = {"title", "ctrTitle"}
_SKIPPED = {"dt", "ftr", "sldNum", "sldImg", "hdr"}
_NUMBER_STYLES: Mapping[str, Callable[[int], str]] = {
    "alphaLc": to_letters,
    "alphaUc": lambda number: to_letters(number).upper(),
    "romanLc": to_roman,
    "romanUc": lambda number: to_roman(number).upper(),
}
_NUMBER_SIGNS = {"ParenBoth": ("(", ")"), "ParenR": ("", ")"), "Period": ("", ".")}
_SHAPES = ("sp", "graphicFrame", "pic", "cxnSp")
_NO_SHAPES = frozenset({"Fallback", "nvGrpSpPr", "grpSpPr", "txBody", "extLst"})


def extract(path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage) -> DocumentMetadata:
    """Pass every slide to `on_page(page, page_count)`; return title, language, slide titles and properties."""
    del password
    pages = PageBuilder(limits)
    with open_package(path, limits=limits) as package:
        try:
            authors = _authors(package)
            for position, part in enumerate(_slides(package)):
                if position:
                    pages.begin_page()
                _Slide(package, part, pages, authors=authors).run()
            information = package.information()
        except PARSER_ERRORS as error:
            raise Corrupt from error
    outline = pages.finish(on_page)
    return stated_metadata(information, outline)


def _slides(package: Package) -> Iterator[str]:
    main = package.main_part()
    relations = package.relations(main)
    listed = find(package.read(main), "sldIdLst")
    for entry in () if listed is None else children(listed, "sldId"):
        relation = relations.get(relation_id(entry) or "")
        if relation is not None and relation.kind == "slide" and relation.target in package:
            yield relation.target


def _authors(package: Package) -> dict[str, str]:
    """Return the names of the authors of comments by id. The parts of PowerPoint 2019 and earlier differ."""
    parts = (package.find_part(package.main_part(), kind) for kind in ("authors", "commentAuthors"))
    authors = (author for part in parts if part is not None for author in children(part, "author", "cmAuthor"))
    return {attribute(author, "id") or "": attribute(author, "name") or "" for author in authors}


class _Slide:
    def __init__(self, package: Package, part: str, pages: PageBuilder, *, authors: Mapping[str, str]) -> None:
        self._authors = authors
        self._package = package
        self._part = part
        self._pages = pages
        self._relations: dict[str, Relation] = package.relations(part)

    def run(self) -> None:
        """Add the title, then the other shapes in drawing order, then notes and comments."""
        root = self._package.read(self._part)
        if attribute(root, "show") in {"0", "false"}:
            self._pages.note("The slide is hidden in the presentation.")
        tree = find(root, "cSld", "spTree")
        shapes = [] if tree is None else list(descendants(tree, *_SHAPES, without=_NO_SHAPES))
        titles = [shape for shape in shapes if _placeholder(shape) in _TITLES]
        for title in titles[:1]:
            self._pages.heading(" ".join(text for text, _, _ in self._paragraphs(title)), 1)
        for shape in shapes:
            if shape not in titles[:1] and _placeholder(shape) not in _SKIPPED:
                self._shape(shape)
        self._notes()
        self._comments()

    def _shape(self, shape: Element) -> None:
        name = name_of(shape)
        if name == "graphicFrame":
            self._graphic(shape)
        elif name == "pic":
            properties = next(descendants(shape, "cNvPr"), None)
            text = attribute(properties, "descr") if properties is not None else None
            self._pages.paragraph(f"[{' '.join(text.split())}]" if text and text.strip() else "")
            self._image(shape)
        else:
            is_body = _placeholder(shape) not in {None, "subTitle"}
            for text, level, marker in self._paragraphs(shape):
                if level or (is_body and marker) or marker not in {"", "-"}:
                    self._pages.item(text, depth=level, marker=marker or "-")
                else:
                    self._pages.paragraph(text)

    def _image(self, shape: Element) -> None:
        blip, size = find(shape, "blipFill", "blip"), find(shape, "spPr", "xfrm", "ext")
        sides = [0, 0] if size is None else [to_number(attribute(size, side)) for side in ("cx", "cy")]
        relation = None if blip is None else self._relations.get(relation_id(blip, "embed") or "")
        image = self._package.find_image(relation, displayed_emu=(sides[0], sides[1]))
        if image is not None:
            self._pages.image(image)

    def _graphic(self, frame: Element) -> None:
        data = find(frame, "graphic", "graphicData")
        if data is None:
            return
        for table in children(data, "tbl"):
            self._pages.table(list(self._rows(table)))
        for chart in children(data, "chart"):
            if (root := self._related(relation_id(chart))) is not None:
                add_chart(self._pages, root)
        for diagram in children(data, "relIds"):
            if (root := self._related(relation_id(diagram, "dm"))) is not None:
                add_diagram(self._pages, root)

    def _rows(self, table: Element) -> Iterator[list[str]]:
        """Yield the cells of each row. Merged cells are repeated downwards, and across in the first row."""
        merged = MergedCells()
        for number, row in enumerate(children(table, "tr")):
            cells: list[str] = []
            heights: dict[int, int] = {}
            for column, cell in enumerate(children(row, "tc")):
                is_across = number == 0 and attribute(cell, "hMerge") == "1"
                text = " ".join(text for text, _, _ in self._paragraphs(cell))
                cells.append(cells[-1] if is_across and cells else text)
                heights[column] = to_number(attribute(cell, "rowSpan"), otherwise=1)
            yield merged.fill(cells, {column: height for column, height in heights.items() if height > 1})

    def _related(self, relation: str | None) -> Element | None:
        return self._package.follow(self._relations.get(relation or ""))

    def _notes(self) -> None:
        notes = self._package.find_part(self._part, "notesSlide")
        tree = None if notes is None else find(notes, "cSld", "spTree")
        texts: list[str] = []
        for shape in () if tree is None else descendants(tree, "sp", without=_NO_SHAPES):
            if _placeholder(shape) == "body":
                texts.extend(text for text, _, _ in self._paragraphs(shape))
        if texts:
            self._pages.paragraph("Notes: " + "\n".join(texts))

    def _comments(self) -> None:
        part = self._package.find_part(self._part, "comments")
        for comment in () if part is None else descendants(part, "cm", "reply"):
            own = [text_of(text) for text in children(comment, "text")]
            text = " ".join([*own, *(text for text, _, _ in self._paragraphs(comment))])
            author = self._authors.get(attribute(comment, "authorId") or "", "")
            if text.strip():
                self._pages.paragraph(format_comment(text, author=author))

    def _paragraphs(self, shape: Element) -> Iterator[tuple[str, int, str]]:
        """Yield text, indentation and bullet (empty: none) or number, for each paragraph that is not blank."""
        for body in children(shape, "txBody"):
            numbers = _AutomaticNumbers()
            for paragraph in children(body, "p"):
                text = "".join(self._words(paragraph))
                properties = find(paragraph, "pPr")
                if text.strip():
                    level = 0 if properties is None else to_number(attribute(properties, "lvl"))
                    yield text.strip(), level, numbers.marker(properties, level)

    def _words(self, paragraph: Element) -> Iterator[str]:
        for run in descendants(paragraph, "r", "br", "fld", "t", without=frozenset({"rPr", "pPr", "Fallback"})):
            name = name_of(run)
            if name == "br":
                yield "\n"
            elif name in {"r", "fld"}:
                click = find(run, "rPr", "hlinkClick")
                relation = self._relations.get(relation_id(click) or "") if click is not None else None
                text = "".join(part.text or "" for part in children(run, "t"))
                yield link(text, relation.target) if relation is not None and relation.is_external else text


class _AutomaticNumbers:
    """Count the numbered paragraphs of a text. A paragraph of another kind or of a higher level ends a sequence."""

    def __init__(self) -> None:
        self._counts: dict[int, tuple[str, int]] = {}

    def marker(self, properties: Element | None, level: int) -> str:
        """Return the number of the next paragraph, `-` for a bullet, nothing if it has none."""
        automatic = find(properties, "buAutoNum")
        self._counts = {other: count for other, count in self._counts.items() if other <= level}
        if automatic is None:
            self._counts.pop(level, None)
            return "" if find(properties, "buNone") is not None else "-"
        kind, start = attribute(automatic, "type") or "", to_number(attribute(automatic, "startAt"), otherwise=1)
        before, count = self._counts.get(level, ("", 0))
        count = count + 1 if before == f"{kind}{start}" else start
        self._counts[level] = (f"{kind}{start}", count)
        style = next((style for name, style in _NUMBER_STYLES.items() if kind.startswith(name)), str)
        before, after = next((signs for name, signs in _NUMBER_SIGNS.items() if kind.endswith(name)), ("", ""))
        return f"{before}{style(count)}{after}"


def _placeholder(shape: Element) -> str | None:
    """Return the kind of a placeholder; None for other shapes."""
    placeholder = next(descendants(shape, "ph", without=frozenset({"txBody", "spPr"})), None)
    return None if placeholder is None else attribute(placeholder, "type") or "body"
