"""Add notes of people at passages of documents.

Revision ID: 20261125_0011
Revises: 20261125_0010
"""

from alembic import op

revision = "20261125_0011"
down_revision = "20261125_0010"

NOTES = """
CREATE TABLE notes (
    id UUID NOT NULL,
    document_id UUID NOT NULL,
    version INTEGER NOT NULL,
    author TEXT NOT NULL,
    author_name TEXT NOT NULL,
    page_number INTEGER NOT NULL,
    char_start INTEGER NOT NULL,
    char_end INTEGER NOT NULL,
    quote TEXT NOT NULL,
    text TEXT NOT NULL,
    is_shared BOOLEAN NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    updated_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    CONSTRAINT pk_notes PRIMARY KEY (id),
    CONSTRAINT ck_notes_range CHECK (char_start >= 0 AND char_start < char_end),
    CONSTRAINT fk_notes_document_id_documents FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE INDEX ix_notes_document_id_char_start_id ON notes (document_id, char_start, id);
"""

# Administrators see every document, and still no private note of others.
ACCESS = """
ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON notes TO lectern_system USING (true) WITH CHECK (true);
CREATE POLICY app_select ON notes FOR SELECT TO lectern_app
    USING ((is_shared OR author = (SELECT lectern_get_actor()))
           AND ((SELECT lectern_can_see_all()) OR EXISTS (SELECT FROM documents d WHERE d.id = document_id)));
CREATE POLICY app_insert ON notes FOR INSERT TO lectern_app
    WITH CHECK (author = (SELECT lectern_get_actor()) AND EXISTS (SELECT FROM documents d WHERE d.id = document_id));
CREATE POLICY app_update ON notes FOR UPDATE TO lectern_app
    USING (author = (SELECT lectern_get_actor()) AND EXISTS (SELECT FROM documents d WHERE d.id = document_id))
    WITH CHECK (author = (SELECT lectern_get_actor()));
CREATE POLICY app_delete ON notes FOR DELETE TO lectern_app
    USING (author = (SELECT lectern_get_actor()) AND EXISTS (SELECT FROM documents d WHERE d.id = document_id));
GRANT SELECT, INSERT, UPDATE, DELETE ON notes TO lectern_app, lectern_system;
"""


def upgrade() -> None:
    op.execute(NOTES)
    op.execute(ACCESS)


def downgrade() -> None:
    op.execute("DROP TABLE notes")
