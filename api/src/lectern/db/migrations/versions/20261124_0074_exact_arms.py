"""Both arms ask once for the documents in scope (ADR 99).

Revision ID: 20261124_0074
Revises: 20261124_0073
"""

from alembic import op

revision = "20261124_0074"
down_revision = "20261124_0073"

# Under row-level security each passage is asked for its document, or all documents of the library are read to know those
# in scope. These ask once for the documents that are given, which are few.
FUNCTIONS = """
-- All passages of these documents, as far as the scope sees them: the nearest ones, each by its nearest window.
CREATE FUNCTION lectern_search_dense_exact(generation integer, vector halfvec, ids uuid[], windows integer, wanted integer)
RETURNS TABLE (chunk_id uuid, distance float8)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 50 SET search_path = public, pg_temp AS $$
BEGIN
    RETURN QUERY EXECUTE format('
        SELECT chunk_id, min(distance) FROM (
            SELECT chunk_id, distance FROM (
                SELECT e.chunk_id, e.embedding <=> $1 AS distance FROM chunk_embeddings_%s AS e
                WHERE e.document_id = ANY ($2) OFFSET 0
            ) AS compared ORDER BY distance LIMIT $3
        ) AS near GROUP BY chunk_id ORDER BY 2, 1 LIMIT $4', generation)
    USING vector, lectern_filter_visible_documents(ids), windows, wanted;
END $$;

-- The same by their words.
CREATE FUNCTION lectern_search_lexical_exact(weights sparsevec, ids uuid[], wanted integer)
RETURNS TABLE (chunk_id uuid, score float8)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 50 SET search_path = public, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
DECLARE
    seen constant uuid[] := lectern_filter_visible_documents(ids);
BEGIN
    RETURN QUERY SELECT chunk_id, -distance FROM (
        SELECT l.chunk_id, l.lex <#> weights AS distance FROM chunk_lexical AS l
        WHERE l.document_id = ANY (seen) OFFSET 0
    ) AS compared WHERE distance < 0 ORDER BY distance, chunk_id LIMIT wanted;
END $$;
"""

CANDIDATES = """
CREATE OR REPLACE FUNCTION lectern_find_lexical_candidates(
    weights sparsevec, rare tsquery, terms text[], bounds float8[], shares float8[], chunks float8, budget float8,
    depth integer, wanted integer, allowed uuid[], excluded uuid[])
RETURNS TABLE (chunk_id uuid, score float8)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 50
SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET enable_bitmapscan = on AS $$
DECLARE
    {declared}
    candidates tsquery := rare;
    ids uuid[];
    scores float8[];
BEGIN
    FOR look IN 1..2 LOOP
        SELECT array_agg(f.chunk_id ORDER BY f.distance, f.chunk_id), array_agg(-f.distance ORDER BY f.distance, f.chunk_id)
        INTO ids, scores
        FROM (
            SELECT every.chunk_id, every.distance FROM (
                (SELECT l.chunk_id, l.lex <#> weights AS distance FROM chunk_lexical AS l
                 WHERE l.tsv @@ candidates
                   AND {in_scope}
                   AND (excluded IS NULL OR l.document_id <> ALL (excluded))
                 ORDER BY distance, l.chunk_id LIMIT wanted)
                UNION SELECT seen.id, -seen.score FROM unnest(ids, scores) AS seen (id, score)
            ) AS every ORDER BY every.distance, every.chunk_id LIMIT wanted
        ) AS f;
        EXIT WHEN look = 2;
        candidates := lectern_build_maxscore_query(terms, bounds, shares, coalesce(scores[depth], 0), chunks, budget);
        EXIT WHEN candidates IS NULL;
    END LOOP;
    RETURN QUERY SELECT * FROM unnest(ids, scores);
END $$;
"""
AFTER = {
    "declared": """documents constant uuid[] := CASE
        WHEN allowed IS NOT NULL THEN lectern_filter_visible_documents(allowed)
        WHEN NOT lectern_can_see_all() THEN ARRAY(SELECT lectern_list_documents_in_scope()) END;""",
    "in_scope": "(documents IS NULL OR l.document_id = ANY (documents))",
}
BEFORE = {
    "declared": """is_open constant boolean := lectern_is_unrestricted('lectern.collections') AND lectern_is_unrestricted('lectern.tags')
                                AND lectern_is_unrestricted('lectern.documents');""",
    "in_scope": """(is_open OR l.document_id IN (SELECT lectern_list_documents_in_scope()))
                   AND (allowed IS NULL OR l.document_id = ANY (allowed))""",
}


def upgrade() -> None:
    op.execute(FUNCTIONS)
    op.execute(CANDIDATES.format(**AFTER))


def downgrade() -> None:
    op.execute(CANDIDATES.format(**BEFORE))
    op.execute("DROP FUNCTION lectern_search_lexical_exact(sparsevec, uuid[], integer)")
    op.execute("DROP FUNCTION lectern_search_dense_exact(integer, halfvec, uuid[], integer, integer)")
