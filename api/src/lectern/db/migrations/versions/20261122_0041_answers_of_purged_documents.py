"""An answer that was being written while one of its documents was purged is not kept.

Revision ID: 20261122_0041
Revises: 20261122_0040
"""

from alembic import op

revision = "20261122_0041"
down_revision = "20261122_0040"

# The documents are held until the answer is committed: a purge that comes then waits, and finds the answer to remove.
# It runs as the owner, whom policies do not bind, and lets a row fall that speaks of a document that is not there.
GUARD = """
CREATE FUNCTION lectern_lock_cited_documents() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM FROM documents WHERE id = ANY(NEW.document_ids) ORDER BY id FOR KEY SHARE;
    IF EXISTS (SELECT FROM unnest(NEW.document_ids) AS cited (id)
               WHERE NOT EXISTS (SELECT FROM documents d WHERE d.id = cited.id)) THEN
        RETURN NULL;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER answers_of_documents_that_are_there BEFORE INSERT ON saved_answers
    FOR EACH ROW EXECUTE FUNCTION lectern_lock_cited_documents();
"""


def upgrade() -> None:
    op.execute(
        "DELETE FROM saved_answers a WHERE EXISTS (SELECT FROM unnest(a.document_ids) AS cited (id)"
        " WHERE NOT EXISTS (SELECT FROM documents d WHERE d.id = cited.id))"
    )
    op.execute(GUARD)


def downgrade() -> None:
    op.execute("DROP TRIGGER answers_of_documents_that_are_there ON saved_answers")
    op.execute("DROP FUNCTION lectern_lock_cited_documents()")
