"""An insurance broker: four annual and six quarterly reports with the premiums placed by line."""

from dataclasses import replace
from pathlib import Path
from random import Random

from generator.markup import Rows
from toolkit.annual import annual_reports, read_company
from toolkit.annual_tables import relabel
from toolkit.family import Family, format_english, read_questions
from toolkit.quarterly import quarterly_reports

LABELS = {
    "Net sales": "Commissions and fees",
    "Cost of sales": "Compensation and benefits",
    "Gross profit": "Margin after compensation",
    "Selling expenses": "Travel and marketing",
    "Administrative expenses": "Other operating expenses",
    "Operating profit": "Operating income",
    "Net earnings": "Net income",
    "Inventories": "Prepaid commissions",
    "Change in inventories": "Change in prepaid commissions",
    "Total inventories": "Total prepaid commissions",
    "Share of net sales": "Share of commissions and fees",
    "Net sales, $ million": "Commissions and fees, $ million",
    "Net earnings, $ million": "Net income, $ million",
    "Net sales, in millions of dollars": "Commissions and fees, in millions of dollars",
    "Machinery and equipment": "Computers and furniture",
    "Purchases of materials": "Software and data",
    "Since January": "Year to date",
}
LINES = {
    "Property": (612.0, 11.8, 0.09), "General liability": (388.0, 12.4, 0.05), "Workers' compensation": (271.0, 8.1, -0.02),
    "Commercial auto": (194.0, 10.6, 0.08), "Cyber": (88.0, 14.9, 0.11), "Directors and officers": (127.0, 13.7, -0.04),
    "Employee benefits": (903.0, 4.6, 0.06), "Surety bonds": (64.0, 27.5, 0.04), "Crop and farm": (143.0, 9.2, 0.03),
    "Personal lines": (236.0, 12.1, 0.07),
}  # fmt: skip
"""Premium of 2020 in millions of dollars, rate of commission, growth a year."""


def family(folder: Path) -> Family:
    facts, years = read_company(folder)
    placed = _placed()
    drafts, quarters = quarterly_reports(folder, facts, years)
    annual = annual_reports(folder, facts, years, template="fenwright-10k.txt")
    periods = [(number, 0) for number in facts["reports"]]
    periods += [(number, place) for number in facts["quarterly"] for place in (1, 2, 3)]
    return Family(
        name="fenwright_carrow",
        split="dev",
        drafts=tuple(
            replace(draft, tables=relabel(draft.tables, _label) | {"lines": _lines(placed, period)})
            for draft, period in zip((*annual, *drafts), periods, strict=True)
        ),
        questions=tuple(read_questions(folder, c=facts, years=years, quarters=quarters, placed=placed)),
    )


def _label(text: str) -> str:
    return LABELS.get(text, text.replace(": net sales", ": commissions and fees"))


def _placed() -> dict[tuple[int, int], dict[str, tuple[float, float]]]:
    """Return premium and rate of commission by line, by (year, quarter). Quarter 0 is the year."""
    result: dict[tuple[int, int], dict[str, tuple[float, float]]] = {}
    for number in range(2020, 2025):
        chance = Random(number * 7)
        parts: dict[str, list[tuple[float, float]]] = {}
        for line, (premium, rate, growth) in LINES.items():
            year = premium * (1 + growth) ** (number - 2020)
            parts[line] = [
                (round(year * share * chance.uniform(0.93, 1.07), 1), round(rate + chance.uniform(-0.4, 0.4), 1))
                for share in (0.27, 0.24, 0.25, 0.24)
            ]
        for quarter in (1, 2, 3, 4):
            result[(number, quarter)] = {line: each[quarter - 1] for line, each in parts.items()}
        result[(number, 0)] = {
            line: (
                round(sum(premium for premium, _ in each), 1),
                round(sum(premium * rate for premium, rate in each) / sum(premium for premium, _ in each), 1),
            )
            for line, each in parts.items()
        }
    return result


def _lines(placed: dict[tuple[int, int], dict[str, tuple[float, float]]], period: tuple[int, int]) -> Rows:
    number, quarter = period
    now, then = placed[period], placed[(number - 1, quarter)]
    labels = [f"Q{quarter} {one}" if quarter else str(one) for one in (number, number - 1)]
    rows = [("Line of insurance", *(f"Premium placed, $ m, {one}" for one in labels), *(f"Rate, {one}" for one in labels))]  # fmt: skip
    rows += [
        (
            line,
            *(format_english(one[line][0], 1) for one in (now, then)),
            *(f"{one[line][1]:.1f}%" for one in (now, then)),
        )
        for line in now
    ]
    return Rows(tuple(rows))
