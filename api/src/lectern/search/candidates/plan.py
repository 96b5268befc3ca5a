"""From what is known of scope and query to the statement that is run (pure)."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from lectern.search.candidates import maxscore
from lectern.search.candidates.scope import MOST_PAGED_DOCUMENTS, Ground
from lectern.search.candidates.statement import Shape, Statement, hybrid_sql
from lectern.search.query.references import NamedSection
from lectern.search.query.terms import KeywordQuery
from lectern.settings import SearchSettings

# The first hits of an arm must be right; those after them only lend their rank to the fusion.
PROVEN_HITS: Final = 10


WINDOWS_PER_CHUNK: Final = 3  # a chunk of 800 tokens in windows of a model of 512


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A statement and the shapes of its arms."""

    dense: Shape
    lexical: Shape
    statement: Statement


def plan(
    ground: Ground,
    *,
    query: KeywordQuery | None,
    vector: str | None,
    generation: int | None,
    top_k: int,
    settings: SearchSettings,
    named: Sequence[uuid.UUID] = (),
    sections: Sequence[NamedSection] = (),
    pages: Sequence[int] = (),
    is_traced: bool = False,
) -> Plan:
    """The hybrid statement; an arm without its query (`vector`, `query`) is off. `is_traced`: ranks only.

    `named` are documents and `sections` sections that the question names. `pages` that it names say where to look
    within few documents, of which it may be known that they are meant; of many they name none.
    """
    by_meaning = Shape.OFF
    if vector is not None and generation is not None:
        by_meaning = dense_shape(chunks=ground.chunks, exact_chunks=settings.exact_dense_chunks)
    by_keyword = Shape.OFF
    if query is not None and query.terms:
        by_keyword = Shape.EXACT if ground.chunks <= settings.exact_lexical_chunks else Shape.INDEX
    meant = _meant(query, ground=ground, named=named, sections=sections, pages=pages)
    blind = query.blind_languages if query and by_meaning is not Shape.OFF else ()
    sql = hybrid_sql(
        dense=by_meaning,
        lexical=by_keyword,
        generation=generation,
        allowed=ground.allowed is not None,
        excluded=ground.excluded is not None,
        blind=bool(blind),
        named="named" in meant,
        identified="identifiers" in meant,
        sectioned="headings" in meant,
        paged="pages" in meant,
        is_traced=is_traced,
    )
    parameters: dict[str, Any] = {
        "k": settings.rrf_k,
        "top_k": top_k,
        "candidates": max(settings.candidates, top_k),
        "terms": [term.term for term in query.terms] if query else [],
    }
    parameters |= _scope_parameters(ground, by_keyword) | meant
    if blind:
        parameters["blind"] = list(blind)
    if by_meaning is not Shape.OFF:
        parameters |= {"vector": vector, "windows": max(settings.candidates, top_k) * WINDOWS_PER_CHUNK}
    if query is not None and by_keyword is not Shape.OFF:
        parameters |= _lexical_parameters(query, ground=ground, shape=by_keyword, settings=settings)
        parameters |= {"depth": max(PROVEN_HITS, top_k)} if by_keyword is Shape.INDEX else {}
    return Plan(dense=by_meaning, lexical=by_keyword, statement=Statement(sql=sql, parameters=parameters))


def _meant(
    query: KeywordQuery | None,
    *,
    ground: Ground,
    named: Sequence[uuid.UUID],
    sections: Sequence[NamedSection],
    pages: Sequence[int],
) -> dict[str, Any]:
    """What the question names and what its words are, as parameters; without a query of words nothing is named."""
    if query is None:
        return {}
    meant: dict[str, Any] = {"named": list(named), "weights": query.weights} if named else {}
    if query.identifiers:
        meant["identifiers"] = " | ".join(maxscore.quoted(term) for term in query.identifiers)
    if sections:
        for name, patterns in (("headings", [s.heading for s in sections]), ("lines", [s.line for s in sections])):
            meant[name] = rf"(?n)^[\s#*•–-]*(?:{'|'.join(patterns)})"
    paged = ground.few or (named if len(named) <= MOST_PAGED_DOCUMENTS else ())
    if pages and paged:
        meant |= {"pages": list(pages), "paged": list(paged)}
    return meant


def _scope_parameters(ground: Ground, by_keyword: Shape) -> dict[str, Any]:
    given = {
        name: ids.literal
        for name, ids in (("allowed", ground.allowed), ("excluded", ground.excluded))
        if ids is not None
    }
    return {"allowed": None, "excluded": None} | given if by_keyword is Shape.INDEX else given


def _lexical_parameters(
    query: KeywordQuery, *, ground: Ground, shape: Shape, settings: SearchSettings
) -> dict[str, Any]:
    if shape is Shape.EXACT:
        return {"weights": query.weights}
    budget = maxscore.budget_of(settings.candidate_budget, chunks=ground.library_chunks)
    first = maxscore.first_budget(budget, chunks=ground.chunks)
    chosen = maxscore.choose_candidates(query, budget=first, selectivity=ground.selectivity)
    return {
        "weights": query.weights,
        "rare": chosen.rare,
        "rest": list(chosen.terms),
        "bounds": list(chosen.bounds),
        "shares": list(chosen.shares),
        "chunks": float(ground.chunks),
        "budget": float(budget * maxscore.ENLARGEMENT),
    }


def dense_shape(*, chunks: int, exact_chunks: int) -> Shape:
    """EXACT for a scope of at most `exact_chunks`, INDEX above."""
    return Shape.EXACT if chunks <= exact_chunks else Shape.INDEX
