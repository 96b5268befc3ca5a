"""Find or create the user of an identity, and give what its groups give."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from pydantic import TypeAdapter, ValidationError

from lectern.accounts.audit.service import record
from lectern.accounts.errors import (
    AccountDisabled,
    IdentityNotLinked,
    IdentityWithoutEmail,
    NoGroupForSignIn,
)
from lectern.accounts.models import SignInSettings, User
from lectern.accounts.principals import Role
from lectern.accounts.schemas import Email
from lectern.accounts.sign_in import repository as settings_repository
from lectern.accounts.single_sign_on import repository
from lectern.accounts.users import repository as users_repository
from lectern.db.session import Session
from lectern.errors import Forbidden, LecternError
from lectern.names import clean_name

_ROLES: Final = ("reader", "editor", "admin")
_EMAIL: Final[TypeAdapter[str]] = TypeAdapter(Email)
_MAX_NAME: Final = 200
_MAX_RECORDED_GROUPS: Final = 50


@dataclass(frozen=True, slots=True)
class ProviderIdentity:
    """A person as the identity provider describes it."""

    issuer: str
    subject: str
    email: str | None
    is_email_verified: bool
    name: str
    groups: frozenset[str]


@dataclass(frozen=True, slots=True)
class GroupAccess:
    """Access by groups: the highest role, and collections with or without write access. No role is no access."""

    role: Role | None
    collections: Mapping[uuid.UUID, bool]


def read_identity(issuer: str, claims: Mapping[str, Any], *, group_claim: str) -> ProviderIdentity:
    """Return the identity that claims describe.

    Raises:
        NoGroupForSignIn: The provider left the groups out, because there are too many for a token.
    """
    if group_claim in cast("Mapping[str, Any]", claims.get("_claim_names") or {}):
        raise NoGroupForSignIn(
            "The identity provider left your groups out, because there are too many.",
            hint="Let the identity provider send only the groups that are assigned to Lectern.",
        )
    given = claims.get(group_claim)
    groups = cast("list[object]", given if isinstance(given, list) else [given])
    name = claims.get("name") or claims.get("preferred_username")
    return ProviderIdentity(
        issuer=issuer,
        subject=str(claims["sub"]),
        email=_read_email(claims.get("email")),
        is_email_verified=claims.get("email_verified") is True,
        name=clean_name(name)[:_MAX_NAME] if isinstance(name, str) else "",
        groups=frozenset(group for group in groups if isinstance(group, str)),
    )


async def admit(session: Session, identity: ProviderIdentity, settings: SignInSettings) -> User | LecternError:
    """Return the user of an identity with the present role and collections, or why it may not sign in.

    The error is returned, because what was recorded and taken away must be committed.
    """
    access = await _find_access(session, identity, settings)
    user = await repository.find_identity(session, identity.issuer, identity.subject)
    error = None
    if user is None:
        user, error = await _join(session, identity, access, is_linking_allowed=settings.is_linking_allowed)
    if user is not None and not user.is_active:
        error = AccountDisabled()
    elif user is not None and error is None:
        await _give(session, user, access)
        error = None if access.role is not None else NoGroupForSignIn()
    if user is not None and error is None:
        return user
    refused = error or NoGroupForSignIn()
    target = f"user:{user.id}" if user is not None else f"email:{identity.email}"[:300]
    details: dict[str, str | list[str]] = {"reason": refused.code}
    if isinstance(refused, NoGroupForSignIn):
        details["groups"] = [group[:_MAX_NAME] for group in sorted(identity.groups)[:_MAX_RECORDED_GROUPS]]
    await record(session, "anonymous", action="session.refused", target=target, details=details)
    return refused


async def _find_access(session: Session, identity: ProviderIdentity, settings: SignInSettings) -> GroupAccess:
    groups = [group for group in await settings_repository.list_groups(session) if group.name in identity.groups]
    highest = max((group.role for group in groups if group.role), key=_ROLES.index, default=settings.default_role)
    role = cast("Role | None", highest)
    collections: dict[uuid.UUID, bool] = {}
    for given in await settings_repository.list_group_collections(session):
        if given.group_name in identity.groups:
            collections[given.collection_id] = collections.get(given.collection_id, False) or given.can_write
    return GroupAccess(role, collections if role else {})


async def _join(
    session: Session, identity: ProviderIdentity, access: GroupAccess, *, is_linking_allowed: bool
) -> tuple[User | None, Forbidden | None]:
    """Link an identity that is new here to an account, or create one."""
    if access.role is None:
        return None, NoGroupForSignIn()
    if identity.email is None:
        return None, IdentityWithoutEmail()
    target = {"issuer": identity.issuer, "email": identity.email}
    user = await users_repository.find_user_by_email(session, identity.email)
    if user is None:
        user = await users_repository.add(
            session, email=identity.email, name=identity.name, password_hash=None, role=access.role
        )
        action = "user.create"
    elif not user.is_active:
        return user, AccountDisabled()
    elif (
        is_linking_allowed
        and identity.is_email_verified
        and not await repository.has_identity(session, user.id, identity.issuer)
    ):
        action = "user.link_identity"
    else:
        return None, IdentityNotLinked()
    await repository.add_identity(session, user.id, issuer=identity.issuer, subject=identity.subject)
    await record(session, f"user:{user.id}", action=action, target=f"user:{user.id}", details=target)
    return user, None


async def _give(session: Session, user: User, access: GroupAccess) -> None:
    """Set role and collections. The last administrator stays one, because somebody must be able to mend the map."""
    admins = await users_repository.lock_active_admins(session, has_single_sign_on=True)
    role = access.role or "reader"
    details: dict[str, Any] = {}
    if role != user.role and not (admins == {user.id} and role != "admin"):
        details["role"] = user.role = role
        await session.flush()
    changed = await repository.set_group_memberships(session, user.id, access.collections)
    if changed:
        details["collections"] = sorted(str(collection_id) for collection_id in access.collections)
    if access.role is None:
        details["revoked_sessions"] = await users_repository.revoke_sessions(session, user.id)
    if details:
        target = f"user:{user.id}"
        await record(session, target, action="user.apply_groups", target=target, details=details)


def _read_email(value: object) -> str | None:
    try:
        return _EMAIL.validate_python(value)
    except ValidationError:
        return None
