"""Chunk sizes in characters by file type, as an option beside the token default.

Chunk and overlap are 1,500/300 for PDF, DOCX and HTML, 800/150 for PPTX, 1,200/200 for XLSX and CSV, 1,200/250 for the
rest; times 1.5/1.3 above 100,000 characters; half below 5,000, but not under 400/50.
"""

from typing import Final, NamedTuple

from lectern.chunking.tokens import count_tokens
from lectern.chunking.types import ChunkingOptions
from lectern.extraction.types import ExtractedDocument

LONG_CHARACTERS: Final = 100_000
SHORT_CHARACTERS: Final = 5_000
_LONG_FACTORS: Final = (1.5, 1.3)
_FLOOR_SHARE: Final = 16
_SAMPLE_CHARACTERS: Final = 20_000
_OFFICE: Final = "application/vnd.openxmlformats-officedocument."


class ChunkSizes(NamedTuple):
    """Characters of a chunk, and of its overlap with the chunk before."""

    chunk_characters: int
    overlap_characters: int


DEFAULT: Final = ChunkSizes(1_200, 250)
SMALLEST: Final = ChunkSizes(400, 50)
BY_TYPE: Final = {
    "application/pdf": ChunkSizes(1_500, 300),
    f"{_OFFICE}wordprocessingml.document": ChunkSizes(1_500, 300),
    "text/html": ChunkSizes(1_500, 300),
    f"{_OFFICE}presentationml.presentation": ChunkSizes(800, 150),
    f"{_OFFICE}spreadsheetml.sheet": ChunkSizes(1_200, 200),
    "application/vnd.oasis.opendocument.presentation": ChunkSizes(800, 150),
    "application/vnd.oasis.opendocument.spreadsheet": ChunkSizes(1_200, 200),
    "text/csv": ChunkSizes(1_200, 200),
}


def sizes_of(content_type: str, *, characters: int) -> ChunkSizes:
    """Return the sizes for a file of this type and length."""
    sizes = BY_TYPE.get(content_type, DEFAULT)
    if characters > LONG_CHARACTERS:
        return ChunkSizes(
            round(sizes.chunk_characters * _LONG_FACTORS[0]), round(sizes.overlap_characters * _LONG_FACTORS[1])
        )
    if characters < SHORT_CHARACTERS:
        return ChunkSizes(
            max(SMALLEST.chunk_characters, sizes.chunk_characters // 2),
            max(SMALLEST.overlap_characters, sizes.overlap_characters // 2),
        )
    return sizes


def options_by_type(document: ExtractedDocument, *, languages: tuple[str, ...]) -> ChunkingOptions:
    """Convert the sizes to tokens, by the characters per token of this document. Any table makes a chunk a table."""
    characters = sum(len(page.text) for page in document.pages)
    sizes = sizes_of(document.content_type, characters=characters)
    sample = "\n".join(page.text for page in document.pages)[:_SAMPLE_CHARACTERS]
    per_token = max(1.0, len(sample) / max(1, count_tokens(sample)))
    target = max(1, round(sizes.chunk_characters / per_token))
    return ChunkingOptions(
        target_tokens=target,
        overlap_tokens=min(round(sizes.overlap_characters / per_token), target // 2),
        floor_tokens=target // _FLOOR_SHARE,
        languages=languages,
        table_share=0.0,
    )
