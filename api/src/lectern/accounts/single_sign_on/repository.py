"""Read and change identities, their collections and requests. System sessions only."""

import uuid
from collections.abc import Collection, Mapping
from datetime import timedelta

from sqlalchemy import delete, exists, func, insert, select, text

from lectern.accounts.models import Identity, SingleSignOnRequest, User
from lectern.db.session import Session

# The only statement that accepts a state: of two concurrent requests with it, one gets no row.
_USE_REQUEST = text("""
DELETE FROM sign_in_requests WHERE state_hash = :state_hash AND browser_hash = :browser_hash
RETURNING next_path, expires_at > now() AS is_valid
""")
_DROP_GROUP_MEMBERSHIPS = text("""
DELETE FROM collection_members
WHERE user_id = :user_id AND is_from_group AND NOT collection_id = ANY (CAST(:kept AS uuid[]))
RETURNING collection_id
""")
# What an administrator gave stays, unless a group gives more.
_PUT_GROUP_MEMBERSHIP = text("""
INSERT INTO collection_members AS m (collection_id, user_id, can_write, is_from_group)
VALUES (:collection_id, :user_id, :can_write, true)
ON CONFLICT (collection_id, user_id) DO UPDATE SET can_write = :can_write, is_from_group = true
WHERE m.can_write <> :can_write AND (m.is_from_group OR :can_write)
RETURNING collection_id
""")


async def find_identity(session: Session, issuer: str, subject: str) -> User | None:
    query = select(User).join(Identity, Identity.user_id == User.id)
    return await session.scalar(query.where(Identity.issuer == issuer, Identity.subject == subject).with_for_update())


async def has_identity(session: Session, user_id: uuid.UUID, issuer: str) -> bool:
    query = select(exists().where(Identity.user_id == user_id, Identity.issuer == issuer))
    return bool(await session.scalar(query))


async def add_identity(session: Session, user_id: uuid.UUID, *, issuer: str, subject: str) -> None:
    session.add(Identity(issuer=issuer, subject=subject, user_id=user_id))
    await session.flush()


async def set_group_memberships(
    session: Session, user_id: uuid.UUID, collections: Mapping[uuid.UUID, bool]
) -> Collection[uuid.UUID]:
    """Give exactly these collections by group, each with or without write access. Return the changed ones."""
    values = {"user_id": user_id, "kept": list(collections)}
    changed = set((await session.execute(_DROP_GROUP_MEMBERSHIPS, values)).scalars())
    for collection_id, can_write in sorted(collections.items()):
        row = {"collection_id": collection_id, "user_id": user_id, "can_write": can_write}
        changed |= set((await session.execute(_PUT_GROUP_MEMBERSHIP, row)).scalars())
    return changed


async def add_request(session: Session, *, state_hash: str, browser_hash: str, next_path: str, life: timedelta) -> None:
    """Store a request, and delete those that have expired."""
    await session.execute(delete(SingleSignOnRequest).where(SingleSignOnRequest.expires_at < func.now()))
    values = {"state_hash": state_hash, "browser_hash": browser_hash, "next_path": next_path}
    await session.execute(insert(SingleSignOnRequest).values(**values, expires_at=func.now() + life))


async def use_request(session: Session, *, state_hash: str, browser_hash: str) -> str | None:
    """Delete the request of this state and browser. Return its path, or None if there is none or it has expired."""
    values = {"state_hash": state_hash, "browser_hash": browser_hash}
    row = (await session.execute(_USE_REQUEST, values)).one_or_none()
    return row.next_path if row is not None and row.is_valid else None
