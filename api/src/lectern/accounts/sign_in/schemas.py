"""Request and response bodies of the sign-in settings."""

import uuid
from typing import Annotated

from pydantic import Field, StringConstraints, field_validator
from pydantic_core import PydanticCustomError

from lectern.accounts.principals import Role
from lectern.http.schemas import Name, RequestModel, ResponseModel

GroupName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]


class SignInMethods(ResponseModel):
    """Ways to sign in."""

    has_passwords: bool
    single_sign_on: str | None = Field(description="The name on the button. Null: there is no single sign-on.")


class GroupCollection(RequestModel):
    """A collection that a group gives access to."""

    collection_id: uuid.UUID
    can_write: bool = False


class GroupMapping(RequestModel):
    """A group of the identity provider, with the role and the collections that it gives."""

    name: GroupName = Field(description="As the identity provider sends it. Upper and lower case differ.")
    role: Role | None = Field(default=None, description="Null: the group gives collections only.")
    collections: list[GroupCollection] = Field(default=[], max_length=100)


class SignInSettingsUpdate(RequestModel):
    """Settings of signing in. It replaces the present settings."""

    provider_name: Name = Field(description="The name on the button of the sign-in page.")
    group_claim: Annotated[str, StringConstraints(pattern=r"^[\x21-\x7e]{1,200}$")] = Field(
        default="groups", description="Claim with the list of groups."
    )
    default_role: Role | None = Field(
        default=None, description="Role of people whose groups give none. Null: they are refused."
    )
    is_linking_allowed: bool = Field(
        default=False,
        description="True: an identity signs in to the account with its e-mail address, if the provider verified it.",
    )
    has_local_passwords: bool = Field(default=True, description="False: people sign in over single sign-on only.")
    groups: list[GroupMapping] = Field(default=[], max_length=150)

    @field_validator("groups")
    @classmethod
    def _refuse_repeated_names(cls, groups: list[GroupMapping]) -> list[GroupMapping]:
        if len({group.name for group in groups}) < len(groups):
            raise PydanticCustomError("repeated_group", "Each group may be listed once.")
        for group in groups:
            if len({given.collection_id for given in group.collections}) < len(group.collections):
                raise PydanticCustomError("repeated_collection", "Each collection may be listed once for a group.")
        return groups


class SignInSettingsResponse(ResponseModel):
    """Settings of signing in, with the addresses to register at the identity provider."""

    issuer: str | None = Field(description="OIDC_ISSUER. Null: single sign-on is not set up.")
    redirect_uri: str = Field(description="Register it at the identity provider as a redirect URI.")
    sign_out_uri: str = Field(description="Register it at the identity provider for redirects after sign-out.")
    provider_name: str
    group_claim: str
    default_role: Role | None
    is_linking_allowed: bool
    has_local_passwords: bool
    groups: list[GroupMapping]
