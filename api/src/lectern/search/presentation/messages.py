"""What a response tells its reader to do next (pure)."""

from collections.abc import Sequence

from lectern.search.ranking.confidence import LOW_CONFIDENCE
from lectern.search.schemas import Coverage, QueryExpansion, Reranking, SearchRequest


def compose(
    *,
    returned: int,
    confidence: float | None,
    coverage: Coverage,
    request: SearchRequest,
    trouble: str | None,
    expansions: Sequence[QueryExpansion] = (),
    reranking: Reranking | None = None,
    unmatched_languages: Sequence[str] = (),
) -> str:
    """A few sentences: what was found, how sure that is, what else was looked for, what was not searched.

    `unmatched_languages` are those of documents with which the question shares no words.
    """
    parts = [_outcome(returned, confidence, coverage, request, unmatched_languages)]
    parts.extend(f"Also searched for {', '.join(one.synonyms)} (synonyms of {one.term})." for one in expansions)
    if trouble:
        parts.append(f"Searched by keyword only: {trouble.rstrip('.')}.")
    if reranking and reranking.state == "failed":
        parts.append(f"Not reranked: {(reranking.reason or '').rstrip('.')}.")
    parts.extend(_not_searched(coverage, is_meaning_used=trouble is None))
    return " ".join(parts)


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
    if unmatched_languages:  # there a low confidence says less: three of ten answers are there after all
        others += f", ask in the language of other documents ({', '.join(unmatched_languages)})"
    return f"Use other words{others}, or ask for one thing at a time."


def _not_searched(coverage: Coverage, *, is_meaning_used: bool) -> list[str]:
    parts: list[str] = []
    if coverage.documents_processing:
        parts.append(f"{_count(coverage.documents_processing, 'document')} still being processed.")
    if coverage.documents_failed:
        parts.append(f"{_count(coverage.documents_failed, 'document')} could not be read.")
    if coverage.pages_unreadable:
        parts.append(f"{_count(coverage.pages_unreadable, 'page')} could not be read.")
    if is_meaning_used and coverage.share_embedded < 1:
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
