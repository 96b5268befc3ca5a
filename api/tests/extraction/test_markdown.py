"""Markdown keeps its source text; headings, tables, lists and code are marked."""

from lectern.extraction.types import LineKind, OutlineEntry

from .conftest import ReadText

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
    assert document.outline == (
        OutlineEntry("Handbook of staff", 1, 1),
        OutlineEntry("Travel", 2, 1),
        OutlineEntry("Deep code", 3, 1),
    )
    marked = [(page.text[line.start : line.end], line.heading_level) for line in page.lines if line.heading_level]
    assert marked == [("# Handbook of *staff*", 1), ("Travel", 2), ("------", 2), ("### Deep `code` ###", 3)]


def test_front_matter_is_read_and_left_out_of_the_text(read_markdown: ReadText) -> None:
    document = read_markdown(HANDBOOK)
    assert document.title == "Staff handbook"
    assert document.language == "it"
    assert dict(document.information)["tags"] == "[hr, travel]"
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
    assert document.title == "The plan"
    assert document.language is None
    assert document.pages[0].text.startswith("Some words.")


def test_a_rule_at_the_top_is_not_front_matter(read_markdown: ReadText) -> None:
    text = "---\n\nJust a rule above: nothing else.\n"
    assert read_markdown(text).pages[0].text == text
