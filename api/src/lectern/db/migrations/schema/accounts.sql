-- Accounts, keys and what they may see.

CREATE TABLE users (
    id UUID NOT NULL,
    email TEXT NOT NULL,
    name TEXT DEFAULT '' NOT NULL,
    password_hash TEXT,
    role TEXT NOT NULL,
    is_active BOOLEAN DEFAULT true NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    last_sign_in_at TIMESTAMP WITH TIME ZONE,
    totp_secret TEXT,
    totp_confirmed_at TIMESTAMP WITH TIME ZONE,
    totp_last_step BIGINT DEFAULT 0 NOT NULL,
    recovery_code_hashes TEXT[] DEFAULT '{}' NOT NULL,
    CONSTRAINT pk_users PRIMARY KEY (id),
    CONSTRAINT ck_users_role CHECK (role IN ('admin', 'editor', 'reader')),
    CONSTRAINT uq_users_email UNIQUE (email)
);
CREATE TABLE sessions (
    id UUID NOT NULL,
    user_id UUID NOT NULL,
    refresh_hash TEXT NOT NULL,
    previous_refresh_hash TEXT,
    user_agent TEXT DEFAULT '' NOT NULL,
    ip TEXT DEFAULT '' NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    refreshed_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    revoked_at TIMESTAMP WITH TIME ZONE,
    is_single_sign_on BOOLEAN DEFAULT false NOT NULL,
    id_token TEXT,
    CONSTRAINT pk_sessions PRIMARY KEY (id),
    CONSTRAINT fk_sessions_user_id_users FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT uq_sessions_refresh_hash UNIQUE (refresh_hash)
);
CREATE INDEX ix_sessions_previous_refresh_hash ON sessions (previous_refresh_hash);
CREATE INDEX ix_sessions_user_id ON sessions (user_id);
CREATE TABLE api_keys (
    id UUID NOT NULL,
    name TEXT NOT NULL,
    prefix TEXT NOT NULL,
    key_hash TEXT NOT NULL,
    can_write BOOLEAN DEFAULT false NOT NULL,
    toolsets TEXT[] DEFAULT '{search}' NOT NULL,
    collection_ids UUID[],
    tag_ids UUID[],
    document_ids UUID[],
    created_by UUID,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE,
    last_used_at TIMESTAMP WITH TIME ZONE,
    revoked_at TIMESTAMP WITH TIME ZONE,
    allowed_networks TEXT[],
    previous_key_hash TEXT,
    previous_prefix TEXT,
    previous_expires_at TIMESTAMP WITH TIME ZONE,
    client_id TEXT,
    client_name TEXT,
    secret_expires_at TIMESTAMP WITH TIME ZONE,
    CONSTRAINT pk_api_keys PRIMARY KEY (id),
    CONSTRAINT uq_api_keys_key_hash UNIQUE (key_hash),
    CONSTRAINT uq_api_keys_previous_key_hash UNIQUE (previous_key_hash),
    CONSTRAINT fk_api_keys_created_by_users FOREIGN KEY (created_by) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_api_keys_created_by ON api_keys (created_by);
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

-- Groups of the identity provider. The ID token of a session is encrypted, and sent when it ends.

CREATE TABLE collections (
    id UUID NOT NULL,
    name TEXT NOT NULL,
    description TEXT DEFAULT '' NOT NULL,
    is_open BOOLEAN DEFAULT true NOT NULL,
    is_default BOOLEAN DEFAULT false NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    CONSTRAINT pk_collections PRIMARY KEY (id),
    CONSTRAINT uq_collections_name UNIQUE (name)
);
-- What a group gives (`is_from_group`) is renewed at each single sign-on.
CREATE TABLE collection_members (
    collection_id UUID NOT NULL,
    user_id UUID NOT NULL,
    can_write BOOLEAN DEFAULT false NOT NULL,
    is_from_group BOOLEAN DEFAULT false NOT NULL,
    CONSTRAINT pk_collection_members PRIMARY KEY (collection_id, user_id),
    CONSTRAINT fk_collection_members_collection_id_collections
        FOREIGN KEY (collection_id) REFERENCES collections (id) ON DELETE CASCADE,
    CONSTRAINT fk_collection_members_user_id_users FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX ix_collection_members_user_id ON collection_members (user_id);
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

INSERT INTO sign_in_settings DEFAULT VALUES;
INSERT INTO collections (id, name, description, is_default)
VALUES ('00000000-0000-4000-8000-000000000001', 'Library', 'Everything that has no other place.', true);

CREATE TABLE audit_events (
    id BIGINT GENERATED BY DEFAULT AS IDENTITY,
    at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    target TEXT DEFAULT '' NOT NULL,
    request_id TEXT DEFAULT '' NOT NULL,
    details JSONB DEFAULT '{}' NOT NULL,
    CONSTRAINT pk_audit_events PRIMARY KEY (id)
);
CREATE INDEX ix_audit_events_at ON audit_events (at);
CREATE INDEX ix_audit_events_target ON audit_events (target);
-- Token buckets shared by all processes. Unlogged, because a crash may lose them.
CREATE UNLOGGED TABLE rate_buckets (
    key TEXT NOT NULL,
    tokens DOUBLE PRECISION NOT NULL,
    updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT pk_rate_buckets PRIMARY KEY (key)
);
