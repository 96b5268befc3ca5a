"""Financial statements computed from the leaf figures of `sources/figures.toml`, so that every total adds up."""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from generator.markup import Rows

_INCOME = [
    ("Net sales", "net_sales"), ("Cost of goods sold", "cost_of_goods_sold"), ("Gross profit", "gross_profit"),
    ("Other operating income", "other_operating_income"), ("Personnel expenses", "personnel"),
    ("Rent and occupancy", "rent"), ("Marketing", "marketing"), ("Other operating expenses", "other_operating_expenses"),
    ("Depreciation and amortisation", "depreciation"), ("Operating profit", "operating_profit"),
    ("Finance income", "finance_income"), ("Finance costs", "finance_costs"), ("Profit before tax", "profit_before_tax"),
    ("Income tax", "income_tax"), ("Net profit for the year", "net_profit"),
]  # fmt: skip
_ASSETS = [
    ("Property, plant and equipment", "property"), ("Right-of-use assets", "right_of_use"),
    ("Intangible assets", "intangible"), ("Investments in associates", "associates"), ("Deferred tax assets", "deferred_tax"),
    ("Total non-current assets", "non_current_assets"), ("Inventories", "inventories"), ("Trade receivables", "receivables"),
    ("Other current assets", "other_current_assets"), ("Cash and cash equivalents", "cash"),
    ("Total current assets", "current_assets"), ("Total assets", "assets"),
]  # fmt: skip
_LIABILITIES = [
    ("Share capital", "share_capital"), ("Legal reserve", "legal_reserve"), ("Retained earnings and other reserves", "reserves"),
    ("Profit for the year", "net_profit"), ("Total equity", "equity"), ("Bank loans, non-current", "loans_long"),
    ("Lease liabilities, non-current", "leases_long"), ("Employee benefits", "employee_benefits"), ("Provisions", "provisions"),
    ("Total non-current liabilities", "non_current_liabilities"), ("Trade payables", "payables"),
    ("Bank loans, current", "loans_short"), ("Lease liabilities, current", "leases_short"), ("Tax payables", "tax_payables"),
    ("Other current liabilities", "other_current_liabilities"), ("Total current liabilities", "current_liabilities"),
    ("Total equity and liabilities", "assets"),
]  # fmt: skip
_CASH = [
    ("Profit for the year", "net_profit"), ("Depreciation and amortisation", "depreciation_added"),
    ("Change in inventories", "change_inventories"), ("Change in trade receivables", "change_receivables"),
    ("Change in trade payables", "change_payables"), ("Other changes", "other_changes"),
    ("Net cash from operating activities", "cash_operating"), ("Capital expenditure", "capital_expenditure"),
    ("Proceeds from disposals", "disposals"), ("Investments in associates", "associates_paid"),
    ("Net cash used in investing activities", "cash_investing"), ("Change in bank loans", "change_loans"),
    ("Payment of lease liabilities", "leases_paid"), ("Dividends paid", "dividends"),
    ("Net cash used in financing activities", "cash_financing"), ("Net change in cash", "change_cash"),
    ("Cash at the beginning of the year", "cash_opening"), ("Cash at the end of the year", "cash"),
]  # fmt: skip


def report_tables(path: Path) -> dict[str, Rows]:
    """The statements and the tables of the notes; raises ValueError when a note does not add up to its statement."""
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    figures: dict[str, list[int]] = dict(raw["leaf"])
    _compute(figures)
    years = [str(year) for year in raw["years"]]
    return {
        "income": _statement(figures, _INCOME, ["EUR thousand", *years]),
        "assets": _statement(figures, _ASSETS, ["Assets, EUR thousand", *years]),
        "liabilities": _statement(figures, _LIABILITIES, ["Equity and liabilities, EUR thousand", *years]),
        "cash": _statement(figures, _CASH, ["EUR thousand", *years[:2]]),
        **{name: _note(table, figures) for name, table in raw["tables"].items()},
    }


def money(value: int) -> str:
    """1234 as `1,234`, negative figures in brackets and a dash for nothing, as accountants write them."""
    if value == 0:
        return "–"
    return f"({-value:,})" if value < 0 else f"{value:,}"


def _sum(figures: dict[str, list[int]], *names: str) -> list[int]:
    return [sum(column) for column in zip(*(figures[name] for name in names), strict=True)]


def _minus(left: Sequence[int], right: Sequence[int]) -> list[int]:
    return [a - b for a, b in zip(left, right, strict=True)]


def _compute(figures: dict[str, list[int]]) -> None:
    figures["gross_profit"] = _sum(figures, "net_sales", "cost_of_goods_sold")
    running = ("other_operating_income", "personnel", "rent", "marketing", "other_operating_expenses", "depreciation")
    figures["operating_profit"] = _sum(figures, "gross_profit", *running)
    figures["profit_before_tax"] = _sum(figures, "operating_profit", "finance_income", "finance_costs")
    figures["net_profit"] = _sum(figures, "profit_before_tax", "income_tax")
    _compute_balance(figures)
    _compute_cash(figures)


def _compute_balance(figures: dict[str, list[int]]) -> None:
    figures["non_current_assets"] = _sum(
        figures, "property", "right_of_use", "intangible", "associates", "deferred_tax"
    )
    figures["current_assets"] = _sum(figures, "inventories", "receivables", "other_current_assets", "cash")
    figures["assets"] = _sum(figures, "non_current_assets", "current_assets")
    before = figures["equity_2023"][0] + figures["net_profit"][1] + figures["dividends"][1]
    figures["equity"] = [before + figures["net_profit"][0] + figures["dividends"][0], before, *figures["equity_2023"]]
    figures["reserves"] = _minus(figures["equity"], _sum(figures, "share_capital", "legal_reserve", "net_profit"))
    figures["non_current_liabilities"] = _sum(figures, "loans_long", "leases_long", "employee_benefits", "provisions")
    figures["current_liabilities"] = _minus(figures["assets"], _sum(figures, "equity", "non_current_liabilities"))
    named = _sum(figures, "payables", "loans_short", "leases_short", "tax_payables")
    figures["other_current_liabilities"] = _minus(figures["current_liabilities"], named)


def _compute_cash(figures: dict[str, list[int]]) -> None:
    def change(name: str) -> list[int]:
        return _minus(figures[name][:2], figures[name][1:])

    figures["depreciation_added"] = [-value for value in figures["depreciation"]]
    figures["change_inventories"] = [-value for value in change("inventories")]
    figures["change_receivables"] = [-value for value in change("receivables")]
    figures["change_payables"] = change("payables")
    figures["loans"] = _sum(figures, "loans_long", "loans_short")
    figures["change_loans"] = change("loans")
    figures["change_cash"] = change("cash")
    figures["cash_opening"] = figures["cash"][1:]
    figures["cash_investing"] = _sum(figures, "capital_expenditure", "disposals", "associates_paid")
    figures["cash_financing"] = _sum(figures, "change_loans", "leases_paid", "dividends")
    moved = _sum(figures, "cash_investing", "cash_financing")
    figures["cash_operating"] = _minus(figures["change_cash"], moved)
    parts = ("net_profit", "depreciation_added", "change_inventories", "change_receivables", "change_payables")
    named = [sum(column) for column in zip(*(figures[name][:2] for name in parts), strict=True)]
    figures["other_changes"] = _minus(figures["cash_operating"], named)


def _statement(figures: dict[str, list[int]], lines: list[tuple[str, str]], header: list[str]) -> Rows:
    columns = len(header) - 1
    rows = [(label, *(money(value) for value in figures[name][:columns])) for label, name in lines]
    share = 0.15 if columns == 3 else 0.18
    return Rows((tuple(header), *rows), (1 - share * columns, *[share] * columns))


def _note(table: dict[str, Any], figures: dict[str, list[int]]) -> Rows:
    totals = [sum(row[column] for row in table["rows"]) for column in (1, 2)]
    sign = -1 if table["equals"].startswith("-") else 1
    expected = [sign * value for value in _sum(figures, *table["equals"].lstrip("-").split("+"))[:2]]
    if totals != expected:
        raise ValueError(f"{table['total']}: rows add up to {totals}, the statement says {expected}")
    rows = [(row[0], *(money(value) for value in row[1:])) for row in table["rows"]]
    return Rows(
        (tuple(table["columns"]), *rows, (table["total"], *(money(value) for value in totals))), (0.6, 0.2, 0.2)
    )
