"""Add single sign-on: identities, the map of groups, requests, and how sessions began.

Revision ID: 20261125_0008
Revises: 20261125_0007
"""

from alembic import op

revision = "20261125_0008"
down_revision = "20261125_0007"

# Accounts from the identity provider have no password. The ID token is encrypted, and sent when its session ends.
ACCOUNTS = """
ALTER TABLE users ALTER COLUMN password_hash DROP NOT NULL;
ALTER TABLE sessions ADD COLUMN is_single_sign_on BOOLEAN DEFAULT false NOT NULL, ADD COLUMN id_token TEXT;
ALTER TABLE collection_members ADD COLUMN is_from_group BOOLEAN DEFAULT false NOT NULL;
"""

TABLES = """
CREATE TABLE sign_in_settings (
    id SMALLINT DEFAULT 1 NOT NULL,
    provider_name TEXT DEFAULT 'Single sign-on' NOT NULL,
    group_claim TEXT DEFAULT 'groups' NOT NULL,
    default_role TEXT,
    is_linking_allowed BOOLEAN DEFAULT false NOT NULL,
    has_local_passwords BOOLEAN DEFAULT true NOT NULL,
    CONSTRAINT pk_sign_in_settings PRIMARY KEY (id),
    CONSTRAINT ck_sign_in_settings_only_row CHECK (id = 1),
    CONSTRAINT ck_sign_in_settings_default_role CHECK (default_role IN ('admin', 'editor', 'reader'))
);
INSERT INTO sign_in_settings DEFAULT VALUES;
CREATE TABLE sign_in_groups (
    name TEXT NOT NULL,
    role TEXT,
    CONSTRAINT pk_sign_in_groups PRIMARY KEY (name),
    CONSTRAINT ck_sign_in_groups_role CHECK (role IN ('admin', 'editor', 'reader'))
);
CREATE TABLE sign_in_group_collections (
    group_name TEXT NOT NULL,
    collection_id UUID NOT NULL,
    can_write BOOLEAN DEFAULT false NOT NULL,
    CONSTRAINT pk_sign_in_group_collections PRIMARY KEY (group_name, collection_id),
    CONSTRAINT fk_sign_in_group_collections_group_name_sign_in_groups
        FOREIGN KEY (group_name) REFERENCES sign_in_groups (name) ON DELETE CASCADE,
    CONSTRAINT fk_sign_in_group_collections_collection_id_collections
        FOREIGN KEY (collection_id) REFERENCES collections (id) ON DELETE CASCADE
);
CREATE INDEX ix_sign_in_group_collections_collection_id ON sign_in_group_collections (collection_id);
CREATE TABLE identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    user_id UUID NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    CONSTRAINT pk_identities PRIMARY KEY (issuer, subject),
    CONSTRAINT uq_identities_user_id_issuer UNIQUE (user_id, issuer),
    CONSTRAINT fk_identities_user_id_users FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE UNLOGGED TABLE sign_in_requests (
    state_hash TEXT NOT NULL,
    browser_hash TEXT NOT NULL,
    next_path TEXT NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_sign_in_requests PRIMARY KEY (state_hash)
);
"""

NAMES = ("sign_in_settings", "sign_in_groups", "sign_in_group_collections", "identities", "sign_in_requests")

# Only the system role reads them, like users and sessions.
SECURITY = """
ALTER TABLE {name} ENABLE ROW LEVEL SECURITY;
CREATE POLICY system_all ON {name} TO lectern_system USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON {name} TO lectern_system;
"""

# Accounts without a password get one that nobody knows.
DROP = """
DROP TABLE sign_in_requests, identities, sign_in_group_collections, sign_in_groups, sign_in_settings;
ALTER TABLE collection_members DROP COLUMN is_from_group;
ALTER TABLE sessions DROP COLUMN is_single_sign_on, DROP COLUMN id_token;
UPDATE users SET password_hash = '$argon2id$v=19$m=65536,t=3,p=4$S+m91xqDsNY6hxBiLAWA0A$'
    || '+JNN+AYi6z8F5F875/3CATeI6qEL+hvbiurdVH0r8eA' WHERE password_hash IS NULL;
ALTER TABLE users ALTER COLUMN password_hash SET NOT NULL;
"""


def upgrade() -> None:
    op.execute(ACCOUNTS)
    op.execute(TABLES)
    for name in NAMES:
        op.execute(SECURITY.format(name=name))


def downgrade() -> None:
    op.execute(DROP)
