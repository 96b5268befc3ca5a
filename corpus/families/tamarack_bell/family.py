"""A group of casino resorts and hotels: four annual and six quarterly reports with figures of each house."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from generator.markup import Rows
from toolkit.annual import annual_reports, read_company
from toolkit.annual_tables import Facts, relabel
from toolkit.family import Family, format_english, read_questions
from toolkit.quarterly import quarterly_reports

LABELS = {
    "Net sales": "Net revenues",
    "Cost of sales": "Casino, hotel and restaurant costs",
    "Gross profit": "Property margin",
    "Selling expenses": "Marketing and promotion",
    "Administrative expenses": "Corporate and administrative",
    "Operating profit": "Income from operations",
    "Net earnings": "Net income",
    "Income taxes": "Income tax provision",
    "Share of net sales": "Share of net revenues",
    "Net sales, $ million": "Net revenues, $ million",
    "Net earnings, $ million": "Net income, $ million",
    "Net sales, in millions of dollars": "Net revenues, in millions of dollars",
    "Purchases of materials": "Purchases of food and energy",
    "Machinery and equipment": "Gaming equipment and furnishings",
    "Since January": "Year to date",
}
YEAR_FACTORS = {2020: (0.44, 0.86), 2021: (0.81, 0.97), 2022: (0.96, 1.06), 2023: (0.99, 1.11), 2024: (1.0, 1.14)}
MOVED = (2023, 4)
"""The quarter in which Blue Heron Landing moved from a boat to land, where guests stake a third more."""

House = dict[str, float]


def family(folder: Path) -> Family:
    facts, years = read_company(folder)
    houses = _houses(facts)
    annual = [
        replace(draft, tables=relabel(draft.tables, _label) | _house_tables(facts, houses, (number, 0)))
        for draft, number in zip(
            annual_reports(folder, facts, years, template="tamarack-10k.txt"), facts["reports"], strict=True
        )
    ]
    drafts, quarters = quarterly_reports(folder, facts, years)
    periods = [(number, place) for number in facts["quarterly"] for place in (1, 2, 3)]
    quarterly = [
        replace(draft, tables=relabel(draft.tables, _label) | _house_tables(facts, houses, period))
        for draft, period in zip(drafts, periods, strict=True)
    ]
    return Family(
        name="tamarack_bell",
        split="train",
        drafts=(*annual, *quarterly),
        questions=tuple(read_questions(folder, c=facts, years=years, quarters=quarters, houses=houses)),
    )


def _label(text: str) -> str:
    return LABELS.get(text, text.replace(": net sales", ": net revenues"))


def _houses(facts: Facts) -> dict[tuple[int, int], dict[str, House]]:
    """Return the figures of each house by (year, quarter). Quarter 0 is the year."""
    result: dict[tuple[int, int], dict[str, House]] = {}
    for number, (occupancy_factor, rate_factor) in YEAR_FACTORS.items():
        parts: list[dict[str, House]] = []
        for quarter in (1, 2, 3, 4):
            chance = Random(number * 10 + quarter)
            parts.append(
                {
                    house["name"]: _quarter(house, quarter, occupancy_factor, rate_factor, chance)
                    for house in facts["houses"]
                }
            )
            if (number, quarter) >= MOVED:
                for name in ("drop", "handle"):
                    parts[-1]["Blue Heron Landing"][name] = round(parts[-1]["Blue Heron Landing"][name] * 1.34, 1)
            result[(number, quarter)] = parts[-1]
        result[(number, 0)] = {name: _year([part[name] for part in parts]) for name in parts[0]}
    return result


def _quarter(house: dict[str, Any], quarter: int, occupancy_factor: float, rate_factor: float, chance: Random) -> House:
    season = house["season"][quarter - 1]
    occupancy = min(97.4, house["occupancy"] * occupancy_factor * season * (1 + chance.uniform(-0.03, 0.03)))
    rate = house["rate"] * rate_factor * (0.4 + 0.6 * season) * (1 + chance.uniform(-0.025, 0.025))
    drop = house["drop"] / 4 * occupancy_factor * season * (1 + chance.uniform(-0.06, 0.06))
    handle = house["handle"] / 4 * occupancy_factor * season * (1 + chance.uniform(-0.04, 0.04))
    return {
        "occupancy": round(occupancy, 1), "rate": round(rate), "drop": round(drop, 1), "handle": round(handle, 1),
        "hold": round(chance.uniform(16.5, 23.5), 1), "slot_hold": round(chance.uniform(7.1, 9.4), 1),
    }  # fmt: skip


def _year(parts: Sequence[House]) -> House:
    def total(name: str, weight: str) -> float:
        return sum(part[name] * part[weight] for part in parts) / (sum(part[weight] for part in parts) or 1)

    return {
        "occupancy": round(sum(part["occupancy"] for part in parts) / 4, 1), "rate": round(total("rate", "occupancy")),
        "drop": round(sum(part["drop"] for part in parts), 1), "handle": round(sum(part["handle"] for part in parts), 1),
        "hold": round(total("hold", "drop"), 1), "slot_hold": round(total("slot_hold", "handle"), 1),
    }  # fmt: skip


def _house_tables(
    facts: Facts, houses: dict[tuple[int, int], dict[str, House]], period: tuple[int, int]
) -> dict[str, Rows]:
    number, quarter = period
    now, then = houses[period], houses[(number - 1, quarter)]
    labels = [f"Q{quarter} {one}" if quarter else str(one) for one in (number, number - 1)]
    rooms = [("House", *(f"{name}, {label}" for name in ("Occupancy", "Daily rate", "RevPAR") for label in labels))]
    tables = [("House", *(f"{name}, {label}" for name in ("Table drop, $ m", "Hold") for label in labels))]
    slots = [("House", *(f"{name}, {label}" for name in ("Slot handle, $ m", "Slot hold") for label in labels))]
    for house in facts["houses"]:
        pair = (now[house["name"]], then[house["name"]])
        rooms.append(
            (
                house["name"],
                *(f"{one['occupancy']:.1f}%" for one in pair),
                *(f"${one['rate']:.0f}" for one in pair),
                *(f"${one['occupancy'] * one['rate'] / 100:.2f}" for one in pair),
            )
        )
        if house["tables"]:
            drops = (format_english(one["drop"], 1) for one in pair)
            tables.append((house["name"], *drops, *(f"{one['hold']:.1f}%" for one in pair)))
            handles = (format_english(one["handle"], 1) for one in pair)
            slots.append((house["name"], *handles, *(f"{one['slot_hold']:.1f}%" for one in pair)))
    list_of = [("House", "Place", "Segment", "Opened", "Rooms", "Slot machines", "Gaming tables")]
    list_of += [
        (
            house["name"],
            house["place"],
            house["segment"],
            str(house["opened"]),
            format_english(house["rooms"]),
            format_english(house["slots"]) if house["slots"] else "–",
            str(house["tables"] or "–"),
        )
        for house in facts["houses"]
    ]
    return {
        "rooms": Rows(tuple(rooms)),
        "table_games": Rows(tuple(tables)),
        "slots": Rows(tuple(slots)),
        "houses": Rows(tuple(list_of)),
    }
