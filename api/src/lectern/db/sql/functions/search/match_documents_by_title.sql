-- Return the documents in scope that the terms of a query name by their title or filename, as a JSON array of
-- [id, chunk count, matching words, matching numbers, all title terms].
-- `counted_terms` and `chunk_counts` say in how many chunks of the scope a term occurs.
-- A word names a document if at least half of the chunks with the word are of documents with it in their titles. Words
-- in more than 500 titles or 20,000 chunks are too common to tell documents apart. A document matches with
--   a naming word and a number of the query,
--   a quarter ("2023Q2") and a year of the query, for at most 500 documents, or
--   a naming word alone, if the query has no year and at most 100 documents match.
CREATE OR REPLACE FUNCTION lectern_match_documents_by_title(
    terms text[], counted_terms text[], chunk_counts bigint[]) RETURNS jsonb
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
    query_numbers text[] := ARRAY(SELECT DISTINCT term FROM unnest(terms) AS term WHERE term ~ '\d');
    query_words text[] := ARRAY(SELECT DISTINCT term FROM unnest(terms) AS term WHERE term !~ '\d');
    query_quarters text[] := ARRAY(SELECT DISTINCT term FROM unnest(terms) AS term WHERE term ~ '^(q[1-4]|[1-4]q)$');
    query_years text[] := ARRAY(SELECT DISTINCT term FROM unnest(terms) AS term WHERE term ~ '^(19|20)\d\d$');
    naming_words text[];
    -- Null is no restriction. Documents out of scope must not count: the limits would tell of them.
    collections constant uuid[] := CASE WHEN NOT lectern_is_unrestricted('lectern.collections')
        THEN coalesce(lectern_get_scope_ids('lectern.collections'), '{}') END;
    granted constant uuid[] := coalesce(lectern_get_scope_ids('lectern.granted'), '{}');
    tags constant uuid[] := CASE WHEN NOT lectern_is_unrestricted('lectern.tags')
        THEN coalesce(lectern_get_scope_ids('lectern.tags'), '{}') END;
    chosen constant uuid[] := CASE WHEN NOT lectern_is_unrestricted('lectern.documents')
        THEN coalesce(lectern_get_scope_ids('lectern.documents'), '{}') END;
BEGIN
    SELECT array_agg(term) INTO naming_words FROM (
        SELECT term, coalesce(sum(chunks), 0) AS chunks FROM unnest(query_words) AS term
        LEFT JOIN unnest(counted_terms, chunk_counts) AS counted (term, chunks) USING (term)
        GROUP BY term HAVING coalesce(sum(chunks), 0) <= 20000
    ) AS word CROSS JOIN LATERAL (
        SELECT count(*) AS documents, sum(chunk_count) AS chunks FROM (
            SELECT chunk_count FROM documents AS d WHERE title_terms @> ARRAY[word.term]
              AND (collections IS NULL OR collection_id = ANY (collections) OR id IN (SELECT unnest(granted)))
              AND (chosen IS NULL OR id = ANY (chosen))
              AND (tags IS NULL OR EXISTS (
                  SELECT FROM document_tags WHERE document_id = d.id AND tag_id = ANY (tags)))
            LIMIT 501) AS document) AS titled
    WHERE titled.documents BETWEEN 1 AND 500 AND titled.chunks * 2 >= word.chunks;
    naming_words := coalesce(naming_words, '{}');
    IF naming_words = '{}' AND (query_quarters = '{}' OR query_years = '{}') THEN
        RETURN '[]';
    END IF;
    RETURN (
        WITH visible AS NOT MATERIALIZED (
            SELECT id, chunk_count, title_terms FROM documents AS d
            WHERE deleted_at IS NULL AND chunk_count > 0
              AND (collections IS NULL OR collection_id = ANY (collections) OR id IN (SELECT unnest(granted)))
              AND (chosen IS NULL OR id = ANY (chosen))
              AND (tags IS NULL OR EXISTS (
                  SELECT FROM document_tags WHERE document_id = d.id AND tag_id = ANY (tags)))
        ), matches AS MATERIALIZED (
            SELECT id, chunk_count, title_terms FROM visible
            WHERE title_terms && naming_words AND title_terms && query_numbers
            UNION
            (SELECT id, chunk_count, title_terms FROM visible
             WHERE title_terms && query_quarters AND title_terms && query_years ORDER BY id LIMIT 500)
            UNION
            SELECT id, chunk_count, title_terms FROM (
                SELECT id, chunk_count, title_terms, count(*) OVER () AS match_count FROM visible
                WHERE query_years = '{}' AND title_terms && naming_words) AS undated
            WHERE match_count <= 100
        )
        SELECT coalesce(jsonb_agg(jsonb_build_array(
                   id, chunk_count,
                   ARRAY(SELECT term FROM unnest(title_terms) AS term WHERE term = ANY (naming_words)),
                   ARRAY(SELECT term FROM unnest(title_terms) AS term WHERE term = ANY (query_numbers)),
                   title_terms)), '[]')
        FROM matches WHERE id = ANY ((SELECT lectern_filter_visible_documents(ARRAY(SELECT id FROM matches)))::uuid[]));
END $$;
