"""Share the documents of a tag with single people, and look granted documents up in a hash table.

Revision ID: 20261126_0015
Revises: 20261125_0013
"""

from alembic import op

revision = "20261126_0015"
down_revision = "20261125_0013"

TAG_GRANTS = """
CREATE TABLE tag_grants (
    id UUID NOT NULL,
    tag_id UUID NOT NULL,
    email TEXT NOT NULL,
    granted_by UUID NOT NULL,
    granted_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    CONSTRAINT pk_tag_grants PRIMARY KEY (id),
    CONSTRAINT uq_tag_grants_tag_id_email_granted_by UNIQUE (tag_id, email, granted_by),
    CONSTRAINT fk_tag_grants_tag_id_tags FOREIGN KEY (tag_id) REFERENCES tags (id) ON DELETE CASCADE,
    CONSTRAINT fk_tag_grants_granted_by_users FOREIGN KEY (granted_by) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_tag_grants_email ON tag_grants (email);
CREATE INDEX ix_tag_grants_granted_by ON tag_grants (granted_by);
ALTER TABLE tag_grants ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON tag_grants TO lectern_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON tag_grants TO lectern_system;
"""

# db/sql/functions/access/visible_documents.sql repeats this condition. A test compares them. With `= ANY`, each document
# was compared with every granted one.
DOCUMENTS = """
ALTER POLICY app_select ON documents USING (((SELECT lectern_can_see_all()) OR (
        ((SELECT lectern_is_unrestricted('lectern.collections'))
         OR collection_id = ANY ((SELECT lectern_get_scope_ids('lectern.collections'))::uuid[])
         OR {granted})
        AND ((SELECT lectern_is_unrestricted('lectern.documents'))
             OR id = ANY ((SELECT lectern_get_scope_ids('lectern.documents'))::uuid[]))
        AND ((SELECT lectern_is_unrestricted('lectern.tags')) OR id IN (SELECT lectern_list_tagged_documents())))));
"""
HASHED = "id IN (SELECT unnest((SELECT lectern_get_scope_ids('lectern.granted'))))"
LISTED = "id = ANY ((SELECT lectern_get_scope_ids('lectern.granted'))::uuid[])"


def upgrade() -> None:
    op.execute(TAG_GRANTS)
    op.execute(DOCUMENTS.format(granted=HASHED))
    op.execute("DROP INDEX ix_document_grants_email")
    op.execute(
        "CREATE INDEX ix_document_grants_email_granted_at ON document_grants (email, granted_at DESC, document_id)"
    )


def downgrade() -> None:
    op.execute("DROP FUNCTION IF EXISTS lectern_list_tag_shares(text, uuid, uuid[], integer)")
    op.execute("DROP INDEX ix_document_grants_email_granted_at")
    op.execute("CREATE INDEX ix_document_grants_email ON document_grants (email)")
    op.execute(DOCUMENTS.format(granted=LISTED))
    op.execute("DROP TABLE tag_grants")
