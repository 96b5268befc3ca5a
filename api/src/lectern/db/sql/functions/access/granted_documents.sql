-- List the documents that tags share. `address` limits them to one person, `shared` to one document.
-- A tag shares the documents that whoever shared it may share: as an administrator, as an editor of the collection, or
-- as the owner of the document who is a member of the collection.
CREATE OR REPLACE FUNCTION lectern_list_tag_shares(address text, shared uuid)
RETURNS TABLE (document_id uuid, collection_id uuid, tag_id uuid, email text, granted_at timestamptz)
LANGUAGE plpgsql STABLE ROWS 10 SET plan_cache_mode = force_custom_plan AS $$
BEGIN
    RETURN QUERY
    SELECT d.id, d.collection_id, g.tag_id, g.email, g.granted_at
    FROM tag_grants AS g
    JOIN users AS u ON u.id = g.granted_by AND u.is_active
    JOIN document_tags AS t ON t.tag_id = g.tag_id
    JOIN documents AS d ON d.id = t.document_id
    LEFT JOIN collection_members AS m ON m.collection_id = d.collection_id AND m.user_id = u.id
    WHERE (address IS NULL OR g.email = address) AND (shared IS NULL OR t.document_id = shared)
      AND (u.role = 'admin' OR (u.role = 'editor' AND m.can_write) OR (m.user_id = u.id AND d.owner_id = u.id));
END $$;

-- List the documents of collections that a person does not read, which were shared with the person by themselves or by
-- a tag: the 1,000 whose grants are newest.
CREATE OR REPLACE FUNCTION lectern_list_granted_documents(reader uuid, address text) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE ROWS 10 AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM document_grants AS g WHERE g.email = address)
        AND NOT EXISTS (SELECT FROM tag_grants AS g WHERE g.email = address) THEN
        RETURN;
    END IF;
    RETURN QUERY
    SELECT s.document_id FROM (
        SELECT d.id AS document_id, d.collection_id, g.granted_at
        FROM document_grants AS g JOIN documents AS d ON d.id = g.document_id WHERE g.email = address
        UNION ALL
        SELECT t.document_id, t.collection_id, t.granted_at FROM lectern_list_tag_shares(address, NULL) AS t
    ) AS s JOIN collections AS c ON c.id = s.collection_id
    WHERE NOT c.is_open AND NOT EXISTS (
        SELECT FROM collection_members AS m WHERE m.user_id = reader AND m.collection_id = c.id)
    GROUP BY s.document_id ORDER BY max(s.granted_at) DESC, s.document_id LIMIT 1000;
END $$;
