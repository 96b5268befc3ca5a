"""The product catalogue: one small entry for each variant, numbered SKU-0001 and so on."""

from pathlib import Path

from generator.markup import Block, Directive, Heading, Rows, Source, Text

_META = {
    "title": "Product Catalogue, Autumn 2026", "subtitle": "Prices in euro, tax included, valid until 31 January 2027",
    "company": "Quercialta Home & Garden", "language": "en", "look": "catalogue", "code": "QH-CAT-2026-2",
    "footer": "Catalogue QH-CAT-2026-2 · prices may change after 31 January 2027", "contents_levels": "1",
    "collection": "Catalogues", "tags": "catalogue, products, prices",
}  # fmt: skip
_ORDERING = (
    "Goods marked with a number that begins with SKU are kept in the central warehouse of Borgo Selce and reach any shop "
    "within three working days. Orders above EUR 79 are delivered free of charge; below that amount delivery costs EUR 6.90. "
    "Goods heavier than 30 kilograms are delivered to the pavement for EUR 39, or to the room for EUR 69."
)


def catalogue_source(path: Path) -> Source:
    """The catalogue as blocks; every line that begins with `#` opens a category."""
    blocks: list[Block] = [Directive("contents", ""), Heading(1, "How to order"), Text(_ORDERING)]
    rows: list[tuple[str, ...]] = []
    number = 0
    for line in path.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.lstrip("# ").split("|")]
        if line.startswith("#"):
            blocks.extend(_table(rows))
            blocks += [Heading(1, cells[0]), Text(cells[1])]
            rows = []
            continue
        for variant in cells[2:]:
            number += 1
            name, price = variant.split(" = ")
            rows.append((f"SKU-{number:04}", f"**{cells[0]}**, {name}. {cells[1]}.", price))
    blocks.extend(_table(rows))
    return Source(_META, tuple(blocks))


def _table(rows: list[tuple[str, ...]]) -> list[Block]:
    header = ("Number", "Article", "EUR")
    return [Rows((header, *rows), (0.14, 0.73, 0.13))] if rows else []
