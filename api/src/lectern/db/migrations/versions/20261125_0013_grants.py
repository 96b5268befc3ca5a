"""Keep owners of documents, and share documents with single people.

Revision ID: 20261125_0013
Revises: 20261125_0012
"""

from alembic import op

from lectern.db.functions import create_functions

revision = "20261125_0013"
down_revision = "20261125_0012"

# Triggers would count, publish and version documents that have not changed.
OWNERS = """
ALTER TABLE documents ADD COLUMN owner_id UUID,
    ADD CONSTRAINT fk_documents_owner_id_users FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE SET NULL;
CREATE INDEX ix_documents_owner_id ON documents (owner_id);
ALTER TABLE documents DISABLE TRIGGER USER;
UPDATE documents SET owner_id = account.id FROM (
    SELECT id, 'user:' || id AS actor FROM users
    UNION ALL SELECT created_by, 'key:' || id FROM api_keys WHERE created_by IS NOT NULL
) AS account WHERE account.actor = documents.created_by;
ALTER TABLE documents ENABLE TRIGGER USER;
"""

GRANTS = """
CREATE TABLE document_grants (
    id UUID NOT NULL,
    document_id UUID NOT NULL,
    email TEXT NOT NULL,
    granted_by TEXT NOT NULL,
    granted_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    CONSTRAINT pk_document_grants PRIMARY KEY (id),
    CONSTRAINT uq_document_grants_document_id_email UNIQUE (document_id, email),
    CONSTRAINT fk_document_grants_document_id_documents
        FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE INDEX ix_document_grants_email ON document_grants (email);
ALTER TABLE document_grants ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON document_grants TO lectern_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON document_grants TO lectern_system;
"""

IN_COLLECTIONS = """((SELECT lectern_is_unrestricted('lectern.collections'))
         OR {column} = ANY ((SELECT lectern_get_scope_ids('lectern.collections'))::uuid[]){granted})"""
OR_GRANTED = """
         OR id = ANY ((SELECT lectern_get_scope_ids('lectern.granted'))::uuid[])"""
# db/sql/functions/access/visible_documents.sql repeats this condition. A test compares them. Policies for changes stay
# without grants: a grant is for reading.
DOCUMENTS = """
ALTER POLICY app_select ON documents USING (((SELECT lectern_can_see_all()) OR (
        {in_collections}
        AND ((SELECT lectern_is_unrestricted('lectern.documents'))
             OR id = ANY ((SELECT lectern_get_scope_ids('lectern.documents'))::uuid[]))
        AND ((SELECT lectern_is_unrestricted('lectern.tags')) OR id IN (SELECT lectern_list_tagged_documents())))));
"""
# The collection of a granted document is visible, because its name is part of the document.
COLLECTIONS = """
ALTER POLICY app_select ON collections USING (
    ({in_collections}
     AND (((SELECT lectern_is_unrestricted('lectern.tags')) AND (SELECT lectern_is_unrestricted('lectern.documents')))
          OR id = ANY ((SELECT lectern_get_scope_ids('lectern.named_collections'))::uuid[])
          OR id IN (SELECT lectern_list_collections_in_scope()))){granted});
"""

# A grant is for reading: tables of document parts get policies for changes that do without it.
PARTS = """
SELECT lectern_enable_row_security(format('%I', tablename)::regclass) FROM pg_policies
WHERE policyname = 'app_update' AND tablename NOT IN ('documents', 'notes');
"""


def _alter_policies(*, granted: str, granted_collections: str) -> None:
    of_documents = IN_COLLECTIONS.format(column="collection_id", granted=granted)
    op.execute(DOCUMENTS.format(in_collections=of_documents))
    of_collections = IN_COLLECTIONS.format(column="id", granted="")
    op.execute(COLLECTIONS.format(in_collections=of_collections, granted=granted_collections))


def upgrade() -> None:
    op.execute(OWNERS)
    op.execute(GRANTS)
    create_functions(op.get_bind(), "lectern_enable_row_security", "lectern_list_granted_collections")
    op.execute(PARTS)
    granted_collections = "\n    OR id IN (SELECT lectern_list_granted_collections())"
    _alter_policies(granted=OR_GRANTED, granted_collections=granted_collections)


def downgrade() -> None:
    _alter_policies(granted="", granted_collections="")
    op.execute("DROP TABLE document_grants")
    op.execute("ALTER TABLE documents DROP COLUMN owner_id")
