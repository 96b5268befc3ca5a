"""A maker of wafer equipment with a fiscal year that ends in September: four annual and six quarterly reports."""

from dataclasses import replace
from pathlib import Path
from random import Random

from generator.markup import Rows
from toolkit.accounts import Year
from toolkit.annual import annual_reports, read_company
from toolkit.annual_tables import Facts, million, percent, relabel
from toolkit.family import Draft, Family, format_english, read_questions
from toolkit.quarterly import quarterly_reports

LABELS = {
    "Net sales": "Revenue",
    "Cost of sales": "Cost of revenue",
    "Selling expenses": "Sales and marketing",
    "Administrative expenses": "General and administrative",
    "Operating profit": "Operating income",
    "Net earnings": "Net income",
    "Income taxes": "Provision for income taxes",
    "Share of net sales": "Share of revenue",
    "Net sales, $ million": "Revenue, $ million",
    "Net earnings, $ million": "Net income, $ million",
    "Net sales, in millions of dollars": "Revenue, in millions of dollars",
}


def family(folder: Path) -> Family:
    facts, years = read_company(folder)
    orders = _orders(facts, years)
    annual = [
        replace(draft, tables=relabel(draft.tables, _label) | _annual_tables(years[number], facts, orders))
        for draft, number in zip(
            annual_reports(folder, facts, years, template="verrick-10k.txt"), facts["reports"], strict=True
        )
    ]
    drafts, quarters = quarterly_reports(folder, facts, years)
    quarterly: list[Draft] = []
    for place, draft in enumerate(drafts):
        number, quarter = facts["quarterly"][place // 3], place % 3 + 1
        names = _periods(facts, number, quarter)
        quarterly.append(
            replace(draft, tables=relabel(draft.tables, lambda text, names=names: names.get(text, _label(text))))
        )
    return Family(
        name="verrick_process",
        split="test",
        drafts=(*annual, *quarterly),
        questions=tuple(read_questions(folder, c=facts, years=years, quarters=quarters, orders=orders)),
    )


def _periods(facts: Facts, number: int, quarter: int) -> dict[str, str]:
    """Return the names of the columns of a quarter: the fiscal quarter by the date on which it ends."""
    name = {1: "First", 2: "Second", 3: "Third"}[quarter]
    now, then = (facts["ends"][f"{one}Q{quarter}"] for one in (number, number - 1))
    months = {1: "Three", 2: "Six", 3: "Nine"}[quarter]
    return {
        f"{name} quarter {number}": f"Three months ended {now}",
        f"{name} quarter {number - 1}": f"Three months ended {then}",
        "Since January": f"{months} months ended {now}",
        "Year before": f"{months} months ended {then}",
        "End of the quarter": now,
        f"End of fiscal {number - 1}": facts["ends"][f"{number - 1}Q4"],
        "Since the start of the year, in millions of dollars": f"{months} months, in millions of dollars",
        str(number): f"Ended {now}",
        str(number - 1): f"Ended {then}",
    }


def _label(text: str) -> str:
    return LABELS.get(text, text.replace(": net sales", ": revenue").replace(": segment profit", ": segment income"))


def _orders(facts: Facts, years: dict[int, Year]) -> dict[int, dict[str, int]]:
    """Return the orders on hand at the end of each year, by segment."""
    chance = Random(91)
    return {
        number: {
            name: round(value * facts["backlog_share"][name] * chance.uniform(0.8, 1.25))
            for name, value in year["segments"].items()
        }
        for number, year in years.items()
    }


def _annual_tables(year: Year, facts: Facts, orders: dict[int, dict[str, int]]) -> dict[str, Rows]:
    number = year["number"]
    three = (number, number - 1, number - 2)
    rows = [("Orders on hand, in millions of dollars", *(facts["ends"][f"{one}Q4"] for one in three[:2]))]
    rows += [(name, *(million(orders[one][name]) for one in three[:2])) for name in orders[number]]
    rows.append(("Total orders on hand", *(million(sum(orders[one].values())) for one in three[:2])))
    shipped = [("System", "Wafer size", "Shipped in the year", "Installed base", "Average price, $ million")]
    for brand in facts["brands"]:
        if brand["segment"] == "Services" or int(brand["since"]) > number:
            continue
        count = brand["shipped"][number - 2021]
        base = brand["base"] + sum(brand["shipped"][: number - 2020])
        price = f"{brand['price'] * 1.03 ** (number - 2021):.2f}"
        shipped.append((brand["name"], brand["wafer"], format_english(count), format_english(base), price))
    share = [("Customer", *(f"Fiscal {one}" for one in three))]
    share += [(name, *values[2024 - number : 2027 - number]) for name, values in facts["concentration"].items()]
    where = [("Place of the customer's fab", f"Fiscal {number}", "Share of revenue")]
    where += [(name, million(value), percent(value, year["revenue"])) for name, value in year["regions"].items()]
    return {
        "backlog": Rows(tuple(rows)),
        "shipped": Rows(tuple(shipped)),
        "concentration": Rows(tuple(share)),
        "where": Rows(tuple(where)),
    }
