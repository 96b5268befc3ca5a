"""The tables of an annual report on Form 10-K, in millions of dollars with one decimal."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from generator.markup import Rows

from toolkit.accounts import Year
from toolkit.family import format_english

Facts = dict[str, Any]
"""Facts about a company, from its `company.toml`."""


def annual_tables(year: Year, facts: Facts) -> dict[str, Rows]:
    """Return every table of the report on a year, which has two years before it."""
    last, earlier = year["before"], year["before"]["before"]
    return {
        **_statements(year, last, earlier),
        **_management(year, last, facts),
        **_notes(year, last, facts),
        **_people(year, last, facts),
    }


def relabel(tables: Mapping[str, Rows], label: Callable[[str], str]) -> dict[str, Rows]:
    """Return the tables with every cell as `label` writes it, for companies that use other terms."""
    return {name: Rows(tuple(tuple(map(label, row)) for row in table.rows)) for name, table in tables.items()}


def million(value: float) -> str:
    return format_english(value / 1000, 1)


def percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f}%"


def change(now: float, then: float) -> str:
    return f"{100 * (now / then - 1):.1f}%" if then else "n/m"


def _heads(*years: Year) -> list[str]:
    return [f"Fiscal {year['number']}" for year in years]


def _lines(title: str, years: Sequence[Year], lines: Sequence[tuple[str, Callable[[Year], float]]]) -> Rows:
    rows = [(title, *_heads(*years))]
    rows += [(name, *(million(value(year)) for year in years)) for name, value in lines]
    return Rows(tuple(rows))


def _of(name: str, sign: int = 1) -> Callable[[Year], float]:
    return lambda year: sign * year[name]


def _statements(year: Year, last: Year, earlier: Year) -> dict[str, Rows]:
    three = (year, last, earlier) if "profit" in earlier else (year, last)
    lines: list[tuple[str, Callable[[Year], float]]] = [
        ("Net sales", _of("revenue")),
        ("Cost of sales", _of("cost_of_sales")),
        ("Gross profit", _of("gross_profit")),
        ("Selling expenses", _of("selling")),
        ("Administrative expenses", _of("admin")),
    ]
    optional = (
        ("research", "Research and development"),
        ("restructuring", "Restructuring charges"),
        ("impairment", "Impairment of goodwill"),
    )
    lines += [(label, _of(name)) for name, label in optional if any(one[name] for one in three)]
    lines += [
        ("Operating profit", _of("operating_profit")),
        ("Interest income", _of("interest_income")),
        ("Interest expense", _of("interest_expense", -1)),
        ("Earnings before income taxes", _of("profit_before_tax")),
        ("Income taxes", _of("tax", -1)),
        ("Net earnings", _of("profit")),
    ]
    return {
        "income": _lines("In millions of dollars", three, lines),
        "comprehensive": _lines("In millions of dollars", three, [
            ("Net earnings", _of("profit")),
            ("Currency translation and pension adjustments, net of tax", _of("other_comprehensive")),
            ("Comprehensive income", lambda one: one["profit"] + one["other_comprehensive"]),
        ]),
        "assets": _lines("Assets, in millions of dollars", (year, last), [
            ("Cash and cash equivalents", _of("cash")), ("Receivables, net", _of("receivables")),
            ("Inventories", _of("inventories")), ("Other current assets", _of("other_assets")),
            ("Total current assets", _of("current_assets")), ("Property, plant and equipment, net", _of("property")),
            ("Operating lease right-of-use assets", _of("right_of_use")), ("Goodwill", _of("goodwill")),
            ("Other intangible assets, net", _of("intangible")), ("Total assets", _of("assets")),
        ]),
        "liabilities": _lines("Liabilities and equity, in millions of dollars", (year, last), [
            ("Accounts payable", _of("payables")), ("Accrued liabilities", _of("accrued")),
            ("Current portion of debt", _of("debt_current")), ("Current portion of lease liabilities", _of("leases_current")),
            ("Total current liabilities", _of("current_liabilities")), ("Long-term debt", _of("debt_long")),
            ("Lease liabilities, less current portion", _of("leases_long")), ("Pension obligations", _of("pensions")),
            ("Provisions", _of("provisions")), ("Deferred income taxes", _of("deferred_tax")),
            ("Total liabilities", _of("liabilities")), ("Total equity", _of("equity")),
            ("Total liabilities and equity", _of("assets")),
        ]),
        "cash": _cash(three),
        "equity": _equity(three),
    }  # fmt: skip


def _cash(years: Sequence[Year]) -> Rows:
    return _lines("In millions of dollars", years, [
        ("Net earnings", _of("profit")), ("Depreciation and amortization", _of("depreciation_total")),
        ("Impairment", _of("impairment")), ("Change in inventories", _of("change_inventories")),
        ("Change in receivables", _of("change_receivables")), ("Change in accounts payable", _of("change_payables")),
        ("Other changes", _of("change_other")), ("Net cash from operating activities", _of("cash_operating")),
        ("Capital expenditures", _of("capex", -1)), ("Purchases of software and other intangibles", _of("intangible_additions", -1)),
        ("Proceeds from disposals", _of("disposals")), ("Acquisitions, net of cash", _of("acquisition", -1)),
        ("Net cash used in investing activities", _of("cash_investing")), ("Borrowings", _of("borrowed")),
        ("Repayments of debt", _of("repaid", -1)), ("Payments of lease liabilities", _of("lease_payments", -1)),
        ("Dividends paid", _of("dividends_paid", -1)), ("Purchases of common stock", _of("buyback", -1)),
        ("Net cash used in financing activities", _of("cash_financing")), ("Net change in cash", _of("change_cash")),
        ("Cash at the beginning of the year", lambda one: one["before"]["cash"]), ("Cash at the end of the year", _of("cash")),
    ])  # fmt: skip


def _equity(years: Sequence[Year]) -> Rows:
    return _lines("In millions of dollars", years, [
        ("Equity at the beginning of the year", lambda one: one["before"]["equity"]), ("Net earnings", _of("profit")),
        ("Other comprehensive income", _of("other_comprehensive")), ("Dividends", _of("dividends_paid", -1)),
        ("Purchases of common stock", _of("buyback", -1)), ("Equity at the end of the year", _of("equity")),
    ])  # fmt: skip


def _adjusted(year: Year) -> int:
    return year["operating_profit"] + year["depreciation_total"] + year["restructuring"] + year["impairment"]


def _management(year: Year, last: Year, facts: Facts) -> dict[str, Rows]:
    compared = [
        ("Net sales", "revenue"), ("Gross profit", "gross_profit"), ("Selling expenses", "selling"),
        ("Administrative expenses", "admin"), ("Operating profit", "operating_profit"), ("Net earnings", "profit"),
    ]  # fmt: skip
    results = [("In millions of dollars", *_heads(year, last), "Change", "Share of net sales")]
    results += [
        (
            label,
            million(year[name]),
            million(last[name]),
            change(year[name], last[name]),
            percent(year[name], year["revenue"]),
        )
        for label, name in compared
    ]
    segments = [("Segment", "Net sales", "Change", "Segment profit", "Margin")]
    segments += [
        (
            name,
            million(sales),
            change(sales, last["segments"][name]),
            million(year["segment_profit"][name]),
            percent(year["segment_profit"][name], sales),
        )
        for name, sales in year["segments"].items()
    ]
    due = (0.08, 0.21, 0.34, 0.37)
    obligations = [("In millions of dollars", "Within 1 year", "1 to 3 years", "3 to 5 years", "Later")]
    obligations += [
        ("Debt", *(million(year["debt"] * share) for share in due)),
        ("Leases", *(million(year["leases"] * share) for share in (0.2, 0.32, 0.25, 0.23))),
        (
            "Purchases of materials",
            million(year["cost_of_sales"] * 0.05),
            million(year["cost_of_sales"] * 0.012),
            "–",
            "–",
        ),
    ]
    return {
        "summary": _summary(year),
        "results": Rows(tuple(results)),
        "segment_results": Rows(tuple(segments)),
        "obligations": Rows(tuple(obligations)),
        "ebitda": _lines("In millions of dollars", (year, last), [
            ("Net earnings", _of("profit")), ("Income taxes", _of("tax")),
            ("Interest, net", lambda one: one["interest_expense"] - one["interest_income"]),
            ("Depreciation and amortization", _of("depreciation_total")), ("Restructuring", _of("restructuring")),
            ("Impairment", _of("impairment")), ("Adjusted EBITDA", _adjusted),
        ]),
        "pay": _pay(year, facts),
    }  # fmt: skip


def _summary(year: Year) -> Rows:
    years: list[Year] = []
    one: Year | None = year
    while one is not None and "profit" in one and len(years) < 5:
        years.append(one)
        one = one.get("before")
    rows = [("Key figures", *(str(each["number"]) for each in years))]
    rows += [
        ("Net sales, $ million", *(million(each["revenue"]) for each in years)),
        ("Operating margin", *(percent(each["operating_profit"], each["revenue"]) for each in years)),
        ("Net earnings, $ million", *(million(each["profit"]) for each in years)),
        ("Free cash flow, $ million", *(million(each["free_cash_flow"]) for each in years)),
        ("Debt, $ million", *(million(each["debt"]) for each in years)),
        ("Employees", *(format_english(each["employees"]) for each in years)),
    ]
    return Rows(tuple(rows))


def _notes(year: Year, last: Year, facts: Facts) -> dict[str, Rows]:
    both = (year, last)
    regions = [("In millions of dollars", *_heads(*both))]
    regions += [(name, million(value), million(last["regions"][name])) for name, value in year["regions"].items()]
    channels = [
        (name, million(year["revenue"] * share), million(last["revenue"] * (share - drift)))
        for name, share, drift in facts["channels"]
    ]
    segments = [("In millions of dollars", *_heads(*both))]
    segments += [
        (f"{name}: net sales", million(value), million(last["segments"][name]))
        for name, value in year["segments"].items()
    ]
    segments += [
        (f"{name}: segment profit", million(value), million(last["segment_profit"][name]))
        for name, value in year["segment_profit"].items()
    ]
    segments += [
        ("Corporate costs", *(million(one["operating_profit"] - sum(one["segment_profit"].values())) for one in both)),
        ("Operating profit", *(million(one["operating_profit"]) for one in both)),
    ]
    return {
        "regions": Rows((*regions, *channels)),
        "segments": Rows(tuple(segments)),
        "inventories": _shares("inventories", both, facts["inventories"], total="Total inventories"),
        "property": _property(year),
        "goodwill": _goodwill(year),
        "accrued": _shares("accrued", both, facts["accrued"], total="Total accrued liabilities"),
        "debt": _shares("debt", both, facts["debt"], total="Total debt"),
        "leases": _lines("In millions of dollars", both, [
            ("Amortization of right-of-use assets", _of("lease_depreciation")),
            ("Interest on lease liabilities", lambda one: one["before"]["leases"] * 0.035),
            ("Short-term and variable leases", lambda one: one["lease_payments"] * 0.17),
        ]),
        "tax": _tax(both),
        "quarters": _quarters(both),
    }  # fmt: skip


def _shares(name: str, years: Sequence[Year], parts: Sequence[tuple[str, float]], *, total: str) -> Rows:
    """Split a figure. The first part takes what the others leave."""
    rows = [("In millions of dollars", *_heads(*years))]
    others = [(label, [round(year[name] * share) for year in years]) for label, share in parts[1:]]
    first = [year[name] - sum(values[place] for _, values in others) for place, year in enumerate(years)]
    rows += [(label, *(million(value) for value in values)) for label, values in [(parts[0][0], first), *others]]
    rows.append((total, *(million(year[name]) for year in years)))
    return Rows(tuple(rows))


def _property(year: Year) -> Rows:
    last = year["before"]
    acquired = year["property"] - last["property"] - year["capex"] + year["depreciation"] + year["disposals"]
    parts = (("Land and buildings", 0.42), ("Machinery and equipment", 0.47), ("Under construction", 0.11))
    rows = [("In millions of dollars", *(name for name, _ in parts), "Total")]
    moves = [
        ("Carrying amount at the beginning of the year", last["property"]), ("Additions", year["capex"]),
        ("Acquired with businesses", acquired), ("Disposals", -year["disposals"]), ("Depreciation", -year["depreciation"]),
    ]  # fmt: skip
    split: list[tuple[str, list[int]]] = []
    for label, value in moves:
        cells = [round(value * share) for _, share in parts[1:]]
        split.append((label, [value - sum(cells), *cells, value]))
    split.append(("Carrying amount at the end of the year", [sum(cells[i] for _, cells in split) for i in range(4)]))
    return Rows((*rows, *((label, *(million(cell) for cell in cells)) for label, cells in split)))


def _goodwill(year: Year) -> Rows:
    names = list(year["segments"])
    last = year["before"]
    weights = [last["segments"][name] / last["revenue"] for name in names]
    rows = [("In millions of dollars", *names, "Total")]
    moves = [("Goodwill at the beginning of the year", last["goodwill"], None)]
    if year["acquisition"]:
        moves.append(("Acquired", round(year["acquisition"] * 0.6), 0))
    if year["impairment"]:
        moves.append(("Impairment", -year["impairment"], len(names) - 1))
    totals = [0] * (len(names) + 1)
    for label, value, place in moves:
        cells = (
            [round(value * weight) for weight in weights]
            if place is None
            else [value if i == place else 0 for i in range(len(names))]
        )
        cells[0] += value - sum(cells)
        totals = [a + b for a, b in zip(totals, [*cells, value], strict=True)]
        rows.append((label, *(million(cell) for cell in [*cells, value])))
    rows.append(("Goodwill at the end of the year", *(million(cell) for cell in totals)))
    return Rows(tuple(rows))


def _tax(years: Sequence[Year]) -> Rows:
    def expected(year: Year) -> int:
        return round(year["profit_before_tax"] * 0.21)

    return _lines("In millions of dollars", years, [
        ("Tax at the federal rate of 21 percent", expected),
        ("State taxes", lambda one: round((one["tax"] - expected(one)) * 0.7)),
        ("Foreign rates and other items", lambda one: one["tax"] - expected(one) - round((one["tax"] - expected(one)) * 0.7)),
        ("Income taxes", _of("tax")),
    ])  # fmt: skip


def _quarters(years: Sequence[Year]) -> Rows:
    rows = [("Net sales, in millions of dollars", "First", "Second", "Third", "Fourth")]
    rows += [(f"Fiscal {year['number']}", *(million(value) for value in year["quarters"])) for year in years]
    return Rows(tuple(rows))


def _people(year: Year, last: Year, facts: Facts) -> dict[str, Rows]:
    both = (year, last)
    shares = [(f"Fiscal {one['number']}", one) for one in both]
    return {
        "per_share": Rows((
            ("Earnings per share", *(label for label, _ in shares)),
            ("Net earnings, $ million", *(million(one["profit"]) for one in both)),
            ("Weighted average shares, thousand", *(format_english(one["shares"]) for one in both)),
            ("Diluted shares, thousand", *(format_english(round(one["shares"] * 1.008)) for one in both)),
            ("Basic earnings per share, $", *(format_english(one["profit"] / one["shares"], 2) for one in both)),
            ("Diluted earnings per share, $", *(format_english(one["profit"] / (one["shares"] * 1.008), 2) for one in both)),
        )),
        "grants": Rows((
            ("Restricted stock units, thousand", *(label for label, _ in shares)),
            ("Outstanding at the beginning of the year", *(format_english(round(one["shares"] * 0.0112)) for one in both)),
            ("Granted", *(format_english(round(one["shares"] * 0.0041)) for one in both)),
            ("Vested", *(f"({format_english(round(one['shares'] * 0.0036))})" for one in both)),
            ("Forfeited", *(f"({format_english(round(one['shares'] * 0.0006))})" for one in both)),
            ("Expense, $ million", *(million(one["admin"] * 0.047) for one in both)),
        )),
        "fees": Rows((
            ("Fees of the auditor, $ thousand", *(label for label, _ in shares)),
            ("Audit", *(format_english(round(one["revenue"] * facts["audit_fee"])) for one in both)),
            ("Audit-related", *(format_english(round(one["revenue"] * facts["audit_fee"] * 0.07)) for one in both)),
            ("Tax", *(format_english(round(one["revenue"] * facts["audit_fee"] * 0.12)) for one in both)),
        )),
    }  # fmt: skip


def _pay(year: Year, facts: Facts) -> Rows:
    rows = [("Name", "Salary, $", "Bonus, $", "Stock awards, $", "Total, $")]
    for place, person in enumerate(one for one in facts["people"] if one["from"] <= year["number"] <= one["to"]):
        if not person.get("salary"):
            continue
        salary = round(person["salary"] * 1.03 ** (year["number"] - 2021))
        bonus = round(salary * (0.4 + 6 * year["profit"] / year["revenue"]) / (1 + place * 0.2))
        stock = round(salary * person["stock"])
        rows.append(
            (person["name"], *(format_english(value) for value in (salary, bonus, stock, salary + bonus + stock)))
        )
    return Rows(tuple(rows))
