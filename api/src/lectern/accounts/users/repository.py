"""Rows of users. System sessions only."""

import uuid
from datetime import datetime

from sqlalchemy import delete, exists, func, select, tuple_
from sqlalchemy.exc import IntegrityError

from lectern.accounts.errors import EmailTaken
from lectern.accounts.models import User
from lectern.db.session import Session


async def has_users(session: Session) -> bool:
    return bool(await session.scalar(select(exists().where(User.id.is_not(None)))))


async def find(session: Session, user_id: uuid.UUID) -> User | None:
    return await session.get(User, user_id)


async def add(session: Session, *, email: str, name: str, password_hash: str, role: str) -> User:
    """Raises EmailTaken."""
    user = User(id=uuid.uuid4(), email=email, name=name, password_hash=password_hash, role=role)
    try:
        async with session.begin_nested():
            session.add(user)
    except IntegrityError as error:
        raise EmailTaken from error
    await session.refresh(user)
    return user


async def lock_active_admins(session: Session) -> set[uuid.UUID]:
    """The administrators who can sign in; until the transaction ends nobody else can change their rows."""
    query = select(User.id).where(User.role == "admin", User.is_active).order_by(User.id).with_for_update()
    return set((await session.scalars(query)).all())


async def delete_user(session: Session, user_id: uuid.UUID) -> None:
    """With the sign-ins, keys and memberships of the user."""
    await session.execute(delete(User).where(User.id == user_id))


async def list_users(
    session: Session, *, after: tuple[datetime, uuid.UUID] | None, limit: int
) -> tuple[list[User], int]:
    """In the order they came, and how many there are."""
    query = select(User).order_by(User.created_at, User.id).limit(limit)
    if after is not None:
        query = query.where(tuple_(User.created_at, User.id) > after)
    total = await session.scalar(select(func.count()).select_from(User))
    return list((await session.scalars(query)).all()), total or 0
