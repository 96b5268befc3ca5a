"""Financial statements of an invented company: every total adds up, and every balance follows from the flows.

Amounts are whole thousands of the company's currency. Outflows in the cash flow statement are negative.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Year = dict[str, Any]
"""The figures of a year by name."""

DAYS = 365


@dataclass(frozen=True, kw_only=True)
class Company:
    """Drivers of the figures of a company.

    `growth` holds the growth of each segment in the years after the first. Shares are of revenue unless said otherwise.
    `events` holds amounts by year: `acquisition`, `impairment`, `restructuring`, `buyback`, `borrowed`, `repaid`, and
    `cost_points`: what the year adds to the cost share, in tenths of a point.
    """

    first_year: int
    segments: Mapping[str, int]
    growth: Mapping[str, Sequence[float]]
    segment_margins: Mapping[str, float]
    regions: Mapping[str, float]
    cost_share: float
    selling_share: float
    admin_share: float
    research_share: float
    capex_share: float
    payout: float
    tax_rate: float
    interest_rate: float
    shares: int
    opening_debt: int
    opening_cash: int
    employees: int
    events: Mapping[int, Mapping[str, int]]
    inventory_days: int = 70
    receivable_days: int = 48
    payable_days: int = 55
    seed: int = 1


def simulate(company: Company) -> dict[int, Year]:
    """Return the figures of every year, each with those of the year before under `before`. The first year only opens."""
    chance = random.Random(company.seed)
    year = _opening(company)
    years: dict[int, Year] = {}
    for step in range(1, 1 + min(len(rates) for rates in company.growth.values())):
        number = company.first_year + step
        following = _next(company, year, number, step, chance)
        following["before"] = year
        years[number] = year = following
    return years


def _opening(company: Company) -> Year:
    revenue = sum(company.segments.values())
    cost = round(revenue * company.cost_share)
    year: Year = {
        "number": company.first_year,
        "segments": dict(company.segments),
        "revenue": revenue,
        "cost_of_sales": cost,
        "property": round(revenue * 0.31),
        "right_of_use": round(revenue * 0.09),
        "goodwill": round(revenue * 0.14),
        "intangible": round(revenue * 0.06),
        "inventories": cost * company.inventory_days // DAYS,
        "receivables": revenue * company.receivable_days // DAYS,
        "other_assets": round(revenue * 0.025),
        "cash": company.opening_cash,
        "payables": cost * company.payable_days // DAYS,
        "accrued": round(revenue * 0.05),
        "pensions": round(revenue * 0.03),
        "provisions": round(revenue * 0.012),
        "leases": round(revenue * 0.095),
        "debt": company.opening_debt,
        "deferred_tax": round(revenue * 0.018),
        "shares": company.shares,
        "employees": company.employees,
        "dividend_declared": 0,
    }
    year["equity"] = _assets(year) - _liabilities(year)
    return year | _totals(year)


def _next(company: Company, last: Year, number: int, step: int, chance: random.Random) -> Year:
    events = company.events.get(number, {})
    acquired, impairment = events.get("acquisition", 0), events.get("impairment", 0)
    year: Year = {"number": number, "events": events}
    year["segments"] = {
        name: round(value * (1 + company.growth[name][step - 1] + chance.uniform(-0.006, 0.006)))
        for name, value in last["segments"].items()
    }
    year["revenue"] = sum(year["segments"].values())
    _operating(company, year, last, chance, restructuring=events.get("restructuring", 0), impairment=impairment)
    _financing(company, year, last, events)
    year["goodwill"] = last["goodwill"] + round(acquired * 0.6) - impairment
    year["intangible"] = (
        last["intangible"] + round(acquired * 0.3) + year["intangible_additions"] - year["amortisation"]
    )
    year["property"] = (
        last["property"] + acquired - round(acquired * 0.9) + year["capex"] - year["depreciation"] - year["disposals"]
    )
    year["right_of_use"] = last["right_of_use"] + year["lease_additions"] - year["lease_depreciation"]
    year["leases"] = last["leases"] + year["lease_additions"] - year["lease_payments"]
    _working_capital(company, year, last)
    _cash_flow(year, last, acquired=acquired, impairment=impairment)
    year["equity"] = (
        last["equity"] + year["profit"] + year["other_comprehensive"] - year["dividends_paid"] - year["buyback"]
    )
    if _assets(year) != _liabilities(year) + year["equity"]:
        raise ValueError(f"The balance sheet of {number} does not balance.")
    year["employees"] = round(last["employees"] * (1 + 0.6 * (year["revenue"] / last["revenue"] - 1)))
    year["quarters"] = _quarters(year, chance)
    year["segment_profit"] = _segment_profit(company, year, chance)
    year["regions"] = _split(year["revenue"], company.regions, chance)
    return year | _totals(year)


def _operating(
    company: Company, year: Year, last: Year, chance: random.Random, *, restructuring: int, impairment: int
) -> None:
    def part(share: float, spread: float = 0.02) -> int:
        return round(year["revenue"] * share * (1 + chance.uniform(-spread, spread)))

    year["depreciation"] = round(last["property"] * 0.105)
    year["lease_depreciation"] = round(last["right_of_use"] * 0.21)
    year["amortisation"] = round(last["intangible"] * 0.16)
    year["cost_of_sales"] = part(company.cost_share + year["events"].get("cost_points", 0) / 1000, 0.004)
    year["gross_profit"] = year["revenue"] - year["cost_of_sales"]
    year["selling"] = part(company.selling_share)
    year["admin"] = part(company.admin_share)
    year["research"] = part(company.research_share) if company.research_share else 0
    year["restructuring"], year["impairment"] = restructuring, impairment
    year["operating_profit"] = (
        year["gross_profit"] - year["selling"] - year["admin"] - year["research"] - restructuring - impairment
    )
    year["capex"] = part(company.capex_share, 0.12)
    year["intangible_additions"] = part(0.008, 0.2)
    year["lease_additions"] = part(0.021, 0.2)
    year["disposals"] = round(last["property"] * 0.008)


def _financing(company: Company, year: Year, last: Year, events: Mapping[str, int]) -> None:
    year["interest_income"] = round(last["cash"] * 0.012)
    year["interest_expense"] = round(last["debt"] * company.interest_rate + last["leases"] * 0.035)
    year["profit_before_tax"] = year["operating_profit"] + year["interest_income"] - year["interest_expense"]
    year["tax"] = round((year["profit_before_tax"] + year["impairment"] * 0.5) * company.tax_rate)
    year["profit"] = year["profit_before_tax"] - year["tax"]
    year["other_comprehensive"] = round(year["revenue"] * 0.0021 * (1 if year["number"] % 2 else -1))
    year["borrowed"], year["repaid"] = events.get("borrowed", 0), events.get("repaid", 0)
    year["debt"] = last["debt"] + year["borrowed"] - year["repaid"]
    year["buyback"] = events.get("buyback", 0)
    year["dividends_paid"] = last["dividend_declared"]
    year["dividend_declared"] = max(0, round(year["profit"] * company.payout))
    year["shares"] = last["shares"] - round(year["buyback"] / 38)
    year["lease_payments"] = round(last["leases"] * 0.22)


def _working_capital(company: Company, year: Year, last: Year) -> None:
    year["inventories"] = year["cost_of_sales"] * company.inventory_days // DAYS
    year["receivables"] = year["revenue"] * company.receivable_days // DAYS
    year["payables"] = year["cost_of_sales"] * company.payable_days // DAYS
    for name, share in (("other_assets", 0.025), ("accrued", 0.05)):
        year[name] = round(year["revenue"] * share)
    year["pensions"] = last["pensions"] - round(last["pensions"] * 0.02) - year["other_comprehensive"]
    year["provisions"] = round(last["provisions"] * 0.9) + round(year["restructuring"] * 0.4)
    year["deferred_tax"] = last["deferred_tax"] + round(year["tax"] * 0.06)


def _cash_flow(year: Year, last: Year, *, acquired: int, impairment: int) -> None:
    change = {name: year[name] - last[name] for name in (*_OPERATING_ASSETS, *_OPERATING_LIABILITIES)}
    year["change_inventories"], year["change_receivables"] = -change["inventories"], -change["receivables"]
    year["change_payables"] = change["payables"]
    year["change_other"] = (
        sum(change[name] for name in _OPERATING_LIABILITIES if name != "payables")
        - change["other_assets"]
        + year["other_comprehensive"]
    )
    year["depreciation_total"] = year["depreciation"] + year["lease_depreciation"] + year["amortisation"]
    year["cash_operating"] = (
        year["profit"] + year["depreciation_total"] + impairment + year["change_inventories"]
        + year["change_receivables"] + year["change_payables"] + year["change_other"]
    )  # fmt: skip
    year["acquisition"] = acquired
    year["cash_investing"] = -year["capex"] - year["intangible_additions"] + year["disposals"] - acquired
    year["cash_financing"] = (
        year["borrowed"] - year["repaid"] - year["lease_payments"] - year["dividends_paid"] - year["buyback"]
    )
    year["change_cash"] = year["cash_operating"] + year["cash_investing"] + year["cash_financing"]
    year["cash"] = last["cash"] + year["change_cash"]
    year["free_cash_flow"] = year["cash_operating"] - year["capex"]
    if year["cash"] <= 0:
        raise ValueError(f"The company has no cash at the end of {year['number']}.")


_OPERATING_ASSETS = ("inventories", "receivables", "other_assets")
_OPERATING_LIABILITIES = ("payables", "accrued", "pensions", "provisions", "deferred_tax")


def _assets(year: Year) -> int:
    names = ("property", "right_of_use", "goodwill", "intangible", "inventories", "receivables", "other_assets", "cash")
    return sum(year[name] for name in names)


def _liabilities(year: Year) -> int:
    return sum(year[name] for name in (*_OPERATING_LIABILITIES, "leases", "debt"))


def _totals(year: Year) -> Year:
    """Return totals, with the parts of debt and leases that are due within a year."""
    current_assets = sum(year[name] for name in ("inventories", "receivables", "other_assets", "cash"))
    debt_current, leases_current = round(year["debt"] * 0.08), round(year["leases"] * 0.2)
    current = year["payables"] + year["accrued"] + debt_current + leases_current
    return {
        "current_assets": current_assets,
        "assets": _assets(year),
        "non_current_assets": _assets(year) - current_assets,
        "debt_current": debt_current,
        "debt_long": year["debt"] - debt_current,
        "leases_current": leases_current,
        "leases_long": year["leases"] - leases_current,
        "current_liabilities": current,
        "non_current_liabilities": _liabilities(year) - current,
        "liabilities": _liabilities(year),
    }


def _quarters(year: Year, chance: random.Random) -> list[int]:
    shares = [share + chance.uniform(-0.008, 0.008) for share in (0.232, 0.246, 0.251)]
    first = [round(year["revenue"] * share) for share in shares]
    return [*first, year["revenue"] - sum(first)]


def _segment_profit(company: Company, year: Year, chance: random.Random) -> dict[str, int]:
    return {
        name: round(revenue * company.segment_margins[name] * (1 + chance.uniform(-0.06, 0.06)))
        for name, revenue in year["segments"].items()
    }


def _split(total: int, shares: Mapping[str, float], chance: random.Random) -> dict[str, int]:
    names = list(shares)
    parts = {name: round(total * shares[name] * (1 + chance.uniform(-0.03, 0.03))) for name in names[1:]}
    return {names[0]: total - sum(parts.values()), **parts}
