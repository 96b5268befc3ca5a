"""HTML: one page with headings, lists, tables, links and image descriptions."""

from pathlib import Path

from lectern.extraction.budget import Budget
from lectern.extraction.formats.markup import add_markup, title_of
from lectern.extraction.formats.page_builder import PageBuilder
from lectern.extraction.formats.xml_tree import attribute, parse_html
from lectern.extraction.metadata import language_of, sensible_title
from lectern.extraction.types import DocumentMetadata, ExtractionLimits, OnPage

_BYTES_PER_CHARACTER = 4


def extract(path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage) -> DocumentMetadata:
    """Pass the page to `on_page`; return title (else the first heading), language and headings."""
    del password
    Budget(limits).check_file(path, bytes_per_character=_BYTES_PER_CHARACTER)
    pages = PageBuilder(limits)
    root = parse_html(path.read_bytes())
    if root is None:
        return DocumentMetadata(outline=pages.finish(on_page))
    add_markup(pages, root)
    outline = pages.finish(on_page)
    title = sensible_title(title_of(root)) or next((entry.title for entry in outline), None)
    return DocumentMetadata(title=title, language=language_of(attribute(root, "lang") or ""), outline=outline)
