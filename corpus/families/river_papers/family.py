"""Six short research papers on rivers and towns, in two columns, three of them by overlapping authors."""

import tomllib
from pathlib import Path

from generator.markup import Rows
from toolkit.family import Draft, Family, read_questions, render_source


def family(folder: Path) -> Family:
    facts = tomllib.loads((folder / "papers.toml").read_text(encoding="utf-8"))
    drafts = [
        Draft(
            file=f"{one['key']}.pdf",
            source=render_source(folder, "paper.txt", p=one),
            tables={name: Rows(tuple(map(tuple, rows))) for name, rows in one["tables"].items()},
        )
        for one in facts["paper"]
    ]
    return Family(name="river_papers", split="train", drafts=tuple(drafts), questions=tuple(read_questions(folder)))
