"""Chunks cover all text, respect their size, have positions, and are deterministic."""

from itertools import pairwise
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from lectern.chunking.boilerplate import find_boilerplate, find_retained_lines
from lectern.chunking.chunker import chunk_document
from lectern.chunking.lines import build_document_text
from lectern.chunking.tokens import count_tokens
from lectern.chunking.types import ChunkedDocument, ChunkingOptions, TextChunk
from lectern.extraction.types import ExtractedDocument, PageKind

from .papers import Set, heading, plain, row, typeset

WORDS = [
    "rate",
    "card",
    "fee",
    "annual",
    "report",
    "risk",
    "credit",
    "north",
    "branch",
    "loan",
    "deposit",
    "saldo",
    "perché",
    "già",
    "12%",
    "€40",
    "1,204",
    "—",
    "“note”",
]
OPTIONS = ChunkingOptions(target_tokens=80, overlap_tokens=20, floor_tokens=15, hard_cap_tokens=160)


class Author:
    """Writes sentences from a seed: one draw for a document keeps hypothesis fast."""

    def __init__(self, seed: int) -> None:
        self.dice = Random(seed)

    def sentence(self, most: int = 30) -> str:
        return " ".join(self.dice.choices(WORDS, k=self.dice.randint(1, most))).capitalize() + "."

    def paragraph(self) -> str:
        if self.dice.random() < 0.2:
            return "x" * self.dice.randint(1, 900)
        return " ".join(self.sentence() for _ in range(self.dice.randint(1, 6)))

    def block(self, kind: str, number: int) -> list[Set]:
        count = self.dice.randint(1, 8)
        if kind == "heading":
            return [heading(f"Heading of part {'abcdefghij'[number % 10]}", size=self.dice.choice([12, 16]))]
        if kind == "table":
            rows = [row(f"Line item {'xyz'[one % 3]}{one}", f"{one},204", f"{one},101") for one in range(3 * count)]
            return [row("Year ended", "2023", "2022"), *rows]
        if kind == "list":
            return [Set(f"• {self.sentence(8)}") for _ in range(count)]
        return [Set(self.sentence(), gap=1.0 if one == 0 else 0.2) for one in range(count)]


AUTHORS = st.integers(0, 2**32).map(Author)
BLOCKS = st.lists(st.sampled_from(["text", "text", "heading", "table", "list"]), max_size=9)


@st.composite
def typeset_documents(draw: st.DrawFn) -> ExtractedDocument:
    author = draw(AUTHORS)
    pages: list[list[Set]] = []
    for page, blocks in enumerate(draw(st.lists(BLOCKS, min_size=1, max_size=6)), start=1):
        lines = [Set("Northern Bank · confidential")] if author.dice.random() < 0.5 else []
        for number, kind in enumerate(blocks):
            lines += author.block(kind, page * 7 + number)
        pages.append([*lines, Set(f"Page {page}")])
    return typeset(*pages)


@st.composite
def plain_documents(draw: st.DrawFn) -> ExtractedDocument:
    author = draw(AUTHORS)
    counts = draw(st.lists(st.integers(0, 5), min_size=1, max_size=4))
    return plain(
        *(author.dice.choice(["\n\n", "\n"]).join(author.paragraph() for _ in range(count)) for count in counts)
    )


DOCUMENTS = st.one_of(typeset_documents(), plain_documents())


def required_characters(document: ExtractedDocument, cut: ChunkedDocument) -> list[bool]:
    """Return for each character of the document whether a chunk must have it."""
    stream = build_document_text(document)
    contents = {page.page_number for page in cut.pages if page.kind is PageKind.TOC}
    boilerplate = find_boilerplate(stream.lines)
    dropped = boilerplate - find_retained_lines(stream.lines, boilerplate)
    required = [not character.isspace() for character in stream.text]
    for position, line in enumerate(stream.lines):
        if position in dropped or line.page_number in contents:
            required[line.start : line.end] = [False] * (line.end - line.start)
    return required


def own_text(chunk: TextChunk) -> str:
    return chunk.text[chunk.repeated_header_characters :]


@settings(max_examples=100, deadline=None)
@given(DOCUMENTS)
def test_chunks_cover_everything_within_their_limits(document: ExtractedDocument) -> None:
    cut = chunk_document(document, options=OPTIONS)
    stream = build_document_text(document)
    required = required_characters(document, cut)
    covered = [False] * len(stream.text)
    for number, chunk in enumerate(cut.chunks):
        assert chunk.chunk_index == number
        assert 0 < chunk.token_count == count_tokens(chunk.text) <= OPTIONS.cap_tokens
        assert chunk.page_number == stream.page_number_at(chunk.char_start)
        assert chunk.last_page_number == stream.page_number_at(chunk.char_end - 1)
        expected = [stream.text[place] for place in range(chunk.char_start, chunk.char_end) if required[place]]
        assert "".join(own_text(chunk).split()) == "".join(expected)
        covered[chunk.char_start : chunk.char_end] = [True] * (chunk.char_end - chunk.char_start)
    missed = [place for place, is_required in enumerate(required) if is_required and not covered[place]]
    assert missed == []


@settings(max_examples=60, deadline=None)
@given(DOCUMENTS)
def test_neighbours_overlap_by_no_more_than_is_set_and_only_within_a_section(document: ExtractedDocument) -> None:
    cut = chunk_document(document, options=OPTIONS)
    text, required, chunks = build_document_text(document).text, required_characters(document, cut), cut.chunks
    for before, after in pairwise(chunks):
        assert before.char_start < after.char_start
        assert before.char_end <= after.char_end
        if after.char_start < before.char_end:
            assert (before.section_heading, before.section_path) == (after.section_heading, after.section_path)
            places = range(after.char_start, before.char_end)
            shared = "".join(text[place] for place in places if required[place] or text[place].isspace())
            assert count_tokens(" ".join(shared.split())) <= OPTIONS.overlap_tokens


@settings(max_examples=25, deadline=None)
@given(DOCUMENTS)
def test_the_same_document_gives_the_same_chunks(document: ExtractedDocument) -> None:
    assert chunk_document(document, options=OPTIONS) == chunk_document(document, options=OPTIONS)


@settings(max_examples=25, deadline=None)
@given(DOCUMENTS)
def test_the_ledger_has_every_page_with_its_place_and_chunks(document: ExtractedDocument) -> None:
    cut = chunk_document(document, options=OPTIONS)
    text = build_document_text(document).text
    assert [page.page_number for page in cut.pages] == [page.page_number for page in document.pages]
    for page, extracted in zip(cut.pages, document.pages, strict=True):
        assert text[page.char_start : page.char_end] == extracted.text
        on_page = [chunk for chunk in cut.chunks if chunk.page_number <= page.page_number <= chunk.last_page_number]
        assert page.chunk_count == (len(on_page) if extracted.text else 0)


def test_overlap_repeats_the_end_of_the_chunk_before() -> None:
    text = " ".join(f"Sentence number {number} of this long paragraph ends here." for number in range(60))
    chunks = chunk_document(plain(text), options=OPTIONS).chunks
    assert len(chunks) > 3
    for before, after in pairwise(chunks):
        shared = text[after.char_start : before.char_end]
        assert 5 <= count_tokens(shared) <= OPTIONS.overlap_tokens
        assert before.text.endswith(shared.strip())
        assert after.text.startswith(shared.strip())
        assert before.text.rstrip().endswith(".")


def test_no_overlap_is_no_overlap() -> None:
    text = " ".join(f"Sentence number {number} of this long paragraph ends here." for number in range(60))
    options = ChunkingOptions(target_tokens=80, overlap_tokens=0, floor_tokens=15)
    chunks = chunk_document(plain(text), options=options).chunks
    assert all(before.char_end <= after.char_start for before, after in pairwise(chunks))


def test_sections_are_cut_first_and_name_their_path() -> None:
    prose = [Set("The ordinary text of this section goes on for a line and then stops.")] * 4
    document = typeset(
        [
            heading("Travel policy", size=20),
            *prose,
            heading("Trains", size=13),
            *prose,
            heading("Flights", size=13),
            *prose,
        ]
    )
    chunks = chunk_document(document, options=OPTIONS).chunks
    assert [(chunk.section_heading, chunk.section_path) for chunk in chunks] == [
        ("Travel policy", ()),
        ("Trains", ("Travel policy",)),
        ("Flights", ("Travel policy",)),
    ]
    assert chunks[1].text.startswith("Trains\n")


def test_a_heading_without_text_stays_with_what_it_announces() -> None:
    prose = [Set("The ordinary text of this section goes on for a line and then stops.")] * 4
    document = typeset([heading("Part one", size=20), heading("Trains", size=13), *prose])
    (chunk,) = chunk_document(document, options=OPTIONS).chunks
    assert chunk.text.startswith("Part one\nTrains\n")
    assert (chunk.section_heading, chunk.section_path) == ("Trains", ("Part one",))


def test_a_catalogue_of_small_entries_has_no_one_line_chunks_and_loses_no_entry() -> None:
    entries = [
        [
            heading(f"Vite M{number}", size=12),
            Set(f"Codice SKU-{number:04} · acciaio zincato"),
            Set(f"Prezzo € 0,{number:02}"),
        ]
        for number in range(10, 90)
    ]
    pages = [sum(entries[start : start + 10], list[Set]()) for start in range(0, 80, 10)]
    document = typeset(*pages)
    options = ChunkingOptions()
    chunks = chunk_document(document, options=options).chunks
    assert all(chunk.token_count >= options.floor_tokens for chunk in chunks)
    for number in range(10, 90):
        (holder,) = (chunk for chunk in chunks if f"SKU-{number:04}" in chunk.text)
        assert f"Vite M{number}" in (holder.section_heading or "")
        assert f"Prezzo € 0,{number:02}" in holder.text


def test_boilerplate_inside_a_chunk_is_left_out_of_its_text() -> None:
    pages = [
        [Set("Northern Bank"), *(Set(f"{name} says line {letter}") for letter in "acd")]
        for name in ("Anna", "Bruno", "Carla", "Dario")
    ]
    (chunk,) = chunk_document(typeset(*pages), options=OPTIONS).chunks
    assert chunk.text.count("Northern Bank") == 1
    assert (chunk.page_number, chunk.last_page_number) == (1, 4)
    assert "Anna says line d\nBruno says line a" in chunk.text


def test_a_short_document_is_one_chunk_even_below_the_floor() -> None:
    (chunk,) = chunk_document(plain("Fees: 12 euro."), options=ChunkingOptions()).chunks
    assert (chunk.text, chunk.char_start, chunk.char_end) == ("Fees: 12 euro.", 0, 14)


def test_a_document_without_text_has_no_chunks() -> None:
    cut = chunk_document(plain("", "  "), options=OPTIONS)
    assert cut.chunks == ()
    assert [page.chunk_count for page in cut.pages] == [0, 0]


def test_one_endless_word_is_cut_without_loss() -> None:
    text = "ab" * 5000
    chunks = chunk_document(plain(text), options=OPTIONS).chunks
    assert all(chunk.token_count <= OPTIONS.cap_tokens for chunk in chunks)
    end = 0
    for chunk in chunks:
        assert chunk.char_start <= end < chunk.char_end
        assert chunk.text == text[chunk.char_start : chunk.char_end]
        end = chunk.char_end
    assert end == len(text)
