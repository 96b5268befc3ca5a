"""Explain the score of a hit (pure)."""

from lectern.search.presentation.result import RankedResult
from lectern.search.ranking.features import MEANINGS, PLACES, Values
from lectern.search.ranking.match import ChunkMatch
from lectern.search.ranking.model import TreeModel
from lectern.search.schemas import ExplainedFeature, ExplainedTerm, Explanation


def explain_score(row: ChunkMatch, result: RankedResult, *, model: TreeModel | None) -> Explanation:
    """Show what each feature adds to the score, if a model ranked the hit.

    Counts of chunks with a term, and scores made of them, are shown to unrestricted principals only. They would reveal
    documents that others may not see.
    """
    is_open, reranked = result.scope.is_unrestricted, result.reranked
    matched = set(row.matched_terms)
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
        features=_explain_features(row.features, model) if model and row.features is not None else [],
        is_fitted=model is not None and model.is_fitted,
        share=row.share,
        is_unmatched_language=row.is_unmatched_language,
        similarity=None if row.distance is None else round(1 - row.distance, 6),
        keyword_score=round(row.keyword_score, 4) if is_open and row.keyword_score else None,
        rerank_rank=reranked.ranks.get(row.chunk_id) if reranked else None,
        rerank_score=reranked.scores.get(row.chunk_id) if reranked else None,
        terms=terms,
    )


def _explain_features(values: Values, model: TreeModel) -> list[ExplainedFeature]:
    return [
        ExplainedFeature(
            name=name,
            meaning=MEANINGS[name],
            value=round(float(values[PLACES[name]]), 4),
            contribution=round(added, 4),
        )
        for name, added in model.contributions(values).items()
    ]
