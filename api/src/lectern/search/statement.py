"""THE hybrid statement: both arms and their fusion in one SQL statement, passages joined for the winners only.

`fusion.fuse` says what it must give; a property test holds the two together. Each arm has two shapes: exact (compare
every chunk in scope) and by index. The service chooses (`dense.py`, `lexical.py`); the planner would choose wrongly.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final


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

_DENSE_EXACT: Final = """
    SELECT chunk_id, min(distance) AS distance FROM (
        SELECT e.chunk_id, e.embedding <=> CAST(:vector AS halfvec) AS distance FROM {table} AS e
        WHERE {in_scope} OFFSET 0
    ) AS compared GROUP BY chunk_id ORDER BY distance, chunk_id LIMIT :candidates"""

# Several windows of a chunk may be near: take more, then let the nearest speak.
_DENSE_INDEX: Final = """
    SELECT chunk_id, min(distance) AS distance FROM (
        SELECT e.chunk_id, e.embedding <=> CAST(:vector AS halfvec) AS distance FROM {table} AS e
        WHERE {in_scope} ORDER BY e.embedding <=> CAST(:vector AS halfvec) LIMIT :windows
    ) AS near GROUP BY chunk_id ORDER BY distance, chunk_id LIMIT :candidates"""

_LEXICAL_EXACT: Final = """
    SELECT chunk_id, -distance AS score FROM (
        SELECT l.chunk_id, l.lex <#> CAST(:weights AS sparsevec) AS distance FROM chunk_lexical AS l
        WHERE {in_scope} OFFSET 0
    ) AS compared WHERE distance < 0 ORDER BY distance, chunk_id LIMIT :candidates"""

_LEXICAL_INDEX: Final = """
    SELECT chunk_id, score FROM lectern_lexical_candidates(
        CAST(:weights AS sparsevec), CAST(:rare AS tsquery), CAST(:rest AS text[]), CAST(:bounds AS float8[]),
        CAST(:shares AS float8[]), :chunks, :budget, :depth, :candidates, CAST(:allowed AS uuid[]),
        CAST(:excluded AS uuid[]))"""

# Shares of rank r are 1 / (k + r). For a blind chunk its rank among the blind ones counts too, 95 % of it. A document
# whose name has words and figures of the question adds up to 30 % of the best share, a page that it names the whole.
# Further passages of a page keep 90 %: they bring less that is new.
_FUSION: Final = """
WITH arm AS MATERIALIZED (
    {dense}
), near AS MATERIALIZED (
    SELECT chunk_id, distance, {is_blind} AS is_blind FROM arm
), dense AS MATERIALIZED (
    SELECT chunk_id, distance, is_blind, rank, greatest(
               1.0::float8 / (:k + rank), CASE WHEN is_blind THEN 0.95::float8 / (:k + blind_rank) END) AS share
    FROM (SELECT chunk_id, distance, is_blind, row_number() OVER (ORDER BY distance, chunk_id) AS rank,
                 row_number() OVER (PARTITION BY is_blind ORDER BY distance, chunk_id) AS blind_rank
          FROM near) AS ranked
), lexical AS MATERIALIZED (
    SELECT chunk_id, score, row_number() OVER (ORDER BY score DESC, chunk_id) AS rank FROM ({lexical}) AS arm
), voted AS (
    SELECT chunk_id, d.rank AS semantic_rank, l.rank AS keyword_rank, d.distance, l.score AS keyword_score,
           coalesce(d.is_blind, false) AS is_blind, coalesce(d.share, 0) AS by_meaning,
           greatest(coalesce(1.0::float8 / (:k + l.rank), 0), CASE WHEN d.is_blind THEN d.share END) AS by_keyword,
           {by_page} AS by_page
    FROM dense AS d FULL JOIN lexical AS l USING (chunk_id) {paged}
), places AS MATERIALIZED (
    {places}
), candidates AS MATERIALIZED (
    SELECT DISTINCT document_id, named FROM places
), telling AS (
    SELECT term, ln((SELECT count(*) FROM candidates)::float8 / count(*)) AS weight
    FROM candidates, unnest(named) AS term GROUP BY term
), names AS MATERIALIZED (
    SELECT document_id, sum(weight ORDER BY term COLLATE "C") AS weight
    FROM candidates, unnest(named) AS term JOIN telling USING (term) GROUP BY document_id
), placed AS (
    SELECT voted.*, place, coalesce(
               0.3::float8 * (names.weight / ((SELECT max(weight) FROM names) + 1)) / (:k + 1), 0) AS by_name
    FROM voted LEFT JOIN places USING (chunk_id) LEFT JOIN names USING (document_id)
), spread AS (
    SELECT *, CASE WHEN place IS NOT NULL AND row_number() OVER (
                   PARTITION BY place ORDER BY by_meaning + by_keyword DESC, chunk_id) > 1
              THEN 0.9::float8 ELSE 1.0::float8 END AS page_share
    FROM placed
), fused AS MATERIALIZED (
    SELECT *, (by_meaning + by_keyword + by_name + by_page) * page_share AS fused_score FROM spread
    ORDER BY fused_score DESC, chunk_id LIMIT :top_k
)"""

# What winners are shown with comes from a function of the owner's: under row-level security, planning these joins took
# longer than all the rest (docs/adr/0060).
_WINNERS: Final = """
SELECT f.chunk_id, f.semantic_rank, f.keyword_rank, f.distance, f.keyword_score, f.is_blind, f.fused_score,
       f.by_meaning, f.by_keyword, f.by_name, f.by_page, f.page_share,
       p.document_id, p.chunk_index, p.section_heading, p.section_path, p.page_number, p.last_page_number,
       p.char_start, p.char_end, p.token_count, p.content_type, p.importance, p.language, p.text,
       p.filename, p.title, p.page_images, p.collection, p.matched_terms, p.tags
FROM fused AS f
JOIN lectern_passages(ARRAY(SELECT chunk_id FROM fused), CAST(:terms AS text[])) AS p ON p.chunk_id = f.chunk_id
ORDER BY f.fused_score DESC, f.chunk_id
"""

_TRACED: Final = """
SELECT chunk_id, semantic_rank, keyword_rank, row_number() OVER (ORDER BY fused_score DESC, chunk_id) AS fused_rank
FROM fused ORDER BY fused_rank
"""

_IN_BLIND_LANGUAGE: Final = """
    arm.chunk_id IN (
        SELECT lectern_chunks_in_languages(ARRAY(SELECT chunk_id FROM arm), CAST(:blind AS text[])))"""
# A document without pages of its own (a text file) is one long page: there, every passage has its own place.
_PLACES: Final = """
    SELECT chunk_id, place, document_id, named
    FROM lectern_places(ARRAY(SELECT chunk_id FROM voted), CAST(:asked AS text[]))"""
_NO_PLACES: Final = """
    SELECT NULL::uuid AS chunk_id, NULL::text AS place, NULL::uuid AS document_id, NULL::text[] AS named WHERE false"""


# Passages on the pages that the question names, counted from the end where negative. More of them than could be
# candidates (the first "page" of a spreadsheet) tell nothing apart.
_ON_NAMED_PAGES: Final = """
    WITH own AS MATERIALIZED (
        SELECT id AS chunk_id, page_number, last_page_number FROM chunks
        WHERE document_id = ANY (CAST(:allowed AS uuid[]))
    ), wanted AS (
        SELECT CASE WHEN page > 0 THEN page ELSE (SELECT max(last_page_number) FROM own) + 1 + page END AS page
        FROM unnest(CAST(:pages AS integer[])) AS page
    ), paged AS MATERIALIZED (
        SELECT chunk_id FROM own WHERE EXISTS (
            SELECT FROM wanted WHERE page BETWEEN own.page_number AND own.last_page_number)
    )
    SELECT chunk_id FROM paged WHERE (SELECT count(*) FROM paged) <= :candidates"""


def fusion_sql(
    *, dense: str, lexical: str, is_blind: str = "false", places: str = _NO_PLACES, paged: str | None = None
) -> str:
    """The common table expressions up to `fused`: two arms (chunk_id with distance or score) and what their ranks give.

    `is_blind` is a condition on a row `arm` of the dense arm, `places` gives (chunk_id, place, document_id, named) for
    those of `voted` whose document is known: the page, if that is known, and the query's terms in the document's name.
    `paged` gives the (chunk_id) of passages on pages that the question names.
    """
    by_page, join = "0::float8", ""
    if paged is not None:
        by_page = "CASE WHEN p.chunk_id IS NULL THEN 0 ELSE 1.0::float8 / (:k + 1) END"
        join = f"FULL JOIN ({paged}) AS p USING (chunk_id)"
    return _FUSION.format(dense=dense, lexical=lexical, is_blind=is_blind, places=places, by_page=by_page, paged=join)


def in_scope(alias: str, *, allowed: bool, excluded: bool) -> str:
    """The condition on documents, beside what row-level security adds."""
    conditions = ["true"]
    if allowed:
        conditions.append(f"{alias}.document_id = ANY (CAST(:allowed AS uuid[]))")
    if excluded:
        conditions.append(f"{alias}.document_id <> ALL (CAST(:excluded AS uuid[]))")
    return " AND ".join(conditions)


def hybrid_sql(
    *,
    dense: Shape,
    lexical: Shape,
    generation: int | None,
    allowed: bool,
    excluded: bool,
    blind: bool,
    paged: bool = False,
    is_traced: bool = False,
) -> str:
    """The statement for these shapes; `generation` is the one whose embeddings are compared.

    `paged`: pages that the question names take part. `is_traced`: ranks only, without the passages.
    """
    table = f"chunk_embeddings_{generation:d}" if generation is not None else ""
    dense_arms = {Shape.OFF: _NO_ARM.format(value="distance"), Shape.EXACT: _DENSE_EXACT, Shape.INDEX: _DENSE_INDEX}
    lexical_arms = {Shape.OFF: _NO_ARM.format(value="score"), Shape.EXACT: _LEXICAL_EXACT, Shape.INDEX: _LEXICAL_INDEX}
    fusion = fusion_sql(
        dense=dense_arms[dense].format(table=table, in_scope=in_scope("e", allowed=allowed, excluded=excluded)),
        lexical=lexical_arms[lexical].format(in_scope=in_scope("l", allowed=allowed, excluded=excluded)),
        is_blind=_IN_BLIND_LANGUAGE if blind else "false",
        places=_PLACES,
        paged=_ON_NAMED_PAGES if paged else None,
    )
    return fusion + (_TRACED if is_traced else _WINNERS)
