"""Versions of documents, embeddings of a version that is not there yet, and who uses which entry of the cache.

Revision ID: 20261122_0030
Revises: 20261121_0005

A document that was never replaced has no row among the versions: its record says all there is to say.
"""

from alembic import op

revision = "20261122_0030"
down_revision = "20261121_0005"

VERSIONS = """
ALTER TABLE documents ADD COLUMN version INTEGER DEFAULT 1 NOT NULL;
ALTER TABLE jobs
    ADD COLUMN version INTEGER,
    ADD COLUMN chunks_unchanged INTEGER,
    ADD COLUMN chunks_added INTEGER,
    ADD COLUMN chunks_removed INTEGER;
CREATE TABLE document_versions (
    document_id UUID NOT NULL,
    number INTEGER NOT NULL,
    state TEXT NOT NULL,
    filename TEXT NOT NULL,
    content_type TEXT NOT NULL,
    size_bytes BIGINT NOT NULL,
    sha256 TEXT NOT NULL,
    page_count INTEGER,
    chunk_count INTEGER,
    chunks_unchanged INTEGER,
    chunks_added INTEGER,
    chunks_removed INTEGER,
    restored_from INTEGER,
    job_id UUID,
    error_code TEXT,
    error_message TEXT,
    error_hint TEXT,
    created_by TEXT NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    current_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT pk_document_versions PRIMARY KEY (document_id, number),
    CONSTRAINT ck_document_versions_state
        CHECK (state IN ('processing', 'current', 'replaced', 'failed', 'cancelled')),
    CONSTRAINT fk_document_versions_document_id_documents
        FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE INDEX ix_document_versions_sha256 ON document_versions (sha256);
SELECT lectern_enable_row_security('document_versions');
"""

# Not logged, like the checkpoints of jobs: what is lost is made again. Only the workers reach it.
STAGED = """
CREATE UNLOGGED TABLE staged_embeddings (
    document_id UUID NOT NULL,
    generation_id INTEGER NOT NULL,
    chunk_id UUID NOT NULL,
    window_number SMALLINT NOT NULL,
    content_hash BYTEA NOT NULL,
    embedding HALFVEC NOT NULL,
    CONSTRAINT pk_staged_embeddings PRIMARY KEY (document_id, generation_id, chunk_id, window_number),
    CONSTRAINT fk_staged_embeddings_document_id_documents
        FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE
);
GRANT SELECT, INSERT, UPDATE, DELETE ON staged_embeddings TO lectern_system;
"""

CACHE = """
ALTER TABLE embedding_cache ADD COLUMN used_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL;
CREATE INDEX ix_embedding_cache_used_at ON embedding_cache (used_at);
CREATE INDEX ix_embedding_cache_content_hash ON embedding_cache (content_hash);
CREATE TABLE embedding_cache_uses (
    content_hash BYTEA NOT NULL,
    document_id UUID NOT NULL,
    CONSTRAINT pk_embedding_cache_uses PRIMARY KEY (content_hash, document_id),
    CONSTRAINT fk_embedding_cache_uses_document_id_documents
        FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE
);
CREATE INDEX ix_embedding_cache_uses_document_id ON embedding_cache_uses (document_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON embedding_cache_uses TO lectern_system;
DO $$
DECLARE
    generation integer;
BEGIN
    FOR generation IN SELECT id FROM embedding_generations LOOP
        EXECUTE format(
            'INSERT INTO embedding_cache_uses (content_hash, document_id)
             SELECT DISTINCT content_hash, document_id FROM %I WHERE content_hash IS NOT NULL
             ON CONFLICT DO NOTHING', 'chunk_embeddings_' || generation);
    END LOOP;
END $$;
"""


def upgrade() -> None:
    for part in (VERSIONS, STAGED, CACHE):
        op.execute(part)


def downgrade() -> None:
    op.execute("DROP TABLE embedding_cache_uses")
    op.execute("DROP INDEX ix_embedding_cache_used_at, ix_embedding_cache_content_hash")
    op.execute("ALTER TABLE embedding_cache DROP COLUMN used_at")
    op.execute("DROP TABLE staged_embeddings")
    op.execute("DROP TABLE document_versions")
    op.execute("ALTER TABLE jobs DROP COLUMN version, DROP COLUMN chunks_unchanged, DROP COLUMN chunks_added")
    op.execute("ALTER TABLE jobs DROP COLUMN chunks_removed")
    op.execute("ALTER TABLE documents DROP COLUMN version")
