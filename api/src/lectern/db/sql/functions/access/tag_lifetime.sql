-- Keep the tags that documents have, that a key names, or that somebody made or changed. All run as the owner.

-- Lock a tag against deletion until the transaction ends. Return false if it is gone.
CREATE OR REPLACE FUNCTION lectern_lock_tag(tag_id uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM FROM tags WHERE id = tag_id FOR KEY SHARE;
    RETURN FOUND;
END $$;

-- Delete those of the given tags, or of all with null, that nothing keeps. Tags that are just attached are skipped.
CREATE OR REPLACE FUNCTION lectern_delete_orphaned_tags(tag_ids uuid[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    locked constant uuid[] := ARRAY(
        SELECT id FROM tags
        WHERE created_by IS NULL AND (tag_ids IS NULL OR id = ANY (tag_ids))
          AND NOT EXISTS (SELECT FROM document_tags AS t WHERE t.tag_id = tags.id)
          AND NOT EXISTS (SELECT FROM api_keys AS k WHERE tags.id = ANY (k.tag_ids) AND k.revoked_at IS NULL)
        FOR UPDATE SKIP LOCKED);
BEGIN
    -- A new statement sees what was committed before the lock.
    IF cardinality(locked) > 0 THEN
        DELETE FROM tags
        WHERE id = ANY (locked) AND NOT EXISTS (SELECT FROM document_tags AS t WHERE t.tag_id = tags.id);
    END IF;
END $$;

-- Trigger: delete the tags that lost their last document.
CREATE OR REPLACE FUNCTION lectern_delete_detached_tags() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM lectern_delete_orphaned_tags((SELECT array_agg(DISTINCT tag_id) FROM removed))
    WHERE EXISTS (SELECT FROM removed);
    RETURN NULL;
END $$;

REVOKE EXECUTE ON FUNCTION lectern_delete_orphaned_tags(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lectern_delete_orphaned_tags(uuid[]) TO lectern_system;
