"""Reciprocal rank fusion of the two arms as SQL (pure). A property test compares it with a plain Python version.

Source: Cormack, Clarke and Buettcher, "Reciprocal Rank Fusion outperforms Condorcet", 2009.
"""

from dataclasses import dataclass
from typing import Final

KEYWORD_FIRST_PLACE: Final = 5  # the lowest place of the first chunk by keyword

# Reciprocal rank fusion: rank r of an arm is worth 1 / (k + r). In an unmatched language, 95 % of the rank among the
# chunks of such languages counts if that is more, and the dense share replaces the missing lexical one.
# Chunks missing from the dense candidates get rank 2 * candidates.
_VOTES: Final = """
{of}arm AS MATERIALIZED (
    {dense}
), {of}near AS (
    SELECT chunk_id, distance, {is_unmatched_language} AS is_unmatched_language FROM {of}arm AS arm
), {of}dense AS MATERIALIZED (
    SELECT chunk_id, distance, is_unmatched_language, rank, greatest(
               1.0::float8 / (:k + rank),
               CASE WHEN is_unmatched_language THEN 0.95::float8 / (:k + unmatched_rank) END) AS share
    FROM (SELECT chunk_id, distance, is_unmatched_language, row_number() OVER (ORDER BY distance, chunk_id) AS rank,
                 row_number() OVER (PARTITION BY is_unmatched_language ORDER BY distance, chunk_id) AS unmatched_rank
          FROM {of}near) AS ranked
), {of}lexical AS MATERIALIZED (
    SELECT chunk_id, score, row_number() OVER (ORDER BY score DESC, chunk_id) AS rank FROM ({lexical}) AS arm
), {of}votes AS (
    SELECT chunk_id, d.rank AS semantic_rank, l.rank AS keyword_rank, d.distance, l.score AS keyword_score,
           coalesce(d.is_unmatched_language, false) AS is_unmatched_language,
           coalesce(d.share, far.share, 0) AS semantic_share,
           greatest(coalesce(1.0::float8 / (:k + l.rank), 0),
                    CASE WHEN d.is_unmatched_language THEN d.share END) AS keyword_share
    FROM {of}dense AS d FULL JOIN {of}lexical AS l USING (chunk_id)
    LEFT JOIN (SELECT 1.0::float8 / (:k + 2 * :candidates) AS share FROM {of}dense LIMIT 1) AS far ON true
)"""

# Documents matched by title add half of their own fusion, a referenced page adds one first rank, and an identifier or a
# referenced section adds two. Further chunks of a page keep 90 % to make room for other pages. The first chunk by
# keyword is raised to the score of the fifth, unless it is in an unmatched language.
_FUSION: Final = """
WITH {votes}{title_votes}, voted AS (
    {voted}
), places AS MATERIALIZED (
    {places}
), spread AS (
    SELECT *, CASE WHEN place IS NOT NULL AND row_number() OVER (
                   PARTITION BY place
                   ORDER BY semantic_share + keyword_share + title_share + identifier_share DESC, chunk_id) > 1
              THEN 0.9::float8 ELSE 1.0::float8 END AS page_share
    FROM voted LEFT JOIN places USING (chunk_id)
), scored AS MATERIALIZED (
    SELECT *, (semantic_share + keyword_share + title_share + identifier_share + page_reference_share) * page_share
              AS own_score FROM spread
), first_arm AS MATERIALIZED (
    SELECT chunk_id FROM lexical WHERE rank = 1
), keyword_first AS (
    SELECT chunk_id, (SELECT own_score FROM scored ORDER BY own_score DESC OFFSET {place} LIMIT 1) AS fifth
    FROM first_arm AS arm WHERE NOT ({first_is_unmatched})
), fused AS MATERIALIZED (
    SELECT *, row_number() OVER (ORDER BY fused_score DESC, is_keyword_first DESC, chunk_id) AS fused_rank
    FROM (SELECT s.*, coalesce(fifth > own_score, false) AS is_keyword_first,
                 greatest(own_score, fifth) AS fused_score
          FROM scored AS s LEFT JOIN keyword_first USING (chunk_id)) AS raised
    ORDER BY fused_rank LIMIT :top_k
)"""

_VOTED: Final = """
    SELECT *, 0::float8 AS title_share, 0::float8 AS identifier_share, 0::float8 AS page_reference_share FROM votes"""
_VOTED_WITH: Final = """
    SELECT chunk_id, v.semantic_rank, v.keyword_rank, {distance} AS distance, {keyword_score} AS keyword_score,
           {is_unmatched_language} AS is_unmatched_language, coalesce(v.semantic_share, 0) AS semantic_share,
           coalesce(v.keyword_share, 0) AS keyword_share, {title_share} AS title_share,
           {identifier_share} AS identifier_share, {page_reference_share} AS page_reference_share
    FROM votes AS v {joined}"""

_NO_PLACES: Final = "SELECT NULL::uuid AS chunk_id, NULL::text AS place WHERE false"


@dataclass(frozen=True, slots=True, kw_only=True)
class Arms:
    """Two arms as SQL: `dense` selects (chunk_id, distance), `lexical` (chunk_id, score)."""

    dense: str
    lexical: str


def fusion_sql(
    arms: Arms,
    *,
    is_unmatched_language: str = "false",
    places: str = _NO_PLACES,
    title_arms: Arms | None = None,
    identified: str | None = None,
    paged: str | None = None,
) -> str:
    """Build the common table expressions up to `fused`.

    Args:
        arms: The arms over the whole scope.
        is_unmatched_language: A condition on a row `arm` of the dense arm, whose table is `{of}arm`.
        places: Selects (chunk_id, place) for the rows of `voted` with a known page.
        title_arms: The arms within the documents matched by title.
        identified: Selects the chunk_id of candidates with an identifier or in a section of the query.
        paged: Selects the chunk_id of chunks on pages that the query references.
    """
    joined, title_votes = "", ""
    columns = {
        "distance": "v.distance",
        "keyword_score": "v.keyword_score",
        "is_unmatched_language": "coalesce(v.is_unmatched_language, false)",
        "title_share": "0::float8",
        "identifier_share": "0::float8",
        "page_reference_share": "0::float8",
    }
    if title_arms is not None:
        title_votes = "," + _votes_sql(title_arms, of="title_", is_unmatched_language=is_unmatched_language)
        joined += " FULL JOIN title_votes AS t USING (chunk_id)"
        columns |= {name: f"coalesce(v.{name}, t.{name})" for name in ("distance", "keyword_score")}
        columns["is_unmatched_language"] = "coalesce(v.is_unmatched_language, t.is_unmatched_language, false)"
        columns["title_share"] = "coalesce((t.semantic_share + t.keyword_share) / 2, 0)"
    if identified is not None:
        joined += f" FULL JOIN ({identified}) AS i USING (chunk_id)"
        columns["identifier_share"] = "CASE WHEN i.chunk_id IS NULL THEN 0 ELSE 2.0::float8 / (:k + 1) END"
    if paged is not None:
        joined += f" FULL JOIN ({paged}) AS p USING (chunk_id)"
        columns["page_reference_share"] = "CASE WHEN p.chunk_id IS NULL THEN 0 ELSE 1.0::float8 / (:k + 1) END"
    return _FUSION.format(
        votes=_votes_sql(arms, of="", is_unmatched_language=is_unmatched_language),
        title_votes=title_votes,
        voted=_VOTED_WITH.format(joined=joined, **columns) if joined else _VOTED,
        places=places,
        place=KEYWORD_FIRST_PLACE - 1,
        first_is_unmatched=is_unmatched_language.format(of="first_"),
    )


def _votes_sql(arms: Arms, *, of: str, is_unmatched_language: str) -> str:
    condition = is_unmatched_language.format(of=of)
    return _VOTES.format(of=of, dense=arms.dense, lexical=arms.lexical, is_unmatched_language=condition)
