"""HTML: one page with headings, lists, tables, links and what pictures say of themselves."""

import re
from pathlib import Path

from lectern.extraction.budget import Budget
from lectern.extraction.formats.markup import add_markup, title_of
from lectern.extraction.formats.page_builder import PageBuilder
from lectern.extraction.formats.xml_tree import attribute, parse_html
from lectern.extraction.metadata import sensible_title
from lectern.extraction.types import DocumentMetadata, ExtractionLimits, OnPage

_BYTES_PER_CHARACTER = 4
_LANGUAGE = re.compile(r"[a-z]{2}(?=$|[-_])", re.IGNORECASE)


def extract(path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage) -> DocumentMetadata:
    """Hand the page to `on_page`; title and language are those that the page states, else its first heading.

    Raises `Corrupt`, `FileTooLarge`.
    """
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


def language_of(declared: str) -> str | None:
    """The ISO 639-1 code of a declared language (`it-IT`: `it`)."""
    match = _LANGUAGE.match(declared.strip())
    return match.group().lower() if match else None
