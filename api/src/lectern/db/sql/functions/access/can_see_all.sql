-- Return true if the scope allows every document.
-- Policies then skip the check of each row.
CREATE OR REPLACE FUNCTION lectern_can_see_all() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
BEGIN ATOMIC
    SELECT lectern_is_unrestricted('lectern.documents') AND lectern_is_unrestricted('lectern.tags')
        AND (lectern_is_unrestricted('lectern.collections')
             OR (lectern_get_scope_ids('lectern.collections') IS NOT NULL
                 AND NOT EXISTS (
                     SELECT FROM collections WHERE id <> ALL (lectern_get_scope_ids('lectern.collections')))));
END;
