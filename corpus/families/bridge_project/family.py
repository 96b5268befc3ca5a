"""A footbridge project: e-mails, site reports, a risk register, slides, a report in two versions, and scanned letters."""

import tomllib
from pathlib import Path

from toolkit.family import Draft, Family, read_questions, render_source


def family(folder: Path) -> Family:
    facts = tomllib.loads((folder / "project.toml").read_text(encoding="utf-8"))
    drafts = [
        Draft(file=f"mail-{number:02d}.eml", source=render_source(folder, "mail.txt", m=one, number=number))
        for number, one in enumerate(facts["mail"], start=1)
    ]
    drafts += [
        Draft(file=f"site-report-week-{one['week']}.docx", source=render_source(folder, "report.txt", r=one))
        for one in facts["report"]
    ]
    drafts += [
        Draft(file=f"letter-{one['key']}.pdf", source=render_source(folder, "letter.txt", x=one), is_scan=True)
        for one in facts["letter"]
    ]
    drafts += [
        Draft(
            file=f"geotechnical-report-rev-{one['revision'].lower()}.pdf",
            source=render_source(folder, "geotechnical.txt", g=one),
        )
        for one in facts["geotechnical"]
    ]
    drafts += [
        Draft(file="risk-register.xlsx", source=render_source(folder, "risks.txt")),
        Draft(file="public-meeting.pptx", source=render_source(folder, "meeting.txt")),
    ]
    return Family(name="bridge_project", split="train", drafts=tuple(drafts), questions=tuple(read_questions(folder)))
