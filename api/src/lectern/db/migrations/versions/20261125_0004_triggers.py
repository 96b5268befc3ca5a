"""Create the triggers: events, counts, title terms, the library version and saved answers.

Revision ID: 20261125_0004
Revises: 20261125_0003
"""

from alembic import op

from lectern.db.functions import create_functions

revision = "20261125_0004"
down_revision = "20261125_0003"

FUNCTIONS = (
    "lectern_append_document_counts",
    "lectern_append_lexeme_deltas",
    "lectern_delete_saved_answers",
    "lectern_lock_cited_documents",
    "lectern_publish_document_event",
    "lectern_publish_job_event",
    "lectern_set_title_terms",
    "lectern_track_library_version",
)

# A heartbeat alone is not published.
EVENTS = """
CREATE TRIGGER publish_event AFTER INSERT OR DELETE ON documents
    FOR EACH ROW EXECUTE FUNCTION lectern_publish_document_event();
CREATE TRIGGER publish_change AFTER UPDATE ON documents
    FOR EACH ROW WHEN (OLD IS DISTINCT FROM NEW) EXECUTE FUNCTION lectern_publish_document_event();
CREATE TRIGGER publish_event AFTER INSERT ON jobs
    FOR EACH ROW EXECUTE FUNCTION lectern_publish_job_event();
CREATE TRIGGER publish_change AFTER UPDATE ON jobs
    FOR EACH ROW WHEN (
        (OLD.state, OLD.stage, OLD.page, OLD.page_count, OLD.chunks_embedded, OLD.chunks_to_embed, OLD.attempts,
         OLD.next_try_at, OLD.error_code, OLD.is_cancel_requested)
        IS DISTINCT FROM
        (NEW.state, NEW.stage, NEW.page, NEW.page_count, NEW.chunks_embedded, NEW.chunks_to_embed, NEW.attempts,
         NEW.next_try_at, NEW.error_code, NEW.is_cancel_requested)
    ) EXECUTE FUNCTION lectern_publish_job_event();
"""

COUNTS = """
CREATE TRIGGER count_inserted_lexemes AFTER INSERT ON chunk_lexical REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION lectern_append_lexeme_deltas();
CREATE TRIGGER count_deleted_lexemes AFTER DELETE ON chunk_lexical REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION lectern_append_lexeme_deltas();
CREATE TRIGGER count_inserted_documents AFTER INSERT ON documents REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION lectern_append_document_counts();
CREATE TRIGGER count_deleted_documents AFTER DELETE ON documents REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION lectern_append_document_counts();
CREATE TRIGGER count_updated_documents AFTER UPDATE ON documents
    REFERENCING OLD TABLE AS removed NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION lectern_append_document_counts();
"""

TITLES = """
CREATE TRIGGER set_title_terms BEFORE INSERT OR UPDATE OF language, title, filename ON documents
    FOR EACH ROW EXECUTE FUNCTION lectern_set_title_terms();
"""

SAVED_ANSWERS = """
CREATE TRIGGER delete_saved_answers AFTER DELETE ON documents REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION lectern_delete_saved_answers();
CREATE TRIGGER lock_cited_documents BEFORE INSERT ON saved_answers
    FOR EACH ROW EXECUTE FUNCTION lectern_lock_cited_documents();
"""

# The tables that a search reads. Counts of lexemes and documents follow from them in the same transaction.
SEARCHABLE_TABLES = (
    "documents",
    "chunks",
    "chunk_lexical",
    "pages",
    "document_tags",
    "tags",
    "collections",
    "embedding_generations",
)

DROP_TRIGGERS = """
DO $$
DECLARE
    t record;
BEGIN
    FOR t IN SELECT tgname, tgrelid::regclass AS table_name FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = tgrelid
             WHERE NOT tgisinternal AND relnamespace = 'public'::regnamespace LOOP
        EXECUTE format('DROP TRIGGER %I ON %s', t.tgname, t.table_name);
    END LOOP;
END $$;
"""


def upgrade() -> None:
    create_functions(op.get_bind(), *FUNCTIONS)
    for part in (EVENTS, COUNTS, TITLES, SAVED_ANSWERS):
        op.execute(part)
    for table in SEARCHABLE_TABLES:
        op.execute(f"SELECT lectern_track_library_version('{table}')")


def downgrade() -> None:
    op.execute(DROP_TRIGGERS)
