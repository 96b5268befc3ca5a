"""The arithmetic behind a hit's place (pure)."""

from lectern.db.scope import Scope
from lectern.search.candidates.repository import FoundChunk
from lectern.search.query.terms import KeywordQuery
from lectern.search.ranking.fusion import DEFAULT_K
from lectern.search.reranking.rerank import Reranked
from lectern.search.schemas import ExplainedTerm, Explanation


def explain(
    row: FoundChunk, query: KeywordQuery | None, *, scope: Scope, k: int = DEFAULT_K, reranked: Reranked | None = None
) -> Explanation:
    """How the ranks became the fused score.

    How many passages hold a word, and scores made of that, are told to unrestricted principals only: they would give
    away what the others may not see.
    """
    is_open = scope.is_unrestricted
    matched = set(row.matched_terms or ())
    terms = [
        ExplainedTerm(
            term=term.term,
            is_matched=term.term in matched,
            is_added=term.is_added,
            idf=round(term.idf, 4) if is_open else None,
            chunk_count=term.chunk_count if is_open else None,
        )
        for term in (query.terms if query else ())
        if is_open or term.term in matched
    ]
    return Explanation(
        formula=f"(1/({k} + semantic_rank) + 1/({k} + keyword_rank) + name_share + identifier_share + named_page_share)"
        " * page_share",
        semantic_share=row.by_meaning,
        keyword_share=row.by_keyword,
        name_share=row.by_name,
        identifier_share=row.by_identifier,
        named_page_share=row.by_page,
        page_share=row.page_share,
        fused_score=row.fused_score,
        is_held=row.is_held,
        is_blind=row.is_blind,
        similarity=None if row.distance is None else round(1 - row.distance, 6),
        keyword_score=round(row.keyword_score, 4) if is_open and row.keyword_score is not None else None,
        rerank_rank=reranked.ranks.get(row.chunk_id) if reranked else None,
        rerank_score=reranked.scores.get(row.chunk_id) if reranked else None,
        terms=terms,
    )
