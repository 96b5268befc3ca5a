"""Headings come from the outline, else from typography; leftovers of contents, banners and sentences are none."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectern.chunking.headings import Heading, find_headings
from lectern.chunking.lines import build_document_text
from lectern.chunking.tables import find_captions
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractedDocument, ExtractionLimits, OutlineItem

from .papers import Set, heading, plain, row, typeset

PROSE = Set("the ordinary text of this document runs on in lines of about this length and ends.")
PROSE_LINES = [PROSE] * 6


def headings_of(document: ExtractedDocument) -> list[Heading]:
    stream = build_document_text(document)
    captions = find_captions(stream.lines, barriers=set(), document_text=stream.text)
    return find_headings(
        stream.lines,
        outline=document.metadata.outline,
        captions=captions,
        document_text=stream.text,
        page_count=len(document.pages),
    )


def titles_of(document: ExtractedDocument) -> list[str]:
    return [heading.title for heading in headings_of(document)]


def test_larger_bolder_and_capital_lines_are_headings_of_falling_level() -> None:
    document = typeset(
        [
            heading("Annual report", size=20), *PROSE_LINES,
            heading("Risks", size=14), *PROSE_LINES,
            heading("Interest rates", size=10), *PROSE_LINES,
            Set("CURRENCY MATTERS", gap=1.5), *PROSE_LINES,
        ]
    )  # fmt: skip
    assert [(heading.title, heading.level) for heading in headings_of(document)] == [
        ("Annual report", 1), ("Risks", 2), ("Interest rates", 3), ("CURRENCY MATTERS", 4),
    ]  # fmt: skip


@given(
    st.text(st.sampled_from("abcdefgh xyz"), min_size=3, max_size=60).filter(lambda text: text.strip()),
    st.sampled_from([".", ",", ";", ":", "!", "?", "…", ".”", ".)"]),
    st.floats(10, 30),
)
def test_a_line_that_ends_in_punctuation_is_never_a_heading(text: str, end: str, size: float) -> None:
    line = heading(text.strip().capitalize() + end, size=round(size, 1))
    assert titles_of(typeset([*PROSE_LINES, line, *PROSE_LINES])) == []


@given(
    st.text(st.sampled_from("abcdefgh xyz"), min_size=3, max_size=40).filter(lambda text: text.strip()),
    st.integers(1, 90),
)
def test_residue_of_contents_is_never_a_heading(text: str, page: int) -> None:
    line = Set(f"The {text.strip()} {page}", size=14, bold=True, gap=1.5, cells=2)
    assert titles_of(typeset([*PROSE_LINES, line, *PROSE_LINES], *[[PROSE]] * 40)) == []


@given(st.integers(1, 12))
def test_a_banner_at_the_top_of_three_pages_is_not_a_heading(bearing: int) -> None:
    # on fewer than half of the pages, so that the 50 % rule leaves it
    banner = Set("NORTHERN BANK", size=16, bold=True, gap=0)
    pages = [[banner, *PROSE_LINES] if page < bearing else list(PROSE_LINES) for page in range(30)]
    assert titles_of(typeset(*pages)) == (["NORTHERN BANK"] * bearing if bearing < 3 else [])


@pytest.mark.parametrize(
    "line",
    [
        heading("small letters begin it"),
        heading("(in millions, except per share data)"),
        heading("• A bullet"),
        heading("2023 2022 2021"),
        heading("A very long line that " + "goes on and " * 14 + "on"),
        Set("An ordinary line without a full stop"),
        Set("Small Print In Bold", size=7, bold=True, gap=2),
    ],
)
def test_other_lines_are_no_headings(line: Set) -> None:
    assert titles_of(typeset([*PROSE_LINES, line, *PROSE_LINES])) == []


def test_a_bold_paragraph_is_no_heading_and_a_heading_may_have_two_lines() -> None:
    bold = [Set(f"Bold words of a warning line {letter}", bold=True) for letter in "ABCDE"]
    two = [heading("Consolidated statements"), Set("of comprehensive income", size=14, bold=True)]
    assert titles_of(typeset([*PROSE_LINES, *bold, *PROSE_LINES, *two, *PROSE_LINES])) == [
        "Consolidated statements of comprehensive income"
    ]


def test_a_page_that_is_set_larger_than_the_others_is_not_made_of_headings() -> None:
    large = [Set(f"Words of an exhibit in large type, line {letter}", size=14, gap=2) for letter in "ABCDEFGHIJ"]
    exhibit = [heading("Exhibit 21", size=18), *large]
    titles = ["Terms", "Fees", "Duties", "Notice", "Law"]
    pages = [[heading(title, size=14), *PROSE_LINES, *PROSE_LINES] for title in titles]
    assert titles_of(typeset(*pages, exhibit)) == [*titles, "Exhibit 21"]
    slide = [heading("Our plan", size=30), *(Set(f"A point {letter}", size=24, gap=2) for letter in "ABC")]
    assert titles_of(typeset(*pages, slide))[5:] == ["Our plan", "A point A", "A point B", "A point C"]


def test_captions_inside_a_statement_are_no_headings() -> None:
    statement = [
        row("December 31,", "2023", "2022"), Set("ASSETS", bold=True), row("Cash", "12,300", "11,100"),
        Set("Current liabilities", bold=True), row("Payables", "9,100", "8,700"), row("Debt", "4,300", "4,100"),
    ]  # fmt: skip
    document = typeset([*PROSE_LINES, heading("Balance sheet"), *statement, *PROSE_LINES])
    assert titles_of(document) == ["Balance sheet"]


def test_the_outline_leads_and_similar_lines_join_it() -> None:
    outline = (OutlineItem("Scope", 1, 1), OutlineItem("2 Fees", 1, 2), OutlineItem("Not on any page", 1, 2))
    document = typeset(
        [heading("1. Scope"), *PROSE_LINES, Set("A bold remark", bold=True, gap=2), *PROSE_LINES],
        [heading("2. Fees"), *PROSE_LINES, heading("References"), *PROSE_LINES],
        outline=outline,
    )
    assert [(heading.title, heading.level) for heading in headings_of(document)] == [
        ("Scope", 1), ("2 Fees", 1), ("References", 1),
    ]  # fmt: skip


def test_the_outline_may_lack_the_number_of_a_heading_of_two_lines() -> None:
    wrapped = [heading("3.1.10 How do I know which"), heading("distribution is running?")._replace(gap=0.2, left=0.17)]
    document = typeset(
        [*PROSE_LINES, *wrapped, *PROSE_LINES],
        outline=(OutlineItem("How do I know which distribution is running?", 1, 1),),
    )
    [found] = headings_of(document)
    assert (found.title, found.last - found.first) == ("How do I know which distribution is running?", 2)


@pytest.mark.parametrize("second", ["of the main server", "of the main server?"])
def test_a_numbered_heading_goes_on_below_its_first_word(second: str) -> None:
    def titles(first: str, *, left: float) -> list[str]:
        wrapped = [heading(first), heading(second)._replace(gap=0.2, left=left)]
        return titles_of(typeset([*PROSE_LINES, *wrapped, *PROSE_LINES]))

    assert titles("3.1 The address", left=0.15) == [f"3.1 The address {second}"]
    assert titles("3.1 The address", left=0.4) == ["3.1 The address"]
    assert titles("The address", left=0.15) == ["The address"]


def test_a_sparse_outline_is_filled_in_below() -> None:
    pages = [[heading(f"Section {letter}", size=12), *PROSE_LINES] for letter in "ABCDEF"]
    pages[0].insert(0, heading("The book", size=20))
    document = typeset(*pages, outline=(OutlineItem("The book", 1, 1),))
    headings = headings_of(document)
    assert headings[0].title == "The book"
    assert [title.title for title in headings[1:]] == [f"Section {letter}" for letter in "ABCDEF"]
    assert all(title.level > 1 for title in headings[1:])


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("Art. 12-bis", "Art. 12-bis"),
        ("Articolo 5", "Articolo 5"),
        ("Articolo 5 - Oggetto del contratto", "Articolo 5 - Oggetto del contratto"),
        ("Art. 3 (Durata)", "Art. 3 (Durata)"),
        ("ARTICLE IV Payment", "ARTICLE IV Payment"),
        ("Section 7. Governing law", "Section 7. Governing law"),
        ("Allegato 2", "Allegato 2"),
        ("Art. 5. Il fornitore si impegna a consegnare la merce entro i termini pattuiti, salvo patto.", "Art. 5"),
    ],
)
def test_numbered_articles_begin_sections_in_plain_text(line: str, title: str) -> None:
    text = f"Premessa del contratto, in una frase.\n\n{line}\n\nLe parti convengono quanto segue, in breve."
    assert title in titles_of(plain(text))


@pytest.mark.parametrize(
    "line",
    ["art. 5 del decreto, come modificato", "Art. 5 del decreto n. 12 e successive modifiche", "Articles of faith"],
)
def test_a_reference_to_an_article_is_no_heading(line: str) -> None:
    text = f"Ai sensi di quanto disposto\n{line}\nle parti convengono quanto segue, in breve."
    assert titles_of(plain(text)) == []


def test_markdown_headings_are_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "handbook.md"
    path.write_text(
        "# Handbook: the *rules*.\n\ntext\n\nTravel\n------\n\n```\n# no heading\n```\n\n### deep one.\n\ntext\n"
    )
    headings = headings_of(extract_document(path, "text/markdown", limits=ExtractionLimits()))
    assert [(one.title, one.level) for one in headings] == [
        ("Handbook: the rules.", 1),
        ("Travel", 2),
        ("deep one.", 3),
    ]
