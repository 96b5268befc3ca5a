"""`/users`: manage users. Administrators only."""

import uuid

from fastapi import APIRouter

from lectern.accounts.dependencies import Admin, CurrentAccounts, SystemSession
from lectern.accounts.schemas import UserCreate, UserResponse, UserUpdate
from lectern.accounts.users import service
from lectern.http.page_parameters import CursorParameter, Limit
from lectern.http.pagination import Page

router = APIRouter(prefix="/api/v1/users", tags=["users"])


@router.get("")
async def list_users(
    _: Admin, session: SystemSession, cursor: CursorParameter = None, limit: Limit = 50
) -> Page[UserResponse]:
    """List all users."""
    return await service.list_users(session, cursor=cursor, limit=limit)


@router.post("", status_code=201)
async def create_user(
    body: UserCreate, principal: Admin, session: SystemSession, accounts: CurrentAccounts
) -> UserResponse:
    """Create a user."""
    return await service.create_user(session, principal.actor, wanted=body, accounts=accounts)


@router.get("/{user_id}")
async def get_user(user_id: uuid.UUID, _: Admin, session: SystemSession) -> UserResponse:
    """Get one user."""
    return UserResponse.model_validate(await service.get_user(session, user_id))


@router.patch("/{user_id}")
async def update_user(
    user_id: uuid.UUID, body: UserUpdate, principal: Admin, session: SystemSession, accounts: CurrentAccounts
) -> UserResponse:
    """Change the name, role, password or active state of a user."""
    return await service.update_user(session, principal, user_id, wanted=body, accounts=accounts)


@router.delete("/{user_id}", status_code=204)
async def delete_user(user_id: uuid.UUID, principal: Admin, session: SystemSession, accounts: CurrentAccounts) -> None:
    """Delete a user with its sessions and keys. Its documents and tags stay, without an owner."""
    await service.delete_user(session, principal, user_id, accounts=accounts)
