"""Signing in and out, as clients see it."""

import uuid
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, SecretStr

from lectern.accounts.schemas import Email, GivenPassword, NewPassword, RoleName, UserResponse
from lectern.http.schemas import RequestModel, ResponseModel


class SignInRequest(RequestModel):
    """Credentials of a person."""

    email: Email
    password: GivenPassword
    use_cookies: bool = Field(
        default=True, description="Browsers: keep the tokens in httpOnly cookies. Programs: false, to be given them."
    )


class RefreshRequest(RequestModel):
    """A refresh token, for programs; browsers send it as a cookie."""

    refresh_token: Annotated[SecretStr, Field(min_length=1, max_length=4_000)] | None = None


class PasswordChange(RequestModel):
    """A new password; every other sign-in of the person ends."""

    current_password: GivenPassword
    new_password: NewPassword


class SignInResponse(ResponseModel):
    """Who signed in and for how long; tokens only where cookies are not used."""

    user: UserResponse
    expires_in_seconds: int = Field(description="Life of the access token.")
    access_token: str | None = None
    refresh_token: str | None = Field(default=None, description="Good for one use, within its days.")
    token_type: Literal["bearer"] = "bearer"  # noqa: S105 - not a secret


class PrincipalResponse(ResponseModel):
    """Who is asking, and what it may do. Null in a list of ids: not narrowed."""

    kind: Literal["user", "key"]
    id: uuid.UUID
    name: str = Field(description="A person's e-mail address, or what a key is called.")
    role: RoleName | None
    can_write: bool
    toolsets: list[str]
    collection_ids: list[uuid.UUID] | None
    tag_ids: list[uuid.UUID] | None
    document_ids: list[uuid.UUID] | None


class SessionResponse(ResponseModel):
    """One sign-in that stands."""

    id: uuid.UUID
    user_agent: str
    ip: str
    created_at: datetime
    refreshed_at: datetime
    expires_at: datetime
    is_current: bool
