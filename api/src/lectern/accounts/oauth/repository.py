"""Read and change clients, codes and refresh tokens. System sessions only."""

import uuid

from sqlalchemy import func, or_, select, text

from lectern.accounts.models import ApiKey, OAuthClient, OAuthToken, User
from lectern.db.session import Session

# A used token stays for a day after its end, because its reuse must be noticed.
_DELETE_EXPIRED = text("DELETE FROM oauth_tokens WHERE expires_at < now() - interval '1 day'")
_DELETE_UNUSED_CLIENTS = text("""
DELETE FROM oauth_clients AS c WHERE c.created_at < now() - interval '30 days'
    AND NOT EXISTS (SELECT FROM api_keys k WHERE k.client_id = c.id)
""")


async def find_client(session: Session, client_id: str) -> OAuthClient | None:
    return await session.get(OAuthClient, client_id)


async def lock_token(session: Session, token_hash: str, *, kind: str) -> OAuthToken | None:
    """Find a code or refresh token, and lock it until the end of the transaction."""
    query = select(OAuthToken).where(OAuthToken.token_hash == token_hash, OAuthToken.kind == kind).with_for_update()
    return await session.scalar(query)


async def lock_key(session: Session, key_id: uuid.UUID) -> ApiKey | None:
    """Find a key that is neither revoked nor expired and has an active creator, and lock it."""
    query = (
        select(ApiKey)
        .join(User, User.id == ApiKey.created_by)
        .where(ApiKey.id == key_id, ApiKey.revoked_at.is_(None), User.is_active)
        .where(or_(ApiKey.expires_at.is_(None), ApiKey.expires_at > func.now()))
        .with_for_update(of=ApiKey)
    )
    return await session.scalar(query)


async def find_key_by_secret(session: Session, token_hash: str) -> ApiKey | None:
    """Find the key of an access token or a refresh token."""
    of_refresh = select(OAuthToken.key_id).where(OAuthToken.token_hash == token_hash, OAuthToken.kind == "refresh")
    is_access = or_(ApiKey.key_hash == token_hash, ApiKey.previous_key_hash == token_hash)
    return await session.scalar(select(ApiKey).where(or_(is_access, ApiKey.id.in_(of_refresh))))


async def delete_expired(session: Session) -> None:
    """Delete tokens that ended a day ago, and clients that nobody connected within 30 days."""
    await session.execute(_DELETE_EXPIRED)
    await session.execute(_DELETE_UNUSED_CLIENTS)
