"""Pages: cover, running header and footer, one or two columns, contents with dotted leaders."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate
from reportlab.platypus.doctemplate import NextPageTemplate

from generator.styles import Look

WIDTH, HEIGHT = A4
MARGIN = 24 * mm
WORDS = {
    "en": {"page": "Page {page} of {total}", "contents": "Contents", "continued": "continued"},
    "it": {"page": "Pagina {page} di {total}", "contents": "Indice", "continued": "segue"},
    "de": {"page": "Seite {page} von {total}", "contents": "Inhalt", "continued": "Fortsetzung"},
    "es": {"page": "Página {page} de {total}", "contents": "Índice", "continued": "continuación"},
}


@dataclass(frozen=True)
class Mark:
    """A heading and the page on which it was set."""

    level: int
    text: str
    page: int


class ContentsLine(Flowable):
    """One line of a contents page: title, dots, page number."""

    def __init__(self, mark: Mark, look: Look) -> None:
        super().__init__()
        self.mark, self.look = mark, look

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:  # noqa: ARG002, N803 - reportlab calls them so
        self.width = availWidth
        return availWidth, self.look.size * (2.1 if self.mark.level == 1 else 1.6)

    def draw(self) -> None:
        font = self.look.bold if self.mark.level == 1 else self.look.body
        size, canvas, number = self.look.size, self.canv, str(self.mark.page)
        canvas.setFont(font, size)
        start = (self.mark.level - 1) * 12
        left = start + canvas.stringWidth(self.mark.text, font, size) + 6
        right = self.width - canvas.stringWidth("000", font, size) - 4
        dots = "." * max(3, int((right - left) / canvas.stringWidth(".", font, size)))
        canvas.drawString(start, 4, f"{self.mark.text} {dots} ")
        canvas.drawRightString(self.width, 4, number)


class Document(BaseDocTemplate):
    """Sets flowables on pages and remembers where each heading landed."""

    def __init__(self, target: Any, meta: dict[str, str], look: Look, *, total: int) -> None:  # noqa: ANN401 - a path or a stream
        super().__init__(
            target, pagesize=A4, invariant=1, title=meta["title"], author=meta["company"], subject=meta.get("code", ""),
            creator="Lectern test-docs", lang=meta["language"], pageCompression=1,
        )  # fmt: skip
        self.meta, self.look, self.total = meta, look, total
        self.marks: list[Mark] = []
        plain = Frame(
            MARGIN, MARGIN, WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN - 6 * mm, id="plain", leftPadding=0, rightPadding=0
        )
        templates = [
            PageTemplate("cover", [plain], onPage=self._cover),
            PageTemplate("body", [plain], onPage=self._running),
        ]
        if look.columns > 1:
            templates = _column_templates(self._running)
        elif meta.get("cover") == "no":
            templates = templates[1:]
        self.addPageTemplates(templates)

    def afterFlowable(self, flowable: Flowable) -> None:  # noqa: N802 - reportlab's hook
        heading = getattr(flowable, "heading", None)
        if heading is None:
            return
        self.marks.append(Mark(heading.level, heading.text, self.page))
        if self.look.has_outline:
            key = f"heading-{len(self.marks)}"
            self.canv.bookmarkPage(key)
            self.canv.addOutlineEntry(heading.text, key, level=min(heading.level - 1, 1), closed=False)

    def _running(self, canvas: Canvas, _document: BaseDocTemplate) -> None:
        words = WORDS[self.meta["language"]]
        canvas.saveState()
        canvas.setFont(self.look.body, 8)
        canvas.setFillGray(0.35)
        canvas.drawString(MARGIN, HEIGHT - 15 * mm, self.meta["company"])
        canvas.drawRightString(WIDTH - MARGIN, HEIGHT - 15 * mm, self.meta["title"])
        canvas.drawString(MARGIN, 13 * mm, self.meta.get("footer", self.meta.get("code", "")))
        canvas.drawRightString(
            WIDTH - MARGIN, 13 * mm, words["page"].format(page=canvas.getPageNumber(), total=self.total)
        )
        canvas.setStrokeGray(0.7)
        canvas.line(MARGIN, HEIGHT - 17 * mm, WIDTH - MARGIN, HEIGHT - 17 * mm)
        canvas.line(MARGIN, 17 * mm, WIDTH - MARGIN, 17 * mm)
        canvas.restoreState()

    def _cover(self, canvas: Canvas, _document: BaseDocTemplate) -> None:
        canvas.saveState()
        if self.look.has_band:
            canvas.setFillColor(self.look.accent)
            canvas.rect(0, HEIGHT - 42 * mm, WIDTH, 42 * mm, stroke=0, fill=1)
            canvas.setFillGray(1)
        canvas.setFont(self.look.bold, 18)
        canvas.drawString(MARGIN, HEIGHT - 26 * mm, self.meta["company"])
        canvas.restoreState()


def _column_templates(running: Callable[..., None]) -> list[PageTemplate]:
    gap = 7 * mm
    width = (WIDTH - 2 * MARGIN - gap) / 2
    top = 62 * mm
    pads = {"leftPadding": 0, "rightPadding": 0}

    def columns(height: float) -> list[Frame]:
        return [Frame(MARGIN + i * (width + gap), MARGIN, width, height, id=f"column{i}", **pads) for i in (0, 1)]

    title = Frame(MARGIN, HEIGHT - MARGIN - top, WIDTH - 2 * MARGIN, top, id="title", **pads)
    body_height = HEIGHT - 2 * MARGIN - 4 * mm
    return [
        PageTemplate("cover", [title, *columns(body_height - top)], onPage=running, autoNextPageTemplate="body"),
        PageTemplate("body", columns(body_height), onPage=running),
    ]


def to_body() -> Flowable:
    """From the next page on: running header and footer."""
    return NextPageTemplate("body")
