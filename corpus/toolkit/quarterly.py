"""The quarterly reports of a company on Form 10-Q, derived from its simulated years."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from generator.markup import Rows

from toolkit.accounts import Year
from toolkit.annual_tables import Facts, change, million, percent
from toolkit.family import Draft, format_english, render_source

Quarter = dict[str, Any]
ORDINALS = {1: "first", 2: "second", 3: "third"}
_BALANCE = (
    ("Receivables, net", "receivables"), ("Inventories", "inventories"), ("Other current assets", "other_assets"),
    ("Property, plant and equipment, net", "property"), ("Operating lease right-of-use assets", "right_of_use"),
    ("Goodwill", "goodwill"), ("Other intangible assets, net", "intangible"),
)  # fmt: skip
_DUE = (
    ("Accounts payable", "payables"), ("Accrued liabilities", "accrued"), ("Debt", "debt"), ("Lease liabilities", "leases"),
    ("Pension obligations", "pensions"), ("Provisions", "provisions"), ("Deferred income taxes", "deferred_tax"),
)  # fmt: skip


def quarterly_reports(
    folder: Path, facts: Facts, years: dict[int, Year]
) -> tuple[list[Draft], dict[tuple[int, int], Quarter]]:
    """Return a draft for each of the first three quarters of the years in `quarterly`, and the figures by (year, quarter)."""
    drafts: list[Draft] = []
    quarters: dict[tuple[int, int], Quarter] = {}
    for number in facts["quarterly"]:
        for place in (1, 2, 3):
            now, then = quarter_of(years[number], place), quarter_of(years[number - 1], place)
            quarters |= {(number - 1, place): then, (number, place): now}
            notes = facts["quarters"][f"{number}Q{place}"]
            drafts.append(
                Draft(
                    file=f"{facts['slug']}-10q-{number}-q{place}.pdf",
                    source=render_source(
                        folder, "quarterly-10q.txt", c=facts, q=now, p=then, y=years[number], note=notes
                    ),
                    tables=_tables(now, then, years[number]),
                )
            )
    return drafts, quarters


def quarter_of(year: Year, place: int) -> Quarter:
    """Return the figures of a quarter, those since the start of the year under `total`, and the balance at its end."""
    chance = random.Random(year["number"] * 10 + place)
    parts = [_flows(year, each) for each in range(1, place + 1)]
    quarter: Quarter = dict(parts[-1])
    quarter["total"] = {name: sum(part[name] for part in parts) for name in parts[0]}
    share = place / 4
    last = year["before"]
    balance = {
        name: round(last[name] + (year[name] - last[name]) * share * (1 + chance.uniform(-0.04, 0.04)))
        for _, name in (*_BALANCE, *_DUE)
    }
    balance["cash"] = round(last["cash"] + (year["cash"] - last["cash"]) * share * (1 + chance.uniform(-0.3, 0.3)))
    assets = sum(balance[name] for _, name in _BALANCE) + balance["cash"]
    liabilities = sum(balance[name] for _, name in _DUE)
    names = {1: "First", 2: "Second", 3: "Third"}
    return quarter | balance | {
        "assets": assets, "liabilities": liabilities, "equity": assets - liabilities, "place": place, "number": year["number"],
        "ordinal": ORDINALS[place], "label": f"{names[place]} quarter {year['number']}",
        "cash_operating": round(year["cash_operating"] * share * (1 + chance.uniform(-0.15, 0.1))),
        "capex": round(year["capex"] * share * (1 + chance.uniform(-0.1, 0.1))),
        "segments": _segments(year, place), "shares": round(last["shares"] + (year["shares"] - last["shares"]) * share),
    }  # fmt: skip


def _flows(year: Year, place: int) -> dict[str, int]:
    chance = random.Random(year["number"] * 100 + place)
    revenue = year["quarters"][place - 1]
    share = revenue / year["revenue"]
    flows = {
        name: round(year[name] * share * (1 + chance.uniform(-0.012, 0.012)))
        for name in ("cost_of_sales", "selling", "admin", "research", "interest_expense")
    }
    flows["revenue"] = revenue
    flows["gross_profit"] = revenue - flows["cost_of_sales"]
    flows["operating_profit"] = flows["gross_profit"] - flows["selling"] - flows["admin"] - flows["research"]
    before_tax = flows["operating_profit"] - flows["interest_expense"]
    flows["tax"] = round(before_tax * year["tax"] / year["profit_before_tax"])
    flows["profit"] = before_tax - flows["tax"]
    return flows


def _segments(year: Year, place: int) -> dict[str, int]:
    chance = random.Random(year["number"] * 1_000 + place)
    names = list(year["segments"])
    revenue = year["quarters"][place - 1]
    parts = {
        name: round(year["segments"][name] / year["revenue"] * revenue * (1 + chance.uniform(-0.05, 0.05)))
        for name in names[1:]
    }
    return {names[0]: revenue - sum(parts.values()), **parts}


def _tables(now: Quarter, then: Quarter, year: Year) -> dict[str, Rows]:
    lines = [
        ("Net sales", "revenue"), ("Cost of sales", "cost_of_sales"), ("Gross profit", "gross_profit"),
        ("Selling expenses", "selling"), ("Administrative expenses", "admin"), ("Research and development", "research"),
        ("Operating profit", "operating_profit"), ("Interest expense", "interest_expense"), ("Income taxes", "tax"),
        ("Net earnings", "profit"),
    ]  # fmt: skip
    lines = [line for line in lines if now[line[1]] or then[line[1]]]
    income = [
        (
            "In millions of dollars",
            now["label"],
            then["label"],
            "Since January" if now["place"] > 1 else "Change",
            "Year before",
        )
    ]
    if now["place"] > 1:
        income += [
            (label, million(now[n]), million(then[n]), million(now["total"][n]), million(then["total"][n]))
            for label, n in lines
        ]
    else:
        income = [row[:4] for row in income]
        income += [(label, million(now[n]), million(then[n]), change(now[n], then[n])) for label, n in lines]
    segments = [("Segment", now["label"], then["label"], "Change", "Share")]
    segments += [
        (
            name,
            million(value),
            million(then["segments"][name]),
            change(value, then["segments"][name]),
            percent(value, now["revenue"]),
        )
        for name, value in now["segments"].items()
    ]
    last = year["before"]
    return {
        "income": Rows(tuple(income)),
        "segments": Rows(tuple(segments)),
        "balance": _pairs("Assets, in millions of dollars", now, last, [("Cash and cash equivalents", "cash"), *_BALANCE, ("Total assets", "assets")]),
        "due": _pairs("Liabilities and equity, in millions of dollars", now, last, [*_DUE, ("Total liabilities", "liabilities"), ("Total equity", "equity")]),
        "cash": Rows((
            ("Since the start of the year, in millions of dollars", str(now["number"]), str(then["number"])),
            ("Net cash from operating activities", million(now["cash_operating"]), million(then["cash_operating"])),
            ("Capital expenditures", million(-now["capex"]), million(-then["capex"])),
            ("Free cash flow", million(now["cash_operating"] - now["capex"]), million(then["cash_operating"] - then["capex"])),
        )),
        "per_share": Rows((
            ("Earnings per share", now["label"], then["label"]),
            ("Diluted shares, thousand", *(format_english(round(one["shares"] * 1.008)) for one in (now, then))),
            ("Diluted earnings per share, $", *(format_english(one["profit"] / (one["shares"] * 1.008), 2) for one in (now, then))),
        )),
    }  # fmt: skip


def _pairs(title: str, now: Quarter, last: Year, lines: Sequence[tuple[str, str]]) -> Rows:
    rows = [(title, "End of the quarter", f"End of fiscal {last['number']}")]
    rows += [(label, million(now[name]), million(last[name])) for label, name in lines]
    return Rows(tuple(rows))
