"""Options and results of chunking: chunks with their position in the document, and the page ledger."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from lectern.extraction.types import PageKind

PATTERNS: Final = Path(__file__).with_name("patterns.toml")
"""Words of languages; see `extraction.patterns`."""


class ChunkContent(StrEnum):
    """The kind of most of a chunk."""

    TEXT = "text"
    TABLE = "table"
    LIST = "list"
    HEADING = "heading"


@dataclass(frozen=True, slots=True)
class ChunkingOptions:
    """Sizes in tokens of `cl100k_base`, and languages (ISO 639-1).

    A chunk aims at `target_tokens`, repeats up to `overlap_tokens` of the chunk before it in its section, and joins a
    neighbour below `floor_tokens`. It never exceeds `hard_cap_tokens` (default: twice the target). `languages` are the
    ones to detect. `language`, if the uploader gave one, replaces detection. A chunk is a table if tables make up more
    than `table_share` of its characters.
    """

    target_tokens: int = 800
    overlap_tokens: int = 100
    floor_tokens: int = 50
    hard_cap_tokens: int | None = None
    languages: tuple[str, ...] = ("en", "it", "de", "fr", "es", "pt", "nl")
    language: str | None = None
    table_share: float = 0.5

    def __post_init__(self) -> None:
        if self.target_tokens < 1 or not self.languages:
            raise ValueError("Chunks need a target of at least one token and one language.")
        if self.overlap_tokens * 2 > self.target_tokens or self.floor_tokens > self.target_tokens:
            raise ValueError("The overlap may be half of the target at most, and the floor no more than the target.")
        if self.cap_tokens < self.target_tokens:
            raise ValueError("The hard cap must not be below the target.")

    @property
    def cap_tokens(self) -> int:
        """Return the maximum tokens of a chunk."""
        return 2 * self.target_tokens if self.hard_cap_tokens is None else self.hard_cap_tokens


@dataclass(frozen=True, slots=True)
class TextChunk:
    """A chunk of a document.

    `char_start` and `char_end` are offsets in the document text (page texts joined by one line feed). `text` is the
    text between them without boilerplate and tables of contents. Later parts of a split table begin with the header of
    the table; `repeated_header_characters` is its length. `section_path` are the headings above `section_heading`,
    outermost first.
    """

    chunk_index: int
    text: str
    section_heading: str | None
    section_path: tuple[str, ...]
    page_number: int
    last_page_number: int
    char_start: int
    char_end: int
    token_count: int
    content_type: ChunkContent
    importance: float
    language: str
    content_hash: bytes
    repeated_header_characters: int = 0


@dataclass(frozen=True, slots=True)
class ChunkedPage:
    """A line of the page ledger. `char_start` and `char_end` bound the page in the document text."""

    page_number: int
    kind: PageKind
    char_start: int
    char_end: int
    chunk_count: int
    language: str | None


@dataclass(frozen=True, slots=True)
class ChunkedDocument:
    """The chunks and the page ledger of a document."""

    title: str | None
    language: str | None
    pages: tuple[ChunkedPage, ...]
    chunks: tuple[TextChunk, ...]
