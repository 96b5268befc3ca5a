"""Collections that follow a directory.

Revision ID: 20261122_0035
Revises: 20261122_0034
"""

from alembic import op

revision = "20261122_0035"
down_revision = "20261122_0034"

TABLES = """
CREATE TABLE watched_folders (
    collection_id UUID NOT NULL,
    path TEXT NOT NULL,
    device BIGINT NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    requested_at TIMESTAMP WITH TIME ZONE,
    last_scan_at TIMESTAMP WITH TIME ZONE,
    last_outcome JSONB,
    CONSTRAINT pk_watched_folders PRIMARY KEY (collection_id),
    CONSTRAINT fk_watched_folders_collection_id_collections
        FOREIGN KEY(collection_id) REFERENCES collections (id) ON DELETE CASCADE
);
CREATE TABLE watched_files (
    collection_id UUID NOT NULL,
    path TEXT NOT NULL,
    size_bytes BIGINT NOT NULL,
    modified_ns BIGINT NOT NULL,
    inode BIGINT NOT NULL,
    content_hash TEXT,
    document_id UUID,
    problem TEXT,
    CONSTRAINT pk_watched_files PRIMARY KEY (collection_id, path),
    CONSTRAINT fk_watched_files_collection_id_watched_folders
        FOREIGN KEY(collection_id) REFERENCES watched_folders (collection_id) ON DELETE CASCADE,
    CONSTRAINT fk_watched_files_document_id_documents
        FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE SET NULL
);
CREATE INDEX ix_watched_files_document_id ON watched_files (document_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON watched_folders, watched_files TO lectern_system;
"""


def upgrade() -> None:
    op.execute(TABLES)


def downgrade() -> None:
    op.execute("DROP TABLE watched_files")
    op.execute("DROP TABLE watched_folders")
