"""Shapes that several of the rooms of accounts share."""

import uuid
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, SecretStr, StringConstraints
from pydantic_core import PydanticCustomError

from lectern.http.schemas import ResponseModel

MIN_PASSWORD_CHARACTERS = 12


def _normalized(email: str) -> str:
    local, at, domain = email.rpartition("@")
    if not at or not local or "." not in domain or any(character.isspace() for character in email):
        raise PydanticCustomError("email", "This is not an e-mail address.")
    return email.lower()


Email = Annotated[str, StringConstraints(strip_whitespace=True, max_length=254), AfterValidator(_normalized)]
NewPassword = Annotated[SecretStr, Field(min_length=MIN_PASSWORD_CHARACTERS, max_length=1_000)]
GivenPassword = Annotated[SecretStr, Field(min_length=1, max_length=1_000)]
RoleName = Literal["admin", "editor", "reader"]


class UserResponse(ResponseModel):
    """A person who may sign in."""

    id: uuid.UUID
    email: str
    name: str
    role: RoleName
    is_active: bool
    created_at: datetime
    last_sign_in_at: datetime | None
