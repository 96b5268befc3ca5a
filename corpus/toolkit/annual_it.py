"""The annual reports of an Italian company, one file a year, in thousands of euros."""

from collections.abc import Callable, Sequence
from pathlib import Path

from generator.markup import Rows

from toolkit.accounts import Year
from toolkit.annual_tables import Facts
from toolkit.family import Draft, format_italian, render_source


def italian_reports(folder: Path, facts: Facts, years: dict[int, Year]) -> list[Draft]:
    """Return a draft for each of the years in `reports`."""
    return [
        Draft(
            file=f"{facts['slug']}-relazione-{number}.pdf",
            source=render_source(
                folder, "relazione-finanziaria.txt", c=facts, y=years[number], p=years[number]["before"]
            ),
            tables=_tables(years[number], facts),
        )
        for number in facts["reports"]
    ]


def _lines(title: str, years: Sequence[Year], lines: Sequence[tuple[str, Callable[[Year], float]]]) -> Rows:
    rows = [(title, *(str(year["number"]) for year in years))]
    rows += [(name, *(format_italian(value(year)) for year in years)) for name, value in lines]
    return Rows(tuple(rows))


def _of(name: str, sign: int = 1) -> Callable[[Year], float]:
    return lambda year: sign * year[name]


def _ebitda(year: Year) -> int:
    return year["operating_profit"] + year["depreciation_total"] + year["impairment"]


def _tables(year: Year, facts: Facts) -> dict[str, Rows]:
    both = (year, year["before"])
    return {
        "sintesi": _lines("Dati di sintesi, migliaia di euro", both, [
            ("Ricavi netti", _of("revenue")), ("Margine operativo lordo", _ebitda), ("Risultato operativo", _of("operating_profit")),
            ("Utile netto", _of("profit")), ("Indebitamento finanziario netto", lambda one: one["debt"] + one["leases"] - one["cash"]),
            ("Patrimonio netto", _of("equity")), ("Dipendenti a fine anno", _of("employees")),
        ]),
        "conto": _lines("Conto economico consolidato, migliaia di euro", both, [
            ("Ricavi netti", _of("revenue")), ("Costo del venduto", _of("cost_of_sales", -1)), ("Utile lordo", _of("gross_profit")),
            ("Costi commerciali", _of("selling", -1)), ("Costi generali e amministrativi", _of("admin", -1)),
            ("Costi di ricerca e sviluppo", _of("research", -1)), ("Oneri di ristrutturazione", _of("restructuring", -1)),
            ("Svalutazione dell'avviamento", _of("impairment", -1)), ("Risultato operativo", _of("operating_profit")),
            ("Proventi finanziari", _of("interest_income")), ("Oneri finanziari", _of("interest_expense", -1)),
            ("Risultato prima delle imposte", _of("profit_before_tax")), ("Imposte sul reddito", _of("tax", -1)), ("Utile netto", _of("profit")),
        ]),
        "attivo": _lines("Attivo, migliaia di euro", both, [
            ("Immobili, impianti e macchinari", _of("property")), ("Diritti d'uso", _of("right_of_use")), ("Avviamento", _of("goodwill")),
            ("Altre attività immateriali", _of("intangible")), ("Totale attività non correnti", _of("non_current_assets")),
            ("Rimanenze", _of("inventories")), ("Crediti commerciali", _of("receivables")), ("Altre attività correnti", _of("other_assets")),
            ("Disponibilità liquide", _of("cash")), ("Totale attività correnti", _of("current_assets")), ("Totale attivo", _of("assets")),
        ]),
        "passivo": _lines("Patrimonio netto e passivo, migliaia di euro", both, [
            ("Patrimonio netto", _of("equity")), ("Debiti finanziari non correnti", _of("debt_long")), ("Passività per locazioni non correnti", _of("leases_long")),
            ("Benefici ai dipendenti", _of("pensions")), ("Fondi rischi e oneri", _of("provisions")), ("Imposte differite", _of("deferred_tax")),
            ("Debiti finanziari correnti", _of("debt_current")), ("Passività per locazioni correnti", _of("leases_current")),
            ("Debiti commerciali", _of("payables")), ("Altre passività correnti", _of("accrued")), ("Totale patrimonio netto e passivo", _of("assets")),
        ]),
        "flussi": _lines("Rendiconto finanziario, migliaia di euro", both, [
            ("Utile netto", _of("profit")), ("Ammortamenti", _of("depreciation_total")), ("Variazione delle rimanenze", _of("change_inventories")),
            ("Variazione dei crediti", _of("change_receivables")), ("Variazione dei debiti", _of("change_payables")),
            ("Altre variazioni", lambda one: one["change_other"] + one["impairment"]), ("Flusso dell'attività operativa", _of("cash_operating")),
            ("Investimenti in impianti", _of("capex", -1)), ("Investimenti immateriali", _of("intangible_additions", -1)),
            ("Dismissioni", _of("disposals")), ("Acquisizioni", _of("acquisition", -1)), ("Flusso dell'attività di investimento", _of("cash_investing")),
            ("Nuovi finanziamenti", _of("borrowed")), ("Rimborsi", _of("repaid", -1)), ("Pagamenti per locazioni", _of("lease_payments", -1)),
            ("Dividendi pagati", _of("dividends_paid", -1)), ("Acquisto di azioni proprie", _of("buyback", -1)),
            ("Flusso dell'attività di finanziamento", _of("cash_financing")), ("Variazione delle disponibilità", _of("change_cash")),
            ("Disponibilità a fine anno", _of("cash")),
        ]),
        "settori": _split("Ricavi per settore, migliaia di euro", both, "segments"),
        "margini": _split("Risultato per settore, migliaia di euro", both, "segment_profit"),
        "aree": _split("Ricavi per area, migliaia di euro", both, "regions"),
        "trimestri": Rows((
            ("Ricavi per trimestre, migliaia di euro", "I", "II", "III", "IV"),
            *((str(one["number"]), *(format_italian(value) for value in one["quarters"])) for one in both),
        )),
        "organico": Rows((
            ("Dipendenti a fine anno", *(str(one["number"]) for one in both)),
            *((name, *(format_italian(round(one["employees"] * share)) for one in both)) for name, share in facts["staff"]),
        )),
        "compensi": Rows((
            ("Nome", "Carica", "Compenso fisso, euro", "Variabile, euro"),
            *((one["name"], one["role"], format_italian(one["pay"]), format_italian(round(one["pay"] * one["bonus"] * 8 * year["profit"] / year["revenue"])))
              for one in facts["board"] if one["from"] <= year["number"] <= one["to"]),
        )),
    }  # fmt: skip


def _split(title: str, years: Sequence[Year], name: str) -> Rows:
    now, then = years
    rows = [(title, str(now["number"]), str(then["number"]), "Variazione")]
    rows += [
        (
            key,
            format_italian(value),
            format_italian(then[name][key]),
            f"{format_italian(100 * (value / then[name][key] - 1), 1)}%",
        )
        for key, value in now[name].items()
    ]
    return Rows(tuple(rows))
