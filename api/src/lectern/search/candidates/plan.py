"""Choose how each arm is run and build the search statement (pure)."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from lectern.search.candidates import maxscore
from lectern.search.candidates.scope import MAX_PAGED_DOCUMENTS, CandidateScope
from lectern.search.candidates.statement import Shape, Statement, candidates_sql
from lectern.search.query.references import SectionPattern
from lectern.search.query.terms import KeywordQuery
from lectern.settings import SearchSettings

# The first hits of the lexical arm must be exact; later ones only contribute a rank.
PROVEN_HITS: Final = 10
UNMATCHED_CANDIDATES: Final = 30  # 100 make a third more candidates for the ranker and hardly better hits
WINDOWS_PER_CHUNK: Final = 3  # of an 800-token chunk under a model with 512 tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The statement and the shape of each arm."""

    dense: Shape
    lexical: Shape
    statement: Statement


def plan(
    scope: CandidateScope,
    *,
    query: KeywordQuery | None,
    vector: str | None,
    generation: int | None,
    candidates: int,
    settings: SearchSettings,
    title_terms: Sequence[str] = (),
    titled: Sequence[uuid.UUID] = (),
    sections: Sequence[SectionPattern] = (),
    pages: Sequence[int] = (),
    is_traced: bool = False,
) -> Plan:
    """Choose the shape of each arm and build the statement. An arm without its query is off.

    `vector` is the query's embedding as a literal, for that `generation`. Each arm returns up to `candidates`.
    `title_terms` are looked for in titles; `titled` are documents that the query matches by title; `sections` and
    `pages` are those that it references. Pages count within a few documents only.
    """
    dense = Shape.OFF
    if vector is not None and generation is not None:
        dense = _exact_or_index(scope.chunks, limit=settings.exact_dense_chunks)
    lexical = Shape.OFF
    if query is not None and query.terms:
        lexical = _exact_or_index(scope.chunks, limit=settings.exact_lexical_chunks)
    unmatched: Sequence[str] = ()
    if query is not None and dense is not Shape.OFF and query.unmatched_chunks <= settings.exact_dense_chunks:
        unmatched = query.unmatched_languages
    references = _reference_parameters(query, scope=scope, titled=titled, sections=sections, pages=pages)
    sql = candidates_sql(
        dense=dense,
        lexical=lexical,
        generation=generation,
        allowed=scope.allowed is not None,
        excluded=scope.excluded is not None,
        titled="titled" in references,
        unmatched=bool(unmatched),
        sectioned="headings" in references,
        paged="pages" in references,
        is_traced=is_traced,
    )
    parameters: dict[str, Any] = {"candidates": candidates} | _scope_parameters(scope, lexical) | references
    if not is_traced:
        parameters |= {"term_vectors": query.term_vectors if query else [], "title_terms": list(title_terms)}
    if dense is not Shape.OFF:
        parameters |= {"vector": vector, "windows": candidates * WINDOWS_PER_CHUNK}
    if unmatched:
        parameters |= {"unmatched_languages": list(unmatched), "unmatched_candidates": UNMATCHED_CANDIDATES}
    if query is not None and lexical is not Shape.OFF:
        parameters |= _lexical_parameters(query, scope=scope, shape=lexical, settings=settings)
        parameters |= {"depth": max(PROVEN_HITS, candidates // 5)} if lexical is Shape.INDEX else {}
    return Plan(dense=dense, lexical=lexical, statement=Statement(sql=sql, parameters=parameters))


def _exact_or_index(chunks: int, *, limit: int) -> Shape:
    """Return EXACT for a scope of at most `limit` chunks.

    Measured on 100,000 chunks: under a filter that leaves 1 %, the HNSW index loses most of its recall (.09) or takes
    20 ms. An exact scan takes 0.9 ms.
    """
    return Shape.EXACT if chunks <= limit else Shape.INDEX


def _reference_parameters(
    query: KeywordQuery | None,
    *,
    scope: CandidateScope,
    titled: Sequence[uuid.UUID],
    sections: Sequence[SectionPattern],
    pages: Sequence[int],
) -> dict[str, Any]:
    """Return the parameters for what the query names; a semantic-only search names nothing."""
    if query is None:
        return {}
    parameters: dict[str, Any] = {"titled": list(titled), "weights": query.weights} if titled else {}
    if sections:
        for name, patterns in (("headings", [s.heading for s in sections]), ("lines", [s.line for s in sections])):
            parameters[name] = rf"(?n)^[\s#*•–-]*(?:{'|'.join(patterns)})"
    paged = scope.few or (titled if len(titled) <= MAX_PAGED_DOCUMENTS else ())
    if pages and paged:
        parameters |= {"pages": list(pages), "paged": list(paged)}
    return parameters


def _scope_parameters(scope: CandidateScope, lexical: Shape) -> dict[str, Any]:
    given = {
        name: ids.literal for name, ids in (("allowed", scope.allowed), ("excluded", scope.excluded)) if ids is not None
    }
    return {"allowed": None, "excluded": None} | given if lexical is Shape.INDEX else given


def _lexical_parameters(
    query: KeywordQuery, *, scope: CandidateScope, shape: Shape, settings: SearchSettings
) -> dict[str, Any]:
    if shape is Shape.EXACT:
        return {"weights": query.weights}
    budget = maxscore.candidate_budget(settings.candidate_budget, chunks=scope.library_chunks)
    first = maxscore.first_pass_budget(budget, chunks=scope.chunks)
    chosen = maxscore.choose_candidates(query, budget=first, selectivity=scope.selectivity)
    return {
        "weights": query.weights,
        "rare": chosen.rare,
        "rest": list(chosen.terms),
        "bounds": list(chosen.upper_bounds),
        "shares": list(chosen.shares),
        "chunks": float(scope.chunks),
        "budget": float(budget * maxscore.SECOND_PASS_FACTOR),
    }
