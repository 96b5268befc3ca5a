-- Blank the details of the events of purged documents and tags, and the names of these tags in other events.
-- Return the number of changed events. Actor, action, target and time stay. It runs as the owner, because the services
-- may only add to the audit log.
CREATE OR REPLACE FUNCTION lectern_blank_audit_details(targets text[], tag_names text[]) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    blanked bigint;
    renamed bigint := 0;
BEGIN
    UPDATE audit_events SET details = '{}' WHERE target = ANY (targets) AND details <> '{}';
    GET DIAGNOSTICS blanked = ROW_COUNT;
    IF cardinality(tag_names) > 0 THEN
        UPDATE audit_events SET details = details - '{tags,filter}'::text[]
        WHERE jsonb_exists_any(details -> 'tags', tag_names) OR EXISTS (
            SELECT FROM unnest(tag_names) AS name WHERE strpos(details ->> 'filter', to_json(name)::text) > 0);
        GET DIAGNOSTICS renamed = ROW_COUNT;
    END IF;
    RETURN blanked + renamed;
END $$;

REVOKE EXECUTE ON FUNCTION lectern_blank_audit_details(text[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lectern_blank_audit_details(text[], text[]) TO lectern_system;
