"""Markdown keeps its source text; headings, tables, lists and code are marked."""

from pathlib import Path

from tests.extraction.conftest import ReadText

from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractionLimits, LineKind, OutlineItem

HANDBOOK = """---
title: "Staff handbook"
lang: it-IT
tags: [hr, travel]
---
# Handbook of *staff*

Welcome [home](https://example.org).

Travel
------

| Class | Limit |
|-------|------:|
| Train | 120 € |

- first item
- second item

```python
# not a heading
```

### Deep `code` ###
"""


def test_headings_are_marked_and_outlined_without_markup(read_markdown: ReadText) -> None:
    document = read_markdown(HANDBOOK)
    page = document.pages[0]
    assert document.metadata.outline == (
        OutlineItem("Handbook of staff", 1, 1),
        OutlineItem("Travel", 2, 1),
        OutlineItem("Deep code", 3, 1),
    )
    marked = [(page.text[line.start : line.end], line.heading_level) for line in page.lines if line.heading_level]
    assert marked == [("# Handbook of *staff*", 1), ("Travel", 2), ("------", 2), ("### Deep `code` ###", 3)]


def test_front_matter_is_read_and_excluded_from_the_text(read_markdown: ReadText) -> None:
    document = read_markdown(HANDBOOK)
    assert document.metadata.title == "Staff handbook"
    assert document.metadata.language == "it"
    assert dict(document.metadata.information)["tags"] == "[hr, travel]"
    assert "lang:" not in document.pages[0].text


def test_tables_lists_and_code_are_marked(read_markdown: ReadText) -> None:
    page = read_markdown(HANDBOOK).pages[0]
    kinds = {page.text[line.start : line.end]: line.kind for line in page.lines}
    assert kinds["| Train | 120 € |"] is LineKind.TABLE
    assert kinds["|-------|------:|"] is LineKind.TABLE
    assert kinds["- second item"] is LineKind.LIST
    assert kinds["# not a heading"] is LineKind.CODE
    assert kinds["Welcome [home](https://example.org)."] is LineKind.PLAIN


def test_without_front_matter_the_first_heading_is_the_title(read_markdown: ReadText) -> None:
    document = read_markdown("Some words.\n\n## The plan\n\nMore words.\n\n# Later\n")
    assert document.metadata.title == "The plan"
    assert document.metadata.language is None
    assert document.pages[0].text.startswith("Some words.")


def test_rule_at_the_top_is_not_front_matter(read_markdown: ReadText) -> None:
    text = "---\n\nJust a rule above: nothing else.\n"
    assert read_markdown(text).pages[0].text == text


def test_long_text_breaks_pages_between_blocks(tmp_path: Path) -> None:
    blocks = [f"## Part {number}\n\nSome words of it.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n" for number in range(6)]
    path = tmp_path / "long.md"
    path.write_text("\n".join(blocks), encoding="utf-8")
    document = extract_document(path, "text/markdown", limits=ExtractionLimits(max_page_characters=110))
    pages = [page.text for page in document.pages]
    assert "".join(pages) == path.read_text(encoding="utf-8")
    assert len(pages) > 2
    assert all(len(page) <= 110 and page.startswith(("## ", "Some", "| a")) for page in pages)
    numbers = [1 + next(at for at, page in enumerate(pages) if f"## Part {part}" in page) for part in range(6)]
    assert document.metadata.outline == tuple(
        OutlineItem(f"Part {part}", 2, number) for part, number in enumerate(numbers)
    )
    tables = [line for page in document.pages for line in page.lines if line.kind is LineKind.TABLE]
    assert len(tables) == 18, "every table is on one page, and known as one"


def test_block_longer_than_a_page_is_split_at_lines(tmp_path: Path) -> None:
    path = tmp_path / "code.md"
    path.write_text("Before.\n\n```\n" + "\n".join(f"line {number}" for number in range(40)) + "\n```\n")
    pages = extract_document(path, "text/markdown", limits=ExtractionLimits(max_page_characters=100)).pages
    assert all(len(page.text) <= 100 for page in pages)
    lines = [line for page in pages for line in page.text.split("\n") if line.startswith("line")]
    assert lines == [f"line {number}" for number in range(40)]
