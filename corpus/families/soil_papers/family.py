"""Eight research papers on soils in two columns, with long tables; follow-up studies of one group correct earlier results."""

import random
import tomllib
from pathlib import Path
from typing import Any

from generator.markup import Rows
from toolkit.family import Draft, Family, read_questions, render_source


def family(folder: Path) -> Family:
    facts = tomllib.loads((folder / "papers.toml").read_text(encoding="utf-8"))
    drafts: list[Draft] = []
    found: dict[str, dict[str, str]] = {}
    for place, one in enumerate(facts["paper"]):
        plots = _plots(one, place)
        found[one["key"]] = {row[0]: " ".join(row) for row in plots[1:]}
        tables = {"plots": Rows(tuple(plots)), "main": Rows(tuple(map(tuple, one["main"])))}
        source = render_source(folder, "soil_paper.txt", p=one)
        drafts.append(Draft(file=f"soil-{one['key']}.pdf", source=source, tables=tables))
    questions = read_questions(folder, plots=found)
    return Family(name="soil_papers", split="test", drafts=tuple(drafts), questions=tuple(questions))


def _plots(one: dict[str, Any], place: int) -> list[tuple[str, ...]]:
    chance = random.Random(4100 + place)
    rows: list[tuple[str, ...]] = [("Plot", *one["columns"])]
    for number in range(1, one["plots"] + 1):
        values = (f"{chance.uniform(low, high):.{digits}f}" for low, high, digits in one["spans"])
        rows.append((f"{one['prefix']}{number:02d}", *values))
    return rows
