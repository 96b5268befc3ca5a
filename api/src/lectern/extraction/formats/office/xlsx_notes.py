"""Links, comments and merged cells of a workbook, and its text boxes."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Final, NamedTuple

from lectern.extraction.errors import Corrupt
from lectern.extraction.formats.archive import PARSER_ERRORS, Archive
from lectern.extraction.formats.comments import format_comment
from lectern.extraction.formats.office.package import Package, Relation
from lectern.extraction.formats.xml_tree import attribute, children, descendants, find, relation_id, text_of

_LINK: Final = re.compile(rb"<(?:\w+:)?hyperlink\s[^>]*>")
_MERGED: Final = re.compile(rb"<(?:\w+:)?mergeCell\s[^>]*\bref=[\"']([A-Z0-9]+):([A-Z0-9]+)[\"']")
_ATTRIBUTE: Final = re.compile(r"""\b(ref|\w+:id)\s*=\s*(["'])(.*?)\2""")
_POSITION: Final = re.compile(r"\$?([A-Z]{1,3})\$?([1-9]\d{0,6})")
_LETTERS: Final = 26


class CellPosition(NamedTuple):
    """Row and column of a cell, counted from 0."""

    row: int
    column: int


class MergedSize(NamedTuple):
    """Rows and columns that a merged cell spans."""

    rows: int
    columns: int


class SheetAnnotations(NamedTuple):
    """Link targets by cell, the texts of boxes and comments in order, and the sizes of merged cells."""

    links: dict[CellPosition, str]
    texts: tuple[str, ...]
    merged: dict[CellPosition, MergedSize]


def read_sheet_annotations(archive: Archive) -> dict[str, SheetAnnotations]:
    """Return links, text boxes, comments and merged cells by sheet name. Raises `Corrupt`, `FileTooLarge`."""
    try:
        return _sheet_notes(archive)
    except PARSER_ERRORS as error:
        raise Corrupt from error


def _sheet_notes(archive: Archive) -> dict[str, SheetAnnotations]:
    package = Package(archive)
    main = package.main_part()
    relations = package.relations(main)
    sheets = find(package.read(main), "sheets")
    annotations: dict[str, SheetAnnotations] = {}
    for sheet in () if sheets is None else children(sheets, "sheet"):
        relation = relations.get(relation_id(sheet) or "")
        if relation is not None and relation.target in archive:
            own = package.relations(relation.target)
            links = dict(_links(archive, relation.target, own))
            texts = (*_text_boxes(package, own), *_comments(package, own))
            merged = dict(_merged_cells(archive, relation.target))
            annotations[attribute(sheet, "name") or ""] = SheetAnnotations(links, texts, merged)
    return annotations


def whole_tags(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Split pieces anew at tags, so that no name is in two pieces."""
    rest = b""
    for piece in pieces:
        text = rest + piece
        end = text.rfind(b">") + 1
        yield text[:end]
        rest = text[end:]
    yield rest


def _links(archive: Archive, part: str, relations: dict[str, Relation]) -> Iterator[tuple[CellPosition, str]]:
    """Find links without parsing: a sheet of a million rows is one part, with links at its end."""
    if not any(relation.kind == "hyperlink" and relation.is_external for relation in relations.values()):
        return
    for piece in whole_tags(archive.pieces(part)):
        for tag in _LINK.findall(piece):
            pairs = _ATTRIBUTE.findall(tag.decode("utf-8", "replace"))
            attributes = {name.rpartition(":")[2]: unescape(value) for name, _, value in pairs}
            relation, position = relations.get(attributes.get("id", "")), _position(attributes.get("ref", ""))
            if relation is not None and relation.is_external and position is not None:
                yield position, relation.target


def _merged_cells(archive: Archive, part: str) -> Iterator[tuple[CellPosition, MergedSize]]:
    """Find merged cells, without parsing, as links."""
    for piece in whole_tags(archive.pieces(part)):
        for first, last in _MERGED.findall(piece) if b"mergeCell " in piece else ():
            start, end = _position(first.decode()), _position(last.decode())
            if start is not None and end is not None and end.row >= start.row and end.column >= start.column:
                yield start, MergedSize(end.row - start.row + 1, end.column - start.column + 1)


def _text_boxes(package: Package, relations: dict[str, Relation]) -> Iterator[str]:
    targets = (one.target for one in relations.values() if one.kind == "drawing" and one.target in package)
    for target in targets:
        for box in descendants(package.read(target), "txBody", without=frozenset({"Fallback"})):
            lines = ("".join(text_of(text) for text in descendants(line, "t")) for line in children(box, "p"))
            if text := "\n".join(line for line in lines if line.strip()):
                yield text


def _comments(package: Package, relations: dict[str, Relation]) -> Iterator[str]:
    """Yield comments. A thread comes once, without its copy for older programs."""
    parts = {relation.kind: relation.target for relation in relations.values() if relation.target in package}
    thread, plain = parts.get("threadedComment"), parts.get("comments")
    threaded: set[str] = set()
    for comment in () if thread is None else descendants(package.read(thread), "threadedComment"):
        cell = attribute(comment, "ref") or ""
        threaded.add(cell)
        yield format_comment(" ".join(text_of(one) for one in children(comment, "text")), cell=cell)
    root = None if plain is None else package.read(plain)
    authors = [] if root is None else [text_of(author) for author in descendants(root, "author")]
    for comment in () if root is None else descendants(root, "comment"):
        number = attribute(comment, "authorId") or ""
        author = authors[int(number)] if number.isdecimal() and int(number) < len(authors) else ""
        cell, text = attribute(comment, "ref") or "", find(comment, "text")
        if cell not in threaded:
            yield format_comment("" if text is None else text_of(text), author=author, cell=cell)


def _position(reference: str) -> CellPosition | None:
    """Return the cell, or the first of a range, of a reference such as `B7`."""
    match = _POSITION.match(reference)
    if match is None:
        return None
    column = 0
    for letter in match[1]:
        column = column * _LETTERS + ord(letter) - ord("A") + 1
    return CellPosition(int(match[2]) - 1, column - 1)
