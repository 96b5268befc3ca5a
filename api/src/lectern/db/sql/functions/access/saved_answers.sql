-- Keep saved answers only while all documents they cite exist. Both run as the owner, who bypasses policies.

-- Trigger: delete the answers that cite deleted documents.
CREATE OR REPLACE FUNCTION lectern_delete_saved_answers() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    DELETE FROM saved_answers WHERE document_ids && (SELECT coalesce(array_agg(id), '{}') FROM removed);
    RETURN NULL;
END $$;

-- Trigger: lock the cited documents until the answer is committed, and skip the answer if one of them is gone.
-- A concurrent purge then waits, and finds the answer to delete.
CREATE OR REPLACE FUNCTION lectern_lock_cited_documents() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM FROM documents WHERE id = ANY(NEW.document_ids) ORDER BY id FOR KEY SHARE;
    IF EXISTS (SELECT FROM unnest(NEW.document_ids) AS cited (id)
               WHERE NOT EXISTS (SELECT FROM documents d WHERE d.id = cited.id)) THEN
        RETURN NULL;
    END IF;
    RETURN NEW;
END $$;
