"""A Spanish university: study guides of two years, rules of the library, a scholarship call and a notice."""

import tomllib
from pathlib import Path

from toolkit.family import Draft, Family, read_questions, render_source


def family(folder: Path) -> Family:
    facts = tomllib.loads((folder / "cursos.toml").read_text(encoding="utf-8"))
    drafts = [
        Draft(
            file=f"guia-docente-{year['key']}.pdf",
            source=render_source(folder, "guia.txt", y=year, subjects=facts["asignatura"]),
        )
        for year in facts["curso"]
    ]
    drafts += [
        Draft(
            file=f"convocatoria-becas-{year['key']}.pdf",
            source=render_source(folder, "becas.txt", y=year),
            is_scan=year["is_scan"],
        )
        for year in facts["curso"]
    ]
    drafts += [
        Draft(file="reglamento-biblioteca.html", source=render_source(folder, "biblioteca.txt")),
        Draft(file="presupuesto-laboratorios.xlsx", source=render_source(folder, "presupuesto.txt")),
    ]
    return Family(
        name="universidad_almaraz", split="test", drafts=tuple(drafts), questions=tuple(read_questions(folder))
    )
