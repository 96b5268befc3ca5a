"""The hybrid search statement: both arms, their fusion and the winners' chunks in one SQL statement (pure).

Each arm has two shapes: `exact` compares every chunk in scope, `index` uses the index. `plan.py` chooses.
"""

from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import Any, Final

from lectern.search.ranking.fusion_sql import Arms, fusion_sql


class Shape(Enum):
    """How an arm is run."""

    OFF = "off"
    EXACT = "exact"
    INDEX = "index"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """SQL with its named parameters."""

    sql: str
    parameters: dict[str, Any] = field(default_factory=dict[str, Any])


_NO_ARM: Final = "SELECT NULL::uuid AS chunk_id, NULL::float8 AS {value} WHERE false"

# Over-fetch windows, then keep each chunk's nearest one. If many chunks have many windows, fewer candidates remain.
_DENSE_IN_DOCUMENTS: Final = """
    SELECT chunk_id, distance FROM lectern_search_dense_exact(
        {generation}, CAST(:vector AS halfvec), CAST(:{documents} AS uuid[]), :windows, :candidates)"""

_DENSE_EXACT: Final = """
    SELECT chunk_id, min(distance) AS distance FROM (
        SELECT chunk_id, distance FROM (
            SELECT e.chunk_id, e.embedding <=> CAST(:vector AS halfvec) AS distance FROM {table} AS e
            WHERE {in_scope} OFFSET 0
        ) AS compared ORDER BY distance LIMIT :windows
    ) AS near GROUP BY chunk_id ORDER BY distance, chunk_id LIMIT :candidates"""

_DENSE_INDEX: Final = """
    SELECT chunk_id, min(distance) AS distance FROM (
        SELECT e.chunk_id, e.embedding <=> CAST(:vector AS halfvec) AS distance FROM {table} AS e
        WHERE {in_scope} ORDER BY e.embedding <=> CAST(:vector AS halfvec) LIMIT :windows
    ) AS near GROUP BY chunk_id ORDER BY distance, chunk_id LIMIT :candidates"""

_LEXICAL_IN_DOCUMENTS: Final = """
    SELECT chunk_id, score FROM lectern_search_lexical_exact(
        CAST(:weights AS sparsevec), CAST(:{documents} AS uuid[]), :candidates)"""

_LEXICAL_EXACT: Final = """
    SELECT chunk_id, -distance AS score FROM (
        SELECT l.chunk_id, l.lex <#> CAST(:weights AS sparsevec) AS distance FROM chunk_lexical AS l
        WHERE {in_scope} OFFSET 0
    ) AS compared WHERE distance < 0 ORDER BY distance, chunk_id LIMIT :candidates"""

_LEXICAL_INDEX: Final = """
    SELECT chunk_id, score FROM lectern_find_lexical_candidates(
        CAST(:weights AS sparsevec), CAST(:rare AS tsquery), CAST(:rest AS text[]), CAST(:bounds AS float8[]),
        CAST(:shares AS float8[]), :chunks, :budget, :depth, :candidates, CAST(:allowed AS uuid[]),
        CAST(:excluded AS uuid[]))"""

# The owner's function joins chunks and documents: planning these joins under row-level security took longer than the
# search itself (docs/adr/0020).
_WINNERS: Final = """
SELECT f.chunk_id, f.semantic_rank, f.keyword_rank, f.distance, f.keyword_score, f.is_unmatched_language, f.fused_score,
       f.is_keyword_first, f.semantic_share, f.keyword_share, f.title_share, f.identifier_share,
       f.page_reference_share, f.page_share,
       p.document_id, p.chunk_index, p.section_heading, p.section_path, p.page_number, p.last_page_number,
       p.char_start, p.char_end, p.token_count, p.content_type, p.importance, p.language, p.text,
       p.filename, p.title, p.page_images, p.collection, p.matched_terms, p.tags
FROM fused AS f
JOIN lectern_load_chunks(ARRAY(SELECT chunk_id FROM fused), CAST(:terms AS text[])) AS p ON p.chunk_id = f.chunk_id
ORDER BY f.fused_rank
"""

_TRACED: Final = """
SELECT chunk_id, fused_score AS score, semantic_rank, keyword_rank FROM fused ORDER BY fused_rank
"""

_IN_UNMATCHED_LANGUAGE: Final = """
    arm.chunk_id IN (
        SELECT lectern_filter_chunks_by_language(ARRAY(SELECT chunk_id FROM {of}arm), CAST(:unmatched AS text[])))"""
_IN_SECTIONS: Final = """
    SELECT lectern_filter_chunks_by_section(ARRAY(SELECT chunk_id FROM votes), :headings, :lines) AS chunk_id"""
_WITH_IDENTIFIERS: Final = """
    SELECT lectern_filter_chunks_by_terms(
        ARRAY(SELECT chunk_id FROM lexical), CAST(:identifiers AS tsquery)) AS chunk_id"""
# A document without page numbers (a text file) is one long page: there, every chunk has its own place.
_PLACES: Final = "SELECT chunk_id, page_key AS place FROM lectern_get_page_keys(ARRAY(SELECT chunk_id FROM voted))"


# Negative page numbers count from the last page. More chunks than candidates (the first "page" of a spreadsheet) do
# not narrow anything, so they are ignored.
_ON_PAGES: Final = """
    WITH own AS MATERIALIZED (
        SELECT id AS chunk_id, page_number, last_page_number,
               max(last_page_number) OVER (PARTITION BY document_id) AS last FROM chunks
        WHERE document_id = ANY (CAST(:paged AS uuid[]))
    ), on_pages AS MATERIALIZED (
        SELECT chunk_id FROM own WHERE EXISTS (
            SELECT FROM unnest(CAST(:pages AS integer[])) AS page
            WHERE CASE WHEN page > 0 THEN page ELSE last + 1 + page END BETWEEN page_number AND last_page_number)
    )
    SELECT chunk_id FROM on_pages WHERE (SELECT count(*) FROM on_pages) <= :candidates"""


def in_scope(alias: str, *, allowed: bool, excluded: bool) -> str:
    """Build the condition on documents that row-level security does not already impose."""
    conditions = ["true"]
    if allowed:
        conditions.append(f"{alias}.document_id = ANY (CAST(:allowed AS uuid[]))")
    if excluded:
        conditions.append(f"{alias}.document_id <> ALL (CAST(:excluded AS uuid[]))")
    return " AND ".join(conditions)


@lru_cache(maxsize=256)
def hybrid_sql(
    *,
    dense: Shape,
    lexical: Shape,
    generation: int | None,
    allowed: bool,
    excluded: bool,
    unmatched: bool,
    titled: bool = False,
    identified: bool = False,
    sectioned: bool = False,
    paged: bool = False,
    is_traced: bool = False,
) -> str:
    """Build the statement for these shapes.

    `allowed` and `excluded` narrow the scope. `unmatched` applies `:unmatched`. `titled` adds arms within `:titled`.
    `identified` and `sectioned` raise chunks by `:identifiers`, or by `:headings` and `:lines`. `paged` raises chunks
    on the `:pages` of the documents in `:paged`. `is_traced` selects ranks only.
    """
    no_dense, no_lexical = _NO_ARM.format(value="distance"), _NO_ARM.format(value="score")
    dense_arms = {
        Shape.OFF: no_dense,
        Shape.EXACT: _DENSE_IN_DOCUMENTS if allowed else _DENSE_EXACT,
        Shape.INDEX: _DENSE_INDEX,
    }
    lexical_arms = {
        Shape.OFF: no_lexical,
        Shape.EXACT: _LEXICAL_IN_DOCUMENTS if allowed else _LEXICAL_EXACT,
        Shape.INDEX: _LEXICAL_INDEX,
    }
    names: dict[str, object] = {
        "generation": generation,
        "table": f"chunk_embeddings_{generation:d}" if generation is not None else "",
        "documents": "allowed",
    }
    conditions = {alias: in_scope(alias, allowed=allowed, excluded=excluded) for alias in ("e", "l")}
    arms = Arms(
        dense=dense_arms[dense].format(**names, in_scope=conditions["e"]),
        lexical=lexical_arms[lexical].format(**names, in_scope=conditions["l"]),
    )
    title_names = names | {"documents": "titled"}
    title_arms = Arms(
        dense=no_dense if dense is Shape.OFF else _DENSE_IN_DOCUMENTS.format(**title_names),
        lexical=_LEXICAL_IN_DOCUMENTS.format(**title_names),
    )
    fusion = fusion_sql(
        arms,
        is_unmatched_language=_IN_UNMATCHED_LANGUAGE if unmatched else "false",
        places=_PLACES,
        title_arms=title_arms if titled else None,
        identified=" UNION ".join([_WITH_IDENTIFIERS] * identified + [_IN_SECTIONS] * sectioned) or None,
        paged=_ON_PAGES if paged else None,
    )
    return fusion + (_TRACED if is_traced else _WINNERS)
