"""Passages are found by the hash of their text: a document's copies are asked for without reading every passage.

Revision ID: 20261122_0061
Revises: 20261122_0060
"""

from alembic import op

revision = "20261122_0061"
down_revision = "20261122_0060"


def upgrade() -> None:
    op.execute("CREATE INDEX ix_chunks_content_hash ON chunks USING hash (content_hash)")


def downgrade() -> None:
    op.execute("DROP INDEX ix_chunks_content_hash")
