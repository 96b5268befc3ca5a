"""Add what accounts, keys and the audit log need: second factors, limits, rotation, OAuth and receipts.

Revision ID: 20261125_0006
Revises: 20261125_0005
"""

from alembic import op

from lectern.db.functions import create_functions

revision = "20261125_0006"
down_revision = "20261125_0005"

# Users and sessions

USERS = """
ALTER TABLE users
    ADD COLUMN totp_secret text,
    ADD COLUMN totp_confirmed_at timestamptz,
    ADD COLUMN totp_last_step bigint NOT NULL DEFAULT 0,
    ADD COLUMN recovery_code_hashes text[] NOT NULL DEFAULT '{}'
"""
DROP_USERS = """
ALTER TABLE users
    DROP COLUMN totp_secret, DROP COLUMN totp_confirmed_at, DROP COLUMN totp_last_step,
    DROP COLUMN recovery_code_hashes
"""

# API keys

# A writing key could change documents with any toolset. Changes are now in the toolset `library`.
KEYS = """
ALTER TABLE api_keys
    ADD COLUMN allowed_networks TEXT[],
    ADD COLUMN previous_key_hash TEXT CONSTRAINT uq_api_keys_previous_key_hash UNIQUE,
    ADD COLUMN previous_prefix TEXT,
    ADD COLUMN previous_expires_at TIMESTAMP WITH TIME ZONE;
UPDATE api_keys AS k SET revoked_at = now()
FROM users AS u WHERE u.id = k.created_by AND NOT u.is_active AND k.revoked_at IS NULL;
UPDATE api_keys SET toolsets = array_append(toolsets, 'library') WHERE can_write AND NOT 'library' = ANY (toolsets);
CREATE TRIGGER publish_access AFTER DELETE OR UPDATE OF key_hash, revoked_at, expires_at, toolsets, can_write,
    collection_ids, tag_ids, document_ids, allowed_networks ON api_keys
    FOR EACH STATEMENT EXECUTE FUNCTION lectern_publish_access_event();
CREATE TRIGGER publish_access AFTER DELETE OR UPDATE OF revoked_at ON sessions
    FOR EACH STATEMENT EXECUTE FUNCTION lectern_publish_access_event();
CREATE TRIGGER publish_access AFTER DELETE OR UPDATE OF role, is_active ON users
    FOR EACH STATEMENT EXECUTE FUNCTION lectern_publish_access_event();
CREATE TRIGGER publish_access AFTER INSERT OR DELETE OR UPDATE ON collection_members
    FOR EACH STATEMENT EXECUTE FUNCTION lectern_publish_access_event();
CREATE TRIGGER publish_access AFTER INSERT OR DELETE OR UPDATE OF is_open ON collections
    FOR EACH STATEMENT EXECUTE FUNCTION lectern_publish_access_event();
"""
DROP_KEYS = """
DROP TRIGGER publish_access ON collections;
DROP TRIGGER publish_access ON collection_members;
DROP TRIGGER publish_access ON users;
DROP TRIGGER publish_access ON sessions;
DROP TRIGGER publish_access ON api_keys;
ALTER TABLE api_keys
    DROP COLUMN allowed_networks,
    DROP COLUMN previous_key_hash,
    DROP COLUMN previous_prefix,
    DROP COLUMN previous_expires_at;
"""

# OAuth

# Only the system role reads clients, codes and refresh tokens, like the keys that they lead to.
OAUTH = """
ALTER TABLE api_keys
    ADD COLUMN client_id TEXT, ADD COLUMN client_name TEXT, ADD COLUMN secret_expires_at TIMESTAMP WITH TIME ZONE;
CREATE TABLE oauth_clients (
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    redirect_uris TEXT[] NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    CONSTRAINT pk_oauth_clients PRIMARY KEY (id)
);
CREATE TABLE oauth_tokens (
    token_hash TEXT NOT NULL,
    kind TEXT NOT NULL,
    key_id UUID NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    used_at TIMESTAMP WITH TIME ZONE,
    redirect_uri TEXT,
    code_challenge TEXT,
    key_expires_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT pk_oauth_tokens PRIMARY KEY (token_hash),
    CONSTRAINT ck_oauth_tokens_kind CHECK (kind IN ('code', 'refresh')),
    CONSTRAINT fk_oauth_tokens_key_id_api_keys FOREIGN KEY (key_id) REFERENCES api_keys (id) ON DELETE CASCADE
);
CREATE INDEX ix_oauth_tokens_key_id ON oauth_tokens (key_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON oauth_clients, oauth_tokens TO lectern_system;
"""
DROP_OAUTH = """
DROP TABLE oauth_tokens, oauth_clients;
ALTER TABLE api_keys DROP COLUMN client_id, DROP COLUMN client_name, DROP COLUMN secret_expires_at;
"""

# Audit log

# The services only add events. A purge blanks details with `lectern_blank_audit_details`, which the owner runs.
AUDIT = """
REVOKE UPDATE, DELETE ON audit_events FROM lectern_system;
CREATE INDEX ix_audit_events_target ON audit_events (target);
"""
DROP_AUDIT = """
DROP INDEX ix_audit_events_target;
GRANT UPDATE, DELETE ON audit_events TO lectern_system;
"""

# Embedding cache and imported vectors

# The cache belongs to one document: shared vectors would tell what other documents say.
EMBEDDINGS = """
ALTER TABLE embedding_cache RENAME TO old_embedding_cache;
ALTER TABLE old_embedding_cache RENAME CONSTRAINT pk_embedding_cache TO pk_old_embedding_cache;
DROP INDEX ix_embedding_cache_used_at;
CREATE TABLE embedding_cache (
    document_id UUID NOT NULL,
    fingerprint TEXT NOT NULL,
    content_hash BYTEA NOT NULL,
    embedding HALFVEC NOT NULL,
    is_imported BOOLEAN NOT NULL,
    used_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    CONSTRAINT pk_embedding_cache PRIMARY KEY (document_id, fingerprint, content_hash),
    CONSTRAINT fk_embedding_cache_document_id_documents
        FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE
);
INSERT INTO embedding_cache (document_id, fingerprint, content_hash, embedding, is_imported, used_at)
SELECT u.document_id, c.fingerprint, c.content_hash, c.embedding, false, c.used_at
FROM old_embedding_cache c JOIN embedding_cache_uses u ON u.content_hash = c.content_hash;
CREATE INDEX ix_embedding_cache_used_at ON embedding_cache (used_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON embedding_cache TO lectern_system;
DROP TABLE embedding_cache_uses, old_embedding_cache;
"""
DROP_EMBEDDINGS = """
ALTER TABLE embedding_cache RENAME TO new_embedding_cache;
ALTER TABLE new_embedding_cache RENAME CONSTRAINT pk_embedding_cache TO pk_new_embedding_cache;
DROP INDEX ix_embedding_cache_used_at;
CREATE TABLE embedding_cache (
    fingerprint TEXT NOT NULL,
    content_hash BYTEA NOT NULL,
    embedding HALFVEC NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    used_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    CONSTRAINT pk_embedding_cache PRIMARY KEY (fingerprint, content_hash)
);
INSERT INTO embedding_cache (fingerprint, content_hash, embedding, used_at)
SELECT DISTINCT ON (fingerprint, content_hash) fingerprint, content_hash, embedding, used_at FROM new_embedding_cache;
CREATE INDEX ix_embedding_cache_content_hash ON embedding_cache (content_hash);
CREATE INDEX ix_embedding_cache_used_at ON embedding_cache (used_at);
CREATE TABLE embedding_cache_uses (
    content_hash BYTEA NOT NULL,
    document_id UUID NOT NULL,
    CONSTRAINT pk_embedding_cache_uses PRIMARY KEY (content_hash, document_id),
    CONSTRAINT fk_embedding_cache_uses_document_id_documents
        FOREIGN KEY (document_id) REFERENCES documents (id) ON DELETE CASCADE
);
INSERT INTO embedding_cache_uses (content_hash, document_id)
SELECT DISTINCT content_hash, document_id FROM new_embedding_cache;
CREATE INDEX ix_embedding_cache_uses_document_id ON embedding_cache_uses (document_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON embedding_cache, embedding_cache_uses TO lectern_system;
DROP TABLE new_embedding_cache;
"""


def upgrade() -> None:
    create_functions(op.get_bind(), "lectern_publish_access_event")
    for part in (USERS, KEYS, OAUTH, AUDIT, EMBEDDINGS):
        if part:
            op.execute(part)


def downgrade() -> None:
    for part in (DROP_EMBEDDINGS, DROP_AUDIT, DROP_OAUTH, DROP_KEYS, DROP_USERS):
        if part:
            op.execute(part)
