"""German commercial leases: nine contracts from one template, two amendments and a house order."""

import tomllib
from pathlib import Path

from toolkit.family import Draft, Family, read_questions, render_source


def family(folder: Path) -> Family:
    facts = tomllib.loads((folder / "vertraege.toml").read_text(encoding="utf-8"))
    drafts = [
        Draft(file=f"mietvertrag-{one['key']}.{one['format']}", source=render_source(folder, "vertrag.txt", v=one))
        for one in facts["vertrag"]
    ]
    drafts += [
        Draft(
            file=f"nachtrag-{one['key']}.pdf",
            source=render_source(folder, "nachtrag.txt", n=one),
            is_scan=one["is_scan"],
        )
        for one in facts["nachtrag"]
    ]
    drafts.append(Draft(file="hausordnung-speicherhof.pdf", source=render_source(folder, "hausordnung.txt")))
    return Family(name="gewerbemiete", split="test", drafts=tuple(drafts), questions=tuple(read_questions(folder)))
