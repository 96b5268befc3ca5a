"""Read and change the sign-in settings and the map of groups. System sessions only."""

import uuid
from collections.abc import Mapping

from sqlalchemy import delete, insert, select

from lectern.accounts.models import SignInGroup, SignInGroupCollection, SignInSettings
from lectern.db.session import Session


async def get_settings(session: Session, *, is_locked: bool = False) -> SignInSettings:
    """Return the settings. Locked, one sign-in or change runs at a time."""
    return await session.get_one(SignInSettings, 1, with_for_update=is_locked, populate_existing=is_locked)


async def list_groups(session: Session) -> list[SignInGroup]:
    return list((await session.scalars(select(SignInGroup).order_by(SignInGroup.name))).all())


async def list_group_collections(session: Session) -> list[SignInGroupCollection]:
    order = (SignInGroupCollection.group_name, SignInGroupCollection.collection_id)
    return list((await session.scalars(select(SignInGroupCollection).order_by(*order))).all())


async def replace_groups(
    session: Session, roles: Mapping[str, str | None], collections: Mapping[tuple[str, uuid.UUID], bool]
) -> None:
    """Replace the map of groups: their roles, and write access by group and collection."""
    await session.execute(delete(SignInGroup))
    if roles:
        await session.execute(insert(SignInGroup), [{"name": name, "role": role} for name, role in roles.items()])
    if collections:
        rows = [
            {"group_name": name, "collection_id": collection_id, "can_write": can_write}
            for (name, collection_id), can_write in collections.items()
        ]
        await session.execute(insert(SignInGroupCollection), rows)
