"""An Italian tender for school meals in four lots: notice, specifications, clarifications, minutes and offers."""

import random
import tomllib
from pathlib import Path
from typing import Any

from generator.markup import Rows
from toolkit.family import Draft, Family, format_italian, read_questions, render_source


def family(folder: Path) -> Family:
    facts = tomllib.loads((folder / "gara.toml").read_text(encoding="utf-8"))
    lots, prefix = facts["lotto"], "valdirana-mense"
    offers = {lot["number"]: _offers(facts, place) for place, lot in enumerate(lots)}
    schools = {lot["number"]: _schools(facts, lot, place) for place, lot in enumerate(lots)}
    best = {lot: _best(rows) for lot, rows in offers.items()}
    drafts = [Draft(file=f"{prefix}-bando.pdf", source=render_source(folder, "bando.txt", c=facts))]
    drafts += [
        Draft(
            file=f"{prefix}-capitolato-lotto-{lot['number']}.pdf",
            source=render_source(folder, "capitolato.txt", c=facts, m=lot),
            tables={"scuole": Rows(tuple(schools[lot["number"]])), "grammature": Rows(tuple(_portions(facts, place)))},
        )
        for place, lot in enumerate(lots)
    ]
    drafts += [
        Draft(
            file=f"{prefix}-chiarimenti-{one['number']}.{one['format']}",
            source=render_source(folder, "chiarimenti.txt", q=one),
        )
        for one in facts["chiarimenti"]
    ]
    drafts += [
        Draft(
            file=f"{prefix}-verbale-{one['number']}.{one['format']}",
            source=render_source(folder, "verbale.txt", v=one, best=best),
            is_scan=one["number"] == "1",
        )
        for one in facts["verbale"]
    ]
    drafts += [
        Draft(
            file=f"{prefix}-graduatoria-lotto-{lot['number']}.pdf",
            source=render_source(folder, "graduatoria.txt", m=lot, best=best[lot["number"]]),
            tables={"offerte": Rows(tuple(offers[lot["number"]]))},
        )
        for lot in lots
    ]
    return Family(
        name="gara_mense",
        split="train",
        drafts=tuple(drafts),
        questions=tuple(
            read_questions(
                folder,
                offers={lot: {row[0]: row for row in rows[1:]} for lot, rows in offers.items()},
                best=best,
                schools={lot: {row[1]: row for row in rows[1:]} for lot, rows in schools.items()},
            )
        ),
    )


def _offers(facts: dict[str, Any], place: int) -> list[tuple[str, ...]]:
    chance = random.Random(90 + place)
    rows = [("Concorrente", "Progetto", "Qualità dei cibi", "Personale", "Tecnica", "Ribasso", "Economica", "Totale")]
    names = sorted(chance.sample(facts["concorrenti"], 5))
    discounts = [chance.uniform(1.2, 9.8) for _ in names]
    for name, discount in zip(names, discounts, strict=True):
        parts = [chance.uniform(low, high) for low, high in ((17, 30), (14, 25), (8, 20))]
        technical, price = sum(parts), 25 * (discount / max(discounts)) ** 0.5
        numbers = (*parts, technical, discount, price, technical + price)
        cells = [format_italian(number, 2) for number in numbers]
        cells[4] += "%"
        rows.append((name, *cells))
    return rows


def _best(rows: list[tuple[str, ...]]) -> tuple[str, ...]:
    return max(rows[1:], key=lambda row: float(row[-1].replace(",", ".")))


def _schools(facts: dict[str, Any], lot: dict[str, Any], place: int) -> list[tuple[str, ...]]:
    chance = random.Random(40 + place)
    rows = [("Codice", "Plesso", "Comune", "Pasti al giorno", "Giorni", "Diete speciali", "Turni")]
    names = chance.sample(facts["plessi"], 17)
    for number, name in enumerate(names, start=1):
        rows.append((
            f"L{lot['number']}-{number:02}", f"{chance.choice(('Infanzia', 'Primaria', 'Secondaria'))} {name}", chance.choice(lot["towns"]),
            str(round(chance.randrange(40, 320) * lot["scale"])), chance.choice(("5", "5", "3", "2")), str(chance.randrange(1, 26)), chance.choice(("1", "1", "2")),
        ))  # fmt: skip
    return rows


def _portions(facts: dict[str, Any], place: int) -> list[tuple[str, ...]]:
    chance = random.Random(60 + place)
    rows = [("Alimento", "Infanzia, g", "Primaria, g", "Secondaria, g", "Adulti, g", "Frequenza")]
    for name, base in facts["alimenti"]:
        first = round(base * chance.uniform(0.9, 1.1) / 5) * 5
        rows.append((
            name, str(first), str(round(first * 1.3 / 5) * 5), str(round(first * 1.6 / 5) * 5), str(round(first * 1.75 / 5) * 5),
            chance.choice(("ogni giorno", "2 volte a settimana", "1 volta a settimana", "2 volte al mese", "1 volta al mese")),
        ))  # fmt: skip
    return rows
