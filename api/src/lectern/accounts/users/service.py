"""Create, list, change and delete users."""

import uuid
from datetime import datetime
from functools import partial
from typing import Any

from pydantic import SecretStr

from lectern.accounts.audit.service import changes_with_before, record
from lectern.accounts.context import Accounts
from lectern.accounts.errors import LastAdmin, UserNotFound
from lectern.accounts.keys.repository import revoke_keys_of_user
from lectern.accounts.models import User
from lectern.accounts.principals import Principal
from lectern.accounts.schemas import UserCreate, UserResponse, UserUpdate
from lectern.accounts.users import repository
from lectern.db.session import Session
from lectern.http.pagination import Page, list_page


async def create_user(session: Session, actor: str, *, wanted: UserCreate, accounts: Accounts) -> UserResponse:
    """Create a user. Raises EmailTaken, BreachedPassword."""
    user = await repository.add(
        session,
        email=wanted.email,
        name=wanted.name or "",
        password_hash=await accounts.hash_new_password(wanted.password, email=wanted.email),
        role=wanted.role,
    )
    details = {"email": user.email, "role": user.role}
    await record(session, actor, action="user.create", target=f"user:{user.id}", details=details)
    return UserResponse.model_validate(user)


async def get_user(session: Session, user_id: uuid.UUID, *, is_locked: bool = False) -> User:
    """Return a user. Raises UserNotFound."""
    user = await repository.find(session, user_id, is_locked=is_locked)
    if user is None:
        raise UserNotFound
    return user


async def get_user_by_email(session: Session, email: str) -> UserResponse:
    """Return the user with an address, for the command line. Raises UserNotFound."""
    user = await repository.find_user_by_email(session, email.strip().lower())
    if user is None:
        raise UserNotFound(f"No user has the address {email!r}.", hint="Run `lectern users list`.")
    return UserResponse.model_validate(user)


async def opens_first_account(session: Session, password: SecretStr, *, accounts: Accounts) -> bool:
    """Return True if the oldest account has this password, or will get it because there is no account yet."""
    users, _ = await repository.list_users(session, after=None, limit=1)
    return not users or await accounts.passwords.verify(password, users[0].password_hash)


async def list_users(session: Session, *, cursor: str | None, limit: int) -> Page[UserResponse]:
    """List a page of users, oldest first. Raises BrokenCursor."""
    read, keys = partial(repository.list_users, session), {"created_at": datetime, "id": uuid.UUID}
    return await list_page(read, UserResponse.model_validate, order="users", keys=keys, cursor=cursor, limit=limit)


async def update_user(
    session: Session, principal: Principal, user_id: uuid.UUID, *, wanted: UserUpdate, accounts: Accounts
) -> UserResponse:
    """Change a user. Deactivation revokes the user's keys for good. Raises UserNotFound, LastAdmin."""
    admins = await repository.lock_active_admins(session, has_single_sign_on=accounts.provider is not None)
    user = await get_user(session, user_id)
    changes: dict[str, Any] = wanted.model_dump(exclude_unset=True, exclude_none=True, exclude={"password"})
    is_admin_after = changes.get("role", user.role) == "admin" and changes.get("is_active", user.is_active)
    if _is_active_admin(user) and not is_admin_after and not admins - {user_id}:
        raise LastAdmin
    details = changes_with_before(changes, user)
    for name, value in changes.items():
        setattr(user, name, value)
    if wanted.password is not None:
        user.password_hash = await accounts.hash_new_password(wanted.password, email=user.email)
    if wanted.password is not None or not user.is_active:
        except_id = principal.session_id if user_id == principal.user_id else None
        await repository.revoke_sessions(session, user_id, except_id=except_id)
    revoked_keys = 0 if user.is_active else await revoke_keys_of_user(session, user_id)
    await session.flush()
    details |= {"password": "changed"} if wanted.password else {}
    details |= {"revoked_keys": revoked_keys} if revoked_keys else {}
    await record(session, principal.actor, action="user.update", target=f"user:{user_id}", details=details)
    return UserResponse.model_validate(user)


async def delete_user(session: Session, principal: Principal, user_id: uuid.UUID, *, accounts: Accounts) -> None:
    """Delete a user with its sessions and keys. Documents and tags stay. Raises UserNotFound, LastAdmin."""
    admins = await repository.lock_active_admins(session, has_single_sign_on=accounts.provider is not None)
    user = await get_user(session, user_id)
    if _is_active_admin(user) and not admins - {user_id}:
        raise LastAdmin
    details = {"email": user.email}
    await repository.delete_user(session, user_id)
    await record(session, principal.actor, action="user.delete", target=f"user:{user_id}", details=details)


def _is_active_admin(user: User) -> bool:
    return user.role == "admin" and user.is_active
