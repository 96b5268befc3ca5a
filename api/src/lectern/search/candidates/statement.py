"""THE hybrid statement: both arms and their fusion in one SQL statement, passages joined for the winners only.

`fusion.fuse` says what it must give; a property test holds the two together. Each arm has two shapes: exact (compare
every chunk in scope) and by index. The service chooses (`dense.py`, `lexical.py`); the planner would choose wrongly.
"""

from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import Any, Final

from lectern.search.ranking.fusion import KEYWORD_FIRST_PLACE


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

# Several windows of a chunk may be near: take more, then let the nearest speak. What is left are the nearest chunks, if
# fewer than the candidates where many of them have more windows than most.
_DENSE_OF: Final = """
    SELECT chunk_id, distance FROM lectern_search_dense_exact(
        {generation}, CAST(:vector AS halfvec), CAST(:{documents} AS uuid[]), :windows, :candidates)"""

# The same where no documents are given.
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

_LEXICAL_OF: Final = """
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

# Two arms and their votes. Shares of rank r are 1 / (k + r). For a blind chunk its rank among the blind ones counts
# too, 95 % of it. What the dense arm does not list is somewhere behind the candidates: it counts as twice as far.
_VOTES: Final = """
{of}arm AS MATERIALIZED (
    {dense}
), {of}near AS (
    SELECT chunk_id, distance, {is_blind} AS is_blind FROM {of}arm AS arm
), {of}dense AS MATERIALIZED (
    SELECT chunk_id, distance, is_blind, rank, greatest(
               1.0::float8 / (:k + rank), CASE WHEN is_blind THEN 0.95::float8 / (:k + blind_rank) END) AS share
    FROM (SELECT chunk_id, distance, is_blind, row_number() OVER (ORDER BY distance, chunk_id) AS rank,
                 row_number() OVER (PARTITION BY is_blind ORDER BY distance, chunk_id) AS blind_rank
          FROM {of}near) AS ranked
), {of}lexical AS MATERIALIZED (
    SELECT chunk_id, score, row_number() OVER (ORDER BY score DESC, chunk_id) AS rank FROM ({lexical}) AS arm
), {of}votes AS (
    SELECT chunk_id, d.rank AS semantic_rank, l.rank AS keyword_rank, d.distance, l.score AS keyword_score,
           coalesce(d.is_blind, false) AS is_blind, coalesce(d.share, far.share, 0) AS by_meaning,
           greatest(coalesce(1.0::float8 / (:k + l.rank), 0), CASE WHEN d.is_blind THEN d.share END) AS by_keyword
    FROM {of}dense AS d FULL JOIN {of}lexical AS l USING (chunk_id)
    LEFT JOIN (SELECT 1.0::float8 / (:k + 2 * :candidates) AS share FROM {of}dense LIMIT 1) AS far ON true
)"""

# A search of the documents that the question names has half a vote of each of its arms, a page that it names a whole
# one, a passage with an identifier of the question or of a section that it names the first vote of both. Further
# passages of a page keep 90 %: they bring less that is new. What the keyword arm puts first has at least as much as the
# fifth, unless it is in a blind language.
_FUSION: Final = """
WITH {votes}{named_votes}, voted AS (
    {voted}
), places AS MATERIALIZED (
    {places}
), spread AS (
    SELECT *, CASE WHEN place IS NOT NULL AND row_number() OVER (
                   PARTITION BY place ORDER BY by_meaning + by_keyword + by_name + by_identifier DESC, chunk_id) > 1
              THEN 0.9::float8 ELSE 1.0::float8 END AS page_share
    FROM voted LEFT JOIN places USING (chunk_id)
), scored AS MATERIALIZED (
    SELECT *, (by_meaning + by_keyword + by_name + by_identifier + by_page) * page_share AS own_score FROM spread
), first_arm AS MATERIALIZED (
    SELECT chunk_id FROM lexical WHERE rank = 1
), keyword_first AS (
    SELECT chunk_id, (SELECT own_score FROM scored ORDER BY own_score DESC OFFSET {place} LIMIT 1) AS fifth
    FROM first_arm AS arm WHERE NOT ({first_is_blind})
), fused AS MATERIALIZED (
    SELECT *, row_number() OVER (ORDER BY fused_score DESC, is_held DESC, chunk_id) AS fused_rank
    FROM (SELECT s.*, coalesce(fifth > own_score, false) AS is_held, greatest(own_score, fifth) AS fused_score
          FROM scored AS s LEFT JOIN keyword_first USING (chunk_id)) AS held
    ORDER BY fused_rank LIMIT :top_k
)"""

_VOTED: Final = "SELECT *, 0::float8 AS by_name, 0::float8 AS by_identifier, 0::float8 AS by_page FROM votes"
_VOTED_WITH: Final = """
    SELECT chunk_id, v.semantic_rank, v.keyword_rank, {distance} AS distance, {keyword_score} AS keyword_score,
           {is_blind} AS is_blind, coalesce(v.by_meaning, 0) AS by_meaning, coalesce(v.by_keyword, 0) AS by_keyword,
           {by_name} AS by_name, {by_identifier} AS by_identifier, {by_page} AS by_page
    FROM votes AS v {joined}"""

# What winners are shown with comes from a function of the owner's: under row-level security, planning these joins took
# longer than all the rest (docs/adr/0060).
_WINNERS: Final = """
SELECT f.chunk_id, f.semantic_rank, f.keyword_rank, f.distance, f.keyword_score, f.is_blind, f.fused_score,
       f.is_held, f.by_meaning, f.by_keyword, f.by_name, f.by_identifier, f.by_page, f.page_share,
       p.document_id, p.chunk_index, p.section_heading, p.section_path, p.page_number, p.last_page_number,
       p.char_start, p.char_end, p.token_count, p.content_type, p.importance, p.language, p.text,
       p.filename, p.title, p.page_images, p.collection, p.matched_terms, p.tags
FROM fused AS f
JOIN lectern_load_chunks(ARRAY(SELECT chunk_id FROM fused), CAST(:terms AS text[])) AS p ON p.chunk_id = f.chunk_id
ORDER BY f.fused_rank
"""

_TRACED: Final = """
SELECT chunk_id, semantic_rank, keyword_rank, fused_rank FROM fused ORDER BY fused_rank
"""

_IN_BLIND_LANGUAGE: Final = """
    arm.chunk_id IN (
        SELECT lectern_filter_chunks_by_language(ARRAY(SELECT chunk_id FROM {of}arm), CAST(:blind AS text[])))"""
_OF_SECTIONS: Final = """
    SELECT lectern_filter_chunks_by_section(ARRAY(SELECT chunk_id FROM votes), :headings, :lines) AS chunk_id"""
_IDENTIFIED: Final = """
    SELECT lectern_filter_chunks_by_terms(
        ARRAY(SELECT chunk_id FROM lexical), CAST(:identifiers AS tsquery)) AS chunk_id"""
# A document without pages of its own (a text file) is one long page: there, every passage has its own place.
_PLACES: Final = "SELECT chunk_id, page_key AS place FROM lectern_get_page_keys(ARRAY(SELECT chunk_id FROM voted))"
_NO_PLACES: Final = "SELECT NULL::uuid AS chunk_id, NULL::text AS place WHERE false"


# Passages on the pages that the question names, counted from the end where negative. More of them than could be
# candidates (the first "page" of a spreadsheet) tell nothing apart.
_ON_NAMED_PAGES: Final = """
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Arms:
    """Two arms as SQL: `dense` gives (chunk_id, distance), `lexical` (chunk_id, score)."""

    dense: str
    lexical: str


def fusion_sql(
    arms: Arms,
    *,
    is_blind: str = "false",
    places: str = _NO_PLACES,
    named: Arms | None = None,
    identified: str | None = None,
    paged: str | None = None,
) -> str:
    """The common table expressions up to `fused`: two arms and what their ranks give.

    `is_blind` is a condition on a row `arm` of the dense arm that is called `{of}arm`, `places` gives (chunk_id, place)
    for those of `voted` whose page is known. `named` are the arms within the documents that the question names, `paged`
    gives the (chunk_id) of passages on pages that it names, `identified` of those found that have an identifier of it
    or are of its section.
    """
    joined, by_name, by_identifier, by_page = "", "0::float8", "0::float8", "0::float8"
    found = {"distance": "v.distance", "keyword_score": "v.keyword_score", "is_blind": "coalesce(v.is_blind, false)"}
    named_votes = ""
    if named is not None:
        named_votes = "," + _votes_of(named, of="named_", is_blind=is_blind)
        joined += " FULL JOIN named_votes AS n USING (chunk_id)"
        by_name = "coalesce((n.by_meaning + n.by_keyword) / 2, 0)"
        found = {name: f"coalesce(v.{name}, n.{name})" for name in ("distance", "keyword_score")}
        found["is_blind"] = "coalesce(v.is_blind, n.is_blind, false)"
    if identified is not None:
        by_identifier = "CASE WHEN i.chunk_id IS NULL THEN 0 ELSE 2.0::float8 / (:k + 1) END"
        joined += f" FULL JOIN ({identified}) AS i USING (chunk_id)"
    if paged is not None:
        by_page = "CASE WHEN p.chunk_id IS NULL THEN 0 ELSE 1.0::float8 / (:k + 1) END"
        joined += f" FULL JOIN ({paged}) AS p USING (chunk_id)"
    shares = {"by_name": by_name, "by_identifier": by_identifier, "by_page": by_page}
    voted = _VOTED_WITH.format(joined=joined, **shares, **found) if joined else _VOTED
    votes = _votes_of(arms, of="", is_blind=is_blind)
    return _FUSION.format(
        votes=votes,
        named_votes=named_votes,
        voted=voted,
        places=places,
        place=KEYWORD_FIRST_PLACE - 1,
        first_is_blind=is_blind.format(of="first_"),
    )


def _votes_of(arms: Arms, *, of: str, is_blind: str) -> str:
    return _VOTES.format(of=of, dense=arms.dense, lexical=arms.lexical, is_blind=is_blind.format(of=of))


def in_scope(alias: str, *, allowed: bool, excluded: bool) -> str:
    """The condition on documents, beside what row-level security adds."""
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
    blind: bool,
    named: bool = False,
    identified: bool = False,
    sectioned: bool = False,
    paged: bool = False,
    is_traced: bool = False,
) -> str:
    """The statement for these shapes; `generation` is the one whose embeddings are compared.

    `named`, `identified`, `sectioned`, `paged`: documents, identifiers, sections and pages that the question names take
    part. `is_traced`: ranks only, without passages.
    """
    no_dense, no_lexical = _NO_ARM.format(value="distance"), _NO_ARM.format(value="score")
    dense_arms = {
        Shape.OFF: no_dense,
        Shape.EXACT: _DENSE_OF if allowed else _DENSE_EXACT,
        Shape.INDEX: _DENSE_INDEX,
    }
    lexical_arms = {
        Shape.OFF: no_lexical,
        Shape.EXACT: _LEXICAL_OF if allowed else _LEXICAL_EXACT,
        Shape.INDEX: _LEXICAL_INDEX,
    }
    places: dict[str, object] = {
        "generation": generation,
        "table": f"chunk_embeddings_{generation:d}" if generation is not None else "",
        "documents": "allowed",
    }
    conditions = {alias: in_scope(alias, allowed=allowed, excluded=excluded) for alias in ("e", "l")}
    arms = Arms(
        dense=dense_arms[dense].format(**places, in_scope=conditions["e"]),
        lexical=lexical_arms[lexical].format(**places, in_scope=conditions["l"]),
    )
    named_places = places | {"documents": "named"}
    within = Arms(
        dense=no_dense if dense is Shape.OFF else _DENSE_OF.format(**named_places),
        lexical=_LEXICAL_OF.format(**named_places),
    )
    fusion = fusion_sql(
        arms,
        is_blind=_IN_BLIND_LANGUAGE if blind else "false",
        places=_PLACES,
        named=within if named else None,
        identified=" UNION ".join([_IDENTIFIED] * identified + [_OF_SECTIONS] * sectioned) or None,
        paged=_ON_NAMED_PAGES if paged else None,
    )
    return fusion + (_TRACED if is_traced else _WINNERS)
