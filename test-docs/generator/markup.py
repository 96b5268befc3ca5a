"""Reads the light markup of `sources/`: front matter, then headings, paragraphs, lists, tables and directives."""

import re
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Heading:
    level: int
    text: str


@dataclass(frozen=True)
class Text:
    text: str


@dataclass(frozen=True)
class Items:
    items: tuple[str, ...]
    is_numbered: bool


@dataclass(frozen=True)
class Rows:
    """A table; the first row is its header and cells that look like figures are aligned to the right."""

    rows: tuple[tuple[str, ...], ...]
    widths: tuple[float, ...] = ()


@dataclass(frozen=True)
class Directive:
    """`{{name argument}}`: a page break, a contents page or a table that is computed."""

    name: str
    argument: str


Block = Heading | Text | Items | Rows | Directive


@dataclass(frozen=True)
class Source:
    meta: dict[str, str]
    blocks: tuple[Block, ...] = field(default=())


def read_source(path: Path) -> Source:
    """The parsed file; raises ValueError when the front matter is not closed."""
    return parse_source(path.read_text(encoding="utf-8"))


def parse_source(text: str) -> Source:
    _, front, body = text.split("---\n", 2)
    meta = dict(line.split(": ", 1) for line in front.strip().splitlines())
    return Source(meta, tuple(_block(part) for part in re.split(r"\n\s*\n", body.strip())))


def _block(part: str) -> Block:
    if heading := re.fullmatch(r"(#+) (.+)", part):
        return Heading(len(heading[1]), heading[2])
    if directive := re.fullmatch(r"\{\{(\w+) ?(.*)\}\}", part):
        return Directive(directive[1], directive[2])
    lines = part.splitlines()
    if lines[0].startswith("|"):
        rows = [line for line in lines if line.strip("|-: ")]  # not the rule below a header
        return Rows(tuple(tuple(cell.strip() for cell in line.strip("|").split("|")) for line in rows))
    if re.match(r"- |\d+\. ", lines[0]):
        is_numbered = lines[0][0] != "-"
        entries = re.split(r"\n(?=- |\d+\. )", part)
        return Items(tuple(re.sub(r"^(- |\d+\. )", "", " ".join(entry.split())) for entry in entries), is_numbered)
    return Text(" ".join(part.split()))
