"""Scans of a small wholesaler of Italian food: invoices, delivery notes and letters of a page each, English and Italian."""

import tomllib
from pathlib import Path

from toolkit.family import Draft, Family, read_questions, render_source


def family(folder: Path) -> Family:
    facts = tomllib.loads((folder / "papers.toml").read_text(encoding="utf-8"))
    drafts = [
        Draft(file=f"bassano-{one['key']}.pdf", source=render_source(folder, "paper.txt", x=one), is_scan=True)
        for one in facts["paper"]
    ]
    return Family(name="bassano_pike", split="train", drafts=tuple(drafts), questions=tuple(read_questions(folder)))
