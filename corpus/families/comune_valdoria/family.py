"""A small town in Italy: minutes of its council, and a regulation on refuse in three editions."""

import tomllib
from pathlib import Path

from toolkit.family import Draft, Family, read_questions, render_source


def family(folder: Path) -> Family:
    facts = tomllib.loads((folder / "sedute.toml").read_text(encoding="utf-8"))
    minutes = [
        Draft(file=f"verbale-consiglio-{one['file']}.pdf", source=render_source(folder, "verbale.txt", s=one, c=facts))
        for one in facts["sedute"]
    ]
    rules = [
        Draft(file=f"regolamento-rifiuti-{one['year']}.pdf", source=render_source(folder, "rifiuti.txt", e=one))
        for one in facts["rifiuti"]
    ]
    return Family(
        name="comune_valdoria", split="train", drafts=(*minutes, *rules), questions=tuple(read_questions(folder))
    )
