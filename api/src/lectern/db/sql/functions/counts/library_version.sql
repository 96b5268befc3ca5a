-- Maintain the library version: the XOR of all rows of `library_version_tokens`.
-- Each transaction that changes searchable data adds one random token. Two snapshots with the same XOR see the same
-- library, in whatever order transactions began and ended. A rollback to a savepoint removes its token.

-- Add a token, once for each transaction.
CREATE OR REPLACE FUNCTION lectern_bump_library_version() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF current_setting('lectern.version_bumped_by', true) IS DISTINCT FROM pg_current_xact_id()::text THEN
        INSERT INTO library_version_tokens VALUES (hashtextextended(gen_random_uuid()::text, 0));
        PERFORM set_config('lectern.version_bumped_by', pg_current_xact_id()::text, true);
    END IF;
END $$;

-- Trigger: add a token when a searchable table changes.
CREATE OR REPLACE FUNCTION lectern_bump_library_version_on_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM lectern_bump_library_version();
    RETURN NULL;
END $$;

-- Add that trigger to a table.
CREATE OR REPLACE FUNCTION lectern_track_library_version(table_name regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TRIGGER bump_library_version AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON %s
        FOR EACH STATEMENT EXECUTE FUNCTION lectern_bump_library_version_on_change()', table_name);
END $$;

-- Replace the visible tokens by one, without changing the version. Return false if another transaction is doing so.
CREATE OR REPLACE FUNCTION lectern_merge_library_versions() RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT pg_try_advisory_xact_lock(7263510447) THEN
        RETURN false;
    END IF;
    IF (SELECT count(*) > 1 FROM library_version_tokens) THEN
        WITH tokens AS (DELETE FROM library_version_tokens RETURNING token)
        INSERT INTO library_version_tokens SELECT bit_xor(token) FROM tokens;
    END IF;
    RETURN true;
END $$;

REVOKE EXECUTE ON FUNCTION lectern_track_library_version(regclass), lectern_merge_library_versions() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lectern_merge_library_versions() TO lectern_system;
