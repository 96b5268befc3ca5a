-- Statistics of a search: in how many chunks a lexeme occurs. The empty lexeme counts the chunks.
-- They cover nothing outside the scope, so that a response tells nothing about it.

-- Return the counts of these lexemes in the collections of the scope, and in up to 256 chunks of granted documents.
-- More chunks of granted documents are estimated.
-- Return no row if tags or documents narrow the scope: lectern_sample_lexemes counts for them.
CREATE OR REPLACE FUNCTION lectern_count_lexemes(lexemes text[])
RETURNS TABLE (lexeme text, language text, chunk_count bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 40 SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    collections constant uuid[] := lectern_get_scope_ids('lectern.collections');
    granted constant uuid[] := lectern_get_scope_ids('lectern.granted');
BEGIN
    IF NOT lectern_is_unrestricted('lectern.tags') OR NOT lectern_is_unrestricted('lectern.documents') THEN
        RETURN;
    ELSIF lectern_is_unrestricted('lectern.collections') THEN
        RETURN QUERY SELECT lexeme, language, sum(chunk_count)::bigint FROM (
            SELECT lexeme, language, chunk_count FROM lexeme_stats WHERE lexeme = ANY (lexemes)
            UNION ALL SELECT lexeme, language, chunk_count FROM lexeme_deltas WHERE lexeme = ANY (lexemes)
        ) AS counts GROUP BY lexeme, language HAVING sum(chunk_count) > 0;
    ELSE
        RETURN QUERY SELECT lexeme, language, sum(chunk_count)::bigint FROM (
            SELECT lexeme, language, chunk_count FROM lexeme_stats
            WHERE lexeme = ANY (lexemes) AND collection_id = ANY (collections)
            UNION ALL SELECT lexeme, language, chunk_count FROM lexeme_deltas
            WHERE lexeme = ANY (lexemes) AND collection_id = ANY (collections)
            UNION ALL SELECT sample.* FROM (
                SELECT array_agg(id ORDER BY id) AS ids, sum(chunk_count)::bigint AS chunks FROM documents
                WHERE id = ANY (granted) AND collection_id <> ALL (collections) AND deleted_at IS NULL
                  AND chunk_count > 0
            ) AS shared CROSS JOIN LATERAL lectern_sample_lexemes(ids, lexemes, chunks, 256) AS sample
            WHERE granted <> '{}' AND chunks > 0
        ) AS counts GROUP BY lexeme, language HAVING sum(chunk_count) > 0;
    END IF;
END $$;

-- Estimate the counts of these lexemes in documents of the scope that have `total` chunks.
-- All chunks are counted up to `chunk_limit`, else the first chunks of up to 50 documents.
CREATE OR REPLACE FUNCTION lectern_sample_lexemes(
    document_ids uuid[], lexemes text[], total bigint, chunk_limit integer)
RETURNS TABLE (lexeme text, language text, chunk_count bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 40 SET search_path = public, pg_temp AS $$
DECLARE
    is_complete constant boolean := total <= chunk_limit;
    sample constant text := CASE WHEN is_complete
        THEN 'SELECT language, tsv FROM chunk_lexical WHERE document_id = ANY ($1)'
        ELSE 'SELECT chunk.language, tsv FROM unnest($1) AS document (id) CROSS JOIN LATERAL (
                  SELECT id, language FROM chunks WHERE document_id = document.id ORDER BY chunk_index LIMIT 3) AS chunk
              LEFT JOIN chunk_lexical ON chunk_id = chunk.id' END;
    terms constant text[] := ARRAY(SELECT DISTINCT term FROM unnest(''::text || lexemes) AS term ORDER BY term);
    conditions text;
    counted text;
BEGIN
    SELECT string_agg(format(', count(*) FILTER (WHERE tsv @@ %L::tsquery)',
                             '''' || replace(replace(term, '\', '\\'), '''', '''''') || ''''), '' ORDER BY term)
    INTO conditions FROM unnest(terms) AS term WHERE term <> '';
    -- One condition for each term is faster than reading all lexemes of a chunk, unless there are many.
    counted := CASE WHEN cardinality(terms) <= 40
        THEN format('SELECT language, unnest($2), unnest(ARRAY[count(*)%s]) FROM (%s) AS l GROUP BY language',
                    conditions, sample)
        ELSE format('SELECT language, lexeme, count(*)
                     FROM (%s) AS l, unnest(tsvector_to_array(tsv) || ''''::text) AS lexeme
                     WHERE lexeme = ANY ($2) GROUP BY language, lexeme', sample) END;
    RETURN QUERY EXECUTE format('
        WITH counts (language, lexeme, matched) AS (%s)
        SELECT lexeme, language, round(
            matched * greatest(1, $3 / (SELECT sum(matched) FROM counts WHERE lexeme = '''')))::bigint
        FROM counts WHERE matched > 0', counted)
    USING lectern_filter_visible_documents(CASE WHEN is_complete THEN document_ids ELSE document_ids[:50] END),
          terms, total;
END $$;

-- Return the number of all chunks. Search needs it for the breadth of the embedding index.
CREATE OR REPLACE FUNCTION lectern_count_indexed_chunks() RETURNS bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    RETURN (SELECT coalesce(sum(chunk_count), 0)::bigint FROM (
        SELECT chunk_count FROM lexeme_stats WHERE lexeme = ''
        UNION ALL SELECT chunk_count FROM lexeme_deltas WHERE lexeme = '') AS counts);
END $$;
