"""Request and response bodies of sign-in and sessions."""

import uuid
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, SecretStr

from lectern.accounts.principals import Role
from lectern.accounts.schemas import CurrentPassword, Email, NewPassword, RevokeKeys, UserResponse
from lectern.http.schemas import RequestModel, ResponseModel


class SignInRequest(RequestModel):
    """Credentials of a user."""

    email: Email
    password: CurrentPassword
    use_cookies: bool = Field(
        default=True, description="True: set httpOnly cookies, for browsers. False: return the tokens, for programs."
    )


class RefreshRequest(RequestModel):
    """A refresh token. Browsers send it as a cookie instead."""

    refresh_token: Annotated[SecretStr, Field(min_length=1, max_length=4_000)] | None = None


class PasswordChange(RequestModel):
    """A new password. All other sessions of the user are revoked."""

    current_password: CurrentPassword
    new_password: NewPassword
    revoke_keys: RevokeKeys = False


class SignOutEverywhereRequest(RequestModel):
    """Options of signing out everywhere."""

    revoke_keys: RevokeKeys = False


class SignOutResponse(ResponseModel):
    """Where a browser goes after signing out."""

    redirect_to: str | None = Field(
        default=None, description="Ends the session at the identity provider too. Null after signing in by password."
    )


class SignInResponse(ResponseModel):
    """The user and the lifetime of the access token. Tokens are absent if cookies are used."""

    user: UserResponse
    expires_in_seconds: int = Field(description="Lifetime of the access token.")
    access_token: str | None = None
    refresh_token: str | None = Field(default=None, description="Valid for one use.")
    token_type: Literal["bearer"] = "bearer"  # noqa: S105 - not a secret


class PrincipalResponse(ResponseModel):
    """The caller and its permissions. A list of ids that is null means no limit."""

    kind: Literal["user", "key"]
    id: uuid.UUID
    name: str = Field(description="The e-mail address of a user, or the name of a key.")
    role: Role | None
    has_password: bool | None = Field(
        default=None, description="False: the user signs in by single sign-on only. Null for a key."
    )
    can_write: bool
    toolsets: list[str]
    collection_ids: list[uuid.UUID] | None
    tag_ids: list[uuid.UUID] | None
    document_ids: list[uuid.UUID] | None
    web_url: str | None = Field(default=None, description="Address of the web UI, for links to documents.")


class SessionResponse(ResponseModel):
    """An active session."""

    id: uuid.UUID
    user_agent: str
    ip: str
    created_at: datetime
    refreshed_at: datetime
    expires_at: datetime
    is_current: bool
