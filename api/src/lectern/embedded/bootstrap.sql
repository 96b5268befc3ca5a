-- Create what only a superuser can create, in the database of Lectern. It is safe to repeat.
-- The embedded Postgres runs it at every start, the image of docker-compose once for a new database.

CREATE EXTENSION IF NOT EXISTS vector;
CREATE EXTENSION IF NOT EXISTS unaccent;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

DO $$
BEGIN
    -- owns the schema; used by migrations only
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'lectern_owner') THEN
        CREATE ROLE lectern_owner LOGIN;
    END IF;
    -- what the services sign in as: it owns nothing and may do nothing until it takes on one of the two roles below
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'lectern_service') THEN
        CREATE ROLE lectern_service LOGIN NOINHERIT;
    END IF;
    -- reached with SET LOCAL ROLE only: rows within a scope, and all rows
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'lectern_app') THEN
        CREATE ROLE lectern_app NOLOGIN;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'lectern_system') THEN
        CREATE ROLE lectern_system NOLOGIN;
    END IF;
END
$$;

GRANT lectern_app, lectern_system TO lectern_service WITH INHERIT FALSE;
GRANT lectern_app, lectern_system TO lectern_owner WITH INHERIT FALSE, ADMIN TRUE;

DO $$
BEGIN
    EXECUTE format('ALTER DATABASE %I OWNER TO lectern_owner', current_database());
    EXECUTE format('REVOKE TEMPORARY, CREATE ON DATABASE %I FROM PUBLIC', current_database());
END
$$;

-- With row-level security the planner may look a condition up in an index before it has applied the policies only if
-- the condition's function is leakproof. Without this, `tsv @@ query` never uses the GIN index for a scoped role.
-- The function raises no error that depends on the text, so that nothing leaks through it.
ALTER FUNCTION pg_catalog.ts_match_vq(tsvector, tsquery) LEAKPROOF;
