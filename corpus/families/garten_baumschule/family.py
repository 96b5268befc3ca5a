"""German rules and guides of an allotment association and a nursery, with leaflets in other languages."""

from pathlib import Path
from random import Random

from generator.markup import Rows
from toolkit.family import Draft, Family, read_questions, render_source

FILES = (
    "amselgrund-gartenordnung-2024.pdf",
    "amselgrund-gartenordnung-2017.pdf",
    "amselgrund-kosten.pdf",
    "amselgrund-paechterwechsel.pdf",
    "amselgrund-kompost.html",
    "amselgrund-obstschnitt.pdf",
    "ohlenbrook-pflanzen.pdf",
    "ohlenbrook-hecken.pdf",
    "ohlenbrook-agb.pdf",
    "ohlenbrook-sortiment-2024.xlsx",
    "ohlenbrook-balcony.html",
    "ohlenbrook-agrumi.pdf",
    "amselgrund-huerto-escolar.html",
    "amselgrund-guest-plots.html",
    "amselgrund-compostiera.html",
    "ohlenbrook-bonsais.html",
)
KINDS = (
    ("Apfel", ("Boskoop", "Jakob Fischer", "Finkenwerder", "Topaz", "Goldparmäne")),
    ("Birne", ("Conference", "Gute Graue", "Köstliche", "Clapps Liebling")),
    ("Kirsche", ("Regina", "Kordia", "Burlat", "Schattenmorelle")),
    ("Zierapfel", ("Evereste", "Red Sentinel", "Butterball")),
    ("Flieder", ("Ludwig Späth", "Michel Buchner", "Primrose")),
    ("Hortensie", ("Annabelle", "Limelight", "Endless Summer")),
    ("Strauchrose", ("Westerland", "Schneewittchen", "Lichtkönigin")),
)
SIZES = ("60-80 cm", "80-100 cm", "100-125 cm", "125-150 cm", "Halbstamm", "Hochstamm")
ROOTS = ("wurzelnackt", "Ballen", "Topf 7,5 l", "Topf 15 l")
FIXED = {
    1180: ("Apfel Gravensteiner", "Halbstamm", "wurzelnackt", "46,50"),
    2075: ("Felsenbirne Ballerina", "125-150 cm", "Ballen", "64,90"),
}


def plants() -> Rows:
    """Return the price list: two fixed articles among ninety that are drawn."""
    random = Random(1947)
    articles = dict(FIXED)
    while len(articles) < 92:
        kind, sorts = random.choice(KINDS)
        price = f"{random.randint(14, 120)},{random.choice(('50', '90'))}"
        number = random.randrange(1005, 3000, 5)
        articles.setdefault(
            number, (f"{kind} {random.choice(sorts)}", random.choice(SIZES), random.choice(ROOTS), price)
        )
    head = ("Artikel", "Pflanze", "Größe", "Wurzel", "Preis in Euro")
    return Rows((head, *((f"OB-{number}", *articles[number]) for number in sorted(articles))))


def family(folder: Path) -> Family:
    drafts = tuple(
        Draft(file=file, source=render_source(folder, f"{Path(file).stem}.txt"), tables={"plants": plants()})
        for file in FILES
    )
    return Family(name="garten_baumschule", split="test", drafts=drafts, questions=tuple(read_questions(folder)))
