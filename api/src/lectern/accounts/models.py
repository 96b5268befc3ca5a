"""Tables of users, sessions, API keys and audit events. Only the system role can read them."""

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    SmallInteger,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy import Identity as AutoIncrement
from sqlalchemy.dialects.postgresql import ARRAY, UUID
from sqlalchemy.orm import Mapped, mapped_column

from lectern.db.base import Base, CreatedAt, UuidKey


class User(Base):
    """A user. `email` is in lower case. Without `password_hash` only single sign-on works.

    `totp_secret` is encrypted. `totp_last_step` is the time step of the last code, which cannot be used again.
    """

    __tablename__ = "users"
    __table_args__ = (CheckConstraint("role IN ('admin', 'editor', 'reader')", name="role"),)

    id: Mapped[UuidKey]
    email: Mapped[str] = mapped_column(Text, unique=True)
    name: Mapped[str] = mapped_column(Text, server_default="")
    password_hash: Mapped[str | None] = mapped_column(Text)
    role: Mapped[str] = mapped_column(Text)
    is_active: Mapped[bool] = mapped_column(server_default=text("true"))
    created_at: Mapped[CreatedAt]
    last_sign_in_at: Mapped[datetime | None]
    totp_secret: Mapped[str | None] = mapped_column(Text)
    totp_confirmed_at: Mapped[datetime | None]
    totp_last_step: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    recovery_code_hashes: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))

    @property
    def has_password(self) -> bool:
        return self.password_hash is not None

    @property
    def has_second_factor(self) -> bool:
        return self.totp_confirmed_at is not None


class UserSession(Base):
    """A signed-in browser or program. Its refresh token is replaced at each use (`refresh_hash` is SHA-256).

    `id_token` is that of the identity provider, encrypted. The provider wants it back at sign-out.
    """

    __tablename__ = "sessions"

    id: Mapped[UuidKey]
    user_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    refresh_hash: Mapped[str] = mapped_column(Text, unique=True)
    previous_refresh_hash: Mapped[str | None] = mapped_column(Text, index=True)
    user_agent: Mapped[str] = mapped_column(Text, server_default="")
    ip: Mapped[str] = mapped_column(Text, server_default="")
    created_at: Mapped[CreatedAt]
    refreshed_at: Mapped[CreatedAt]
    expires_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]
    is_single_sign_on: Mapped[bool] = mapped_column(server_default=text("false"))
    id_token: Mapped[str | None] = mapped_column(Text)


class ApiKey(Base):
    """An API key, stored as a hash. A list that is NULL means no limit. A rotated key has a previous secret.

    A key with `client_id` is the access token of an OAuth client. Its secret ends earlier, and is then refreshed.
    """

    __tablename__ = "api_keys"

    id: Mapped[UuidKey]
    name: Mapped[str] = mapped_column(Text)
    prefix: Mapped[str] = mapped_column(Text)
    key_hash: Mapped[str] = mapped_column(Text, unique=True)
    can_write: Mapped[bool] = mapped_column(server_default=text("false"))
    toolsets: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{search}'"))
    collection_ids: Mapped[list[uuid.UUID] | None] = mapped_column(ARRAY(UUID(as_uuid=True)))
    tag_ids: Mapped[list[uuid.UUID] | None] = mapped_column(ARRAY(UUID(as_uuid=True)))
    document_ids: Mapped[list[uuid.UUID] | None] = mapped_column(ARRAY(UUID(as_uuid=True)))
    created_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[CreatedAt]
    expires_at: Mapped[datetime | None]
    last_used_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
    allowed_networks: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    previous_key_hash: Mapped[str | None] = mapped_column(Text, unique=True)
    previous_prefix: Mapped[str | None] = mapped_column(Text)
    previous_expires_at: Mapped[datetime | None]
    client_id: Mapped[str | None] = mapped_column(Text)
    client_name: Mapped[str | None] = mapped_column(Text)
    secret_expires_at: Mapped[datetime | None]


class OAuthClient(Base):
    """A client that registered itself. Clients with a metadata document have no row."""

    __tablename__ = "oauth_clients"

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    redirect_uris: Mapped[list[str]] = mapped_column(ARRAY(Text))
    created_at: Mapped[CreatedAt]


class OAuthToken(Base):
    """An authorization code or a refresh token of a key, stored as a hash. Each works once; reuse revokes the key.

    A code also has the redirect URI and the challenge of its request, and the expiry that the key gets from it.
    """

    __tablename__ = "oauth_tokens"
    __table_args__ = (CheckConstraint("kind IN ('code', 'refresh')", name="kind"),)

    token_hash: Mapped[str] = mapped_column(Text, primary_key=True)
    kind: Mapped[str] = mapped_column(Text)
    key_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("api_keys.id", ondelete="CASCADE"), index=True)
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]
    redirect_uri: Mapped[str | None] = mapped_column(Text)
    code_challenge: Mapped[str | None] = mapped_column(Text)
    key_expires_at: Mapped[datetime | None]


class Identity(Base):
    """An account at the identity provider, and its user here."""

    __tablename__ = "identities"
    __table_args__ = (UniqueConstraint("user_id", "issuer"),)

    issuer: Mapped[str] = mapped_column(Text, primary_key=True)
    subject: Mapped[str] = mapped_column(Text, primary_key=True)
    user_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    created_at: Mapped[CreatedAt]


class SignInSettings(Base):
    """Settings of signing in. Their only row has the id 1. Without a default role, people need a mapped group."""

    __tablename__ = "sign_in_settings"
    __table_args__ = (
        CheckConstraint("id = 1", name="only_row"),
        CheckConstraint("default_role IN ('admin', 'editor', 'reader')", name="default_role"),
    )

    id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, server_default=text("1"))
    provider_name: Mapped[str] = mapped_column(Text, server_default="Single sign-on")
    group_claim: Mapped[str] = mapped_column(Text, server_default="groups")
    default_role: Mapped[str | None] = mapped_column(Text)
    is_linking_allowed: Mapped[bool] = mapped_column(server_default=text("false"))
    has_local_passwords: Mapped[bool] = mapped_column(server_default=text("true"))


class SignInGroup(Base):
    """A group of the identity provider, and the role that it gives."""

    __tablename__ = "sign_in_groups"
    __table_args__ = (CheckConstraint("role IN ('admin', 'editor', 'reader')", name="role"),)

    name: Mapped[str] = mapped_column(Text, primary_key=True)
    role: Mapped[str | None] = mapped_column(Text)


class SignInGroupCollection(Base):
    """A collection that a group gives access to."""

    __tablename__ = "sign_in_group_collections"

    group_name: Mapped[str] = mapped_column(ForeignKey("sign_in_groups.name", ondelete="CASCADE"), primary_key=True)
    collection_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("collections.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    can_write: Mapped[bool] = mapped_column(server_default=text("false"))


class SingleSignOnRequest(Base):
    """A browser that is at the identity provider. Unlogged, because a crash may lose it."""

    __tablename__ = "sign_in_requests"
    __table_args__ = ({"prefixes": ["UNLOGGED"]},)

    state_hash: Mapped[str] = mapped_column(Text, primary_key=True)
    browser_hash: Mapped[str] = mapped_column(Text)
    next_path: Mapped[str] = mapped_column(Text)
    expires_at: Mapped[datetime]


class AuditEvent(Base):
    """An action of an actor on a target. Written in the transaction of the action."""

    __tablename__ = "audit_events"
    __table_args__ = (Index("ix_audit_events_at", "at"), Index("ix_audit_events_target", "target"))

    id: Mapped[int] = mapped_column(BigInteger, AutoIncrement(), primary_key=True)
    at: Mapped[CreatedAt]
    actor: Mapped[str] = mapped_column(Text)
    action: Mapped[str] = mapped_column(Text)
    target: Mapped[str] = mapped_column(Text, server_default="")
    request_id: Mapped[str] = mapped_column(Text, server_default="")
    details: Mapped[dict[str, Any]] = mapped_column(server_default=text("'{}'"))
