"""Markdown: the source text with headings, tables, lists and code marked; front matter is metadata.

The text is one page. A very long text continues on the next, from the start of a block.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from lectern.extraction.budget import Budget
from lectern.extraction.formats.text import page_lines, read_text, split_page
from lectern.extraction.layout.text_cleaning import has_meaning
from lectern.extraction.metadata import stated_metadata
from lectern.extraction.types import (
    DocumentMetadata,
    ExtractedPage,
    ExtractionLimits,
    LineKind,
    OnPage,
    OutlineItem,
    PageKind,
    PageLine,
)

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^([A-Za-z][\w -]*):[ \t]*(.*?)[ \t]*$", re.MULTILINE)
_BLOCK_KINDS = {
    "table_open": LineKind.TABLE,
    "bullet_list_open": LineKind.LIST,
    "ordered_list_open": LineKind.LIST,
    "fence": LineKind.CODE,
    "code_block": LineKind.CODE,
}


def extract(path: Path, *, limits: ExtractionLimits, password: str | None, on_page: OnPage) -> DocumentMetadata:
    """Pass every page to `on_page`; title and language come from the front matter, else the first heading."""
    del password
    budget = Budget(limits)
    source, note = read_text(path, limits)
    front_matter, text = _split(source.replace("\f", "\n"))
    budget.spend(len(text), lines=text.count("\n"))
    pages = _pages(text, limits.max_page_characters)
    budget.check_page_count(len(pages))
    outline: list[OutlineItem] = []
    for number, page in enumerate(pages, start=1):
        blocks = _blocks(page)
        headings = _headings(blocks)
        kind = PageKind.TEXT if has_meaning(page) else PageKind.EMPTY
        lines = _marked_lines(page, blocks, headings)
        on_page(ExtractedPage(number, kind, page, lines=lines, note=note), len(pages))
        outline += [OutlineItem(title, level, number) for level, title, _ in headings.values()]
    return stated_metadata(front_matter, tuple(outline), language=front_matter.get("lang", ""))


def _blocks(text: str) -> list[Token]:
    return [token for token in MarkdownIt("commonmark").enable("table").parse(text) if token.map]


def _pages(text: str, max_characters: int) -> list[str]:
    """Split a long text at the start of outermost blocks.

    A block that is too long itself is split at its lines.
    """
    if len(text) <= max_characters:
        return [text]
    starts = {token.map[0] for token in _blocks(text) if token.map and token.level == 0}
    pages, page = list[str](), ""
    for block in _runs(text.split("\n"), starts):
        if page and len(page) + len(block) > max_characters:
            pages += split_page(page, max_characters)
            page = ""
        page += block
    return [*pages, *split_page(page, max_characters)]


def _runs(lines: list[str], starts: set[int]) -> Iterator[str]:
    """Yield runs of lines, each from one of the `starts` to the next."""
    run: list[str] = []
    for number, line in enumerate(lines):
        if run and number in starts:
            yield "\n".join(run) + "\n"
            run = []
        run.append(line)
    yield "\n".join(run)


def _split(source: str) -> tuple[dict[str, str], str]:
    """Return the one-line fields of the front matter and the text after it. Nested fields are ignored."""
    match = _FRONT_MATTER.match(source)
    if match is None:
        return {}, source
    fields = {name.strip().lower(): value.strip("\"'") for name, value in _FIELD.findall(match.group(1)) if value}
    return fields, source[match.end() :]


def _headings(blocks: list[Token]) -> dict[int, tuple[int, str, int]]:
    """Return by source line: level, title without markup, and the line where the heading ends."""
    headings: dict[int, tuple[int, str, int]] = {}
    for opening, inline in pairwise(blocks):
        if opening.type == "heading_open" and opening.map and inline.type == "inline":
            title = " ".join("".join(_plain(child) for child in inline.children or ()).split())
            if title:
                headings[opening.map[0]] = (int(opening.tag[1]), title, opening.map[1])
    return headings


def _plain(token: Token) -> str:
    if token.type in {"softbreak", "hardbreak"}:
        return " "
    if token.type == "image":
        return "".join(_plain(child) for child in token.children or ())
    return token.content if token.type in {"text", "code_inline"} else ""


def _marked_lines(text: str, blocks: list[Token], headings: dict[int, tuple[int, str, int]]) -> tuple[PageLine, ...]:
    source = text.split("\n")
    kinds = [LineKind.PLAIN] * len(source)
    for token in blocks:
        kind = _BLOCK_KINDS.get(token.type)
        if kind is not None and token.map:
            first, last = token.map
            kinds[first:last] = [kind] * (min(last, len(source)) - first)
    levels = [0] * len(source)
    for first, (level, _, last) in headings.items():
        levels[first:last] = [level] * (min(last, len(source)) - first)
    numbers = [number for number, line in enumerate(source) if line.strip()]
    return tuple(
        line._replace(kind=kinds[number], heading_level=levels[number])
        for line, number in zip(page_lines(text), numbers, strict=True)
    )
