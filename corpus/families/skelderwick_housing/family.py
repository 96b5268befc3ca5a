"""The board of a housing association: minutes of three years, budgets as spreadsheets, letters and two policies."""

import random
import tomllib
from pathlib import Path

from generator.markup import Rows
from toolkit.family import Draft, Family, format_english, read_questions, render_source

ESTATES = (
    "Alder Court", "Beacon Rise", "Cooper's Yard", "Dyer Street", "Eastfold", "Foundry Walk", "Glebe Close",
    "Harbour View", "Inkerman Row", "Jubilee House", "Kiln Lane", "Lock Side",
)  # fmt: skip
HOMES = (96, 142, 58, 71, 188, 64, 49, 120, 83, 44, 105, 77)
LINES = (
    ("Rents", 6_120_000), ("Service charges", 812_000), ("Grants", 240_000), ("Garages and shops", 96_000),
    ("Staff", -1_905_000), ("Day-to-day repairs", -1_310_000), ("Planned works", -1_460_000),
    ("Fire and gas safety", -388_000), ("Insurance", -214_000), ("Interest", -905_000), ("Grounds and cleaning", -342_000),
    ("Computers and office", -176_000), ("Tenant involvement", -58_000), ("Bad debts", -71_000),
)  # fmt: skip

CHANGES = {
    ("Rents", 2023): 1.062, ("Rents", 2024): 1.066, ("Rents", 2025): 1.026, ("Insurance", 2023): 1.183,
    ("Fire and gas safety", 2024): 1.224, ("Day-to-day repairs", 2025): 1.094,
}  # fmt: skip


def performance(number: int) -> Rows:
    """Return the quarter's figures of each estate."""
    chance = random.Random(f"tarnwick {number}")
    rows = [("Estate", "Homes", "Arrears GBP", "Repairs done", "In time %", "Empty homes")]
    for estate, homes in zip(ESTATES, HOMES, strict=True):
        repairs = chance.randint(homes // 2, homes)
        rows.append((
            estate, str(homes), format_english(homes * chance.randint(38, 155)), str(repairs),
            f"{chance.uniform(82, 99):.1f}", str(chance.randint(0, homes // 20)),
        ))  # fmt: skip
    return Rows(tuple(rows))


def accounts(number: int) -> Rows:
    """Return income and costs of the quarter against the plan, in pounds."""
    chance = random.Random(f"tarnwick accounts {number}")
    rows = [("Line", "Plan GBP", "Actual GBP", "Difference GBP")]
    for line, value in LINES:
        plan = round(abs(value) * 1.045 ** ((number - 87) / 4) / 4 / 100) * 100
        actual = round(plan * chance.uniform(0.93, 1.09) / 10) * 10
        rows.append((line, format_english(plan), format_english(actual), format_english(actual - plan)))
    return Rows(tuple(rows))


def complaints(number: int) -> Rows:
    """Return the complaints closed in the quarter."""
    chance = random.Random(f"tarnwick complaints {number}")
    subjects = (
        "missed visit", "noise of works", "damp not treated", "rude answer", "wrong service charge", "lift out of order",
        "rubbish in the yard", "cold radiators", "delay of a transfer", "parking", "broken entry door", "leaking window",
    )  # fmt: skip
    outcomes = ("upheld", "upheld in part", "not upheld", "withdrawn")
    rows = [("Reference", "Estate", "Subject", "Days", "Outcome", "Paid GBP")]
    for one in range(1, chance.randint(20, 30)):
        outcome = chance.choice(outcomes)
        paid = chance.randint(1, 12) * 25 if outcome.startswith("upheld") else 0
        rows.append((
            f"C{number}-{one:02d}", chance.choice(ESTATES), chance.choice(subjects), str(chance.randint(2, 19)), outcome,
            str(paid),
        ))  # fmt: skip
    return Rows(tuple(rows))


def budget(year: int) -> Rows:
    """Return the lines of a year's budget with the outturn of the year before."""
    chance = random.Random(f"tarnwick budget {year}")
    rows = [("Line", "Outturn last year GBP", "Budget GBP", "Change %")]
    for line, value in LINES:
        before = round(value * (1.045 ** (year - 2022)) * chance.uniform(0.96, 1.04) / 500) * 500
        now = round(before * CHANGES.get((line, year), chance.uniform(0.98, 1.08)) / 500) * 500
        rows.append((line, str(before), str(now), f"{(now / before - 1) * 100:.1f}"))
    return Rows(tuple(rows))


def works(year: int) -> Rows:
    """Return the planned works of a year, with the estate, the quarter and the cost."""
    chance = random.Random(f"tarnwick works {year}")
    kinds = ("new roofs", "kitchens", "bathrooms", "windows", "heat pumps", "lift", "external painting", "door entry")
    rows = [("Reference", "Estate", "Work", "Quarter", "Homes", "Cost GBP")]
    for number in range(1, 19):
        place = chance.randrange(len(ESTATES))
        homes = chance.randint(6, HOMES[place])
        rows.append((
            f"PW{year % 100}-{number:02d}", ESTATES[place], chance.choice(kinds), f"Q{chance.randint(1, 4)}",
            str(homes), str(homes * chance.randint(9, 78) * 50),
        ))  # fmt: skip
    return Rows(tuple(rows))


def family(folder: Path) -> Family:
    facts = tomllib.loads((folder / "board.toml").read_text(encoding="utf-8"))
    drafts = [
        Draft(
            file=f"skelderwick-minutes-{one['key']}.{one.get('format', 'pdf')}",
            source=render_source(folder, "minutes.txt", m=one),
            tables={
                "performance": performance(one["number"]),
                "accounts": accounts(one["number"]),
                "complaints": complaints(one["number"]),
            },
        )
        for one in facts["meeting"]
    ]
    drafts += [
        Draft(
            file=f"skelderwick-budget-{year}.xlsx",
            source=render_source(folder, "budget.txt", year=year),
            tables={"budget": budget(year), "works": works(year)},
        )
        for year in (2023, 2024, 2025)
    ]
    drafts += [
        Draft(
            file=f"skelderwick-letter-{one['key']}.{one['format']}",
            source=render_source(folder, "letter.txt", x=one),
            is_scan=one.get("is_scan", False),
        )
        for one in facts["letter"]
    ]
    return Family(
        name="skelderwick_housing", split="test", drafts=tuple(drafts), questions=tuple(read_questions(folder))
    )
