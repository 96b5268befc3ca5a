"""The look of each kind of document: fonts, colours, margins."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import reportlab
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.enums import TA_JUSTIFY, TA_RIGHT
from reportlab.lib.fonts import addMapping
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont


@dataclass(frozen=True)
class Look:
    body: str
    bold: str
    accent: Color
    size: float = 10.5
    columns: int = 1
    has_outline: bool = True
    has_band: bool = True


LOOKS = {
    "bank": Look("Times-Roman", "Times-Bold", HexColor("#14365c"), size=11),
    "shop": Look("Helvetica", "Helvetica-Bold", HexColor("#2f5d3a"), size=10, has_outline=False),
    "report": Look("Vera", "Vera-Bold", HexColor("#2f5d3a"), size=10),
    "contract": Look("Times-Roman", "Times-Bold", HexColor("#000000"), size=11, has_outline=False, has_band=False),
    "paper": Look("Times-Roman", "Times-Bold", HexColor("#000000"), size=10.5, columns=2, has_outline=False),
    "catalogue": Look("Helvetica", "Helvetica-Bold", HexColor("#8a3b12"), size=9),
}


@cache
def register_fonts() -> None:
    """Vera comes with reportlab, so that embedded fonts do not depend on the machine."""
    folder = Path(reportlab.__file__).parent / "fonts"
    for name, file in (("Vera", "Vera"), ("Vera-Bold", "VeraBd")):
        pdfmetrics.registerFont(TTFont(name, folder / f"{file}.ttf"))
    addMapping("Vera", 1, 0, "Vera-Bold")
    addMapping("Vera", 0, 0, "Vera")


@cache
def styles(look: Look) -> dict[str, ParagraphStyle]:
    """The paragraph styles of one look, keyed by what they are for."""
    register_fonts()
    body = ParagraphStyle(
        "body", fontName=look.body, fontSize=look.size, leading=look.size * 1.38, spaceAfter=look.size * 0.62,
        alignment=TA_JUSTIFY if look.body == "Times-Roman" else 0,
    )  # fmt: skip
    cell = ParagraphStyle("cell", body, fontSize=look.size - 1, leading=look.size * 1.2, spaceAfter=0, alignment=0)
    grow = 1.0 if look.columns > 1 else 1.35
    return {
        "body": body,
        "list": ParagraphStyle("list", body, spaceAfter=look.size * 0.25),
        "cell": cell,
        "figure": ParagraphStyle("figure", cell, alignment=TA_RIGHT),
        "head": ParagraphStyle("head", cell, fontName=look.bold),
        "head_figure": ParagraphStyle("head_figure", cell, fontName=look.bold, alignment=TA_RIGHT),
        "title": ParagraphStyle("title", fontName=look.bold, fontSize=26, leading=32, textColor=look.accent),
        "subtitle": ParagraphStyle("subtitle", fontName=look.body, fontSize=13, leading=18, spaceAfter=30),
        "h1": _heading(look, 1, size=look.size * 1.25 * grow, before=16),
        "h2": _heading(look, 2, size=look.size * 1.12 * (1.0 if look.columns > 1 else 1.12), before=10),
        "h3": _heading(look, 3, size=look.size, before=6),
    }


def _heading(look: Look, level: int, *, size: float, before: float) -> ParagraphStyle:
    return ParagraphStyle(
        f"h{level}", fontName=look.bold, fontSize=size, leading=size * 1.25, spaceBefore=before, spaceAfter=size * 0.45,
        textColor=look.accent, keepWithNext=1,
    )  # fmt: skip
