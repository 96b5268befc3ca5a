"""ODT: headings, lists, tables, links, notes and comments of OpenDocument texts; soft page breaks are pages."""

from pathlib import Path

from lectern.extraction.errors import Corrupt
from lectern.extraction.formats.archive import BROKEN, open_archive
from lectern.extraction.formats.blocks import PageMaker
from lectern.extraction.formats.html import language_of
from lectern.extraction.formats.opendocument.common import BodyReader, properties, refuse_encrypted
from lectern.extraction.formats.xml_tree import find, parse_xml
from lectern.extraction.layout.titles import sensible_title
from lectern.extraction.types import DocumentFacts, ExtractionLimits, OnPage


def extract(path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage) -> DocumentFacts:
    """Hand every page to `on_page(page, page_count)`; return title, language, headings and properties.

    Raises `Corrupt`, `Encrypted`, `FileTooLarge`.
    """
    del password
    pages = PageMaker(limits)
    with open_archive(path, limits=limits) as archive:
        try:
            refuse_encrypted(archive)
            body = find(parse_xml(archive.read("content.xml")), "body", "text")
            if body is None:
                raise Corrupt("The file is damaged: it has no text body.")
            reader = BodyReader(pages)
            reader.blocks(body, depth=0)
            reader.end_page()
            information = properties(archive)
        except BROKEN as error:
            raise Corrupt from error
    outline = pages.finish(on_page)
    title = sensible_title(information.get("title", "")) or next((entry.title for entry in outline), None)
    language = language_of(information.get("language", ""))
    return DocumentFacts(title=title, language=language, outline=outline, information=tuple(information.items()))
