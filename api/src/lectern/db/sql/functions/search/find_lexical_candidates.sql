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
SET search_path = public, pg_temp SET enable_seqscan = off SET enable_bitmapscan = on AS $$
DECLARE
    visible_documents constant uuid[] := CASE
        WHEN allowed_documents IS NOT NULL THEN lectern_filter_visible_documents(allowed_documents)
        WHEN NOT lectern_can_see_all() THEN ARRAY(SELECT lectern_list_documents_in_scope()) END;
    clauses tsquery[] := ARRAY[rare_terms];
    chunk_ids uuid[];
    scores float8[];
BEGIN
    FOR pass IN 1..2 LOOP
        -- The index scans each clause separately. One long query is checked for every chunk that has any of its terms.
        EXECUTE format('
            SELECT array_agg(chunk_id ORDER BY distance, chunk_id), array_agg(-distance ORDER BY distance, chunk_id)
            FROM (
                SELECT chunk_id, distance FROM (
                    (SELECT chunk_id, $1 <#> lex AS distance FROM chunk_lexical
                     WHERE (%s)
                       AND ($2 IS NULL OR document_id = ANY ($2)) AND ($3 IS NULL OR document_id <> ALL ($3))
                     ORDER BY distance, chunk_id LIMIT $4)
                    UNION SELECT id, -score FROM unnest($5, $6) AS previous (id, score)
                ) AS merged ORDER BY distance, chunk_id LIMIT $4
            ) AS best',
            (SELECT string_agg(format('tsv @@ %L::tsquery', clause), ' OR ') FROM unnest(clauses) AS clause))
        INTO chunk_ids, scores
        USING query_weights, visible_documents, excluded_documents, candidate_limit, chunk_ids, scores;
        EXIT WHEN pass = 2;
        clauses := lectern_build_maxscore_query(
            terms, upper_bounds, selectivities, coalesce(scores[threshold_rank], 0), chunk_count, candidate_budget);
        EXIT WHEN clauses IS NULL;
    END LOOP;
    RETURN QUERY SELECT * FROM unnest(chunk_ids, scores);
END $$;
