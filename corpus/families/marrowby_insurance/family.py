"""English business insurance: a wording in two editions, nine policies of one template, claim files and a register."""

import random
import tomllib
from datetime import datetime, timedelta
from pathlib import Path

from generator.markup import Rows
from toolkit.family import Draft, Family, format_english, read_questions, render_source

PERILS = ("fire", "burst pipe", "storm", "theft", "glass", "stock in transit", "injury of a visitor", "machinery")
HANDLERS = ("Denise Orrell", "Kofi Brandt", "Sian Petherick", "Lewis Maddern")

STEPS = (
    ("telephone", "The insured asked when the next payment can be expected."),
    ("e-mail", "The broker sent photographs and a list of damaged things."),
    ("letter", "The handler asked for invoices and for the books of the last two years."),
    ("e-mail", "The insured sent estimates of two firms."),
    ("telephone", "The surveyor agreed a second visit with the insured."),
    ("note", "The reserve was raised after the estimates arrived."),
    ("note", "The reserve was lowered after the second visit."),
    ("letter", "The handler confirmed that urgent repairs may begin."),
    ("telephone", "The broker complained about the delay; the handler explained what is missing."),
    ("e-mail", "The handler sent the draft of the decision to the underwriter."),
    ("note", "The underwriter agreed with the draft."),
    ("letter", "The insured was told that damaged things may now be thrown away."),
)


def log(claim: str, reported: str) -> Rows:
    """Return the diary of a claim, with the reserve after each entry."""
    chance = random.Random(f"marrowby {claim}")
    day, reserve = datetime.strptime(reported, "%d %B %Y"), chance.randint(8, 80) * 500  # noqa: DTZ007
    rows = [("Date", "By", "Entry", "Reserve GBP")]
    for way, text in sorted(chance.sample(STEPS, chance.randint(7, 11)), key=STEPS.index):
        day += timedelta(days=chance.randint(1, 9))
        reserve += {"raised": 1, "lowered": -1}.get(text.split()[3] if way == "note" else "", 0) * reserve // 5
        rows.append((f"{day.day} {day:%B %Y}", way, text, format_english(reserve)))
    return Rows(tuple(rows))


def register(insured: list[str]) -> Rows:
    """Return the claims of three years, with the sums asked for and paid."""
    chance = random.Random("marrowby register")
    rows = [("Claim", "Insured", "Year", "Peril", "Claimed GBP", "Paid GBP", "Status", "Handler")]
    for number in range(1, 73):
        asked = chance.randint(6, 900) * 50
        status = chance.choice(("paid", "paid", "paid", "refused", "open"))
        paid = round(asked * chance.uniform(0.55, 1) / 10) * 10 if status == "paid" else 0
        rows.append((
            f"R{22 + (number - 1) // 24}-{number:03d}", chance.choice(insured), str(2022 + (number - 1) // 24),
            chance.choice(PERILS), format_english(asked), format_english(paid), status, chance.choice(HANDLERS),
        ))  # fmt: skip
    return Rows(tuple(rows))


def family(folder: Path) -> Family:
    facts = tomllib.loads((folder / "insured.toml").read_text(encoding="utf-8"))
    policies = {one["key"]: one for one in facts["policy"]}
    drafts = [
        Draft(file=f"marrowby-policy-{key}.{one['format']}", source=render_source(folder, "policy.txt", p=one))
        for key, one in policies.items()
    ]
    drafts += [
        Draft(
            file=f"marrowby-claim-{one['number'].lower()}.{one['format']}",
            source=render_source(folder, "claim.txt", c=one, p=policies[one["key"]]),
            tables={"log": log(one["number"], one["reported"])},
            is_scan=one.get("is_scan", False),
        )
        for one in facts["claim"]
    ]
    drafts += [
        Draft(file=f"marrowby-wording-{one['year']}.pdf", source=render_source(folder, "wording.txt", w=one))
        for one in facts["wording"]
    ]
    drafts.append(
        Draft(
            file="marrowby-claims-register.xlsx",
            source=render_source(folder, "register.txt"),
            tables={"register": register([one["insured"] for one in policies.values()])},
        )
    )
    return Family(name="marrowby_insurance", split="dev", drafts=tuple(drafts), questions=tuple(read_questions(folder)))
