"""Find the sentence of a chunk that is nearest to the query in meaning, for chunks without its words."""

import uuid
from collections.abc import Sequence
from typing import Final

from lectern.embeddings.errors import EmbeddingsRejected, EmbeddingsUnavailable
from lectern.embeddings.provider import EmbeddingProvider, Vectors
from lectern.search.errors import SemanticSearchUnavailable
from lectern.search.presentation.sentences import Span, split_sentences
from lectern.search.ranking.match import ChunkMatch
from lectern.search.schemas import Hit

MAX_COMPARED: Final = 60  # sentences; each takes the local model about 15 ms
_MIN_SENTENCE: Final = 30  # characters; a heading is near to everything below it
_MIN_ROW: Final = 12


async def find_nearest_sentences(
    rows: Sequence[ChunkMatch | Hit], query_vector: Vectors, provider: EmbeddingProvider
) -> dict[uuid.UUID, Span]:
    """Return the nearest sentence of the first chunks, as many as MAX_COMPARED allows, at least of one chunk.

    Args:
        rows: The chunks in rank order.
        query_vector: The query's vector, (d,).
        provider: The model of the vector.

    Raises:
        SemanticSearchUnavailable: The model failed.
    """
    spans = _choose_sentences(rows)
    try:
        vectors = await provider.embed_documents([embedding_text(row, span) for row, span in spans])
    except (EmbeddingsUnavailable, EmbeddingsRejected) as error:
        raise SemanticSearchUnavailable(f"The sentences could not be compared: {error.message}") from error
    best: dict[uuid.UUID, tuple[float, Span]] = {}
    for (row, span), similarity in zip(spans, vectors @ query_vector, strict=True):
        if row.chunk_id not in best or similarity > best[row.chunk_id][0]:
            best[row.chunk_id] = (float(similarity), span)
    return {chunk_id: span for chunk_id, (_, span) in best.items()}


def embedding_text(chunk: ChunkMatch | Hit, span: Span, *, header: Span | None = None) -> str:
    """Return a sentence under its heading, and a table row under its header, as the model embeds chunks."""
    above = f"{chunk.text[header.start : header.end]}\n" if header else ""
    return f"{chunk.section_heading or chunk.title or ''}\n{above}{chunk.text[span.start : span.end]}".strip()


def _choose_sentences(rows: Sequence[ChunkMatch | Hit]) -> list[tuple[ChunkMatch | Hit, Span]]:
    """Return the sentences of whole chunks; of the first chunk, as many as fit."""
    chosen: list[tuple[ChunkMatch | Hit, Span]] = []
    for row in rows:
        shortest = _MIN_ROW if row.content_type in {"table", "list"} else _MIN_SENTENCE
        sentences = split_sentences(row.text, content_type=row.content_type, heading=row.section_heading)
        own = [(row, span) for span in sentences if span.end - span.start >= shortest]
        if chosen and len(chosen) + len(own) > MAX_COMPARED:
            break
        chosen += own[:MAX_COMPARED]
    return chosen
