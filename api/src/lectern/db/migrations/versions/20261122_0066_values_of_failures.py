"""Limits and numbers of a failure are kept beside its code, so that they can be said in any language.

Revision ID: 20261122_0066
Revises: 20261122_0065
"""

from typing import Final

from alembic import op

revision = "20261122_0066"
down_revision = "20261122_0065"

TABLES: Final = ("documents", "document_versions", "jobs")


def upgrade() -> None:
    for table in TABLES:
        op.execute(f"ALTER TABLE {table} ADD COLUMN error_details jsonb")


def downgrade() -> None:
    for table in TABLES:
        op.execute(f"ALTER TABLE {table} DROP COLUMN error_details")
