-- Return a key of the page or pages of each chunk in scope, "document:first page:last page".
-- Chunks of documents with a single page have none.
CREATE OR REPLACE FUNCTION lectern_get_page_keys(chunk_ids uuid[]) RETURNS TABLE (chunk_id uuid, page_key text)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100 SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY WITH candidates AS MATERIALIZED (
        SELECT id, document_id, page_number, last_page_number FROM chunks WHERE id = ANY (chunk_ids)
    ), paged_documents AS MATERIALIZED (
        SELECT id FROM documents
        WHERE id = ANY (lectern_filter_visible_documents(ARRAY(SELECT DISTINCT document_id FROM candidates)))
          AND page_count > 1
    )
    SELECT candidates.id, concat_ws(':', document_id, page_number, last_page_number)
    FROM candidates WHERE document_id IN (SELECT id FROM paged_documents);
END $$;
