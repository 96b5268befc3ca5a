"""A German town: by-laws and fees for refuse, cemeteries, nurseries, dogs and parking, each in two or three editions."""

import random
import tomllib
from pathlib import Path

from generator.markup import Rows
from toolkit.family import Draft, Family, read_questions, render_source

ROOTS = (
    "Ahorn", "Amsel", "Bach", "Birken", "Brunnen", "Buchen", "Dohlen", "Eichen", "Erlen", "Feld", "Fichten", "Garten", "Gerber",
    "Hasel", "Hirten", "Kirch", "Kloster", "Lerchen", "Linden", "Mühl", "Müller", "Quell", "Reiher", "Rosen", "Schmiede", "Schul",
    "Spital", "Tannen", "Ufer", "Wiesen", "Ziegel", "Zoll",
)  # fmt: skip
DAYS = ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag")


def family(folder: Path) -> Family:
    facts = tomllib.loads((folder / "ausgaben.toml").read_text(encoding="utf-8"))
    drafts = [
        Draft(
            file=f"quellrode-{topic}-{one['year']}.{one.get('format', 'pdf')}",
            source=render_source(folder, f"{topic}.txt", e=one),
            tables={"strassen": _streets(one["year"]), "beitraege": _fees(one.get("base", 0.0), one.get("frei", ""))},
        )
        for topic, editions in facts.items()
        for one in editions
    ]
    return Family(
        name="quellrode_satzungen", split="train", drafts=tuple(drafts), questions=tuple(read_questions(folder))
    )


def _streets(year: int) -> Rows:
    """Return the day and the week of collection of each street; they change with each edition."""
    source = random.Random(year)
    rows = [("Straße", "Restabfall", "Bioabfall", "Papier")]
    for root in ROOTS:
        for suffix in ("straße", "weg", "gasse"):
            rest, organic, paper = (source.choice(DAYS) for _ in range(3))
            rows.append((root + suffix, f"{rest}, {source.choice(('gerade', 'ungerade'))} Woche", organic, paper))
    return Rows(tuple(rows))


def _fees(base: float, free: str) -> Rows:
    """Return the monthly fee by yearly income and hours of care; up to the income `free` there is none."""
    rows = [("Jahreseinkommen bis", "25 Stunden", "35 Stunden", "45 Stunden")]
    for step in range(25):
        income = f"{24_000 + step * 3_000:,}".replace(",", ".")
        is_free = income <= free  # both have five digits
        fees = (0.0 if is_free else base + step * base * share for share in (0.22, 0.29, 0.36))
        rows.append((f"{income} Euro", *(f"{fee:.2f}".replace(".", ",") for fee in fees)))
    return Rows(tuple(rows))
