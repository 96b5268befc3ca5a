"""`/auth/second-factor`: two-factor authentication with an authenticator app."""

import uuid

from fastapi import APIRouter, Response

from lectern.accounts.dependencies import Admin, CurrentAccounts, Person, SystemSession
from lectern.accounts.second_factor import service
from lectern.accounts.second_factor.schemas import (
    EnrolmentResponse,
    RecoveryCodesResponse,
    SecondFactorBegin,
    SecondFactorConfirm,
    SecondFactorDisable,
    SecondFactorResponse,
)

router = APIRouter(prefix="/api/v1")


@router.get("/auth/second-factor", tags=["auth"])
async def get_second_factor(principal: Person, session: SystemSession) -> SecondFactorResponse:
    """Get the state of the caller's two-factor authentication."""
    return await service.get_state(session, principal)


@router.post("/auth/second-factor", tags=["auth"])
async def begin_second_factor(
    body: SecondFactorBegin, principal: Person, accounts: CurrentAccounts, response: Response
) -> EnrolmentResponse:
    """Create a secret for an authenticator app. Confirm it with a code."""
    response.headers["Cache-Control"] = "no-store"
    return await service.begin(accounts, principal, body.current_password)


@router.post("/auth/second-factor/confirm", tags=["auth"])
async def confirm_second_factor(
    body: SecondFactorConfirm, principal: Person, accounts: CurrentAccounts, response: Response
) -> RecoveryCodesResponse:
    """Turn two-factor authentication on. The recovery codes are shown once."""
    response.headers["Cache-Control"] = "no-store"
    return await service.confirm(accounts, principal, body.code)


@router.post("/auth/second-factor/disable", status_code=204, tags=["auth"])
async def disable_second_factor(body: SecondFactorDisable, principal: Person, accounts: CurrentAccounts) -> None:
    """Turn two-factor authentication off with the password and a code."""
    await service.disable(accounts, principal, password=body.current_password, code=body.code)


@router.delete("/users/{user_id}/second-factor", status_code=204, tags=["users"])
async def reset_second_factor(user_id: uuid.UUID, principal: Admin, session: SystemSession) -> None:
    """Turn off the two-factor authentication of a user who lost it."""
    await service.reset(session, principal, user_id)
