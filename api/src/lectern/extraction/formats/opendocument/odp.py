"""ODP: a slide is a page, with its title, text, tables and what the speaker notes."""

from collections.abc import Iterator
from pathlib import Path

from lectern.extraction.errors import Corrupt
from lectern.extraction.formats.archive import PARSER_ERRORS, open_archive
from lectern.extraction.formats.html import language_of
from lectern.extraction.formats.opendocument.common import BodyReader, properties, refuse_encrypted
from lectern.extraction.formats.page_builder import PageBuilder
from lectern.extraction.formats.xml_tree import (
    Element,
    attribute,
    children,
    descendants,
    find,
    name_of,
    parse_xml,
    text_of,
)
from lectern.extraction.metadata import sensible_title
from lectern.extraction.types import DocumentMetadata, ExtractionLimits, OnPage

_TITLES = frozenset({"title", "subtitle"})


def extract(path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage) -> DocumentMetadata:
    """Hand every slide to `on_page(page, page_count)`; return title, language, titles of slides and properties.

    Raises `Corrupt`, `Encrypted`, `FileTooLarge`.
    """
    del password
    pages = PageBuilder(limits)
    with open_archive(path, limits=limits) as archive:
        try:
            refuse_encrypted(archive)
            root = parse_xml(archive.read("content.xml"))
            show = find(root, "body", "presentation")
            if show is None:
                raise Corrupt("The file is damaged: it has no slides.")
            hidden = _hidden_styles(root)
            for position, slide in enumerate(children(show, "page")):
                if position:
                    pages.begin_page()
                if attribute(slide, "style-name") in hidden:
                    pages.note("The slide is hidden in the presentation.")
                _add_slide(pages, slide)
            information = properties(archive)
        except PARSER_ERRORS as error:
            raise Corrupt from error
    outline = pages.finish(on_page)
    title = sensible_title(information.get("title", "")) or next((entry.title for entry in outline), None)
    language = language_of(information.get("language", ""))
    return DocumentMetadata(title=title, language=language, outline=outline, information=tuple(information.items()))


def _hidden_styles(root: Element) -> set[str | None]:
    """The names of the styles of slides that are not shown."""
    return {
        attribute(style, "name")
        for style in descendants(root, "style", without=frozenset({"body"}))
        if any(attribute(shown, "visibility") == "hidden" for shown in children(style, "drawing-page-properties"))
    }


def _add_slide(pages: PageBuilder, slide: Element) -> None:
    shapes = [child for child in slide if name_of(child) not in {"notes", "forms", "annotation"}]
    titles = [shape for shape in shapes if attribute(shape, "class") in _TITLES]
    for level, shape in enumerate(titles, 1):
        pages.heading(" ".join(_lines(shape)), level)
    reader = BodyReader(pages)
    for shape in shapes:
        if shape not in titles:
            reader.shape(shape)
    reader.end_page()
    for notes in children(slide, "notes"):
        said = [line for frame in children(notes, "frame") for line in _lines(frame)]
        if said:
            pages.paragraph("Notes: " + "\n".join(said))
    for comment in children(slide, "annotation"):
        pages.paragraph(f"[Comment: {' '.join(' '.join(_lines(comment)).split())}]")


def _lines(shape: Element) -> Iterator[str]:
    for part in descendants(shape, "p", "h"):
        text = " ".join(text_of(part).split())
        if text:
            yield text
