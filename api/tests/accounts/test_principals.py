"""The permissions of a key are the intersection of its own and its creator's."""

import uuid

from hypothesis import given
from hypothesis import strategies as st

from lectern.accounts.principals import KeyGrant, Principal, UserAccess, key_principal, user_principal

COLLECTIONS = [uuid.UUID(int=number) for number in range(1, 6)]
SETS = st.frozensets(st.sampled_from(COLLECTIONS))

REACHES = st.builds(
    UserAccess,
    user_id=st.just(uuid.UUID(int=99)),
    role=st.sampled_from(["admin", "editor", "reader"]),
    open_collections=SETS,
    member_collections=SETS,
    writer_collections=SETS,
).map(
    lambda reach: UserAccess(
        user_id=reach.user_id,
        role=reach.role,
        open_collections=reach.open_collections,
        member_collections=reach.member_collections | reach.writer_collections,
        writer_collections=reach.writer_collections,
    )
)
GRANTS = st.builds(
    KeyGrant,
    key_id=st.just(uuid.UUID(int=98)),
    name=st.just("k"),
    can_write=st.booleans(),
    toolsets=st.just(("search",)),
    collections=st.none() | SETS,
    tags=st.none() | SETS,
    documents=st.none() | SETS,
)


def reads(principal: Principal, collection_id: uuid.UUID) -> bool:
    scope = principal.scope
    return scope.is_unrestricted or scope.collections is None or collection_id in scope.collections


@given(REACHES, GRANTS)
def test_a_key_never_reaches_further_than_its_maker(reach: UserAccess, grant: KeyGrant) -> None:
    maker = user_principal(reach, name="m", session_id=uuid.UUID(int=97))
    key = key_principal(grant, reach)
    assert not key.scope.is_unrestricted
    assert not key.is_admin
    for collection_id in COLLECTIONS:
        allowed = grant.collections is None or collection_id in grant.collections
        assert reads(key, collection_id) == (allowed and reads(maker, collection_id))
        expected = grant.can_write and allowed and maker.can_write_to(collection_id)
        assert key.can_write_to(collection_id) == expected
    assert (key.scope.tags, key.scope.documents) == (grant.tags, grant.documents)


@given(REACHES)
def test_who_may_write_somewhere_may_read_there(reach: UserAccess) -> None:
    person = user_principal(reach, name="m", session_id=uuid.UUID(int=97))
    for collection_id in COLLECTIONS:
        assert reads(person, collection_id) or not person.can_write_to(collection_id)
    assert person.scope.can_write == (
        reach.role == "admin" or any(person.can_write_to(collection_id) for collection_id in COLLECTIONS)
    )


@given(GRANTS)
def test_a_key_of_the_installation_is_bound_by_its_own_grant_only(grant: KeyGrant) -> None:
    key = key_principal(grant, None)
    assert key.scope.collections == grant.collections
    assert key.user_id is None
