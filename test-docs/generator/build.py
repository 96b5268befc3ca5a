"""Turns parsed sources into PDF files: two passes, so that contents pages and "page n of m" are right."""

import io
import re
from collections.abc import Callable
from dataclasses import dataclass

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.platypus import (
    Flowable,
    FrameBreak,
    ListFlowable,
    ListItem,
    PageBreak,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)

from generator.markup import Block, Directive, Heading, Items, Rows, Source, Text
from generator.pages import MARGIN, WIDTH, WORDS, ContentsLine, Document, Mark, to_body
from generator.styles import LOOKS, Look, styles

_TOTALS = ("Total", "Totale", "Net ", "Gross profit", "Operating profit", "Profit before tax", "Cash at the end")
_FIGURE = re.compile(r"[(\-–+€]?\s?[\d.,]*\d[\d.,]*\)?\s?(%|€|EUR|kg|cm|pp)?|–|-|20\d\d")


@dataclass(frozen=True)
class Built:
    """A finished PDF and where its headings are."""

    content: bytes
    pages: int
    marks: tuple[Mark, ...]


def build_pdf(source: Source, tables: dict[str, Rows] | None = None) -> Built:
    """The PDF of one source; `tables` answers the `{{table name}}` directives."""
    look = LOOKS[source.meta["look"]]
    computed = tables or {}
    headings = [Mark(block.level, block.text, 0) for block in source.blocks if isinstance(block, Heading)]
    first = _pass(source, look, computed, marks=headings, total=0)
    return _pass(source, look, computed, marks=list(first.marks), total=first.pages)


def _pass(source: Source, look: Look, tables: dict[str, Rows], *, marks: list[Mark], total: int) -> Built:
    stream = io.BytesIO()
    document = Document(stream, source.meta, look, total=total)
    story = _cover(source.meta, look)
    for block in source.blocks:
        story.extend(_flowables(block, look, tables, contents=lambda: _contents(source.meta, look, marks)))
    document.build(story)
    return Built(stream.getvalue(), document.page, tuple(document.marks))


def _cover(meta: dict[str, str], look: Look) -> list[Flowable]:
    sheet = styles(look)
    if look.columns > 1:
        return [
            Paragraph(meta["title"], sheet["title"].clone("t", fontSize=18, leading=23, alignment=1, spaceAfter=8)),
            Paragraph(meta["subtitle"], sheet["body"].clone("a", alignment=1, fontSize=10.5, leading=14)),
            FrameBreak(),
        ]
    if meta.get("cover") == "no":
        return []
    rows = [entry.split("=", 1) for entry in meta.get("control", "").split("; ") if entry]
    control = (
        [Spacer(1, 95 * mm), _table(Rows(tuple(tuple(row) for row in rows)), look, has_header=False)] if rows else []
    )
    return [
        to_body(), Spacer(1, 48 * mm), Paragraph(meta["title"], sheet["title"]), Spacer(1, 4 * mm),
        Paragraph(meta["subtitle"], sheet["subtitle"]), *control, PageBreak(),
    ]  # fmt: skip


def _contents(meta: dict[str, str], look: Look, marks: list[Mark]) -> list[Flowable]:
    shown = [mark for mark in marks if mark.level <= int(meta.get("contents_levels", "2"))]
    title = Paragraph(WORDS[meta["language"]]["contents"], styles(look)["h1"])
    return [title, Spacer(1, 3 * mm), *(ContentsLine(mark, look) for mark in shown), PageBreak()]


def _flowables(
    block: Block, look: Look, tables: dict[str, Rows], *, contents: Callable[[], list[Flowable]]
) -> list[Flowable]:
    sheet = styles(look)
    match block:
        case Heading(level, text):
            paragraph = Paragraph(text, sheet[f"h{level}"])
            paragraph.heading = block
            return [paragraph]
        case Text(text):
            return [Paragraph(_inline(text), sheet["body"])]
        case Items():
            return [_list(block, look), Spacer(1, look.size * 0.4)]
        case Rows():
            return [_table(block, look), Spacer(1, look.size)]
        case Directive("contents"):
            return contents()
        case Directive():
            return _directive(block, look, tables)


def _directive(block: Directive, look: Look, tables: dict[str, Rows]) -> list[Flowable]:
    if block.name == "table":
        return [_table(tables[block.argument], look), Spacer(1, look.size)]
    if block.name == "pagebreak":
        return [PageBreak()]
    raise ValueError(f"Unknown directive: {block.name}")


def _inline(text: str) -> str:
    return re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text)


def _list(block: Items, look: Look) -> ListFlowable:
    style = styles(look)["list"]
    items = [ListItem(Paragraph(_inline(item), style), leftIndent=16) for item in block.items]
    options = {"bulletType": "1"} if block.is_numbered else {"bulletType": "bullet", "start": "•"}
    return ListFlowable(items, leftIndent=16, bulletFontName=look.body, bulletFontSize=look.size, **options)


def _table(block: Rows, look: Look, *, has_header: bool = True) -> Table:
    sheet = styles(look)
    numeric = [
        has_header and _is_numeric([row[column] for row in block.rows[1:]]) for column in range(len(block.rows[0]))
    ]
    cells = []
    for number, row in enumerate(block.rows):
        is_head = has_header and number == 0
        total = row[0].startswith(_TOTALS)
        kinds = [
            ("head_figure" if right else "head") if is_head or total else ("figure" if right else "cell")
            for right in numeric
        ]
        cells.append([Paragraph(_inline(cell), sheet[kind]) for cell, kind in zip(row, kinds, strict=True)])
    table = Table(cells, colWidths=_widths(block, look, numeric), repeatRows=1 if has_header else 0)
    table.setStyle(_table_style(block, look, has_header=has_header))
    return table


def _is_numeric(column: list[str]) -> bool:
    filled = [cell for cell in column if cell]
    return bool(filled) and sum(bool(_FIGURE.fullmatch(cell.strip("*"))) for cell in filled) >= 0.7 * len(filled)


def _widths(block: Rows, look: Look, numeric: list[bool]) -> list[float]:
    gap = 7 * mm
    available = WIDTH - 2 * MARGIN if look.columns == 1 else (WIDTH - 2 * MARGIN - gap) / 2
    if block.widths:
        return [available * share for share in block.widths]
    columns = [[row[column] for row in block.rows] for column in range(len(block.rows[0]))]
    least = [max(_word_width(cell, look) for cell in column) + 14 for column in columns]
    wanted = [
        min(60, max(map(len, column))) * (1.3 if right else 1) for column, right in zip(columns, numeric, strict=True)
    ]
    spare = available - sum(least)
    return [low + spare * want / sum(wanted) for low, want in zip(least, wanted, strict=True)]


def _word_width(cell: str, look: Look) -> float:
    return max((stringWidth(word, look.bold, look.size - 1) for word in cell.split()), default=0)


def _table_style(block: Rows, look: Look, *, has_header: bool) -> TableStyle:
    commands = [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("TOPPADDING", (0, 0), (-1, -1), 2.2),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2.2),
        ("LINEBELOW", (0, 0), (-1, -1), 0.25, HexColor("#c9c9c9")),
        ("LINEABOVE", (0, 0), (-1, 0), 0.8, look.accent),
        ("LINEBELOW", (0, -1), (-1, -1), 0.8, look.accent),
    ]
    if has_header:
        commands += [
            ("LINEBELOW", (0, 0), (-1, 0), 0.8, look.accent),
            ("BACKGROUND", (0, 0), (-1, 0), HexColor("#f1f3f1")),
        ]
    for number, row in enumerate(block.rows):
        if row[0].startswith(_TOTALS):
            commands.append(("LINEABOVE", (0, number), (-1, number), 0.6, HexColor("#444444")))
    return TableStyle(commands)
