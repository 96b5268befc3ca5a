-- Return the `candidate_limit` chunks with the highest BM25 score, by the GIN index.
-- The first pass scores the chunks with a rare term. The second adds the chunks that could still score above the
-- `threshold_rank`-th of the first pass (lectern_build_maxscore_query).
-- It runs as the owner, because policies keep the planner from using the index for `@@`.
CREATE OR REPLACE FUNCTION lectern_find_lexical_candidates(
    query_weights sparsevec, rare_terms tsquery, terms text[], upper_bounds float8[], selectivities float8[],
    chunk_count float8, candidate_budget float8, threshold_rank integer, candidate_limit integer,
    allowed_documents uuid[], excluded_documents uuid[])
RETURNS TABLE (chunk_id uuid, score float8)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 50
SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan SET enable_seqscan = off
SET enable_bitmapscan = on AS $$
DECLARE
    visible_documents constant uuid[] := CASE
        WHEN allowed_documents IS NOT NULL THEN lectern_filter_visible_documents(allowed_documents)
        WHEN NOT lectern_can_see_all() THEN ARRAY(SELECT lectern_list_documents_in_scope()) END;
    candidates tsquery := rare_terms;
    chunk_ids uuid[];
    scores float8[];
BEGIN
    FOR pass IN 1..2 LOOP
        SELECT array_agg(best.chunk_id ORDER BY best.distance, best.chunk_id),
               array_agg(-best.distance ORDER BY best.distance, best.chunk_id)
        INTO chunk_ids, scores
        FROM (
            SELECT merged.chunk_id, merged.distance FROM (
                (SELECT l.chunk_id, l.lex <#> query_weights AS distance FROM chunk_lexical AS l
                 WHERE l.tsv @@ candidates
                   AND (visible_documents IS NULL OR l.document_id = ANY (visible_documents))
                   AND (excluded_documents IS NULL OR l.document_id <> ALL (excluded_documents))
                 ORDER BY distance, l.chunk_id LIMIT candidate_limit)
                UNION SELECT previous.id, -previous.score FROM unnest(chunk_ids, scores) AS previous (id, score)
            ) AS merged ORDER BY merged.distance, merged.chunk_id LIMIT candidate_limit
        ) AS best;
        EXIT WHEN pass = 2;
        candidates := lectern_build_maxscore_query(
            terms, upper_bounds, selectivities, coalesce(scores[threshold_rank], 0), chunk_count, candidate_budget);
        EXIT WHEN candidates IS NULL;
    END LOOP;
    RETURN QUERY SELECT * FROM unnest(chunk_ids, scores);
END $$;
