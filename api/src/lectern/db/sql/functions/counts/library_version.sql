-- Maintain the library version: the XOR of the rows of `library_version_tokens` without a collection.
-- Each transaction that changes searchable data adds one random token. Two snapshots with the same XOR see the same
-- library, in whatever order transactions began and ended. A rollback to a savepoint removes its token.
-- Each collection has a version of its own in the same way, for scopes that must not learn of changes elsewhere.

-- Add a token, once for each transaction.
CREATE OR REPLACE FUNCTION lectern_bump_library_version() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF current_setting('lectern.version_bumped_by', true) IS DISTINCT FROM pg_current_xact_id()::text THEN
        INSERT INTO library_version_tokens (token) VALUES (hashtextextended(gen_random_uuid()::text, 0));
        PERFORM set_config('lectern.version_bumped_by', pg_current_xact_id()::text, true);
    END IF;
END $$;

-- Trigger: add a token when a searchable table changes.
CREATE OR REPLACE FUNCTION lectern_bump_library_version_on_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM lectern_bump_library_version();
    RETURN NULL;
END $$;

-- Add a token to the version of each collection, once for each transaction.
CREATE OR REPLACE FUNCTION lectern_bump_collection_versions(collections uuid[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    -- The transaction, and the collections that have its token.
    bumped text := coalesce(current_setting('lectern.collections_bumped_by', true), '');
    collection uuid;
BEGIN
    IF NOT starts_with(bumped, pg_current_xact_id()::text || ':') THEN
        bumped := pg_current_xact_id()::text || ':';
    END IF;
    FOREACH collection IN ARRAY collections LOOP
        IF position(collection::text IN bumped) = 0 THEN
            INSERT INTO library_version_tokens (token, collection_id)
            VALUES (hashtextextended(gen_random_uuid()::text, 0), collection);
            bumped := bumped || collection;
        END IF;
    END LOOP;
    PERFORM set_config('lectern.collections_bumped_by', bumped, true);
END $$;

-- Trigger: add a token to the version of each collection to which rows in `changed` belong.
CREATE OR REPLACE FUNCTION lectern_bump_collection_versions_on_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    collections uuid[];
BEGIN
    IF TG_TABLE_NAME = 'documents' THEN
        collections := ARRAY(SELECT DISTINCT collection_id FROM changed);
    ELSIF TG_TABLE_NAME = 'tags' THEN
        collections := ARRAY(SELECT DISTINCT collection_id FROM documents JOIN document_tags ON document_id = id
                             WHERE tag_id IN (SELECT changed.id FROM changed));
    ELSIF TG_TABLE_NAME = 'collections' THEN
        collections := ARRAY(SELECT id FROM changed);
    ELSIF TG_TABLE_NAME = 'embedding_generations' THEN
        collections := ARRAY(SELECT id FROM public.collections);
    ELSE
        collections := ARRAY(SELECT DISTINCT collection_id FROM documents
                             WHERE id IN (SELECT document_id FROM changed));
    END IF;
    PERFORM lectern_bump_collection_versions(collections);
    RETURN NULL;
END $$;

-- Add these triggers to a table.
CREATE OR REPLACE FUNCTION lectern_track_library_version(table_name regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    event text;
BEGIN
    EXECUTE format('CREATE OR REPLACE TRIGGER bump_library_version AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON %s
        FOR EACH STATEMENT EXECUTE FUNCTION lectern_bump_library_version_on_change()', table_name);
    FOREACH event IN ARRAY ARRAY['insert', 'update', 'delete'] LOOP
        EXECUTE format('CREATE OR REPLACE TRIGGER bump_collection_versions_on_%1$s AFTER %1$s ON %2$s
            REFERENCING %3$s TABLE AS changed
            FOR EACH STATEMENT EXECUTE FUNCTION lectern_bump_collection_versions_on_change()',
            event, table_name, CASE event WHEN 'delete' THEN 'OLD' ELSE 'NEW' END);
    END LOOP;
END $$;

-- Replace the visible tokens of each version by one. Return false if another transaction is doing so.
CREATE OR REPLACE FUNCTION lectern_merge_library_versions() RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT pg_try_advisory_xact_lock(7263510447) THEN
        RETURN false;
    END IF;
    IF EXISTS (SELECT FROM library_version_tokens GROUP BY collection_id HAVING count(*) > 1) THEN
        WITH tokens AS (DELETE FROM library_version_tokens RETURNING token, collection_id)
        INSERT INTO library_version_tokens (token, collection_id)
        SELECT bit_xor(token), collection_id FROM tokens GROUP BY collection_id;
    END IF;
    RETURN true;
END $$;

REVOKE EXECUTE ON FUNCTION lectern_track_library_version(regclass), lectern_merge_library_versions() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lectern_merge_library_versions() TO lectern_system;
