"""Companies with annual reports on Form 10-K, one file a year, and perhaps quarterly ones."""

import tomllib
from collections.abc import Callable
from pathlib import Path

from toolkit.accounts import Company, Year, simulate
from toolkit.annual_tables import Facts, annual_tables
from toolkit.family import Draft, Family, Split, read_questions, render_source
from toolkit.quarterly import quarterly_reports

Reports = Callable[[Path, Facts, dict[int, Year]], list[Draft]]
"""Write the annual reports of a company."""


def read_company(folder: Path) -> tuple[Facts, dict[int, Year]]:
    """Return `company.toml` and the simulated years. `[figures]` of the file drives the simulation."""
    facts = tomllib.loads((folder / "company.toml").read_text(encoding="utf-8"))
    figures = facts["figures"]
    events = {int(number): amounts for number, amounts in figures.pop("events", {}).items()}
    return facts, simulate(Company(**figures, events=events))


def annual_reports(
    folder: Path, facts: Facts, years: dict[int, Year], *, template: str = "annual-10k.txt"
) -> list[Draft]:
    """Return a draft for each of the years in `reports`."""
    return [
        Draft(
            file=f"{facts['slug']}-10k-{number}.pdf",
            source=render_source(folder, template, c=facts, y=years[number], p=years[number]["before"]),
            tables=annual_tables(years[number], facts),
        )
        for number in facts["reports"]
    ]


def company_family(folder: Path, *, split: Split, reports: Reports = annual_reports) -> Family:
    """Return the reports of a company, quarterly ones too if `company.toml` names years for them."""
    facts, years = read_company(folder)
    quarterly, quarters = quarterly_reports(folder, facts, years) if "quarterly" in facts else ([], {})
    return Family(
        name=folder.name,
        split=split,
        drafts=(*reports(folder, facts, years), *quarterly),
        questions=tuple(read_questions(folder, c=facts, years=years, quarters=quarters)),
    )
