-- Apply the SELECT policy of `documents` in functions that run as the owner.
-- Planning the policies of every table in a statement takes longer than running it. These functions are planned once
-- for each connection. A test compares their conditions with the policy.

-- List every document in scope.
CREATE OR REPLACE FUNCTION lectern_list_documents_in_scope() RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
BEGIN ATOMIC
    SELECT id FROM documents
    WHERE (SELECT lectern_can_see_all())
       OR (((SELECT lectern_is_unrestricted('lectern.collections'))
            OR collection_id = ANY ((SELECT lectern_get_scope_ids('lectern.collections'))::uuid[])
            OR id IN (SELECT unnest((SELECT lectern_get_scope_ids('lectern.granted')))))
           AND ((SELECT lectern_is_unrestricted('lectern.documents'))
                OR id = ANY ((SELECT lectern_get_scope_ids('lectern.documents'))::uuid[]))
           AND ((SELECT lectern_is_unrestricted('lectern.tags')) OR id IN (SELECT lectern_list_tagged_documents())));
END;

-- Return those of the given documents that are in scope.
CREATE OR REPLACE FUNCTION lectern_filter_visible_documents(document_ids uuid[]) RETURNS uuid[]
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
    IF lectern_can_see_all() THEN
        RETURN document_ids;
    END IF;
    RETURN ARRAY(
        SELECT id FROM documents
        WHERE id = ANY (document_ids) AND (
            (SELECT lectern_can_see_all())
            OR (((SELECT lectern_is_unrestricted('lectern.collections'))
                 OR collection_id = ANY ((SELECT lectern_get_scope_ids('lectern.collections'))::uuid[])
                 OR id IN (SELECT unnest((SELECT lectern_get_scope_ids('lectern.granted')))))
                AND ((SELECT lectern_is_unrestricted('lectern.documents'))
                     OR id = ANY ((SELECT lectern_get_scope_ids('lectern.documents'))::uuid[]))
                AND ((SELECT lectern_is_unrestricted('lectern.tags'))
                     OR id IN (SELECT lectern_list_tagged_documents())))));
END $$;

-- List the collections of the granted documents, which are visible as far as their documents are.
CREATE OR REPLACE FUNCTION lectern_list_granted_collections() RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10 SET search_path = public, pg_temp AS $$
BEGIN
    RETURN QUERY SELECT DISTINCT collection_id FROM documents
    WHERE id = ANY ((SELECT lectern_filter_visible_documents(lectern_get_scope_ids('lectern.granted')))::uuid[]);
END $$;
