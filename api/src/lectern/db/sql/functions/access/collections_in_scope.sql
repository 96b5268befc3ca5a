-- List the collections of the documents in a scope that tags or documents limit. The policy of collections adds the limit
-- to collections. It runs as the owner, and starts from the documents of the limit. If tags have many documents, it looks
-- for the first one in each collection instead.
CREATE OR REPLACE FUNCTION lectern_list_collections_in_scope() RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10 SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    is_any_document constant boolean := lectern_is_unrestricted('lectern.documents');
    document_ids constant uuid[] := lectern_get_scope_ids('lectern.documents');
    tag_ids constant uuid[] := lectern_get_scope_ids('lectern.tags');
BEGIN
    IF lectern_is_unrestricted('lectern.tags') THEN
        RETURN QUERY SELECT DISTINCT d.collection_id FROM documents AS d WHERE d.id = ANY (document_ids);
    ELSIF is_any_document AND EXISTS (SELECT FROM document_tags AS t WHERE t.tag_id = ANY (tag_ids) OFFSET 2000) THEN
        RETURN QUERY SELECT c.id FROM collections AS c CROSS JOIN LATERAL (
            SELECT FROM documents AS d WHERE d.collection_id = c.id AND EXISTS (
                SELECT FROM document_tags AS t WHERE t.document_id = d.id AND t.tag_id = ANY (tag_ids) OFFSET 0)
            LIMIT 1) AS first_one;
    ELSE
        RETURN QUERY SELECT DISTINCT d.collection_id FROM documents AS d
        WHERE d.id = ANY (ARRAY(SELECT t.document_id FROM document_tags AS t WHERE t.tag_id = ANY (tag_ids)))
          AND (is_any_document OR d.id = ANY (document_ids));
    END IF;
END $$;
