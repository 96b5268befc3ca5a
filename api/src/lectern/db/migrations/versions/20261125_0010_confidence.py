"""Keep the calibration of confidence with the embeddings that it was fitted with.

Revision ID: 20261125_0010
Revises: 20261125_0009
"""

from alembic import op

revision = "20261125_0010"
down_revision = "20261125_0009"


def upgrade() -> None:
    op.execute("""
ALTER TABLE embedding_generations
    ADD COLUMN confidence_bias DOUBLE PRECISION NOT NULL DEFAULT 0,
    ADD COLUMN confidence_slope DOUBLE PRECISION NOT NULL DEFAULT 1
""")


def downgrade() -> None:
    op.execute("ALTER TABLE embedding_generations DROP COLUMN confidence_bias, DROP COLUMN confidence_slope")
