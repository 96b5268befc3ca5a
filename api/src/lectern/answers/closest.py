"""The closest passages, for a question without a certain answer."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Final

from lectern.answers.citations import CitedSpan, cite
from lectern.answers.retrieval import to_source
from lectern.answers.schemas import ClosestSource
from lectern.db.session import Session
from lectern.embeddings.errors import EmbeddingsRejected, EmbeddingsUnavailable
from lectern.embeddings.provider import EmbeddingProvider
from lectern.search.errors import SemanticSearchUnavailable
from lectern.search.presentation.nearest_sentences import find_nearest_sentences
from lectern.search.presentation.sentences import Span
from lectern.search.presentation.snippets import make_snippet
from lectern.search.schemas import Hit, MatchRange

_MAX_PASSAGES: Final = 3


async def mark_sentences(
    question: str, hits: Sequence[Hit], *, scored: Mapping[uuid.UUID, Span], provider: EmbeddingProvider
) -> dict[uuid.UUID, Span]:
    """Return the best sentence of each of the first hits, by chunk: the scored one, else the nearest in meaning.

    Without embeddings it is the sentence that the search marked, if any.
    """
    first = hits[:_MAX_PASSAGES]
    spans = {hit.chunk_id: span for hit in first if (span := scored.get(hit.chunk_id) or _marked_sentence(hit))}
    rest = [hit for hit in first if hit.chunk_id not in scored]
    try:
        nearest = await find_nearest_sentences(rest, await provider.embed_query(question), provider) if rest else {}
    except (EmbeddingsRejected, EmbeddingsUnavailable, SemanticSearchUnavailable):
        return spans
    return spans | nearest


async def list_closest_passages(
    session: Session, hits: Sequence[Hit], *, sentences: Mapping[uuid.UUID, Span]
) -> list[ClosestSource]:
    """Return the first hits with their best sentences, given by chunk."""
    passages: list[ClosestSource] = []
    for hit in hits[:_MAX_PASSAGES]:
        span = sentences.get(hit.chunk_id)
        passages.append(await _with_sentence(session, hit, span) if span else _without_sentence(hit))
    return passages


def _marked_sentence(hit: Hit) -> Span | None:
    """Return the sentence that the search marked in the snippet, as a range of the chunk."""
    if hit.sentence is None or (start := hit.text.find(hit.snippet.text)) < 0:
        return None
    return Span(start + hit.sentence.start, start + hit.sentence.end)


def _without_sentence(hit: Hit) -> ClosestSource:
    return ClosestSource.model_validate(to_source(hit).model_dump())


async def _with_sentence(session: Session, hit: Hit, span: Span) -> ClosestSource:
    snippet = make_snippet(hit.text, {}, weights={}, content_type=hit.content_type, around=span)
    end = min(span.end, snippet.end)
    (citation,) = await cite(session, [CitedSpan(hit, Span(span.start, end))])
    values = to_source(hit).model_dump() | {
        "snippet": hit.text[snippet.start : snippet.end],
        "sentence": MatchRange(start=span.start - snippet.start, end=end - snippet.start),
        "page_number": citation.page_number,
        "last_page_number": citation.last_page_number,
        "char_start": citation.char_start,
        "char_end": citation.char_end,
    }
    return ClosestSource.model_validate(values)
