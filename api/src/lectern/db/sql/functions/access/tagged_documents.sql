-- Runs as the owner, who bypasses policies: a policy on document_tags must not query document_tags itself.

-- List the documents that have a tag of the scope.
CREATE OR REPLACE FUNCTION lectern_list_tagged_documents() RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
BEGIN ATOMIC
    SELECT DISTINCT document_id FROM document_tags WHERE tag_id = ANY (lectern_get_scope_ids('lectern.tags'));
END;
