"""Catalogues of screws and fittings in two editions, and price lists of three years: the same articles at other prices."""

import random
from pathlib import Path
from typing import Any

from generator.markup import Rows
from toolkit.family import Draft, Family, read_questions, render_source

KINDS = (
    ("Hexagon bolts, part thread", "HB", ("M6", "M8", "M10", "M12", "M16", "M20"), (30, 40, 50, 60, 80, 100, 120)),
    ("Hexagon bolts, full thread", "HF", ("M4", "M5", "M6", "M8", "M10", "M12"), (10, 16, 20, 25, 30, 40, 50)),
    ("Socket cap screws", "SC", ("M3", "M4", "M5", "M6", "M8", "M10", "M12"), (8, 12, 16, 20, 30, 40, 60)),
    ("Countersunk screws", "CS", ("M3", "M4", "M5", "M6", "M8"), (8, 10, 16, 20, 25, 30)),
    ("Chipboard screws", "CB", ("3.5", "4.0", "4.5", "5.0", "6.0"), (20, 30, 40, 50, 60, 80, 100)),
    ("Decking screws", "DS", ("4.5", "5.0", "5.5"), (40, 50, 60, 70, 80)),
    ("Coach screws", "CO", ("6", "8", "10", "12"), (50, 60, 80, 100, 120, 160)),
    ("Threaded rods", "TR", ("M6", "M8", "M10", "M12", "M16", "M20", "M24"), (500, 1000, 2000)),
    ("Anchor bolts", "AB", ("M8", "M10", "M12", "M16", "M20"), (75, 95, 115, 140, 180, 220)),
    ("Chemical anchors, stud", "CA", ("M8", "M10", "M12", "M16", "M20"), (110, 130, 160, 190, 260)),
)
SURFACES = (
    ("zinc plated", "Z", 1.0),
    ("hot-dip galvanized", "G", 1.55),
    ("stainless A2", "A", 3.1),
    ("stainless A4", "H", 4.2),
)
YEARS = {2023: 1.0, 2024: 1.062, 2025: 1.034}


def family(folder: Path) -> Family:
    items = _items()
    drafts = [
        Draft(
            file=f"tornfast-catalogue-{year}.pdf",
            source=render_source(folder, "catalogue.txt", year=year, kinds=KINDS, items=items),
            tables=_tables(items, year),
        )
        for year in (2023, 2025)
    ]
    drafts += [
        Draft(
            file=f"tornfast-price-list-{year}.xlsx",
            source=render_source(folder, "prices.txt", year=year, kinds=KINDS),
            tables=_prices(items, year),
        )
        for year in YEARS
    ]
    by_number = {item["number"]: item for item in items}
    return Family(
        name="fastener_catalogue", split="dev", drafts=tuple(drafts),
        questions=tuple(read_questions(folder, items=by_number, price=_price)),
    )  # fmt: skip


def _items() -> list[dict[str, Any]]:
    chance = random.Random(5)
    items: list[dict[str, Any]] = []
    for kind, code, sizes, lengths in KINDS:
        for size in sizes:
            for length in lengths:
                for surface, letter, factor in SURFACES:
                    if chance.random() < 0.42:
                        continue
                    width = float(size.lstrip("M"))
                    items.append({
                        "kind": kind, "number": f"{code}{letter}-{size.replace('.', '')}-{length:04d}", "size": size, "length": length,
                        "surface": surface, "pack": chance.choice((25, 50, 100, 200)) if length < 200 else 10,
                        "load": round(width * width * 0.42 * (0.8 if letter in "AH" else 1), 1), "drive": chance.choice(("TX", "hex", "PZ")),
                        "base": round((0.02 + width * width * length / 52_000) * factor * 100 * (1 + chance.uniform(-0.1, 0.1)), 2),
                        "since": chance.choice((1998, 2004, 2009, 2015, 2019, 2022, 2025)),
                    })  # fmt: skip
    return items


def _price(item: dict[str, Any], year: int) -> str:
    factor = 1.0
    for number, growth in YEARS.items():
        if number <= year:
            factor *= growth
    return f"{item['base'] * factor:.2f}"


def _tables(items: list[dict[str, Any]], year: int) -> dict[str, Rows]:
    tables: dict[str, Rows] = {}
    for kind, code, _, _ in KINDS:
        rows = [("Article", "Size", "Length, mm", "Surface", "Drive", "Pack", "Load, kN")]
        rows += [
            (
                one["number"],
                one["size"],
                str(one["length"]),
                one["surface"],
                one["drive"],
                str(one["pack"]),
                f"{one['load']:.1f}",
            )
            for one in items
            if one["kind"] == kind and (year == 2025 or one["since"] < 2025)
        ]
        tables[code] = Rows(tuple(rows))
    return tables


def _prices(items: list[dict[str, Any]], year: int) -> dict[str, Rows]:
    return {
        code: Rows((
            ("Article", "Pack", "Price per 100, €"),
            *((one["number"], str(one["pack"]), _price(one, year)) for one in items if one["kind"] == kind),
        ))
        for kind, code, _, _ in KINDS
    }  # fmt: skip
