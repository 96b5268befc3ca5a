"""Policies of a hospital trust: travel, remote work, records and purchasing, each in two or three editions."""

import tomllib
from pathlib import Path

from toolkit.family import Draft, Family, read_questions, render_source


def family(folder: Path) -> Family:
    facts = tomllib.loads((folder / "editions.toml").read_text(encoding="utf-8"))
    drafts = [
        Draft(
            file=f"ashgrove-{topic}-{one['year']}.{one['format']}", source=render_source(folder, f"{topic}.txt", e=one)
        )
        for topic, editions in facts.items()
        for one in editions
    ]
    return Family(name="ashgrove_policies", split="dev", drafts=tuple(drafts), questions=tuple(read_questions(folder)))
