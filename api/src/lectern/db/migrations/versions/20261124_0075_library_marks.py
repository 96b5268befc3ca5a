"""Every transaction that changes what a search reads leaves a mark (ADR 100).

Revision ID: 20261124_0075
Revises: 20261124_0074
"""

from alembic import op

revision = "20261124_0075"
down_revision = "20261124_0074"

# What searches read beside these follows from them in the same transaction: counts of lexemes and of documents.
READ = (
    "documents",
    "chunks",
    "chunk_lexical",
    "pages",
    "document_tags",
    "tags",
    "collections",
    "embedding_generations",
)

MARKS = """
-- A random number for each transaction. Whoever combines those it sees (XOR) knows whether any came or went: two
-- snapshots with the same result see the same library, in whatever order transactions began and ended.
CREATE TABLE library_version_tokens (token BIGINT NOT NULL);
GRANT SELECT ON library_version_tokens TO lectern_app, lectern_system;

-- Once in a transaction; what is rolled back to a savepoint takes its mark along.
CREATE FUNCTION lectern_bump_library_version() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF current_setting('lectern.marked', true) IS DISTINCT FROM pg_current_xact_id()::text THEN
        INSERT INTO library_version_tokens VALUES (hashtextextended(gen_random_uuid()::text, 0));
        PERFORM set_config('lectern.marked', pg_current_xact_id()::text, true);
    END IF;
END $$;

CREATE FUNCTION lectern_bump_library_version_on_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM lectern_bump_library_version();
    RETURN NULL;
END $$;

CREATE FUNCTION lectern_track_library_version(part regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TRIGGER library_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON %s
        FOR EACH STATEMENT EXECUTE FUNCTION lectern_bump_library_version_on_change()', part);
END $$;

-- One mark for those that are visible, unless another transaction is doing so (false). It stands for the same library.
CREATE FUNCTION lectern_merge_library_versions() RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT pg_try_advisory_xact_lock(7263510447) THEN
        RETURN false;
    END IF;
    IF (SELECT count(*) > 1 FROM library_version_tokens) THEN
        WITH taken AS (DELETE FROM library_version_tokens RETURNING token)
        INSERT INTO library_version_tokens SELECT bit_xor(token) FROM taken;
    END IF;
    RETURN true;
END $$;

REVOKE EXECUTE ON FUNCTION lectern_track_library_version(regclass), lectern_merge_library_versions() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lectern_merge_library_versions() TO lectern_system;
"""
EMBEDDINGS = """
DO $$
DECLARE
    part regclass;
BEGIN
    FOR part IN
        SELECT made FROM embedding_generations, to_regclass(format('chunk_embeddings_%s', id)) AS made
        WHERE made IS NOT NULL
    LOOP
        {statement}
    END LOOP;
END $$
"""


def upgrade() -> None:
    op.execute(MARKS)
    for table in READ:
        op.execute(f"SELECT lectern_track_library_version('{table}')")
    op.execute(EMBEDDINGS.format(statement="PERFORM lectern_track_library_version(part);"))


def downgrade() -> None:
    op.execute(EMBEDDINGS.format(statement="EXECUTE format('DROP TRIGGER library_changed ON %s', part);"))
    for table in READ:
        op.execute(f"DROP TRIGGER library_changed ON {table}")
    op.execute("DROP FUNCTION lectern_merge_library_versions()")
    op.execute("DROP FUNCTION lectern_track_library_version(regclass)")
    op.execute("DROP FUNCTION lectern_bump_library_version_on_change()")
    op.execute("DROP FUNCTION lectern_bump_library_version()")
    op.execute("DROP TABLE library_version_tokens")
