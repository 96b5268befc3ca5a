-- Trigger: delete the threads whose last answer was deleted. Runs as the owner, who bypasses policies.
CREATE OR REPLACE FUNCTION lectern_delete_empty_threads() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    DELETE FROM answer_threads AS t WHERE t.id IN (SELECT thread_id FROM removed)
        AND NOT EXISTS (SELECT FROM saved_answers AS a WHERE a.thread_id = t.id);
    RETURN NULL;
END $$;
