"""A building society: terms of mortgages and savings in editions, tariffs of charges, and rate sheets by year."""

import random
import tomllib
from pathlib import Path

from generator.markup import Rows
from toolkit.family import Draft, Family, read_questions, render_source

KINDS = (("P", "Purchase", 0.0), ("R", "Remortgage", 0.05), ("L", "Let property", 0.9))
RATIOS = ((60, 0.0), (75, 0.15), (80, 0.25), (85, 0.4), (90, 0.65), (95, 1.05))
TERMS = ((2, 0.2), (3, 0.1), (5, 0.0), (10, 0.3))
ACCOUNTS = (
    ("EA", "Easy Access", 0.0), ("LS", "Lamplighter Saver", 0.2), ("RS", "Regular Saver", 1.1), ("CS", "Cygnet Children's", 0.9),
    ("N3", "90 Day Notice", 0.45), ("F1", "One Year Bond", 0.8), ("F2", "Two Year Bond", 0.85), ("F5", "Five Year Bond", 0.6),
    ("IE", "Easy Access ISA", 0.1), ("IF", "Two Year ISA", 0.7), ("CL", "Clubs and Charities", -0.3),
)  # fmt: skip


def family(folder: Path) -> Family:
    facts = tomllib.loads((folder / "editions.toml").read_text(encoding="utf-8"))
    drafts = [
        Draft(
            file=f"wharfmere-{topic}-{one['year']}.{one.get('format', 'pdf')}",
            source=render_source(folder, f"{topic}.txt", e=one),
            tables={"loans": _loans(one["year"], one["base"]), "accounts": _accounts(one["year"], one["save"])}
            if "base" in one
            else {},
        )
        for topic, editions in facts.items()
        for one in editions
    ]
    return Family(
        name="wharfmere_society", split="train", drafts=tuple(drafts), questions=tuple(read_questions(folder))
    )


def _loans(year: int, base: float) -> Rows:
    """Return all fixed rates of a year, each with and without a product fee."""
    source = random.Random(year)
    rows = [("Code", "Product", "Rate", "Product fee", "Early repayment charge")]
    for letter, kind, extra in KINDS:
        for term, term_extra in TERMS:
            for ratio, ratio_extra in RATIOS:
                if (letter == "L" and ratio > 75) or (term == 10 and ratio > 85):
                    continue
                rate = base + extra + term_extra + ratio_extra + source.choice((-0.06, -0.02, 0.0, 0.03, 0.05))
                charge = "5, 4, 3, 2, 1 %" if term > 3 else f"{term} % falling by 1 a year"
                for mark, fee, less in (("N", "none", 0.0), ("F", f"£{source.choice((895, 995, 1_195)):,}", 0.22)):
                    code = f"W{year % 100}-{letter}{term:02}{ratio}{mark}"
                    product = f"{kind}, {term} years fixed, up to {ratio} % of value"
                    rows.append((code, product, f"{rate - less:.2f} %", fee, charge))
    return Rows(tuple(rows))


def _accounts(year: int, save: float) -> Rows:
    """Return the interest of each savings account by balance."""
    source = random.Random(year + 7)
    rows = [("Code", "Account", "Balance from", "Yearly rate", "Monthly rate")]
    for letters, account, extra in ACCOUNTS:
        for step, balance in enumerate(("£1", "£5,000", "£25,000", "£100,000"), start=1):
            rate = save + extra + 0.1 * step + source.choice((-0.05, 0.0, 0.05))
            rows.append((f"S{year % 100}-{letters}{step}", account, balance, f"{rate:.2f} %", f"{rate - 0.04:.2f} %"))
    return Rows(tuple(rows))
