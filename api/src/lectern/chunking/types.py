"""What cutting a document yields: chunks with their place in the text stream, and the page ledger."""

from dataclasses import dataclass
from enum import StrEnum

from lectern.extraction.types import PageKind


class ChunkContent(StrEnum):
    """What most of a chunk is."""

    TEXT = "text"
    TABLE = "table"
    LIST = "list"
    HEADING = "heading"


@dataclass(frozen=True, slots=True)
class ChunkingOptions:
    """How to cut; tokens are those of `cl100k_base`.

    A chunk aims at `target_tokens`, repeats up to `overlap_tokens` of the chunk before it in the same section, joins a
    neighbour below `floor_tokens`, and never exceeds `hard_cap_tokens` (empty: twice the target). `languages` are the
    ISO 639-1 codes told apart; `language`, where the uploader gave one, overrules detection.
    """

    target_tokens: int = 800
    overlap_tokens: int = 100
    floor_tokens: int = 50
    hard_cap_tokens: int | None = None
    languages: tuple[str, ...] = ("en", "it", "de", "fr", "es", "pt", "nl")
    language: str | None = None

    def __post_init__(self) -> None:
        if self.target_tokens < 1 or not self.languages:
            raise ValueError("Chunks need a target of at least one token and one language.")
        if self.overlap_tokens * 2 > self.target_tokens or self.floor_tokens > self.target_tokens:
            raise ValueError("The overlap may be half of the target at most, and the floor no more than the target.")
        if self.cap_tokens < self.target_tokens:
            raise ValueError("The hard cap must not be below the target.")

    @property
    def cap_tokens(self) -> int:
        """The most tokens a chunk may have."""
        return 2 * self.target_tokens if self.hard_cap_tokens is None else self.hard_cap_tokens


@dataclass(frozen=True, slots=True)
class TextChunk:
    """A passage.

    `char_start` and `char_end` are offsets in the text stream (page texts joined by one line feed). `text` is the
    stream between them without the boilerplate lines and pages of contents that lie in between; the later parts of a
    split table have the table's header in front, which lies elsewhere in the stream: `repeated_header_characters` is
    the length of that prefix. `section_path` are the headings above `section_heading`, outermost first.
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
    """A line of the page ledger; `char_start` and `char_end` bound the page's text in the stream."""

    page_number: int
    kind: PageKind
    char_start: int
    char_end: int
    chunk_count: int
    language: str | None


@dataclass(frozen=True, slots=True)
class ChunkedDocument:
    """A document as cut."""

    title: str | None
    language: str
    pages: tuple[ChunkedPage, ...]
    chunks: tuple[TextChunk, ...]
