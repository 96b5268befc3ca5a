"""Keep aliases of documents that people gave.

Revision ID: 20261125_0012
Revises: 20261125_0011
"""

from alembic import op

revision = "20261125_0012"
down_revision = "20261125_0011"


def upgrade() -> None:
    op.execute("ALTER TABLE documents ADD COLUMN aliases TEXT[]")


def downgrade() -> None:
    op.execute("ALTER TABLE documents DROP COLUMN aliases")
