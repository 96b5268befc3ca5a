"""The internal wiki of a software company: handbook, on-call, security, expenses, leave, and incident reports."""

import random
import tomllib
from pathlib import Path
from typing import Any

from generator.markup import Rows
from toolkit.family import Draft, Family, read_questions, render_source

SERVICES = (
    "ledger-api", "ledger-batch", "login", "mailer", "search", "exporter", "importer", "webhooks", "billing", "reports",
    "images", "gateway", "audit-log", "scheduler", "rates", "sandbox", "docs-site", "status-page", "mobile-push", "archive",
)  # fmt: skip
TEAMS = ("Otter", "Heron", "Badger", "Lynx", "Pike")


def family(folder: Path) -> Family:
    facts: dict[str, list[dict[str, Any]]] = tomllib.loads((folder / "editions.toml").read_text(encoding="utf-8"))
    drafts = [
        Draft(
            file=f"tarnwick-{topic}-{one['year']}.{one['format']}",
            source=render_source(folder, f"{topic}.txt", e=one),
            tables={"services": _services(str(one["year"]))},
        )
        for topic, editions in facts.items()
        for one in editions
    ]
    return Family(name="tarnwick_wiki", split="dev", drafts=tuple(drafts), questions=tuple(read_questions(folder)))


def _services(year: str) -> Rows:
    """Return the service catalogue of an edition of the on-call guide."""
    source = random.Random(year)
    rows = [("Service", "Team", "Tier", "Target", "Runbook")]
    for number, service in enumerate(SERVICES, start=1):
        tier = source.choice((1, 2, 2, 3))
        target = {1: "99.95 %", 2: "99.9 %", 3: "99 %"}[tier]
        rows.append((service, source.choice(TEAMS), str(tier), target, f"RB-{year[2:]}{number:02}"))
    return Rows(tuple(rows))
