"""The sentence of a hit that is nearest to the question in meaning, where no word tells."""

import uuid
from collections.abc import Sequence
from typing import Final

from lectern.embeddings.errors import EmbeddingsRejected, EmbeddingsUnavailable
from lectern.embeddings.provider import EmbeddingProvider, Vectors
from lectern.search.candidates.repository import ChunkMatch
from lectern.search.errors import SemanticSearchUnavailable
from lectern.search.presentation.sentences import Span, split_sentences
from lectern.search.schemas import Hit

# Sentences that are compared, those of the first hits: each takes the local model about 15 ms.
MOST_COMPARED: Final = 60
_SHORTEST: Final = 30  # characters of a sentence; a heading is near to everything below it and says nothing
_SHORTEST_ROW: Final = 12


async def nearest_sentences(
    rows: Sequence[ChunkMatch], asked: Vectors, provider: EmbeddingProvider
) -> dict[uuid.UUID, Span]:
    """By passage, for the first of them whose sentences are MOST_COMPARED at most (always for the very first).

    `asked`: the question's vector, (d,).

    Raises:
        SemanticSearchUnavailable: The model cannot be reached.
    """
    spans = _spans(rows)
    try:
        vectors = await provider.embed_documents([embedding_text(row, span) for row, span in spans])
    except (EmbeddingsUnavailable, EmbeddingsRejected) as error:
        raise SemanticSearchUnavailable(f"The sentences could not be compared: {error.message}") from error
    best: dict[uuid.UUID, tuple[float, Span]] = {}
    for (row, span), similarity in zip(spans, vectors @ asked, strict=True):
        if row.chunk_id not in best or similarity > best[row.chunk_id][0]:
            best[row.chunk_id] = (float(similarity), span)
    return {chunk_id: span for chunk_id, (_, span) in best.items()}


def embedding_text(passage: ChunkMatch | Hit, span: Span, *, header: Span | None = None) -> str:
    """A sentence as the model reads it: under its heading, as passages are under theirs; a row under its header."""
    above = f"{passage.text[header.start : header.end]}\n" if header else ""
    return f"{passage.section_heading or passage.title or ''}\n{above}{passage.text[span.start : span.end]}".strip()


def _spans(rows: Sequence[ChunkMatch]) -> list[tuple[ChunkMatch, Span]]:
    """Of whole passages, so that none is judged by a part of it; of the very first as many as there may be."""
    found: list[tuple[ChunkMatch, Span]] = []
    for row in rows:
        is_tabular = row.content_type in {"table", "list"}
        every = split_sentences(row.text, content_type=row.content_type, heading=row.section_heading)
        shortest = _SHORTEST_ROW if is_tabular else _SHORTEST
        own = [(row, span) for span in every if span.end - span.start >= shortest]
        if found and len(found) + len(own) > MOST_COMPARED:
            break
        found += own[:MOST_COMPARED]
    return found
