"""Passages: hits of a search within a token budget, as lean text for models and as data for programs."""

import html
from collections.abc import Sequence

from mcp.types import CallToolResult
from pydantic import Field, field_serializer

from lectern_mcp import api_models as api
from lectern_mcp.links import web_link
from lectern_mcp.results import NOTICE, Envelope, Line, Shown, fenced
from lectern_mcp.text import clean, count_tokens, counted, cut, one_line

LOW_CONFIDENCE, SHOWN_AT_LOW_CONFIDENCE, ALWAYS_SHOWN_FROM = 0.3, 2, 11
"""Below this confidence so many passages are shown, unless a caller asks for many."""
ENVELOPE_TOKENS = 200
FLOOR_TOKENS = 60
SCORE_DIGITS = 2
HEADING_WITHIN = 300
"""A section heading that is among so many first characters of a passage is not repeated before it."""


class PassageScores(Shown):
    """Ranks and scores of both arms and of the reranker."""

    semantic_rank: int | None = None
    keyword_rank: int | None = None
    similarity: float | None = None
    keyword_score: float | None = None
    rerank_score: float | None = None
    matched_terms: list[Line] = Field(default_factory=list[Line])

    @property
    def numbers(self) -> dict[str, float]:
        return self.model_dump(exclude={"matched_terms"})


class Passage(Shown):
    """A hit. `url` shows it to a person, opens its page with `resources/read` and names its document in tools.

    `also_in` names other documents with the same file.
    """

    document: Line
    page_number: int
    last_page_number: int | None = None
    section_heading: Line | None = None
    also_in: list[Line] = Field(default_factory=list[Line])
    score: float
    url: str = ""
    scores: PassageScores | None = None
    is_truncated: bool = False
    text: str = ""

    @field_serializer("text")
    def _fence(self, text: str) -> str:
        return fenced(text)


class SearchedPart(Shown):
    """The part of the documents in scope that was searched, and gaps in it."""

    documents_searched: int
    documents_processing: int = 0
    documents_failed: int = 0
    pages_unreadable: int = 0
    share_embedded: float = 1.0


class PassageMetadata(Shown):
    confidence: float | None
    coverage: SearchedPart
    truncated: bool


class SearchResult(Envelope[Passage, PassageMetadata]):
    """Passages, best first."""

    notice: str = NOTICE


def search_answer(response: api.SearchResponse, *, max_tokens: int) -> CallToolResult:
    """Return the hits in order: whole while they fit into `max_tokens`, then cut at sentence ends, then left out."""
    hits, note = _limit_unlikely_hits(response)
    passages = _fit(hits, max_tokens - ENVELOPE_TOKENS)
    left_out = len(hits) - len(passages)
    metadata = PassageMetadata(
        confidence=_rounded(response.metadata.confidence),
        coverage=SearchedPart.model_validate(response.metadata.coverage),
        truncated=left_out > 0 or any(passage.is_truncated for passage in passages),
    )
    message = one_line(response.message, 600) + note
    if metadata.truncated:
        missing = f", {counted(left_out, 'hit')} left out" if left_out else ""
        message += f" Cut to {max_tokens} tokens{missing}: read the pages, or raise max_tokens."
    lines = [NOTICE, *map(_quote, passages)] if passages else []
    return SearchResult(data=passages, metadata=metadata, message=message).answer(*lines)


def _limit_unlikely_hits(response: api.SearchResponse) -> tuple[Sequence[api.Hit], str]:
    """Return the hits to show, and a sentence about the others if confidence is low."""
    hits, about = response.data, response.metadata
    is_unlikely = about.confidence is not None and about.confidence < LOW_CONFIDENCE
    if not is_unlikely or about.top_k >= ALWAYS_SHOWN_FROM or len(hits) <= SHOWN_AT_LOW_CONFIDENCE:
        return hits, ""
    note = f" The first {SHOWN_AT_LOW_CONFIDENCE} are shown; top_k={ALWAYS_SHOWN_FROM} or more shows all."
    return hits[:SHOWN_AT_LOW_CONFIDENCE], note


def _fit(hits: Sequence[api.Hit], budget: int) -> list[Passage]:
    """Give each hit, best first, the tokens it needs, and reserve `FLOOR_TOKENS` for every later hit."""
    passages = [_passage(hit) for hit in hits]
    if _certainly_fit(hits, passages, budget):
        for hit, passage in zip(hits, passages, strict=True):
            passage.text = clean(hit.text)
        return passages
    frames = [max(count_tokens(passage.model_dump_json()), count_tokens(_quote(passage))) for passage in passages]
    while frames and sum(frames) + FLOOR_TOKENS * len(frames) > budget and len(frames) > 1:
        frames.pop()
    room = budget - sum(frames)
    for place, (hit, passage) in enumerate(zip(hits, passages[: len(frames)], strict=False), start=1):
        share = max(room - FLOOR_TOKENS * (len(frames) - place), 1)
        passage.is_truncated = hit.token_count > share
        passage.text = _excerpt(hit, share) if passage.is_truncated else clean(hit.text)
        room -= min(share, hit.token_count)
    return passages[: len(frames)]


def _certainly_fit(hits: Sequence[api.Hit], passages: Sequence[Passage], budget: int) -> bool:
    """Return True if all hits fit whole even if every byte around their texts were a token."""
    around = sum(max(len(passage.model_dump_json()), len(_quote(passage).encode())) for passage in passages)
    return sum(hit.token_count for hit in hits) + around <= budget


def _excerpt(hit: api.Hit, tokens: int) -> str:
    """Return as much of the hit as fits, with the first matched word inside."""
    text, snippet = clean(hit.text), clean(hit.snippet.text).strip("… \n")
    characters = len(text) * tokens // hit.token_count
    match = max(text.find(snippet), 0)
    word = next((hit.snippet.text[found.start : found.end] for found in hit.snippet.matches), "")
    position = max(text.find(word, match), match)
    # from its beginning, else from the snippet, else from the line of the word, else from the word
    starts = (0, match, text.rfind("\n", 0, position) + 1, position)
    needed = word or snippet
    start = next((start for start in starts if needed in cut(text[start:], characters)), match)
    return f"…{cut(text[start:], characters)}" if start > 0 else cut(text, characters)


def _passage(hit: api.Hit) -> Passage:
    last = hit.last_page_number if hit.last_page_number > hit.page_number else None
    heading = one_line(hit.section_heading or "")
    is_in_text = heading in one_line(hit.text, HEADING_WITHIN)
    return Passage(
        document=hit.document,
        page_number=hit.page_number,
        last_page_number=last,
        section_heading=None if is_in_text else heading,
        also_in=[copy.document for copy in hit.also_in or []],
        score=round(hit.score, SCORE_DIGITS),
        url=hit_link(hit),
        scores=_scores(hit, hit.explain) if hit.explain else None,
    )


def _scores(hit: api.Hit, explanation: api.Explanation) -> PassageScores:
    terms = {hit.snippet.text[match.start : match.end].lower() for match in hit.snippet.matches}
    return PassageScores(
        semantic_rank=hit.semantic_rank,
        keyword_rank=hit.keyword_rank,
        similarity=_rounded(explanation.similarity),
        keyword_score=_rounded(explanation.keyword_score),
        rerank_score=_rounded(explanation.rerank_score),
        matched_terms=[one_line(term, 40) for term in sorted(terms)[:10]],
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, SCORE_DIGITS)


def hit_link(hit: api.Hit) -> str:
    """Return the link that highlights the snippet."""
    snippet = hit.snippet
    return web_link(
        hit.document_id, hit.page_number, last_page=hit.last_page_number, start=snippet.char_start, end=snippet.char_end
    )


def _quote(passage: Passage) -> str:
    first, last = passage.page_number, passage.last_page_number
    section = f' "{html.escape(passage.section_heading)}"' if passage.section_heading else ""
    pages = f"{first}-{last}" if last else f"{first}"
    why = "".join(f" {name}={value}" for name, value in passage.scores.numbers.items()) if passage.scores else ""
    copies = f" (also in {html.escape(', '.join(passage.also_in))})" if passage.also_in else ""
    return fenced(passage.text, f" {html.escape(passage.document)}{copies} p. {pages}{section}{why} {passage.url}")
