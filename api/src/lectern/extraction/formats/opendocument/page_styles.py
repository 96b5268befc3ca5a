"""Styles of an OpenDocument text that begin a page, and the headers and footers of its pages."""

from collections.abc import Iterator
from typing import Final

from lectern.extraction.formats.xml_tree import Element, attribute, children, descendants

FIRST_MASTER: Final = "Standard"
"""The master page of a text that names none."""

_PROPERTIES = ("paragraph-properties", "table-properties")
_MAX_INHERITED = 20


class PageStyles:
    """The styles of `content.xml` and the named ones of `styles.xml`, if there is such a part."""

    def __init__(self, content: Element, named: Element | None) -> None:
        elements = [*descendants(content, "style", without=frozenset({"body"}))]
        if named is not None:
            elements += descendants(named, "style", without=frozenset({"automatic-styles"}))
        self._styles = {attribute(element, "name"): element for element in reversed(elements)}
        self._known: dict[str | None, tuple[bool, str | None]] = {}
        masters = () if named is None else descendants(named, "master-page")
        self._masters = {attribute(master, "name") or "": master for master in masters}

    def page_break(self, style: str | None) -> tuple[bool, str | None]:
        """Return whether a block of this style begins a page, and the master page that it asks for, if any."""
        if style not in self._known:
            self._known[style] = self._page_break(style)
        return self._known[style]

    def _page_break(self, style: str | None) -> tuple[bool, str | None]:
        elements = list(self._inherited(style))
        properties = (each for element in elements for each in children(element, *_PROPERTIES))
        before = next(filter(None, (attribute(each, "break-before") for each in properties)), None)
        master = next(filter(None, (attribute(element, "master-page-name") for element in elements)), None)
        return before == "page" or master is not None, master

    def next_master(self, master: str) -> str:
        """Return the master page of the page after one of this master page."""
        element = self._masters.get(master)
        return master if element is None else attribute(element, "next-style-name") or master

    def margin(self, master: str, kind: str) -> Iterator[Element]:
        """Yield the header (or footer, by `kind`) paragraphs of a master page: first page, then the others."""
        element = self._masters.get(master)
        for margin in () if element is None else (*children(element, f"{kind}-first"), *children(element, kind)):
            yield from descendants(margin, "p", "h")

    def _inherited(self, style: str | None) -> Iterator[Element]:
        for _ in range(_MAX_INHERITED):
            element = self._styles.get(style)
            if element is None:
                return
            yield element
            style = attribute(element, "parent-style-name")
