"""Tables are whole up to the hard cap; the parts of a larger one repeat its header."""

from lectern.chunking.chunker import chunk_document
from lectern.chunking.types import ChunkContent, ChunkingOptions
from lectern.extraction.formats.text import page_lines
from lectern.extraction.types import ExtractedDocument, ExtractedPage, LineKind, PageKind

from .papers import Set, heading, row, typeset

OPTIONS = ChunkingOptions(target_tokens=120, overlap_tokens=20, floor_tokens=15, hard_cap_tokens=400)
PROSE = [Set(f"Prose line {letter} of the section goes on and on, and then it stops.") for letter in "abcdefgh"]
HEADER = [Set("(in millions)", left=0.5), row("Year ended December 31,", "2023", "2022")]


def statement(count: int) -> list[Set]:
    names = ["Net sales", "Cost of sales", "Marketing", "Interest", "Taxes"]
    return [
        row(f"{names[number % 5]} {chr(97 + number % 26)}", f"{number},204", f"({number},101)")
        for number in range(count)
    ]


def test_a_table_that_fits_the_cap_is_one_chunk_with_its_header() -> None:
    document = typeset([heading("Statement"), *PROSE, *HEADER, *statement(22), *PROSE])
    chunks = chunk_document(document, options=OPTIONS).chunks
    (table,) = (chunk for chunk in chunks if chunk.content_type is ChunkContent.TABLE)
    assert OPTIONS.target_tokens < table.token_count <= OPTIONS.cap_tokens
    assert table.text.startswith("(in millions)\nYear ended December 31, 2023 2022\nNet sales a 0,204")
    assert "21,204" in table.text
    assert table.repeated_header_characters == 0


def test_the_parts_of_a_large_table_repeat_its_header() -> None:
    document = typeset([heading("Statement"), *PROSE, *HEADER, *statement(90)])
    tables = [
        chunk for chunk in chunk_document(document, options=OPTIONS).chunks if chunk.content_type is ChunkContent.TABLE
    ]
    assert len(tables) > 2
    header = "(in millions)\nYear ended December 31, 2023 2022\n"
    for chunk in tables:
        assert chunk.token_count <= OPTIONS.target_tokens + OPTIONS.floor_tokens
        assert header in chunk.text
    for chunk in tables[1:]:
        assert chunk.text.startswith(header)
        assert chunk.repeated_header_characters == len(header)
    rows = [line for chunk in tables for line in chunk.text.split("\n") if "204" in line]
    assert rows == [f"{line.text}" for line in statement(90)]


def test_captions_stay_inside_their_table() -> None:
    lines = [
        *HEADER, *statement(4), Set("Current liabilities:", bold=True), *statement(4), Set("Long-term"), *statement(3),
    ]  # fmt: skip
    document = typeset([heading("Balance sheet"), *PROSE, *lines])
    (table,) = (
        chunk for chunk in chunk_document(document, options=OPTIONS).chunks if chunk.content_type is ChunkContent.TABLE
    )
    assert [line.text for line in lines] == table.text.split("\n")
    assert table.section_heading == "Balance sheet"


def test_a_table_of_words_in_columns_is_a_table() -> None:
    rows = [row(f"SKU-{number:04}", "Bullone zincato", "scatola") for number in range(30)]
    cut = chunk_document(typeset([heading("Catalogue"), *rows]), options=OPTIONS)
    assert {chunk.content_type for chunk in cut.chunks} == {ChunkContent.TABLE}


def test_a_markdown_table_repeats_its_two_header_lines() -> None:
    rows = [f"| SKU-{number:04} | Bullone numero {number} | {number} € |" for number in range(60)]
    text = "\n".join(["| Codice | Nome | Prezzo |", "|---|---|---|", *rows])
    lines = tuple(line._replace(kind=LineKind.TABLE) for line in page_lines(text))
    document = ExtractedDocument("text/markdown", (ExtractedPage(1, PageKind.TEXT, text, lines=lines),))
    chunks = chunk_document(document, options=OPTIONS).chunks
    assert len(chunks) > 2
    assert all(chunk.text.startswith("| Codice | Nome | Prezzo |\n|---|---|---|\n| SKU-") for chunk in chunks)
    assert [line for chunk in chunks for line in chunk.text.split("\n") if "SKU" in line] == rows
