"""Administrators look after the people who may sign in."""

import uuid
from datetime import datetime
from typing import Any

from lectern.accounts.audit.service import record
from lectern.accounts.context import Accounts
from lectern.accounts.errors import LastAdmin, UserNotFound
from lectern.accounts.models import User
from lectern.accounts.principals import Principal
from lectern.accounts.schemas import UserResponse
from lectern.accounts.sessions.repository import revoke_all
from lectern.accounts.users import repository
from lectern.accounts.users.schemas import UserCreate, UserUpdate
from lectern.db.session import Session
from lectern.http.pagination import Page, decode_cursor, encode_cursor

_ORDER = "users"


async def create_user(session: Session, actor: str, *, wanted: UserCreate, accounts: Accounts) -> UserResponse:
    """Raises EmailTaken."""
    user = await repository.add(
        session,
        email=wanted.email,
        name=wanted.name or "",
        password_hash=await accounts.passwords.hash(wanted.password),
        role=wanted.role,
    )
    details = {"email": user.email, "role": user.role}
    await record(session, actor, action="user.create", target=f"user:{user.id}", details=details)
    return UserResponse.model_validate(user)


async def get_user(session: Session, user_id: uuid.UUID) -> User:
    """Raises UserNotFound."""
    user = await repository.find(session, user_id)
    if user is None:
        raise UserNotFound
    return user


async def list_users(session: Session, *, cursor: str | None, limit: int) -> Page[UserResponse]:
    """A page of them in the order they came. Raises BrokenCursor."""
    users, total = await repository.list_users(session, after=_place(cursor), limit=limit + 1)
    shown = users[:limit]
    return Page(
        items=[UserResponse.model_validate(user) for user in shown],
        next_cursor=encode_cursor(_ORDER, [shown[-1].created_at, shown[-1].id]) if len(users) > limit else None,
        total=total,
    )


def _place(cursor: str | None) -> tuple[datetime, uuid.UUID] | None:
    if cursor is None:
        return None
    moment, user_id = decode_cursor(cursor, order=_ORDER, types=(datetime, uuid.UUID))
    return moment, user_id


async def update_user(
    session: Session, principal: Principal, user_id: uuid.UUID, *, wanted: UserUpdate, accounts: Accounts
) -> UserResponse:
    """Raises UserNotFound, LastAdmin."""
    admins = await repository.lock_active_admins(session)
    user = await get_user(session, user_id)
    changes: dict[str, Any] = wanted.model_dump(exclude_unset=True, exclude_none=True, exclude={"password"})
    is_admin_after = changes.get("role", user.role) == "admin" and changes.get("is_active", user.is_active)
    if admins == {user_id} and not is_admin_after:
        raise LastAdmin
    for name, value in changes.items():
        setattr(user, name, value)
    if wanted.password is not None:
        user.password_hash = await accounts.passwords.hash(wanted.password)
    if wanted.password is not None or not user.is_active:
        await revoke_all(session, user_id, except_id=principal.session_id if user_id == principal.user_id else None)
    await session.flush()
    details = changes | ({"password": "changed"} if wanted.password else {})
    await record(session, principal.actor, action="user.update", target=f"user:{user_id}", details=details)
    return UserResponse.model_validate(user)


async def delete_user(session: Session, principal: Principal, user_id: uuid.UUID) -> None:
    """With the person's sign-ins and keys; documents stay. Raises UserNotFound, LastAdmin."""
    admins = await repository.lock_active_admins(session)
    user = await get_user(session, user_id)
    if admins == {user_id}:
        raise LastAdmin
    details = {"email": user.email}
    await repository.delete_user(session, user_id)
    await record(session, principal.actor, action="user.delete", target=f"user:{user_id}", details=details)
