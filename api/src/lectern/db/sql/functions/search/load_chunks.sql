-- Load the chunks in scope with the data of their documents that a search result shows.
CREATE OR REPLACE FUNCTION lectern_load_chunks(chunk_ids uuid[]) RETURNS TABLE (
    chunk_id uuid, document_id uuid, chunk_index integer, section_heading text, section_path text[],
    page_number integer, last_page_number integer, char_start integer, char_end integer, token_count integer,
    content_type text, importance double precision, language text, text text,
    filename text, title text, page_images text, collection text, tags text[])
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10 SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
    is_any_tag_visible constant boolean := lectern_is_unrestricted('lectern.tags');
    visible_tags constant uuid[] := lectern_get_scope_ids('lectern.tags');
BEGIN
    RETURN QUERY WITH candidates AS MATERIALIZED (
        SELECT * FROM chunks WHERE id = ANY (chunk_ids)
    )
    SELECT c.id, c.document_id, c.chunk_index, c.section_heading, c.section_path, c.page_number, c.last_page_number,
           c.char_start, c.char_end, c.token_count, c.content_type, c.importance, c.language, c.text,
           d.filename, d.title, d.page_images, o.name,
           ARRAY(SELECT t.name FROM tags AS t JOIN document_tags AS dt ON dt.tag_id = t.id
                 WHERE dt.document_id = c.document_id AND (is_any_tag_visible OR t.id = ANY (visible_tags))
                 ORDER BY t.name)
    FROM candidates AS c
    JOIN documents AS d ON d.id = c.document_id
    JOIN collections AS o ON o.id = d.collection_id
    -- The scope is resolved once, not for each chunk.
    WHERE c.document_id = ANY ((
        SELECT lectern_filter_visible_documents(ARRAY(SELECT DISTINCT document_id FROM candidates)))::uuid[]);
END $$;
