"""Italian service contracts: seven of one template, their price sheets, a general terms document and letters."""

import tomllib
from pathlib import Path

from toolkit.family import Draft, Family, read_questions, render_source


def family(folder: Path) -> Family:
    facts = tomllib.loads((folder / "contratti.toml").read_text(encoding="utf-8"))
    drafts = [
        Draft(file=f"contratto-{one['key']}.{one['format']}", source=render_source(folder, "contratto.txt", k=one))
        for one in facts["contratto"]
    ]
    drafts += [
        Draft(
            file=f"lettera-{one['key']}.pdf", source=render_source(folder, "lettera.txt", x=one), is_scan=one["is_scan"]
        )
        for one in facts["lettera"]
    ]
    drafts.append(Draft(file="condizioni-generali-2024.pdf", source=render_source(folder, "condizioni.txt")))
    return Family(
        name="contratti_logistica", split="dev", drafts=tuple(drafts), questions=tuple(read_questions(folder))
    )
