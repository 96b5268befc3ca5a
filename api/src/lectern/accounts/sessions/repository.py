"""Rows of users and their sign-ins. System sessions only."""

import uuid
from datetime import datetime

from sqlalchemy import ColumnElement, func, select, text, update

from lectern.accounts.models import User, UserSession
from lectern.db.session import Session

# Only the current token may be exchanged; of two that come with it at the same time one finds it gone.
_ROTATE = text("""
UPDATE sessions SET refresh_hash = :new_hash, previous_refresh_hash = refresh_hash, refreshed_at = now(),
    expires_at = :expires_at
WHERE id = :session_id AND refresh_hash = :old_hash AND revoked_at IS NULL AND expires_at > now()
RETURNING user_id
""")


async def find_user_by_email(session: Session, email: str) -> User | None:
    return await session.scalar(select(User).where(User.email == email))


async def find_user(session: Session, user_id: uuid.UUID) -> User | None:
    return await session.get(User, user_id)


async def add(
    session: Session,
    *,
    session_id: uuid.UUID,
    user_id: uuid.UUID,
    refresh_hash: str,
    expires_at: datetime,
    user_agent: str,
    ip: str,
) -> None:
    """Add a sign-in and note it on its user."""
    session.add(
        UserSession(
            id=session_id,
            user_id=user_id,
            refresh_hash=refresh_hash,
            expires_at=expires_at,
            user_agent=user_agent[:400],
            ip=ip,
        )
    )
    await session.execute(update(User).where(User.id == user_id).values(last_sign_in_at=func.now()))
    await session.flush()


async def rotate(
    session: Session, *, session_id: uuid.UUID, old_hash: str, new_hash: str, expires_at: datetime
) -> uuid.UUID | None:
    """Replace the refresh token; the user's id, or None when the old one is not the current one."""
    values = {"session_id": session_id, "old_hash": old_hash, "new_hash": new_hash, "expires_at": expires_at}
    return (await session.execute(_ROTATE, values)).scalar_one_or_none()


async def revoke(session: Session, session_id: uuid.UUID) -> bool:
    """End one sign-in; whether it stood until now."""
    return await _revoke(session, UserSession.id == session_id) > 0


async def revoke_all(session: Session, user_id: uuid.UUID, *, except_id: uuid.UUID | None = None) -> int:
    """End every sign-in of a user, or every other one; how many stood."""
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


async def list_standing(session: Session, user_id: uuid.UUID) -> list[UserSession]:
    """A user's sign-ins that still stand, the latest used first."""
    query = (
        select(UserSession)
        .where(UserSession.user_id == user_id, UserSession.revoked_at.is_(None), UserSession.expires_at > func.now())
        .order_by(UserSession.refreshed_at.desc(), UserSession.id)
    )
    return list((await session.scalars(query)).all())


async def set_password_hash(session: Session, user_id: uuid.UUID, password_hash: str) -> None:
    await session.execute(update(User).where(User.id == user_id).values(password_hash=password_hash))
