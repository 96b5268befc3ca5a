"""Look granted documents up in a hash table, and read the newest grants of a person from an index.

Revision ID: 20261126_0015
Revises: 20261126_0014
"""

from alembic import op

revision = "20261126_0015"
down_revision = "20261126_0014"

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
    op.execute(DOCUMENTS.format(granted=HASHED))
    op.execute("DROP INDEX ix_document_grants_email")
    op.execute(
        "CREATE INDEX ix_document_grants_email_granted_at ON document_grants (email, granted_at DESC, document_id)"
    )
    # A function with two more parameters replaces it.
    op.execute("DROP FUNCTION IF EXISTS lectern_list_tag_shares(text, uuid)")


def downgrade() -> None:
    op.execute("DROP FUNCTION IF EXISTS lectern_list_tag_shares(text, uuid, uuid[], integer)")
    op.execute("DROP INDEX ix_document_grants_email_granted_at")
    op.execute("CREATE INDEX ix_document_grants_email ON document_grants (email)")
    op.execute(DOCUMENTS.format(granted=LISTED))
