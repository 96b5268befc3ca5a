"""The history of answers, and golden queries.

Revision ID: 20261122_0040
Revises: 20261122_0035
"""

from alembic import op

revision = "20261122_0040"
down_revision = "20261122_0035"

TABLES = """
CREATE TABLE saved_answers (
    id UUID NOT NULL,
    actor TEXT NOT NULL,
    question TEXT NOT NULL,
    response JSONB NOT NULL,
    document_ids UUID[] NOT NULL,
    verdict TEXT,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    CONSTRAINT pk_saved_answers PRIMARY KEY (id),
    CONSTRAINT ck_saved_answers_verdict CHECK (verdict IN ('helpful', 'wrong'))
);
CREATE INDEX ix_saved_answers_actor_created_at_id ON saved_answers (actor, created_at, id);
CREATE INDEX ix_saved_answers_document_ids ON saved_answers USING gin (document_ids);
CREATE TABLE golden_queries (
    id UUID NOT NULL,
    query TEXT NOT NULL,
    document_id UUID NOT NULL,
    page_number INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    CONSTRAINT pk_golden_queries PRIMARY KEY (id),
    CONSTRAINT fk_golden_queries_document_id_documents FOREIGN KEY(document_id)
        REFERENCES documents (id) ON DELETE CASCADE
);
CREATE INDEX ix_golden_queries_document_id ON golden_queries (document_id);
CREATE UNIQUE INDEX uq_golden_queries_query_document_id_page_number
    ON golden_queries (query, document_id, page_number);
"""

# An answer is its actor's own, and only while all documents it was made of can be seen.
POLICIES = """
CREATE FUNCTION lectern_get_actor() RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(current_setting('lectern.actor', true), '');

ALTER TABLE saved_answers ENABLE ROW LEVEL SECURITY;
CREATE POLICY everything ON saved_answers TO lectern_system USING (true) WITH CHECK (true);
CREATE POLICY own ON saved_answers TO lectern_app
    USING (actor = (SELECT lectern_get_actor()) AND ((SELECT lectern_can_see_all()) OR NOT EXISTS (
        SELECT FROM unnest(document_ids) AS cited (id)
        WHERE NOT EXISTS (SELECT FROM documents d WHERE d.id = cited.id))))
    WITH CHECK (actor = (SELECT lectern_get_actor()));
GRANT SELECT, INSERT, UPDATE, DELETE ON saved_answers TO lectern_app, lectern_system;

ALTER TABLE golden_queries ENABLE ROW LEVEL SECURITY;
CREATE POLICY everything ON golden_queries TO lectern_system USING (true) WITH CHECK (true);
CREATE POLICY visible ON golden_queries FOR SELECT TO lectern_app
    USING ((SELECT lectern_can_see_all()) OR EXISTS (SELECT FROM documents d WHERE d.id = document_id));
CREATE POLICY inserted ON golden_queries FOR INSERT TO lectern_app
    WITH CHECK (created_by = (SELECT lectern_get_actor())
                AND EXISTS (SELECT FROM documents d WHERE d.id = document_id));
CREATE POLICY deleted ON golden_queries FOR DELETE TO lectern_app
    USING (EXISTS (SELECT FROM documents d WHERE d.id = document_id)
           AND (created_by = (SELECT lectern_get_actor()) OR (SELECT lectern_can_write())));
GRANT SELECT, INSERT, DELETE ON golden_queries TO lectern_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON golden_queries TO lectern_system;
"""

# What a document said goes with the document, wherever it was quoted. It runs as the owner, whom policies do not bind.
PURGING = """
CREATE FUNCTION lectern_delete_saved_answers() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    DELETE FROM saved_answers WHERE document_ids && (SELECT coalesce(array_agg(id), '{}') FROM removed);
    RETURN NULL;
END $$;
CREATE TRIGGER answers_forgotten AFTER DELETE ON documents
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION lectern_delete_saved_answers();
"""


def upgrade() -> None:
    for part in (TABLES, POLICIES, PURGING):
        op.execute(part)


def downgrade() -> None:
    op.execute("DROP TRIGGER answers_forgotten ON documents")
    op.execute("DROP FUNCTION lectern_delete_saved_answers()")
    op.execute("DROP TABLE golden_queries")
    op.execute("DROP TABLE saved_answers")
    op.execute("DROP FUNCTION lectern_get_actor()")
