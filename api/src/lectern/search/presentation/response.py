"""Build the response around the hits, with a message that says what to do next (pure)."""

from collections.abc import Mapping, Sequence

from lectern.search.candidates.scope import Overview
from lectern.search.presentation.result import RankedResult
from lectern.search.ranking.confidence import LOW_CONFIDENCE
from lectern.search.schemas import (
    Coverage,
    Hit,
    QueryExpansion,
    Reranking,
    SearchMetadata,
    SearchRequest,
    SearchResponse,
    Strategy,
    Took,
)


def build_response(result: RankedResult, hits: list[Hit], *, took: Mapping[str, float]) -> SearchResponse:
    """Build the response of a search."""
    request, coverage = result.request, _coverage(result.overview)
    confidence = result.confidence.value if result.confidence else None
    strategy = Strategy(
        semantic=result.plan.dense.value,
        keyword=result.plan.lexical.value,
        is_degraded=result.problem is not None,
        unmatched_languages=[*filter(None, result.keywords.unmatched_languages)] if result.keywords else [],
    )
    metadata = SearchMetadata(
        top_k=request.top_k,
        hybrid=request.hybrid,
        returned=len(hits),
        confidence=None if confidence is None else round(confidence, 4),
        coverage=coverage,
        strategy=strategy,
        expansions=[QueryExpansion(term=match.term, synonyms=[*match.phrases]) for match in result.expansions],
        reranking=result.reranked.report if result.reranked else None,
        took_ms=Took(**took),
    )
    message = compose_message(
        returned=len(hits),
        confidence=confidence,
        coverage=coverage,
        request=request,
        problem=result.problem,
        expansions=metadata.expansions,
        reranking=metadata.reranking,
        unmatched_languages=strategy.unmatched_languages,
    )
    return SearchResponse(data=hits, metadata=metadata, message=message)


def compose_message(
    *,
    returned: int,
    confidence: float | None,
    coverage: Coverage,
    request: SearchRequest,
    problem: str | None,
    expansions: Sequence[QueryExpansion] = (),
    reranking: Reranking | None = None,
    unmatched_languages: Sequence[str] = (),
) -> str:
    """Say what was found, how certain it is, what else was searched for, and what was not searched."""
    parts = [_outcome(returned, confidence, coverage, request, unmatched_languages)]
    parts.extend(f"Also searched for {', '.join(one.synonyms)} (synonyms of {one.term})." for one in expansions)
    if problem:
        parts.append(f"Searched by keyword only: {problem.rstrip('.')}.")
    if reranking and reranking.state == "failed":
        parts.append(f"Not reranked: {(reranking.reason or '').rstrip('.')}.")
    parts.extend(_not_searched(coverage, is_semantic=problem is None))
    return " ".join(parts)


def _coverage(overview: Overview) -> Coverage:
    return Coverage(
        documents_in_scope=overview.documents,
        documents_searched=overview.searchable,
        documents_processing=overview.processing,
        documents_failed=overview.failed,
        pages_unreadable=overview.pages_unreadable,
        share_embedded=round(overview.embedded_chunks / overview.chunks, 4) if overview.chunks else 1.0,
    )


def _outcome(
    returned: int,
    confidence: float | None,
    coverage: Coverage,
    request: SearchRequest,
    unmatched_languages: Sequence[str],
) -> str:
    if not returned:
        return _nothing(coverage, request)
    found = f"{returned} passage{'s' if returned > 1 else ''} found."
    if confidence is not None and confidence < LOW_CONFIDENCE:
        return f"{found} Low confidence: they may not answer the question. {_advice(request, unmatched_languages)}"
    return found


def _nothing(coverage: Coverage, request: SearchRequest) -> str:
    if not coverage.documents_in_scope:
        return f"No documents to search. {'Remove a filter.' if _is_filtered(request) else 'Upload some first.'}"
    if not coverage.documents_searched:
        return "Nothing found: no document here can be searched yet."
    return f"Nothing found. {_advice(request)}"


def _advice(request: SearchRequest, unmatched_languages: Sequence[str] = ()) -> str:
    others = ", remove a filter" if _is_filtered(request) else ""
    if unmatched_languages:  # a low confidence means less here: 3 of 10 answers are correct
        others += f", ask in the language of other documents ({', '.join(unmatched_languages)})"
    return f"Use other words{others}, or ask for one thing at a time."


def _not_searched(coverage: Coverage, *, is_semantic: bool) -> list[str]:
    parts: list[str] = []
    if coverage.documents_processing:
        parts.append(f"{_count(coverage.documents_processing, 'document')} still being processed.")
    if coverage.documents_failed:
        parts.append(f"{_count(coverage.documents_failed, 'document')} could not be read.")
    if coverage.pages_unreadable:
        parts.append(f"{_count(coverage.pages_unreadable, 'page')} could not be read.")
    if is_semantic and coverage.share_embedded < 1:
        parts.append(f"{coverage.share_embedded:.0%} of the passages can be found by meaning so far.")
    return parts


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _is_filtered(request: SearchRequest) -> bool:
    return bool(
        request.tags.any
        or request.tags.all
        or request.tags.none
        or request.documents
        or request.collections
        or request.created_after
        or request.created_before
        or request.language
    )
