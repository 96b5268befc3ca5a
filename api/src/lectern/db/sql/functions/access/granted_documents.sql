-- List the documents that tags share. `address` limits them to one person, `shared` to one document.
-- A tag shares the documents that whoever shared it may share: as an administrator, as an editor of the collection, or
-- as the owner of the document who is a member of the collection. Each grant lists up to `document_limit` documents by
-- id, none of the `excluded` collections.
CREATE OR REPLACE FUNCTION lectern_list_tag_shares(
    address text, shared uuid, excluded uuid[], document_limit integer)
RETURNS TABLE (document_id uuid, tag_id uuid, email text, granted_at timestamptz)
LANGUAGE plpgsql STABLE ROWS 10 SET plan_cache_mode = force_custom_plan AS $$
BEGIN
    RETURN QUERY
    SELECT s.document_id, g.tag_id, g.email, g.granted_at
    FROM tag_grants AS g
    JOIN users AS u ON u.id = g.granted_by AND u.is_active
    CROSS JOIN LATERAL (
        SELECT d.id AS document_id FROM (
            SELECT t.document_id FROM document_tags AS t
            WHERE t.tag_id = g.tag_id AND (shared IS NULL OR t.document_id = shared) ORDER BY t.document_id
        ) AS t JOIN documents AS d ON d.id = t.document_id
        LEFT JOIN collection_members AS m ON m.collection_id = d.collection_id AND m.user_id = u.id
        WHERE d.collection_id <> ALL (excluded)
          AND (u.role = 'admin' OR (u.role = 'editor' AND m.can_write) OR (m.user_id = u.id AND d.owner_id = u.id))
        ORDER BY t.document_id LIMIT document_limit) AS s
    WHERE (address IS NULL OR g.email = address)
      AND (shared IS NULL OR g.tag_id IN (SELECT t.tag_id FROM document_tags AS t WHERE t.document_id = shared));
END $$;

-- List the documents of collections that a person does not read, which were shared with the person by themselves or by
-- a tag: the 1,000 whose grants are newest. Reading ends with them, because indexes have the order of the grants.
CREATE OR REPLACE FUNCTION lectern_list_granted_documents(reader uuid, address text) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE ROWS 10 SET enable_seqscan = off SET enable_sort = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
DECLARE
    readable uuid[];
BEGIN
    IF NOT EXISTS (SELECT FROM document_grants AS g WHERE g.email = address)
        AND NOT EXISTS (SELECT FROM tag_grants AS g WHERE g.email = address) THEN
        RETURN;
    END IF;
    readable := ARRAY(
        SELECT c.id FROM collections AS c WHERE c.is_open
        UNION ALL SELECT m.collection_id FROM collection_members AS m WHERE m.user_id = reader);
    RETURN QUERY
    SELECT s.document_id FROM (
        (SELECT g.document_id, g.granted_at FROM document_grants AS g JOIN documents AS d ON d.id = g.document_id
         WHERE g.email = address AND d.collection_id <> ALL (readable)
         ORDER BY g.granted_at DESC, g.document_id LIMIT 1000)
        UNION ALL
        SELECT t.document_id, t.granted_at FROM lectern_list_tag_shares(address, NULL, readable, 1000) AS t
    ) AS s GROUP BY s.document_id ORDER BY max(s.granted_at) DESC, s.document_id LIMIT 1000;
END $$;
