-- Return what the ranker reads of each chunk in scope.
--   generation     the embeddings to compare with, or null
--   term_vectors   a unit vector for each term of the query; `matched_terms` are the numbers of those in the chunk.
--                  Unlike the terms of a long chunk, its weights are in the row itself, so they are read faster.
--   title_terms    `matched_title_terms` are the numbers of those in the title of the document
CREATE OR REPLACE FUNCTION lectern_describe_candidates(
    chunk_ids uuid[], generation integer, query_vector halfvec, query_weights sparsevec, term_vectors sparsevec[],
    title_terms text[])
RETURNS TABLE (
    chunk_id uuid, document_id uuid, distance float8, keyword_score float8, language text, heading text,
    matched_terms integer[], matched_title_terms integer[])
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100 SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
    near_ids uuid[];
    distances float8[];
BEGIN
    IF generation IS NOT NULL THEN
        EXECUTE format('
            SELECT array_agg(chunk_id), array_agg(distance) FROM (
                SELECT chunk_id, min(embedding <=> $1) AS distance FROM chunk_embeddings_%s
                WHERE chunk_id = ANY ($2) GROUP BY chunk_id) AS compared', generation)
        INTO near_ids, distances USING query_vector, chunk_ids;
    END IF;
    RETURN QUERY WITH candidates AS MATERIALIZED (
        SELECT id, document_id, language, section_path, section_heading FROM chunks WHERE id = ANY (chunk_ids)
    )
    SELECT c.id, c.document_id, near.distance, -(query_weights <#> l.lex), c.language,
           array_to_string(c.section_path || c.section_heading, ' '),
           ARRAY(SELECT n FROM generate_subscripts(term_vectors, 1) AS n WHERE term_vectors[n] <#> l.lex < 0),
           CASE WHEN d.title_terms && $6
                THEN ARRAY(SELECT n FROM generate_subscripts($6, 1) AS n WHERE $6[n] = ANY (d.title_terms))
                ELSE '{}' END
    FROM candidates AS c
    JOIN documents AS d ON d.id = c.document_id
    -- The cast decompresses the weights of a long chunk once, not for each term.
    LEFT JOIN LATERAL (
        SELECT sparsevec(lex, -1, true) AS lex FROM chunk_lexical WHERE chunk_id = c.id OFFSET 0) AS l ON true
    LEFT JOIN unnest(near_ids, distances) AS near (id, distance) ON near.id = c.id
    -- The scope is resolved once, not for each chunk.
    WHERE c.document_id = ANY ((
        SELECT lectern_filter_visible_documents(ARRAY(SELECT DISTINCT document_id FROM candidates)))::uuid[]);
END $$;
