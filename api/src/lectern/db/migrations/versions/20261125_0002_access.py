"""Create the roles, the row-level security policies and the grants (see lectern/db/scope.py).

Revision ID: 20261125_0002
Revises: 20261125_0001
"""

from alembic import op

from lectern.db.functions import create_functions, drop_functions

revision = "20261125_0002"
down_revision = "20261125_0001"

# Roles belong to the server: they may exist already, and another database may still need them.
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

FUNCTIONS = (
    "lectern_enable_row_security",
    "lectern_get_actor",
    "lectern_list_tagged_documents",
    "lectern_list_used_tags",
)

# db/sql/functions/access/visible_documents.sql repeats this condition. A test compares them.
IN_SCOPE = """((SELECT lectern_can_see_all()) OR (
        ((SELECT lectern_is_unrestricted('lectern.collections'))
         OR collection_id = ANY ((SELECT lectern_get_scope_ids('lectern.collections'))::uuid[]))
        AND ((SELECT lectern_is_unrestricted('lectern.documents'))
             OR id = ANY ((SELECT lectern_get_scope_ids('lectern.documents'))::uuid[]))
        AND ((SELECT lectern_is_unrestricted('lectern.tags')) OR id IN (SELECT lectern_list_tagged_documents()))))"""
CAN_WRITE = "(SELECT lectern_can_write())"

DOCUMENTS = f"""
ALTER TABLE documents ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON documents TO lectern_system USING (true) WITH CHECK (true);
CREATE POLICY app_select ON documents FOR SELECT TO lectern_app USING ({IN_SCOPE});
CREATE POLICY app_insert ON documents FOR INSERT TO lectern_app WITH CHECK ({CAN_WRITE} AND {IN_SCOPE});
CREATE POLICY app_update ON documents FOR UPDATE TO lectern_app
    USING ({CAN_WRITE} AND {IN_SCOPE}) WITH CHECK ({CAN_WRITE} AND {IN_SCOPE});
CREATE POLICY app_delete ON documents FOR DELETE TO lectern_app USING ({CAN_WRITE} AND {IN_SCOPE});
GRANT SELECT, INSERT, UPDATE, DELETE ON documents TO lectern_app, lectern_system;
"""

# Tables that are visible as far as the documents of their `document_id` are.
DOCUMENT_PARTS = ("pages", "chunks", "chunk_lexical", "document_tags", "document_versions", "jobs")

# A tag is visible through the documents that have it. Writers also see tags that no document has.
TAGS = f"""
ALTER TABLE tags ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON tags TO lectern_system USING (true) WITH CHECK (true);
CREATE POLICY app_select ON tags FOR SELECT TO lectern_app USING (
    ((SELECT lectern_is_unrestricted('lectern.tags'))
     OR id = ANY ((SELECT lectern_get_scope_ids('lectern.tags'))::uuid[]))
    AND (id IN (SELECT tag_id FROM document_tags)
         OR ({CAN_WRITE} AND id NOT IN (SELECT lectern_list_used_tags()))));
CREATE POLICY app_insert ON tags FOR INSERT TO lectern_app
    WITH CHECK ({CAN_WRITE} AND (SELECT lectern_is_unrestricted('lectern.tags')));
CREATE POLICY app_update ON tags FOR UPDATE TO lectern_app USING ({CAN_WRITE}) WITH CHECK ({CAN_WRITE});
CREATE POLICY app_delete ON tags FOR DELETE TO lectern_app USING ({CAN_WRITE});
GRANT SELECT, INSERT, UPDATE, DELETE ON tags TO lectern_app, lectern_system;
"""

COLLECTIONS = """
ALTER TABLE collections ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON collections TO lectern_system USING (true) WITH CHECK (true);
CREATE POLICY app_select ON collections FOR SELECT TO lectern_app USING (
    (SELECT lectern_is_unrestricted('lectern.collections'))
    OR id = ANY ((SELECT lectern_get_scope_ids('lectern.collections'))::uuid[]));
GRANT SELECT ON collections TO lectern_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON collections TO lectern_system;
"""

# Only its actor reads a saved answer, and only while all its documents are visible.
SAVED_ANSWERS = """
ALTER TABLE saved_answers ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON saved_answers TO lectern_system USING (true) WITH CHECK (true);
CREATE POLICY app_all ON saved_answers TO lectern_app
    USING (actor = (SELECT lectern_get_actor()) AND ((SELECT lectern_can_see_all()) OR NOT EXISTS (
        SELECT FROM unnest(document_ids) AS cited (id)
        WHERE NOT EXISTS (SELECT FROM documents d WHERE d.id = cited.id))))
    WITH CHECK (actor = (SELECT lectern_get_actor()));
GRANT SELECT, INSERT, UPDATE, DELETE ON saved_answers TO lectern_app, lectern_system;
"""

# Readers may add golden queries and delete their own. Writers may delete those of others.
GOLDEN_QUERIES = f"""
ALTER TABLE golden_queries ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON golden_queries TO lectern_system USING (true) WITH CHECK (true);
CREATE POLICY app_select ON golden_queries FOR SELECT TO lectern_app
    USING ((SELECT lectern_can_see_all()) OR EXISTS (SELECT FROM documents d WHERE d.id = document_id));
CREATE POLICY app_insert ON golden_queries FOR INSERT TO lectern_app
    WITH CHECK (created_by = (SELECT lectern_get_actor())
                AND EXISTS (SELECT FROM documents d WHERE d.id = document_id));
CREATE POLICY app_delete ON golden_queries FOR DELETE TO lectern_app
    USING (EXISTS (SELECT FROM documents d WHERE d.id = document_id)
           AND (created_by = (SELECT lectern_get_actor()) OR {CAN_WRITE}));
GRANT SELECT, INSERT, DELETE ON golden_queries TO lectern_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON golden_queries TO lectern_system;
"""

# The scoped role has no access to accounts and internal tables, but may add to the audit log.
INTERNAL = """
GRANT SELECT, INSERT, UPDATE, DELETE ON users, sessions, api_keys, collection_members, rate_buckets, audit_events,
    embedding_generations, embedding_cache, embedding_cache_uses, staged_embeddings, job_checkpoints,
    watched_folders, watched_files TO lectern_system;
GRANT INSERT ON audit_events TO lectern_app;
GRANT SELECT ON embedding_generations TO lectern_app;
GRANT SELECT ON lexeme_stats, lexeme_deltas, library_version_tokens TO lectern_app, lectern_system;
GRANT SELECT ON document_counts TO lectern_system;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO lectern_app, lectern_system;
"""


def upgrade() -> None:
    op.execute(ROLES)
    create_functions(op.get_bind(), *FUNCTIONS)
    op.execute(DOCUMENTS)
    for table in DOCUMENT_PARTS:
        op.execute(f"SELECT lectern_enable_row_security('{table}')")
    for part in (TAGS, COLLECTIONS, SAVED_ANSWERS, GOLDEN_QUERIES, INTERNAL):
        op.execute(part)


def downgrade() -> None:
    for table in ("documents", *DOCUMENT_PARTS, "tags", "collections", "saved_answers", "golden_queries"):
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
    drop_functions(op.get_bind())
