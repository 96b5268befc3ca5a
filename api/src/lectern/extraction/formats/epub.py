"""EPUB: a page for each chapter file of the book, in reading order (EPUB 3.3)."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from lectern.extraction.errors import Corrupt, Encrypted
from lectern.extraction.formats.archive import PARSER_ERRORS, Archive, open_archive, resolve
from lectern.extraction.formats.markup import add_markup
from lectern.extraction.formats.office.package import information_of
from lectern.extraction.formats.page_builder import PageBuilder
from lectern.extraction.formats.xml_tree import Element, attribute, children, descendants, find, parse_html, parse_xml
from lectern.extraction.metadata import stated_metadata
from lectern.extraction.types import DocumentMetadata, ExtractionLimits, OnPage

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_CHAPTERS = {"application/xhtml+xml", "text/html", "application/xml", "text/xml"}


def extract(path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage) -> DocumentMetadata:
    """Pass every chapter to `on_page(page, page_count)`; return title, language, headings and properties."""
    del password
    pages = PageBuilder(limits)
    with open_archive(path, limits=limits) as archive:
        try:
            name = _package_name(archive)
            package = parse_xml(archive.read(name))
            chapters = list(_chapters(archive, package, name))
            _refuse_encrypted(archive, chapters)
            for position, chapter in enumerate(chapters):
                if position:
                    pages.begin_page()
                root = parse_html(archive.read(chapter))
                if root is not None:
                    add_markup(pages, root)
        except PARSER_ERRORS as error:
            raise Corrupt from error
    outline = pages.finish(on_page)
    metadata = find(package, "metadata")
    information = {} if metadata is None else information_of(metadata)
    return stated_metadata(information, outline)


def _package_name(archive: Archive) -> str:
    for root in descendants(parse_xml(archive.read(_CONTAINER)), "rootfile"):
        return resolve("", attribute(root, "full-path") or "")
    raise Corrupt("The file is damaged: it does not say where its book is.")


def _chapters(archive: Archive, package: Element, name: str) -> Iterator[str]:
    """Yield the names of the chapter files in reading order, without the table of contents."""
    manifest, spine = find(package, "manifest"), find(package, "spine")
    if manifest is None or spine is None:
        raise Corrupt("The file is damaged: it does not list its chapters.")
    items = {attribute(item, "id") or "": item for item in children(manifest, "item")}
    for reference in children(spine, "itemref"):
        item = items.get(attribute(reference, "idref") or "")
        if item is None or (attribute(item, "media-type") or "") not in _CHAPTERS:
            continue
        part = resolve(name, unquote(attribute(item, "href") or "").partition("#")[0])
        if "nav" not in (attribute(item, "properties") or "").split() and part in archive:
            yield part


def _refuse_encrypted(archive: Archive, chapters: list[str]) -> None:
    """Raise `Encrypted` when a chapter is scrambled. Scrambled fonts do no harm."""
    if _ENCRYPTION not in archive:
        return
    encrypted = {
        resolve("", unquote(attribute(reference, "URI") or ""))
        for reference in descendants(parse_xml(archive.read(_ENCRYPTION)), "CipherReference")
    }
    if encrypted.intersection(chapters):
        raise Encrypted("The book is under digital rights management.", hint="Upload a copy without it.")
