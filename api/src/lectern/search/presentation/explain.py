"""Explain the score of a hit (pure)."""

from lectern.search.presentation.result import RankedResult
from lectern.search.ranking.fusion import DEFAULT_K
from lectern.search.repository import ChunkMatch
from lectern.search.schemas import ExplainedTerm, Explanation


def explain_score(row: ChunkMatch, result: RankedResult, *, k: int = DEFAULT_K) -> Explanation:
    """Show how the ranks became the fused score.

    Counts of chunks with a term, and scores made of them, are shown to unrestricted principals only. They would reveal
    documents that others may not see.
    """
    is_open, reranked = result.scope.is_unrestricted, result.reranked
    matched = set(row.matched_terms or ())
    terms = [
        ExplainedTerm(
            term=term.term,
            is_matched=term.term in matched,
            is_expansion=term.is_expansion,
            idf=round(term.idf, 4) if is_open else None,
            chunk_count=term.chunk_count if is_open else None,
        )
        for term in (result.keywords.terms if result.keywords else ())
        if is_open or term.term in matched
    ]
    return Explanation(
        formula=f"(1/({k} + semantic_rank) + 1/({k} + keyword_rank) + title_share + identifier_share"
        " + page_reference_share) * page_share",
        semantic_share=row.semantic_share,
        keyword_share=row.keyword_share,
        title_share=row.title_share,
        identifier_share=row.identifier_share,
        page_reference_share=row.page_reference_share,
        page_share=row.page_share,
        fused_score=row.fused_score,
        is_keyword_first=row.is_keyword_first,
        is_unmatched_language=row.is_unmatched_language,
        similarity=None if row.distance is None else round(1 - row.distance, 6),
        keyword_score=round(row.keyword_score, 4) if is_open and row.keyword_score is not None else None,
        rerank_rank=reranked.ranks.get(row.chunk_id) if reranked else None,
        rerank_score=reranked.scores.get(row.chunk_id) if reranked else None,
        terms=terms,
    )
