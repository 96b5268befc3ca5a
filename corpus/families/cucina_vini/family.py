"""Italian recipes of a cooking school and rules of a wine consortium, with leaflets in other languages on nearby topics."""

from pathlib import Path

from toolkit.family import Draft, Family, read_questions, render_source

FILES = (
    "sarmenta-disciplinare-rosso.pdf",
    "sarmenta-disciplinare-bianco.pdf",
    "sarmenta-controlli.pdf",
    "sarmenta-servizio.html",
    "pentolaria-pasta.pdf",
    "pentolaria-risotti.pdf",
    "pentolaria-pane.pdf",
    "pentolaria-conserve.pdf",
    "pentolaria-corsi.pdf",
    "pentolaria-rye.html",
    "sarmenta-kellerbesuch.pdf",
    "pentolaria-arroces.html",
    "sarmenta-olive-oil.html",
    "pentolaria-spaetzle.html",
    "sarmenta-vermut.html",
)


def family(folder: Path) -> Family:
    drafts = tuple(Draft(file=file, source=render_source(folder, f"{Path(file).stem}.txt")) for file in FILES)
    return Family(name="cucina_vini", split="dev", drafts=drafts, questions=tuple(read_questions(folder)))
