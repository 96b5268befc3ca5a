"""A rowing club: minutes of its board over two years, its fees, its boats and its letters."""

from pathlib import Path

from toolkit.family import Draft, Family, read_questions, render_source

MINUTES = (
    {"date": "14 marzo 2024", "number": 31, "fee": 240, "boats": 18, "absent": "Elena Vidotto", "place": "rimessa di San Trovaso"},
    {"date": "12 settembre 2024", "number": 32, "fee": 240, "boats": 19, "absent": "Marco Bressan", "place": "sala parrocchiale"},
    {"date": "13 marzo 2025", "number": 33, "fee": 265, "boats": 21, "absent": "nessuno", "place": "rimessa di San Trovaso"},
)  # fmt: skip


def family(folder: Path) -> Family:
    minutes = [
        Draft(file=f"verbale-{one['number']}.docx", source=render_source(folder, "verbale.txt", **one))
        for one in MINUTES
    ]
    others = [
        Draft(file=file, source=render_source(folder, template))
        for file, template in (
            ("barche-e-quote.xlsx", "barche.txt"),
            ("corso-di-voga-2025.pptx", "corso.txt"),
            ("disdetta-posto-barca.eml", "disdetta.txt"),
            ("regolamento-della-rimessa.html", "regolamento.txt"),
        )
    ]
    return Family(
        name="rowing_club", split="train", drafts=(*minutes, *others), questions=tuple(read_questions(folder))
    )
