-- Return those of the given chunks in scope that are of a section: a heading or a line matches the lower-case pattern.
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
    WHERE document_id = ANY ((
        SELECT lectern_filter_visible_documents(ARRAY(SELECT DISTINCT document_id FROM matches)))::uuid[]);
END $$;
