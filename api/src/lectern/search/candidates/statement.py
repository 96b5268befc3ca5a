"""The hybrid search statement: the candidates of both arms and what the ranker reads of them, in one statement (pure).

Each arm has two shapes: `exact` compares every chunk in scope, `index` uses the index. `plan.py` chooses.
"""

from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import Any, Final


class Shape(Enum):
    """The method of an arm."""

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

# Embeddings prefer the query's own language: without these candidates, the others' best passages may be missing.
_DENSE_UNMATCHED: Final = """
    SELECT chunk_id, distance FROM lectern_search_dense_exact(
        {generation}, CAST(:vector AS halfvec),
        ARRAY(SELECT d.document_id FROM (
            SELECT id AS document_id FROM documents WHERE language = ANY (CAST(:unmatched_languages AS text[]))
        ) AS d WHERE {in_scope}), :windows, :unmatched_candidates)"""

_LEXICAL_IN_DOCUMENTS: Final = """
    SELECT chunk_id, score FROM lectern_search_lexical_exact(
        CAST(:weights AS sparsevec), CAST(:{documents} AS uuid[]), :candidates)"""

_LEXICAL_EXACT: Final = """
    SELECT chunk_id, -distance AS score FROM (
        SELECT l.chunk_id, CAST(:weights AS sparsevec) <#> l.lex AS distance FROM chunk_lexical AS l
        WHERE {in_scope} OFFSET 0
    ) AS compared WHERE distance < 0 ORDER BY distance, chunk_id LIMIT :candidates"""

_LEXICAL_INDEX: Final = """
    SELECT chunk_id, score FROM lectern_find_lexical_candidates(
        CAST(:weights AS sparsevec), CAST(:rare AS tsquery), CAST(:rest AS text[]), CAST(:bounds AS float8[]),
        CAST(:shares AS float8[]), :chunks, :budget, :depth, :candidates, CAST(:allowed AS uuid[]),
        CAST(:excluded AS uuid[]))"""

# Further candidates, such as those of documents matched by title: in a large library the arms may hold none of them.
_RANKED_DENSE: Final = """
    SELECT chunk_id, row_number() OVER (ORDER BY distance, chunk_id) AS semantic_rank, NULL::bigint AS keyword_rank,
           false AS is_on_page FROM dense"""
_RANKED_LEXICAL: Final = """
    SELECT chunk_id, NULL, row_number() OVER (ORDER BY score DESC, chunk_id), false FROM lexical"""
_UNRANKED: Final = """
    SELECT chunk_id, NULL, NULL, {is_on_page} FROM {table}"""

_FOUND: Final = """
WITH {arms}, found AS MATERIALIZED (
    SELECT chunk_id, min(semantic_rank) AS semantic_rank, min(keyword_rank) AS keyword_rank,
           bool_or(is_on_page) AS is_on_page
    FROM ({ranked}) AS ranked GROUP BY chunk_id
)"""

# The owner's function joins chunks and documents: planning these joins under row-level security took longer than the
# search itself (docs/adr/0025).
_DESCRIBED: Final = """
SELECT f.semantic_rank, f.keyword_rank, f.is_on_page OR {is_in_section} AS is_referenced, d.*
FROM found AS f JOIN lectern_describe_candidates(
    ARRAY(SELECT chunk_id FROM found), {generation}, CAST({vector} AS halfvec), CAST({weights} AS sparsevec),
    CAST(CAST(:term_vectors AS text[]) AS sparsevec[]), CAST(:title_terms AS text[])) AS d USING (chunk_id)
"""
_TRACED: Final = """
SELECT chunk_id, semantic_rank, keyword_rank FROM found ORDER BY least(semantic_rank, keyword_rank), chunk_id
"""

_IN_SECTIONS: Final = """f.chunk_id IN (
    SELECT lectern_filter_chunks_by_section(ARRAY(SELECT chunk_id FROM found), :headings, :lines))"""


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
def candidates_sql(
    *,
    dense: Shape,
    lexical: Shape,
    generation: int | None,
    allowed: bool,
    excluded: bool,
    titled: bool = False,
    unmatched: bool = False,
    sectioned: bool = False,
    paged: bool = False,
    is_traced: bool = False,
) -> str:
    """Build the statement for these shapes.

    `allowed` and `excluded` narrow the scope. `titled` adds candidates of the documents in `:titled`, `unmatched` those
    in the `:unmatched_languages`, `paged` those on the `:pages` of the documents in `:paged`. `sectioned` marks chunks
    by `:headings` and `:lines`. `is_traced` selects ranks only.
    """
    has_dense = dense is not Shape.OFF and generation is not None
    names: dict[str, object] = {
        "generation": generation,
        "table": f"chunk_embeddings_{generation:d}" if generation is not None else "",
        "documents": "allowed",
    }
    dense_arms = {
        Shape.OFF: _NO_ARM.format(value="distance"),
        Shape.EXACT: _DENSE_IN_DOCUMENTS if allowed else _DENSE_EXACT,
        Shape.INDEX: _DENSE_INDEX,
    }
    lexical_arms = {
        Shape.OFF: _NO_ARM.format(value="score"),
        Shape.EXACT: _LEXICAL_IN_DOCUMENTS if allowed else _LEXICAL_EXACT,
        Shape.INDEX: _LEXICAL_INDEX,
    }
    conditions = {alias: in_scope(alias, allowed=allowed, excluded=excluded) for alias in ("d", "e", "l")}
    arms = {
        "dense": dense_arms[dense].format(**names, in_scope=conditions["e"]),
        "lexical": lexical_arms[lexical].format(**names, in_scope=conditions["l"]),
    }
    ranked = [_RANKED_DENSE, _RANKED_LEXICAL]
    if titled:
        arms["lexical_titled"] = _LEXICAL_IN_DOCUMENTS.format(documents="titled")
        if has_dense:
            arms["dense_titled"] = _DENSE_IN_DOCUMENTS.format(generation=generation, documents="titled")
    if unmatched:
        arms["dense_unmatched"] = _DENSE_UNMATCHED.format(**names, in_scope=conditions["d"])
    if paged:
        arms["on_page"] = _ON_PAGES
    ranked += [_UNRANKED.format(table=name, is_on_page=str(name == "on_page").lower()) for name in [*arms][2:]]
    expressions = ", ".join(f"{name} AS MATERIALIZED ({sql})" for name, sql in arms.items())
    found = _FOUND.format(arms=expressions, ranked=" UNION ALL".join(ranked))
    if is_traced:
        return found + _TRACED
    return found + _DESCRIBED.format(
        is_in_section=_IN_SECTIONS if sectioned else "false",
        generation=generation if has_dense else "NULL",
        vector=":vector" if has_dense else "NULL",
        weights="NULL" if lexical is Shape.OFF else ":weights",
    )
