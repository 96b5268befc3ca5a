"""Request and response bodies of users and the audit log, and the fields that other schemas share."""

import uuid
from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, AwareDatetime, Field, SecretStr, StringConstraints
from pydantic_core import PydanticCustomError

from lectern.accounts.principals import Role
from lectern.http.schemas import Name, PartialUpdate, RequestModel, ResponseModel, not_before
from lectern.names import strip_invisible

MIN_PASSWORD_CHARACTERS = 12


def _normalize_email(email: str) -> str:
    local, at, domain = email.rpartition("@")
    if not at or not local or "." not in domain or email != "".join(strip_invisible(email).split()):
        raise PydanticCustomError("email", "This is not an e-mail address.")
    return email.lower()


Email = Annotated[str, StringConstraints(strip_whitespace=True, max_length=254), AfterValidator(_normalize_email)]
NewPassword = Annotated[SecretStr, Field(min_length=MIN_PASSWORD_CHARACTERS, max_length=1_000)]
CurrentPassword = Annotated[SecretStr, Field(min_length=1, max_length=1_000)]
Code = Annotated[
    str, Field(min_length=1, max_length=40, description="A code of the authenticator app, or a recovery code.")
]
AuditText = Annotated[str, StringConstraints(max_length=300)]
RevokeKeys = Annotated[bool, Field(description="True: also revoke the API keys of the user.")]


class UserResponse(ResponseModel):
    """A user."""

    id: uuid.UUID
    email: str
    name: str
    role: Role
    is_active: bool
    has_password: bool = Field(description="False: only single sign-on works.")
    has_second_factor: bool
    created_at: datetime
    last_sign_in_at: datetime | None


class AuditEventResponse(ResponseModel):
    """One recorded action. `details` has the new values, and `before` in it the values that they replaced."""

    id: int
    at: datetime
    actor: str
    actor_name: str | None = Field(default=None, description="Its name today. Null if it is gone or has none.")
    action: str
    target: str
    target_name: str | None = Field(default=None, description="Its name today. Null if it is gone or has none.")
    request_id: str
    details: dict[str, Any]


class AuditFilter(RequestModel):
    """Conditions that audit events must all meet."""

    actor: AuditText | None = Field(default=None, description="`user:<id>`, `key:<id>`, `system` or `anonymous`.")
    action: AuditText | None = Field(default=None, description="Such as `document.upload`.")
    target: AuditText | None = Field(default=None, description="Such as `document:<id>`.")
    since: AwareDatetime | None = Field(default=None, description="Only events at this time or later.")
    until: Annotated[AwareDatetime, not_before("since")] | None = Field(
        default=None, description="Only events before this time."
    )


class UserCreate(RequestModel):
    """A new user."""

    email: Email
    password: NewPassword
    name: Name | None = None
    role: Role = "reader"


class UserUpdate(PartialUpdate):
    """Fields to change. A new password revokes all sessions of the user, `is_active: false` the keys as well."""

    name: Name | None = None
    role: Role | None = None
    is_active: bool | None = None
    password: NewPassword | None = None
