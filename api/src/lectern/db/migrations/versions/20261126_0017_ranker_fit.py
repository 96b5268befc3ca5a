"""Keep a ranker that was fitted to the library with the embedding model it was fitted for.

Revision ID: 20261126_0017
Revises: 20261126_0016
"""

from alembic import op

revision = "20261126_0017"
down_revision = "20261126_0016"


def upgrade() -> None:
    op.execute("ALTER TABLE embedding_generations ADD COLUMN ranker_fit JSONB")


def downgrade() -> None:
    op.execute("ALTER TABLE embedding_generations DROP COLUMN ranker_fit")
