"""Read and change rows of users and their sessions. System sessions only."""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, delete, exists, func, select, text, update
from sqlalchemy.exc import IntegrityError

from lectern.accounts.errors import EmailTaken
from lectern.accounts.models import User, UserSession
from lectern.db.pages import fetch_page
from lectern.db.session import Session

# Only the current token can be exchanged. Of two concurrent requests with it, one gets no row.
_ROTATE = text("""
UPDATE sessions SET refresh_hash = :new_hash, previous_refresh_hash = refresh_hash, refreshed_at = now(),
    expires_at = :expires_at
WHERE id = :session_id AND refresh_hash = :old_hash AND revoked_at IS NULL AND expires_at > now()
RETURNING user_id
""")
# Somebody who gets the address later must not get its documents.
_DELETE_GRANTS = text("""
WITH account AS (SELECT email FROM users WHERE id = :id),
    of_tags AS (DELETE FROM tag_grants WHERE email IN (SELECT email FROM account))
DELETE FROM document_grants WHERE email IN (SELECT email FROM account)
""")


async def has_users(session: Session) -> bool:
    return bool(await session.scalar(select(exists().where(User.id.is_not(None)))))


async def find(session: Session, user_id: uuid.UUID, *, is_locked: bool = False) -> User | None:
    return await session.get(User, user_id, with_for_update=is_locked)


async def add(session: Session, *, email: str, name: str, password_hash: str | None, role: str) -> User:
    """Add a user. Raises EmailTaken."""
    user = User(id=uuid.uuid4(), email=email, name=name, password_hash=password_hash, role=role)
    try:
        async with session.begin_nested():
            session.add(user)
    except IntegrityError as error:
        raise EmailTaken from error
    await session.refresh(user)
    return user


async def lock_active_admins(session: Session, *, has_single_sign_on: bool) -> set[uuid.UUID]:
    """Lock the active administrators until the transaction ends. Return the ids of those who can sign in."""
    query = select(User.id).where(User.role == "admin", User.is_active).order_by(User.id).with_for_update()
    if not has_single_sign_on:
        query = query.where(User.password_hash.is_not(None))
    return set((await session.scalars(query)).all())


async def delete_user(session: Session, user_id: uuid.UUID) -> None:
    """Delete a user with its sessions, keys, memberships and grants."""
    await session.execute(_DELETE_GRANTS, {"id": user_id})
    await session.execute(delete(User).where(User.id == user_id))


async def list_users(session: Session, *, after: Sequence[Any] | None, limit: int) -> tuple[Sequence[User], int]:
    """Return a page of users, oldest first, and the total."""
    return await fetch_page(session, select(User), User.created_at, User.id, after=after, limit=limit)


async def find_user_by_email(session: Session, email: str) -> User | None:
    return await session.scalar(select(User).where(User.email == email))


async def set_sign_in_time(session: Session, user_id: uuid.UUID) -> None:
    await session.execute(update(User).where(User.id == user_id).values(last_sign_in_at=func.now()))


async def find_session(session: Session, session_id: uuid.UUID) -> UserSession | None:
    return await session.get(UserSession, session_id)


async def revoke_password_sessions(session: Session) -> int:
    """Revoke all sessions that began with a password. Return how many were active."""
    return await _revoke(session, UserSession.is_single_sign_on.is_(False))


async def list_ips(session: Session, user_id: uuid.UUID) -> list[str]:
    """List the addresses from which the user has signed in."""
    return list((await session.scalars(select(UserSession.ip).where(UserSession.user_id == user_id).distinct())).all())


async def rotate_refresh_token(
    session: Session, *, session_id: uuid.UUID, old_hash: str, new_hash: str, expires_at: datetime
) -> uuid.UUID | None:
    """Replace the refresh token. Return the user's id, or None if the old token is not the current one."""
    values = {"session_id": session_id, "old_hash": old_hash, "new_hash": new_hash, "expires_at": expires_at}
    return (await session.execute(_ROTATE, values)).scalar_one_or_none()


async def revoke_session(session: Session, session_id: uuid.UUID, *, user_id: uuid.UUID | None = None) -> bool:
    """Revoke a session, of this user if one is given. Return True if it was active."""
    conditions = [UserSession.id == session_id]
    if user_id is not None:
        conditions += [UserSession.user_id == user_id, UserSession.expires_at > func.now()]
    return await _revoke(session, *conditions) > 0


async def revoke_sessions(session: Session, user_id: uuid.UUID, *, except_id: uuid.UUID | None = None) -> int:
    """Revoke the sessions of a user except one. Return how many were active."""
    conditions = [UserSession.user_id == user_id]
    if except_id is not None:
        conditions.append(UserSession.id != except_id)
    return await _revoke(session, *conditions)


async def _revoke(session: Session, *conditions: ColumnElement[bool]) -> int:
    query = (
        update(UserSession)
        .where(*conditions, UserSession.revoked_at.is_(None))
        .values(revoked_at=func.now())
        .returning(UserSession.id)
        .execution_options(synchronize_session=False)
    )
    return len((await session.execute(query)).all())


async def list_active_sessions(session: Session, user_id: uuid.UUID) -> list[UserSession]:
    """List the active sessions of a user, the last used first."""
    query = (
        select(UserSession)
        .where(UserSession.user_id == user_id, UserSession.revoked_at.is_(None), UserSession.expires_at > func.now())
        .order_by(UserSession.refreshed_at.desc(), UserSession.id)
    )
    return list((await session.scalars(query)).all())


async def set_password_hash(session: Session, user_id: uuid.UUID, password_hash: str) -> None:
    await session.execute(update(User).where(User.id == user_id).values(password_hash=password_hash))
