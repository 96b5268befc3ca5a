"""Embeddings are linked more densely (ADR 93).

Revision ID: 20261124_0071
Revises: 20261124_0070
"""

from alembic import op

revision = "20261124_0071"
down_revision = "20261124_0070"

# What is added from now on is linked better at once; the rest when the index is built anew (REINDEX INDEX CONCURRENTLY).
OPTIONS = """
DO $$
DECLARE
    generation integer;
BEGIN
    FOR generation IN SELECT id FROM embedding_generations LOOP
        EXECUTE format('ALTER INDEX IF EXISTS ix_chunk_embeddings_%s_embedding
                        SET (m = {m}, ef_construction = {construction})', generation);
    END LOOP;
END $$;
"""


def upgrade() -> None:
    op.execute(OPTIONS.format(m=24, construction=128))


def downgrade() -> None:
    op.execute(OPTIONS.format(m=16, construction=64))
