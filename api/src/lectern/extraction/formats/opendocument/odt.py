"""ODT: headings, lists, tables, links, notes and comments of OpenDocument texts; soft page breaks are pages."""

from pathlib import Path

from lectern.extraction.errors import Corrupt
from lectern.extraction.formats.archive import PARSER_ERRORS, open_archive
from lectern.extraction.formats.html import language_of
from lectern.extraction.formats.opendocument.common import BodyReader, properties, refuse_encrypted
from lectern.extraction.formats.page_builder import PageBuilder
from lectern.extraction.formats.xml_tree import find, parse_xml
from lectern.extraction.metadata import sensible_title
from lectern.extraction.types import DocumentMetadata, ExtractionLimits, OnPage


def extract(path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage) -> DocumentMetadata:
    """Hand every page to `on_page(page, page_count)`; return title, language, headings and properties.

    Raises `Corrupt`, `Encrypted`, `FileTooLarge`.
    """
    del password
    pages = PageBuilder(limits)
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
        except PARSER_ERRORS as error:
            raise Corrupt from error
    outline = pages.finish(on_page)
    title = sensible_title(information.get("title", "")) or next((entry.title for entry in outline), None)
    language = language_of(information.get("language", ""))
    return DocumentMetadata(title=title, language=language, outline=outline, information=tuple(information.items()))
