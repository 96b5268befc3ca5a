"""Spanish papers of a language school and leaflets of a health centre, with leaflets in other languages on nearby topics."""

from pathlib import Path

from toolkit.family import Draft, Family, read_questions, render_source

FILES = (
    "torrevela-matricula.pdf",
    "torrevela-examenes.pdf",
    "torrevela-familias.pdf",
    "torrevela-reglamento.html",
    "ribalcazar-vacunas.pdf",
    "ribalcazar-citas.pdf",
    "ribalcazar-diabetes.pdf",
    "ribalcazar-espalda.html",
    "ribalcazar-lactancia.pdf",
    "torrevela-summer-camp.html",
    "ribalcazar-reiseapotheke.pdf",
    "ribalcazar-celiachia.html",
    "ribalcazar-child-asthma.html",
    "torrevela-firmenkurse.pdf",
    "torrevela-scambio.html",
)


def family(folder: Path) -> Family:
    drafts = tuple(Draft(file=file, source=render_source(folder, f"{Path(file).stem}.txt")) for file in FILES)
    return Family(name="idiomas_salud", split="train", drafts=drafts, questions=tuple(read_questions(folder)))
