"""Share the documents of a tag with single people.

Revision ID: 20261126_0014
Revises: 20261125_0013
"""

from alembic import op

revision = "20261126_0014"
down_revision = "20261125_0013"

TAG_GRANTS = """
CREATE TABLE tag_grants (
    id UUID NOT NULL,
    tag_id UUID NOT NULL,
    email TEXT NOT NULL,
    granted_by UUID NOT NULL,
    granted_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    CONSTRAINT pk_tag_grants PRIMARY KEY (id),
    CONSTRAINT uq_tag_grants_tag_id_email_granted_by UNIQUE (tag_id, email, granted_by),
    CONSTRAINT fk_tag_grants_tag_id_tags FOREIGN KEY (tag_id) REFERENCES tags (id) ON DELETE CASCADE,
    CONSTRAINT fk_tag_grants_granted_by_users FOREIGN KEY (granted_by) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_tag_grants_email ON tag_grants (email);
CREATE INDEX ix_tag_grants_granted_by ON tag_grants (granted_by);
ALTER TABLE tag_grants ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON tag_grants TO lectern_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON tag_grants TO lectern_system;
"""


def upgrade() -> None:
    op.execute(TAG_GRANTS)


def downgrade() -> None:
    op.execute("DROP TABLE tag_grants")
