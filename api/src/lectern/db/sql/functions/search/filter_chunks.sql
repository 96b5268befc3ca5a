-- Return those of the given chunks that are in scope and meet a condition.

-- Chunks in one of the languages.
CREATE OR REPLACE FUNCTION lectern_filter_chunks_by_language(chunk_ids uuid[], languages text[]) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 50 SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY WITH matches AS MATERIALIZED (
        SELECT chunk_id, document_id FROM chunk_lexical WHERE chunk_id = ANY (chunk_ids) AND language = ANY (languages)
    ) SELECT chunk_id FROM matches
    WHERE document_id = ANY (lectern_filter_visible_documents(ARRAY(SELECT DISTINCT document_id FROM matches)));
END $$;

-- Chunks with one of the terms.
CREATE OR REPLACE FUNCTION lectern_filter_chunks_by_terms(chunk_ids uuid[], terms tsquery) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10 SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY WITH matches AS MATERIALIZED (
        SELECT chunk_id, document_id FROM chunk_lexical WHERE chunk_id = ANY (chunk_ids) AND tsv @@ terms
    ) SELECT chunk_id FROM matches
    WHERE document_id = ANY (lectern_filter_visible_documents(ARRAY(SELECT DISTINCT document_id FROM matches)));
END $$;

-- Chunks of a section: a heading or a line of the text matches the lower-case pattern.
CREATE OR REPLACE FUNCTION lectern_filter_chunks_by_section(chunk_ids uuid[], heading_pattern text, line_pattern text)
RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10 SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY WITH matches AS MATERIALIZED (
        SELECT id, document_id FROM chunks
        WHERE id = ANY (chunk_ids)
          AND (lower(array_to_string(section_path || section_heading, E'\n')) ~ heading_pattern
               OR lower(text) ~ line_pattern)
    ) SELECT id FROM matches
    WHERE document_id = ANY (lectern_filter_visible_documents(ARRAY(SELECT DISTINCT document_id FROM matches)));
END $$;
