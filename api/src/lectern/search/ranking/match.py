"""The read model of a chunk: search, presentation, reranking and files outside the library share it."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lectern.documents.chunks import ContentType
from lectern.extraction.types import PageImageStatus
from lectern.search.query.terms import KeywordQuery
from lectern.search.ranking.features import Values
from lectern.search.ranking.ranker import RankedCandidate


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkMatch:
    """A chunk with the data of its document that a hit shows, and its rank.

    `share` is its share of the best score. `copies` are the same chunk in copies of the document.
    """

    chunk_id: uuid.UUID
    document_id: uuid.UUID
    chunk_index: int
    section_heading: str | None
    section_path: list[str]
    page_number: int
    last_page_number: int
    char_start: int
    char_end: int
    token_count: int
    content_type: ContentType
    importance: float
    language: str
    text: str
    document: str
    title: str | None
    page_images: PageImageStatus
    collection: str
    tags: list[str]
    semantic_rank: int | None = None
    keyword_rank: int | None = None
    distance: float | None = None
    keyword_score: float | None = None
    is_unmatched_language: bool = False
    matched_terms: Sequence[str] = ()
    share: float = 0.0
    features: Values | None = None
    copies: "tuple[ChunkMatch, ...]" = ()

    def with_rank(self, ranked: RankedCandidate, keywords: KeywordQuery | None) -> "ChunkMatch":
        """Return the chunk with its rank in a search."""
        candidate = ranked.candidate
        terms = keywords.terms if keywords else ()
        return replace(
            self,
            semantic_rank=candidate.semantic_rank,
            keyword_rank=candidate.keyword_rank,
            distance=candidate.distance,
            keyword_score=candidate.keyword_score,
            is_unmatched_language=keywords is not None and self.language in keywords.unmatched_languages,
            matched_terms=[terms[number - 1].term for number in candidate.matched_terms],
            share=ranked.share,
            features=ranked.features,
        )
