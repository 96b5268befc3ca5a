"""Who is asking, and the scope that follows from it."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from lectern.accounts.errors import AdminsOnly, PeopleOnly, ReadOnly
from lectern.db.scope import Scope

Role = Literal["admin", "editor", "reader"]
Kind = Literal["user", "key"]
Ids = frozenset[uuid.UUID]


@dataclass(frozen=True, slots=True, kw_only=True)
class UserReach:
    """A user's role and the collections it gives: open ones, closed ones as a member, and the latter with writing."""

    user_id: uuid.UUID
    role: Role
    open_collections: Ids
    member_collections: Ids
    writer_collections: Ids

    @property
    def collections(self) -> Ids | None:
        """Those that can be read; None for all."""
        return None if self.role == "admin" else self.open_collections | self.member_collections

    @property
    def writable_collections(self) -> Ids | None:
        """Those that can be changed; None for all. A reader changes nothing."""
        if self.role == "admin":
            return None
        return self.open_collections | self.writer_collections if self.role == "editor" else frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyGrant:
    """What an API key itself allows; None does not narrow."""

    key_id: uuid.UUID
    name: str
    can_write: bool
    toolsets: tuple[str, ...]
    collections: Ids | None
    tags: Ids | None
    documents: Ids | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """A person or a machine whose request is being served."""

    kind: Kind
    id: uuid.UUID
    name: str
    role: Role | None
    scope: Scope
    writable_collections: Ids | None
    user_id: uuid.UUID | None = None
    session_id: uuid.UUID | None = None
    toolsets: tuple[str, ...] = ()

    @property
    def actor(self) -> str:
        return self.scope.actor

    @property
    def is_admin(self) -> bool:
        return self.kind == "user" and self.role == "admin"

    @property
    def is_narrowed(self) -> bool:
        """Whether it sees less of its collections than all their documents."""
        return self.scope.tags is not None or self.scope.documents is not None

    def can_write_to(self, collection_id: uuid.UUID) -> bool:
        """Whether documents of this collection may be changed."""
        return self.scope.can_write and (
            self.writable_collections is None or collection_id in self.writable_collections
        )

    def require_writing(self) -> None:
        """Raises ReadOnly for one who may only read."""
        if not self.scope.can_write:
            raise ReadOnly

    def require_writing_to(self, collection_ids: Iterable[uuid.UUID]) -> None:
        """Raises ReadOnly unless all these collections may be changed."""
        self.require_writing()
        if not all(self.can_write_to(collection_id) for collection_id in collection_ids):
            raise ReadOnly

    def require_admin(self) -> None:
        """Raises AdminsOnly for anybody else."""
        if not self.is_admin:
            raise AdminsOnly

    def require_person(self) -> uuid.UUID:
        """The user's id. Raises PeopleOnly for a key."""
        if self.kind != "user" or self.user_id is None:
            raise PeopleOnly
        return self.user_id


def user_principal(reach: UserReach, *, name: str, session_id: uuid.UUID) -> Principal:
    """A person: administrators see everything, the others their collections."""
    is_admin = reach.role == "admin"
    writable = reach.writable_collections
    scope = Scope(
        actor=f"user:{reach.user_id}",
        is_unrestricted=is_admin,
        can_write=is_admin or bool(writable),
        collections=reach.collections,
    )
    return Principal(
        kind="user",
        id=reach.user_id,
        name=name,
        role=reach.role,
        scope=scope,
        writable_collections=writable,
        user_id=reach.user_id,
        session_id=session_id,
    )


def key_principal(grant: KeyGrant, owner: UserReach | None) -> Principal:
    """A machine: what its key allows, and never more than the person who made it may do today."""
    writable = _both(grant.collections, owner.writable_collections if owner else None)
    scope = Scope(
        actor=f"key:{grant.key_id}",
        can_write=grant.can_write and (writable is None or bool(writable)),
        collections=_both(grant.collections, owner.collections if owner else None),
        tags=grant.tags,
        documents=grant.documents,
    )
    return Principal(
        kind="key",
        id=grant.key_id,
        name=grant.name,
        role=None,
        scope=scope,
        writable_collections=writable,
        user_id=owner.user_id if owner else None,
        toolsets=grant.toolsets,
    )


def _both(left: Ids | None, right: Ids | None) -> Ids | None:
    if left is None:
        return right
    return left if right is None else left & right
