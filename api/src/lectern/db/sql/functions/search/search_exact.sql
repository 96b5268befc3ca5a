-- Compare every chunk of the given documents, as far as they are in scope. Scope is resolved once, not for each chunk.

-- Return the nearest chunks by embedding distance, each by its nearest window.
CREATE OR REPLACE FUNCTION lectern_search_dense_exact(
    generation integer, query_vector halfvec, document_ids uuid[], window_limit integer, chunk_limit integer)
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
    USING query_vector, lectern_filter_visible_documents(document_ids), window_limit, chunk_limit;
END $$;

-- Return the chunks with the highest BM25 score.
CREATE OR REPLACE FUNCTION lectern_search_lexical_exact(
    query_weights sparsevec, document_ids uuid[], chunk_limit integer)
RETURNS TABLE (chunk_id uuid, score float8)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 50 SET search_path = public, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
DECLARE
    visible_documents constant uuid[] := lectern_filter_visible_documents(document_ids);
BEGIN
    RETURN QUERY SELECT chunk_id, -distance FROM (
        SELECT l.chunk_id, query_weights <#> l.lex AS distance FROM chunk_lexical AS l
        WHERE l.document_id = ANY (visible_documents) OFFSET 0
    ) AS compared WHERE distance < 0 ORDER BY distance, chunk_id LIMIT chunk_limit;
END $$;
