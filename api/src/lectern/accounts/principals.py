"""Principals of requests, and their scopes."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from lectern.accounts.errors import AdminsOnly, PeopleOnly, ReadOnly
from lectern.db.scope import NO_IDS, SYSTEM_SCOPE, IdList, Scope

Role = Literal["admin", "editor", "reader"]
Kind = Literal["user", "key"]
Ids = frozenset[uuid.UUID]


@dataclass(frozen=True, slots=True, kw_only=True)
class UserAccess:
    """A user's role and collections: the open ones, and those with membership or write access.

    `granted_documents` are those of other collections that were shared with the user.
    """

    user_id: uuid.UUID
    role: Role
    open_collections: Ids
    member_collections: Ids
    writer_collections: Ids
    granted_documents: IdList = NO_IDS

    @property
    def granted(self) -> IdList:
        """Documents that are readable beside the collections. An administrator needs none."""
        return NO_IDS if self.role == "admin" else self.granted_documents

    @property
    def collections(self) -> Ids | None:
        """Readable collections, None for all."""
        return None if self.role == "admin" else self.open_collections | self.member_collections

    @property
    def writable_collections(self) -> Ids | None:
        """Writable collections, None for all. A reader has none."""
        if self.role == "admin":
            return None
        return self.open_collections | self.writer_collections if self.role == "editor" else frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyGrant:
    """The permissions of an API key. None means no limit."""

    key_id: uuid.UUID
    name: str
    can_write: bool
    toolsets: tuple[str, ...]
    collections: Ids | None
    tags: Ids | None
    documents: Ids | None
    prefix: str = field(default="", metadata={"description": "Names the secret in use: a rotated key has two."})
    allowed_networks: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """The user or API key of a request."""

    kind: Kind
    id: uuid.UUID
    name: str
    role: Role | None
    scope: Scope
    writable_collections: Ids | None
    user_id: uuid.UUID | None = None
    session_id: uuid.UUID | None = None
    toolsets: tuple[str, ...] = ()
    key: KeyGrant | None = None

    @property
    def actor(self) -> str:
        return self.scope.actor

    @property
    def owner_id(self) -> uuid.UUID | None:
        """The account that owns what the principal adds, None for the command line and watched folders."""
        return None if self.scope == SYSTEM_SCOPE else self.user_id

    @property
    def is_admin(self) -> bool:
        return self.kind == "user" and self.role == "admin"

    @property
    def is_narrowed(self) -> bool:
        """True if it is limited to tags or documents."""
        return self.scope.tags is not None or self.scope.documents is not None

    def can_write_to(self, collection_id: uuid.UUID) -> bool:
        """Return True if the principal may change documents of this collection."""
        return self.scope.can_write and (
            self.writable_collections is None or collection_id in self.writable_collections
        )

    def require_writing(self) -> None:
        """Raise ReadOnly without write access."""
        if not self.scope.can_write:
            raise ReadOnly

    def require_person_or_writing(self) -> None:
        """Raise ReadOnly for an API key without write access."""
        if self.kind == "key":
            self.require_writing()

    def require_writing_to(self, collection_ids: Iterable[uuid.UUID]) -> None:
        """Raise ReadOnly without write access to all these collections."""
        self.require_writing()
        if not all(self.can_write_to(collection_id) for collection_id in collection_ids):
            raise ReadOnly

    def require_admin(self) -> None:
        """Raise AdminsOnly unless the principal is an administrator."""
        if not self.is_admin:
            raise AdminsOnly

    def require_person(self) -> uuid.UUID:
        """Return the user's id. Raises PeopleOnly for a key."""
        if self.kind != "user" or self.user_id is None:
            raise PeopleOnly
        return self.user_id


def system_principal(name: str) -> Principal:
    """Build the principal of Lectern itself: an administrator without an account."""
    nobody = uuid.UUID(int=0)
    return Principal(
        kind="user",
        id=nobody,
        user_id=nobody,
        name=name,
        role="admin",
        scope=SYSTEM_SCOPE,
        writable_collections=None,
    )


def user_principal(reach: UserAccess, *, name: str, session_id: uuid.UUID) -> Principal:
    """Build the principal of a user. Administrators see everything, other users their collections."""
    is_admin = reach.role == "admin"
    writable = reach.writable_collections
    scope = Scope(
        actor=f"user:{reach.user_id}",
        is_unrestricted=is_admin,
        can_write=is_admin or bool(writable),
        collections=reach.collections,
        granted=reach.granted,
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


def key_principal(grant: KeyGrant, owner: UserAccess | None) -> Principal:
    """Build the principal of a key. Its permissions never exceed the current ones of its creator.

    A key that is limited to collections sees no shared documents.
    """
    writable = _intersect(grant.collections, owner.writable_collections if owner else None)
    readable = _intersect(grant.collections, owner.collections if owner else None)
    scope = Scope(
        actor=f"key:{grant.key_id}",
        can_write=grant.can_write and (writable is None or bool(writable)),
        collections=readable,
        tags=grant.tags,
        documents=grant.documents,
        granted=owner.granted if owner and grant.collections is None else NO_IDS,
        named_collections=frozenset() if grant.collections is None else readable or frozenset(),
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
        key=grant,
    )


def _intersect(left: Ids | None, right: Ids | None) -> Ids | None:
    if left is None:
        return right
    return left if right is None else left & right
