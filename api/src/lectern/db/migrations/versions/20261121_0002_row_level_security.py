"""Roles, scopes and row-level security (see lectern/db/scope.py).

Revision ID: 20261121_0002
Revises: 20261121_0001
"""

from alembic import op

revision = "20261121_0002"
down_revision = "20261121_0001"

# Roles belong to the whole server: they may exist already, and another database may still need them.
ROLES = """
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['lectern_app', 'lectern_system'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN NOBYPASSRLS', name);
        END IF;
        IF NOT pg_has_role(current_user, name, 'MEMBER') THEN
            EXECUTE format('GRANT %I TO %I', name, current_user);
        END IF;
        EXECUTE format('GRANT USAGE ON SCHEMA public TO %I', name);
    END LOOP;
END $$;
"""

# Each function reads one of the transaction's settings; unset settings mean: nothing is visible.
SCOPE = """
CREATE FUNCTION lectern_is_unrestricted(setting text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(current_setting(setting, true), '') = '*';

CREATE FUNCTION lectern_get_scope_ids(setting text) RETURNS uuid[]
LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE WHEN coalesce(current_setting(setting, true), '') IN ('', '*') THEN NULL
            ELSE current_setting(setting, true)::uuid[] END;

CREATE FUNCTION lectern_can_write() RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(current_setting('lectern.writable', true), '') = 'on';

-- These two run as the owner, whom policies do not bind: a policy on document_tags may not ask itself.
CREATE FUNCTION lectern_list_tagged_documents() RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
BEGIN ATOMIC
    SELECT DISTINCT document_id FROM document_tags WHERE tag_id = ANY (lectern_get_scope_ids('lectern.tags'));
END;

CREATE FUNCTION lectern_list_used_tags() RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
BEGIN ATOMIC
    SELECT DISTINCT tag_id FROM document_tags;
END;

-- Whether the scope leaves nothing out, as this statement sees the collections: then no row need be asked for.
CREATE FUNCTION lectern_can_see_all() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
BEGIN ATOMIC
    SELECT lectern_is_unrestricted('lectern.documents') AND lectern_is_unrestricted('lectern.tags')
        AND (lectern_is_unrestricted('lectern.collections')
             OR (lectern_get_scope_ids('lectern.collections') IS NOT NULL
                 AND NOT EXISTS (SELECT FROM collections WHERE id <> ALL (lectern_get_scope_ids('lectern.collections')))));
END;

-- Give a table of parts of documents (a column document_id) the visibility of its documents.
CREATE FUNCTION lectern_enable_row_security(part regclass) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    -- EXISTS lets the planner choose between asking for each row and reading all documents at once
    visible constant text :=
        '((SELECT lectern_can_see_all()) OR EXISTS (SELECT FROM documents d WHERE d.id = document_id))';
    writable constant text := '(SELECT lectern_can_write()) AND ' || visible;
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', part);
    EXECUTE format('CREATE POLICY everything ON %s TO lectern_system USING (true) WITH CHECK (true)', part);
    EXECUTE format('CREATE POLICY visible ON %s FOR SELECT TO lectern_app USING (%s)', part, visible);
    EXECUTE format('CREATE POLICY inserted ON %s FOR INSERT TO lectern_app WITH CHECK (%s)', part, writable);
    EXECUTE format('CREATE POLICY updated ON %s FOR UPDATE TO lectern_app USING (%s) WITH CHECK (%s)', part, writable, writable);
    EXECUTE format('CREATE POLICY deleted ON %s FOR DELETE TO lectern_app USING (%s)', part, writable);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO lectern_app, lectern_system', part);
END $$;
"""

IN_COLLECTIONS = (
    "((SELECT lectern_is_unrestricted('lectern.collections'))"
    " OR collection_id = ANY ((SELECT lectern_get_scope_ids('lectern.collections'))::uuid[]))"
)
IN_DOCUMENTS = "((SELECT lectern_is_unrestricted('lectern.documents')) OR id = ANY ((SELECT lectern_get_scope_ids('lectern.documents'))::uuid[]))"
IN_TAGS = "((SELECT lectern_is_unrestricted('lectern.tags')) OR id IN (SELECT lectern_list_tagged_documents()))"
IN_SCOPE = f"((SELECT lectern_can_see_all()) OR ({IN_COLLECTIONS} AND {IN_DOCUMENTS} AND {IN_TAGS}))"
WRITABLE = "(SELECT lectern_can_write())"

DOCUMENTS = f"""
ALTER TABLE documents ENABLE ROW LEVEL SECURITY;
CREATE POLICY everything ON documents TO lectern_system USING (true) WITH CHECK (true);
CREATE POLICY visible ON documents FOR SELECT TO lectern_app USING ({IN_SCOPE});
CREATE POLICY inserted ON documents FOR INSERT TO lectern_app WITH CHECK ({WRITABLE} AND {IN_SCOPE});
CREATE POLICY updated ON documents FOR UPDATE TO lectern_app
    USING ({WRITABLE} AND {IN_SCOPE}) WITH CHECK ({WRITABLE} AND {IN_SCOPE});
CREATE POLICY deleted ON documents FOR DELETE TO lectern_app USING ({WRITABLE} AND {IN_SCOPE});
GRANT SELECT, INSERT, UPDATE, DELETE ON documents TO lectern_app, lectern_system;
"""

PARTS = ("pages", "chunks", "chunk_lexical", "document_tags", "jobs")

# A tag is seen through the documents that carry it; those who may write also see tags that nothing carries yet.
TAGS = f"""
ALTER TABLE tags ENABLE ROW LEVEL SECURITY;
CREATE POLICY everything ON tags TO lectern_system USING (true) WITH CHECK (true);
CREATE POLICY visible ON tags FOR SELECT TO lectern_app USING (
    ((SELECT lectern_is_unrestricted('lectern.tags')) OR id = ANY ((SELECT lectern_get_scope_ids('lectern.tags'))::uuid[]))
    AND (id IN (SELECT tag_id FROM document_tags)
         OR ({WRITABLE} AND id NOT IN (SELECT lectern_list_used_tags()))));
CREATE POLICY inserted ON tags FOR INSERT TO lectern_app
    WITH CHECK ({WRITABLE} AND (SELECT lectern_is_unrestricted('lectern.tags')));
CREATE POLICY updated ON tags FOR UPDATE TO lectern_app USING ({WRITABLE}) WITH CHECK ({WRITABLE});
CREATE POLICY deleted ON tags FOR DELETE TO lectern_app USING ({WRITABLE});
GRANT SELECT, INSERT, UPDATE, DELETE ON tags TO lectern_app, lectern_system;
"""

COLLECTIONS = """
ALTER TABLE collections ENABLE ROW LEVEL SECURITY;
CREATE POLICY everything ON collections TO lectern_system USING (true) WITH CHECK (true);
CREATE POLICY visible ON collections FOR SELECT TO lectern_app USING (
    (SELECT lectern_is_unrestricted('lectern.collections'))
    OR id = ANY ((SELECT lectern_get_scope_ids('lectern.collections'))::uuid[]));
GRANT SELECT ON collections TO lectern_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON collections TO lectern_system;
"""

# People, keys and machinery: the scoped role does not reach them at all, but it may add to the audit log.
MACHINERY = """
GRANT SELECT, INSERT, UPDATE, DELETE ON users, sessions, api_keys, collection_members, rate_buckets,
    audit_events, embedding_generations, embedding_cache, lexeme_stats, corpus_stats TO lectern_system;
GRANT INSERT ON audit_events TO lectern_app;
GRANT SELECT ON embedding_generations, lexeme_stats, corpus_stats TO lectern_app;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO lectern_app, lectern_system;
"""


def upgrade() -> None:
    for part in (ROLES, SCOPE, DOCUMENTS):
        op.execute(part)
    for table in PARTS:
        op.execute(f"SELECT lectern_enable_row_security('{table}')")
    for part in (TAGS, COLLECTIONS, MACHINERY):
        op.execute(part)


def downgrade() -> None:
    for table in ("documents", *PARTS, "tags", "collections"):
        op.execute(f"""
        DO $$ DECLARE p record; BEGIN
            FOR p IN SELECT policyname FROM pg_policies WHERE tablename = '{table}' LOOP
                EXECUTE format('DROP POLICY %I ON {table}', p.policyname);
            END LOOP;
        END $$;
        ALTER TABLE {table} DISABLE ROW LEVEL SECURITY;
        """)
    op.execute("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM lectern_app, lectern_system")
    op.execute("REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM lectern_app, lectern_system")
    op.execute("REVOKE USAGE ON SCHEMA public FROM lectern_app, lectern_system")
    op.execute("DROP FUNCTION lectern_enable_row_security(regclass)")
    for function in (
        "lectern_can_see_all()",
        "lectern_list_used_tags()",
        "lectern_list_tagged_documents()",
        "lectern_can_write()",
    ):
        op.execute(f"DROP FUNCTION {function}")
    op.execute("DROP FUNCTION lectern_get_scope_ids(text)")
    op.execute("DROP FUNCTION lectern_is_unrestricted(text)")
