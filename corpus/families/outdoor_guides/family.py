"""English guides of an equipment maker and a climbing association, with leaflets in other languages on nearby topics."""

from pathlib import Path

from toolkit.family import Draft, Family, read_questions, render_source

FILES = (
    "kestrelmoor-shell-care.pdf",
    "kestrelmoor-down-care.html",
    "kestrelmoor-boots.pdf",
    "kestrelmoor-stoves.pdf",
    "kestrelmoor-rucksacks.html",
    "northfell-ropes.pdf",
    "northfell-wall.pdf",
    "northfell-hut.pdf",
    "kestrelmoor-kunstfaser.pdf",
    "northfell-leihseile.html",
    "kestrelmoor-softshell.html",
    "northfell-refugio.pdf",
    "kestrelmoor-kletterschuhe.html",
    "kestrelmoor-fornelli-alcol.html",
    "northfell-palestra-bambini.pdf",
    "kestrelmoor-portabebes.html",
)


def family(folder: Path) -> Family:
    drafts = tuple(Draft(file=file, source=render_source(folder, f"{Path(file).stem}.txt")) for file in FILES)
    return Family(name="outdoor_guides", split="train", drafts=drafts, questions=tuple(read_questions(folder)))
