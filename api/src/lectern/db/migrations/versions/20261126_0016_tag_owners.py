"""Keep owners of tags.

Revision ID: 20261126_0016
Revises: 20261126_0015
"""

from alembic import op

revision = "20261126_0016"
down_revision = "20261126_0015"

# Triggers would version the documents of tags that have not changed.
OWNERS = """
ALTER TABLE tags ADD COLUMN owner_id UUID,
    ADD CONSTRAINT fk_tags_owner_id_users FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE SET NULL;
CREATE INDEX ix_tags_owner_id ON tags (owner_id);
ALTER TABLE tags DISABLE TRIGGER USER;
UPDATE tags SET owner_id = account.id FROM (
    SELECT id, 'user:' || id AS actor FROM users
    UNION ALL SELECT created_by, 'key:' || id FROM api_keys WHERE created_by IS NOT NULL
) AS account WHERE account.actor = tags.created_by;
ALTER TABLE tags ENABLE TRIGGER USER;
"""


def upgrade() -> None:
    op.execute(OWNERS)


def downgrade() -> None:
    op.execute("ALTER TABLE tags DROP COLUMN owner_id")
