"""Narrow collections, tags and duplicate checks to the scope of the principal, and count lexemes by collection.

Revision ID: 20261125_0005
Revises: 20261125_0004
"""

from alembic import op

from lectern.db.functions import create_functions

revision = "20261125_0005"
down_revision = "20261125_0004"

FUNCTIONS = (
    "lectern_allow_duplicates",
    "lectern_delete_detached_tags",
    "lectern_list_collections_in_scope",
    "lectern_lock_tag",
    "lectern_move_lexeme_counts",
    "lectern_recount_lexemes",
    "lectern_remove_lexical_entries",
    "lectern_track_library_version",
)

IN_COLLECTIONS = """((SELECT lectern_is_unrestricted('lectern.collections'))
     OR id = ANY ((SELECT lectern_get_scope_ids('lectern.collections'))::uuid[]))"""
WITHOUT_TAGS_AND_DOCUMENTS = """((SELECT lectern_is_unrestricted('lectern.tags'))
     AND (SELECT lectern_is_unrestricted('lectern.documents')))"""

# Tags or documents limit the scope: a collection needs a document in scope, unless the key names the collection.
COLLECTIONS = f"""
DROP POLICY app_select ON collections;
CREATE POLICY app_select ON collections FOR SELECT TO lectern_app USING (
    {IN_COLLECTIONS}
    AND ({WITHOUT_TAGS_AND_DOCUMENTS}
         OR id = ANY ((SELECT lectern_get_scope_ids('lectern.named_collections'))::uuid[])
         OR id IN (SELECT lectern_list_collections_in_scope())));
"""

# A tag is visible to those who see a document with it, to its maker and to keys that name it. Others go with their last
# document. Names repeat, because the same name out of sight must make no difference.
TAGS = f"""
ALTER TABLE tags ADD COLUMN created_by TEXT, DROP CONSTRAINT uq_tags_normalized_name;
CREATE INDEX ix_tags_normalized_name ON tags (normalized_name);
UPDATE tags SET created_by = coalesce(
    (SELECT actor FROM audit_events WHERE action = 'tag.create' AND target = 'tag:' || tags.id LIMIT 1),
    CASE WHEN NOT EXISTS (SELECT FROM document_tags WHERE tag_id = tags.id) THEN 'system' END);
DROP POLICY app_select ON tags;
DROP POLICY app_insert ON tags;
DROP POLICY app_update ON tags;
DROP POLICY app_delete ON tags;
CREATE POLICY app_select ON tags FOR SELECT TO lectern_app USING (
    id = ANY ((SELECT lectern_get_scope_ids('lectern.tags'))::uuid[])
    OR ((SELECT lectern_is_unrestricted('lectern.tags'))
        AND (created_by = (SELECT lectern_get_actor()) OR id IN (SELECT tag_id FROM document_tags))));
CREATE POLICY app_insert ON tags FOR INSERT TO lectern_app WITH CHECK (
    (SELECT lectern_can_write()) AND {WITHOUT_TAGS_AND_DOCUMENTS}
    AND (created_by IS NULL OR created_by = (SELECT lectern_get_actor())));
REVOKE UPDATE, DELETE ON tags FROM lectern_app;
CREATE TRIGGER delete_detached_tags AFTER DELETE ON document_tags REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION lectern_delete_detached_tags();
"""

# The unique index prevents races between principals who see the whole collection.
DUPLICATES = """
ALTER TABLE documents ADD COLUMN is_duplicate_allowed BOOLEAN DEFAULT false NOT NULL;
DROP INDEX uq_documents_collection_id_sha256;
CREATE UNIQUE INDEX uq_documents_collection_id_sha256 ON documents (collection_id, sha256)
    WHERE deleted_at IS NULL AND NOT is_duplicate_allowed;
CREATE INDEX ix_documents_collection_id_sha256 ON documents (collection_id, sha256);
CREATE TRIGGER allow_duplicates BEFORE INSERT OR UPDATE ON documents FOR EACH ROW
    WHEN (lectern_get_scope_ids('lectern.tags') IS NOT NULL OR lectern_get_scope_ids('lectern.documents') IS NOT NULL)
    EXECUTE FUNCTION lectern_allow_duplicates();
"""

AUDIT = """
ALTER TABLE audit_events ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON audit_events TO lectern_system USING (true) WITH CHECK (true);
CREATE POLICY app_insert ON audit_events FOR INSERT TO lectern_app WITH CHECK (actor = (SELECT lectern_get_actor()));
"""

# Duplicates that may not exist any more go to the trash. Tags of one name become one.
UNDO = """
DROP POLICY system_all ON audit_events;
DROP POLICY app_insert ON audit_events;
ALTER TABLE audit_events DISABLE ROW LEVEL SECURITY;
DROP TRIGGER allow_duplicates ON documents;
DROP INDEX uq_documents_collection_id_sha256, ix_documents_collection_id_sha256;
UPDATE documents SET deleted_at = now() WHERE deleted_at IS NULL AND id NOT IN (
    SELECT DISTINCT ON (collection_id, sha256) id FROM documents WHERE deleted_at IS NULL
    ORDER BY collection_id, sha256, created_at, id);
ALTER TABLE documents DROP COLUMN is_duplicate_allowed;
CREATE UNIQUE INDEX uq_documents_collection_id_sha256 ON documents (collection_id, sha256) WHERE deleted_at IS NULL;
DROP TRIGGER delete_detached_tags ON document_tags;
DROP POLICY app_select ON tags;
DROP POLICY app_insert ON tags;
INSERT INTO document_tags (document_id, tag_id)
    SELECT document_id, (SELECT id FROM tags AS t WHERE t.normalized_name = tags.normalized_name
                         ORDER BY created_at, id LIMIT 1)
    FROM document_tags JOIN tags ON id = tag_id
    ON CONFLICT DO NOTHING;
DELETE FROM tags WHERE id NOT IN (
    SELECT DISTINCT ON (normalized_name) id FROM tags ORDER BY normalized_name, created_at, id);
DROP INDEX ix_tags_normalized_name;
ALTER TABLE tags DROP COLUMN created_by, ADD CONSTRAINT uq_tags_normalized_name UNIQUE (normalized_name);
DROP POLICY app_select ON collections;
"""
OLD_POLICIES = f"""
CREATE POLICY app_select ON collections FOR SELECT TO lectern_app USING {IN_COLLECTIONS};
CREATE POLICY app_select ON tags FOR SELECT TO lectern_app USING (
    ((SELECT lectern_is_unrestricted('lectern.tags'))
     OR id = ANY ((SELECT lectern_get_scope_ids('lectern.tags'))::uuid[]))
    AND (id IN (SELECT tag_id FROM document_tags)
         OR ((SELECT lectern_can_write()) AND id NOT IN (SELECT lectern_list_used_tags()))));
CREATE POLICY app_insert ON tags FOR INSERT TO lectern_app
    WITH CHECK ((SELECT lectern_can_write()) AND (SELECT lectern_is_unrestricted('lectern.tags')));
CREATE POLICY app_update ON tags FOR UPDATE TO lectern_app
    USING ((SELECT lectern_can_write())) WITH CHECK ((SELECT lectern_can_write()));
CREATE POLICY app_delete ON tags FOR DELETE TO lectern_app USING ((SELECT lectern_can_write()));
GRANT UPDATE, DELETE ON tags TO lectern_app;
GRANT EXECUTE ON FUNCTION lectern_list_used_tags() TO PUBLIC;
"""

# Versions and statistics by collection

VERSIONS = """
ALTER TABLE library_version_tokens ADD COLUMN collection_id UUID;
SELECT lectern_track_library_version(tgrelid) FROM pg_trigger WHERE tgname = 'bump_library_version';
"""
DROP_VERSIONS = """
DELETE FROM library_version_tokens WHERE collection_id IS NOT NULL;
ALTER TABLE library_version_tokens DROP COLUMN collection_id;
DO $$
DECLARE
    t record;
BEGIN
    FOR t IN SELECT tgname, tgrelid::regclass AS table_name FROM pg_trigger
             WHERE starts_with(tgname, 'bump_collection_versions_on_') LOOP
        EXECUTE format('DROP TRIGGER %I ON %s', t.tgname, t.table_name);
    END LOOP;
END $$;
"""

LEXEMES = """
DROP FUNCTION IF EXISTS lectern_match_documents_by_title(text[]);
DELETE FROM lexeme_deltas;
DELETE FROM lexeme_stats;
ALTER TABLE lexeme_stats DROP CONSTRAINT pk_lexeme_stats, ADD COLUMN collection_id UUID NOT NULL,
    ADD CONSTRAINT pk_lexeme_stats PRIMARY KEY (lexeme, collection_id, language);
ALTER TABLE lexeme_deltas ADD COLUMN collection_id UUID NOT NULL;
REVOKE SELECT ON lexeme_stats, lexeme_deltas FROM lectern_app;
CREATE TRIGGER remove_lexical_entries BEFORE DELETE ON documents
    FOR EACH ROW EXECUTE FUNCTION lectern_remove_lexical_entries();
CREATE TRIGGER move_lexeme_counts AFTER UPDATE OF collection_id ON documents
    FOR EACH ROW WHEN (OLD.collection_id <> NEW.collection_id) EXECUTE FUNCTION lectern_move_lexeme_counts();
SELECT lectern_recount_lexemes();
"""
DROP_LEXEMES = """
DROP TRIGGER remove_lexical_entries ON documents;
DROP TRIGGER move_lexeme_counts ON documents;
DROP FUNCTION lectern_match_documents_by_title(text[], text[], bigint[]);
DELETE FROM lexeme_deltas;
DELETE FROM lexeme_stats;
ALTER TABLE lexeme_deltas DROP COLUMN collection_id;
ALTER TABLE lexeme_stats DROP CONSTRAINT pk_lexeme_stats, DROP COLUMN collection_id,
    ADD CONSTRAINT pk_lexeme_stats PRIMARY KEY (lexeme, language);
INSERT INTO lexeme_stats (lexeme, language, chunk_count)
    SELECT lexeme, language, count(*) FROM chunk_lexical, unnest(tsvector_to_array(tsv) || ''::text) AS lexeme
    GROUP BY lexeme, language;
GRANT SELECT ON lexeme_stats, lexeme_deltas TO lectern_app;
"""


def upgrade() -> None:
    create_functions(op.get_bind(), *FUNCTIONS)
    for part in (VERSIONS, LEXEMES, COLLECTIONS, TAGS, DUPLICATES, AUDIT):
        op.execute(part)


def downgrade() -> None:
    for part in (UNDO, OLD_POLICIES, DROP_LEXEMES, DROP_VERSIONS):
        op.execute(part)
