-- Return the documents in scope that the terms of a query name by their title or filename, as a JSON array of
-- [id, chunk count, matching words, matching numbers, all title terms].
-- A word names a document if at least half of the chunks with the word are of documents with it in their titles. Words
-- in more than 500 titles or 20,000 chunks are too common to tell documents apart. A document matches with
--   a naming word and a number of the query,
--   a quarter ("2023Q2") and a year of the query, for at most 500 documents, or
--   a naming word alone, if the query has no year and at most 100 documents match.
CREATE OR REPLACE FUNCTION lectern_match_documents_by_title(terms text[]) RETURNS jsonb
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
    query_numbers text[] := ARRAY(SELECT DISTINCT term FROM unnest(terms) AS term WHERE term ~ '\d');
    query_words text[] := ARRAY(SELECT DISTINCT term FROM unnest(terms) AS term WHERE term !~ '\d');
    query_quarters text[] := ARRAY(SELECT DISTINCT term FROM unnest(terms) AS term WHERE term ~ '^(q[1-4]|[1-4]q)$');
    query_years text[] := ARRAY(SELECT DISTINCT term FROM unnest(terms) AS term WHERE term ~ '^(19|20)\d\d$');
    naming_words text[];
BEGIN
    WITH word_counts AS MATERIALIZED (
        SELECT lexeme AS term, sum(chunk_count) AS chunks FROM (
            SELECT lexeme, chunk_count FROM lexeme_stats WHERE lexeme = ANY (query_words)
            UNION ALL SELECT lexeme, chunk_count FROM lexeme_deltas WHERE lexeme = ANY (query_words)
        ) AS counts GROUP BY lexeme HAVING sum(chunk_count) BETWEEN 1 AND 20000
    )
    SELECT array_agg(term) INTO naming_words FROM word_counts CROSS JOIN LATERAL (
        SELECT count(*) AS documents, sum(chunk_count) AS chunks FROM (
            SELECT chunk_count FROM documents WHERE title_terms @> ARRAY[term] LIMIT 501) AS titled) AS titles
    WHERE titles.documents BETWEEN 1 AND 500 AND titles.chunks * 2 >= word_counts.chunks;
    naming_words := coalesce(naming_words, '{}');
    IF naming_words = '{}' AND (query_quarters = '{}' OR query_years = '{}') THEN
        RETURN '[]';
    END IF;
    RETURN (
        WITH matches AS MATERIALIZED (
            SELECT id, chunk_count, title_terms FROM documents
            WHERE title_terms && naming_words AND title_terms && query_numbers
              AND deleted_at IS NULL AND chunk_count > 0
            UNION
            (SELECT id, chunk_count, title_terms FROM documents
             WHERE title_terms && query_quarters AND title_terms && query_years
               AND deleted_at IS NULL AND chunk_count > 0
             LIMIT 500)
            UNION
            SELECT id, chunk_count, title_terms FROM (
                SELECT id, chunk_count, title_terms, count(*) OVER () AS match_count FROM documents
                WHERE query_years = '{}' AND title_terms && naming_words
                  AND deleted_at IS NULL AND chunk_count > 0) AS undated
            WHERE match_count <= 100
        )
        SELECT coalesce(jsonb_agg(jsonb_build_array(
                   id, chunk_count,
                   ARRAY(SELECT term FROM unnest(title_terms) AS term WHERE term = ANY (naming_words)),
                   ARRAY(SELECT term FROM unnest(title_terms) AS term WHERE term = ANY (query_numbers)),
                   title_terms)), '[]')
        FROM matches WHERE id = ANY (lectern_filter_visible_documents(ARRAY(SELECT id FROM matches))));
END $$;
