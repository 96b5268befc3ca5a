"""Chunk sizes by type and length, in characters."""

from pathlib import Path

import pytest

from lectern.chunking.chunker import chunk_document
from lectern.chunking.sizes import ChunkSizes, options_by_type, sizes_of
from lectern.extraction.registry import extract_document
from lectern.extraction.types import ExtractionLimits

DOCUMENTS = Path(__file__).parents[3] / "test-docs" / "documents"
_OFFICE = "application/vnd.openxmlformats-officedocument."


@pytest.mark.parametrize(
    ("content_type", "characters", "sizes"),
    [
        ("application/pdf", 50_000, (1_500, 300)),
        (f"{_OFFICE}wordprocessingml.document", 50_000, (1_500, 300)),
        ("text/html", 50_000, (1_500, 300)),
        (f"{_OFFICE}presentationml.presentation", 50_000, (800, 150)),
        (f"{_OFFICE}spreadsheetml.sheet", 50_000, (1_200, 200)),
        ("text/csv", 50_000, (1_200, 200)),
        ("text/plain", 50_000, (1_200, 250)),
        ("application/pdf", 100_000, (1_500, 300)),
        ("application/pdf", 100_001, (2_250, 390)),
        ("application/pdf", 5_000, (1_500, 300)),
        ("application/pdf", 4_999, (750, 150)),
        (f"{_OFFICE}presentationml.presentation", 4_999, (400, 75)),
        ("text/plain", 1, (600, 125)),
    ],
)
def test_a_size_follows_from_type_and_length(content_type: str, characters: int, sizes: tuple[int, int]) -> None:
    assert sizes_of(content_type, characters=characters) == ChunkSizes(*sizes)


def test_chunks_of_a_real_file_have_about_those_sizes() -> None:
    document = extract_document(DOCUMENTS / "aml-kyc-policy.pdf", "application/pdf", limits=ExtractionLimits())
    wanted = sizes_of("application/pdf", characters=sum(len(page.text) for page in document.pages))
    chunks = chunk_document(document, options=options_by_type(document, languages=("en", "it"))).chunks
    texts = [len(chunk.text) for chunk in chunks if chunk.content_type == "text"]
    assert wanted.chunk_characters == 1_500
    assert 0.6 * wanted.chunk_characters < max(texts) < 1.3 * wanted.chunk_characters
