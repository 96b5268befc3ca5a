"""Read and change how people sign in."""

import uuid

from lectern.accounts.audit.service import record
from lectern.accounts.context import Accounts
from lectern.accounts.errors import LocalPasswordsOff, SingleSignOnRequired
from lectern.accounts.models import SignInSettings
from lectern.accounts.principals import Principal
from lectern.accounts.sign_in import repository
from lectern.accounts.sign_in.schemas import (
    GroupCollection,
    GroupMapping,
    SignInMethods,
    SignInSettingsResponse,
    SignInSettingsUpdate,
)
from lectern.accounts.users import repository as users_repository
from lectern.db.session import Session


def has_passwords(accounts: Accounts, settings: SignInSettings) -> bool:
    """Return True if passwords work. Without an identity provider they always do, so that nobody is locked out."""
    return settings.has_local_passwords or accounts.provider is None


async def require_local_passwords(accounts: Accounts, session: Session) -> None:
    """Raise LocalPasswordsOff if only single sign-on is allowed."""
    if accounts.provider is not None and not has_passwords(accounts, await repository.get_settings(session)):
        raise LocalPasswordsOff


async def get_methods(accounts: Accounts, session: Session) -> SignInMethods:
    """Return how people can sign in."""
    settings = await repository.get_settings(session)
    name = settings.provider_name if accounts.provider is not None else None
    return SignInMethods(has_passwords=has_passwords(accounts, settings), single_sign_on=name)


async def get_settings(
    accounts: Accounts, session: Session, *, redirect_uri: str, sign_out_uri: str
) -> SignInSettingsResponse:
    """Return the settings with the map of groups."""
    settings = await repository.get_settings(session)
    collections = await repository.list_group_collections(session)
    groups = [
        GroupMapping.model_validate(
            {
                "name": group.name,
                "role": group.role,
                "collections": [
                    GroupCollection(collection_id=given.collection_id, can_write=given.can_write)
                    for given in collections
                    if given.group_name == group.name
                ],
            }
        )
        for group in await repository.list_groups(session)
    ]
    issuer = accounts.provider.issuer if accounts.provider else None
    return SignInSettingsResponse.from_row(
        settings, issuer=issuer, redirect_uri=redirect_uri, sign_out_uri=sign_out_uri, groups=groups
    )


async def update_settings(session: Session, principal: Principal, wanted: SignInSettingsUpdate) -> None:
    """Replace the settings. Switching local passwords off ends all sessions that began with one.

    The collections must exist. Raises SingleSignOnRequired.
    """
    settings = await repository.get_settings(session, is_locked=True)
    is_switched_off = settings.has_local_passwords and not wanted.has_local_passwords
    if is_switched_off and not await _is_single_sign_on(session, principal):
        raise SingleSignOnRequired
    for name, value in wanted.model_dump(exclude={"groups"}).items():
        setattr(settings, name, value)
    collections: dict[tuple[str, uuid.UUID], bool] = {
        (group.name, given.collection_id): given.can_write for group in wanted.groups for given in group.collections
    }
    await repository.replace_groups(session, {group.name: group.role for group in wanted.groups}, collections)
    details = wanted.model_dump(mode="json")
    if is_switched_off:
        details["revoked_sessions"] = await users_repository.revoke_password_sessions(session)
    await record(session, principal.actor, action="sign_in_settings.update", details=details)


async def allow_local_passwords(session: Session, principal: Principal) -> None:
    """Switch local passwords on again."""
    settings = await repository.get_settings(session, is_locked=True)
    settings.has_local_passwords = True
    await session.flush()
    details = {"has_local_passwords": True}
    await record(session, principal.actor, action="sign_in_settings.update", details=details)


async def _is_single_sign_on(session: Session, principal: Principal) -> bool:
    row = await users_repository.find_session(session, principal.session_id) if principal.session_id else None
    return row is not None and row.is_single_sign_on
