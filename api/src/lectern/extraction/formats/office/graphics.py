"""Charts and diagrams of Office files: the numbers and words that they show."""

from lectern.extraction.formats.office.docx_styles import to_number
from lectern.extraction.formats.page_builder import PageBuilder
from lectern.extraction.formats.xml_tree import Element, attribute, children, descendants, find, text_of

_MAX_POINTS = 10_000


def add_chart(pages: PageBuilder, root: Element) -> None:
    """Add the title of a chart, and its stored values as a table: a row for each category, a column for each series."""
    title = find(root, "chart", "title")
    if title is not None:
        pages.paragraph(" ".join(text_of(text) for text in descendants(title, "t")))
    series = list(descendants(root, "ser"))
    names = [" ".join(_points(find(one, "tx")).values()) for one in series]
    values = [_points(_either(one, "val", "yVal")) for one in series]
    categories = _points(_either(series[0], "cat", "xVal")) if series else {}
    numbers = sorted({number for points in (categories, *values) for number in points})[:_MAX_POINTS]
    rows = [[categories.get(n, ""), *(points.get(n, "") for points in values)] for n in numbers]
    pages.table([["", *names], *rows])


def add_diagram(pages: PageBuilder, root: Element) -> None:
    """Add the texts of a diagram (SmartArt) as a list."""
    for point in descendants(root, "pt"):
        pages.item(" ".join(text_of(text) for text in descendants(point, "t")))


def _either(parent: Element, *names: str) -> Element | None:
    return next(children(parent, *names), None)


def _points(parent: Element | None) -> dict[int, str]:
    """Return the stored values of a series by number."""
    if parent is None:
        return {}
    points = {
        to_number(attribute(point, "idx")): " ".join(text_of(value) for value in children(point, "v"))
        for point in descendants(parent, "pt")
    }
    if not points:
        values = [text_of(value) for value in children(parent, "v")]
        return {0: " ".join(values)} if values else {}
    return points
